//! A game under way.

use rules::{
    Answer, Calls, Choices, Listener, MoveAnnouncements, NonsenseRow, Over, Reason, ReserveUse,
    SeatVerdict, Start, Tries, Try, TurnState, Winner,
    chess::{ByColor, Color},
    seat_verdict,
};

use crate::{
    cause::Cause,
    event::{Event, Opened},
    kernel::{Past, Position, Seen},
    refusal::Refusal,
    start::StartPosition,
    told,
};

/// A game under way: the truth, and what has been announced.
///
/// [`judge`](Game::judge) decides and changes nothing; [`apply`](Game::apply)
/// changes and decides nothing. The log of events lies outside; replaying it
/// gives an equal game.
#[derive(Clone, Debug)]
pub struct Game {
    pub(crate) opened: Box<Opened>,
    pub(crate) position: Position,
    /// The view of the king of the side to move.
    pub(crate) seen: Seen,
    pub(crate) halfmoves: u32,
    pub(crate) fullmoves: u32,
    /// The turn, as the player to move knows it.
    pub(crate) turn: TurnState,
    /// Noes on each side's last turn, or so far.
    pub(crate) rebuffs: ByColor<u32>,
    /// The announcements of the last completed move, as said aloud.
    pub(crate) said: MoveAnnouncements,
    pub(crate) offer: Option<Color>,
    pub(crate) over: Option<Over>,
    /// Record by which repetitions are counted; empty where repetition does not
    /// count.
    pub(crate) past: Past,
}

impl PartialEq for Game {
    fn eq(&self, other: &Game) -> bool {
        self.opened == other.opened
            && self.position == other.position
            && (self.halfmoves, self.fullmoves) == (other.halfmoves, other.fullmoves)
            && self.turn == other.turn
            && self.rebuffs == other.rebuffs
            && self.said == other.said
            && self.offer == other.offer
            && self.over == other.over
            && self.past == other.past
    }
}

/// The referee's decision on an attempt.
#[derive(Clone, PartialEq, Debug)]
pub struct Ruling {
    /// Event to be recorded.
    pub event: Event,
    /// Calls to be made, in order.
    pub calls: Calls,
}

impl Ruling {
    /// The answer in one word.
    pub fn answer(&self) -> Answer {
        self.event
            .answer()
            .expect("a ruling never opens a game, and every other event answers")
    }
}

/// A log that cannot be replayed.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ReplayError {
    /// It does not begin with an opening.
    #[error("a log begins with the event `opened`")]
    NotOpened,
    /// A second opening.
    #[error("event {index} opens the game a second time")]
    OpenedTwice {
        /// Its index in the log.
        index: usize,
    },
    /// An event that cannot happen there.
    #[error("event {index} cannot have happened there: {event}")]
    Impossible {
        /// Its index in the log.
        index: usize,
        /// The event.
        event: String,
    },
}

/// A finished game: everything may be seen by everyone.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// The opening.
    pub opened: Opened,
    /// The last position, as FEN.
    pub fen: String,
    /// Result and reason; `*` if the game was not over.
    pub over: Over,
}

/// The umpire's sheet of a live game: the truth.
///
/// Only the umpire's own tools may name this type; nothing made from it is
/// ever sent to a seat.
#[derive(Clone, Debug)]
pub struct Sheet(StartPosition);

impl Sheet {
    /// The true position as FEN; the en passant square only if a capture there
    /// is legal, reserves and `~` where men can be dropped.
    pub fn fen(&self) -> String {
        self.0.fen()
    }

    /// The true position.
    pub const fn position(&self) -> &Position {
        self.0.position()
    }

    /// The true board.
    pub fn board(&self) -> rules::chess::Board {
        self.position().board()
    }

    /// Both reserves.
    pub const fn reserves(&self) -> ByColor<rules::Reserve> {
        self.position().reserves()
    }

    /// Every legal try of the side to move.
    pub fn legal_tries(&self) -> Vec<Try> {
        self.position().legal_tries()
    }
}

impl Game {
    /// Opens a game.
    pub fn open(opened: Opened) -> Game {
        let position = *opened.start.position();
        let mut game = Game {
            position,
            seen: position.seen(),
            halfmoves: opened.start.halfmoves(),
            fullmoves: opened.start.fullmoves(),
            turn: TurnState::default(),
            rebuffs: ByColor { white: 0, black: 0 },
            said: MoveAnnouncements::NOTHING,
            offer: None,
            over: None,
            past: Past::default(),
            opened: Box::new(opened),
        };
        if game.counts_repetition() {
            game.past = Past::from_start(&position, game.drops());
        }
        let facts = position.facts();
        game.over = told::end(
            game.choices(),
            &position,
            facts.check,
            facts.any_legal,
            game.halfmoves,
            1,
        );
        let tries = if game.over.is_some() {
            Tries::Untold
        } else {
            told::tries(game.choices(), &position, &facts.seen)
        };
        let check = told::check(game.choices(), facts.check);
        game.turn.begin(check, tries);
        game
    }

    /// The first event of the game's log.
    pub fn opened_event(&self) -> Event {
        Event::Opened(self.opened.clone())
    }

    /// Returns what a listener is told when the game opens.
    pub fn start(&self, listener: Listener) -> Start {
        let position = self.opened.start.position();
        Start {
            rules: self.opened.rules.clone(),
            own: listener.color().map(|color| position.own(color)),
            reserves: position.reserves(),
        }
    }

    /// Returns the calls of the opening, which follow the
    /// [`start`](Game::start): check, tries, turn or over of the start
    /// position.
    pub fn opening_calls(&self) -> Calls {
        Game::open((*self.opened).clone()).standing_calls()
    }

    /// Replays a log.
    ///
    /// # Errors
    /// Names the event at which the log is no game's.
    pub fn replay(log: &[Event]) -> Result<Game, ReplayError> {
        let Some((Event::Opened(opened), rest)) = log.split_first() else {
            return Err(ReplayError::NotOpened);
        };
        let mut game = Game::open((**opened).clone());
        for (i, event) in rest.iter().enumerate() {
            let index = i + 1;
            if matches!(event, Event::Opened(_)) {
                return Err(ReplayError::OpenedTwice { index });
            }
            if !game.could_happen(event) {
                return Err(ReplayError::Impossible {
                    index,
                    event: event.to_string(),
                });
            }
            game.apply(event);
        }
        Ok(game)
    }

    /// Judges what is asked of the referee. Changes nothing.
    ///
    /// # Errors
    /// As [`judge`](Game::judge).
    pub fn judge_cause(&self, cause: Cause) -> Result<Ruling, Refusal> {
        match cause {
            Cause::Attempt { by, attempt } => self.judge(by, attempt),
            Cause::End(cause) => self.judge_end(cause),
        }
    }

    /// The row of the table of verdicts that makes a try nonsense, if one does.
    pub fn nonsense_row(&self, by: Color, what: Try) -> Option<NonsenseRow> {
        match seat_verdict(self.choices(), &self.position.own(by), &self.turn, what) {
            SeatVerdict::Nonsense(row) => Some(row),
            SeatVerdict::Open | SeatVerdict::RepeatNo | SeatVerdict::No => None,
        }
    }

    /// The choices, with the game's switches set.
    pub fn choices(&self) -> &Choices {
        &self.opened.choices
    }

    /// The ruleset's id.
    pub fn rules(&self) -> &str {
        &self.opened.rules
    }

    /// The side to move in the position, also after the end.
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// The side to move; `None` when the game is over.
    pub fn to_move(&self) -> Option<Color> {
        self.over.is_none().then(|| self.position.turn())
    }

    /// Returns the end of the game, if it is over.
    pub fn over(&self) -> Option<Over> {
        self.over
    }

    /// The side that offers a draw.
    pub fn draw_offer(&self) -> Option<Color> {
        self.offer
    }

    /// The umpire's sheet: the truth of a live game.
    pub fn sheet(&self) -> Sheet {
        Sheet(StartPosition {
            position: self.position,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
            drops: self.drops(),
        })
    }

    /// Closes the game, over or not; from here on everyone may see everything.
    pub fn close(self) -> Finished {
        Finished {
            fen: self.sheet().fen(),
            over: self.over.unwrap_or(Over {
                winner: Winner::Unfinished,
                reason: Reason::Aborted,
            }),
            opened: *self.opened,
        }
    }

    pub(crate) fn drops(&self) -> bool {
        self.opened.choices.reserve == ReserveUse::Drops
    }

    /// Whether `event` is what the referee decides on its cause here.
    fn could_happen(&self, event: &Event) -> bool {
        let ruling = event.cause().map(|cause| self.judge_cause(cause));
        matches!(ruling, Some(Ok(ruling)) if ruling.event == *event)
    }
}

impl From<&rules::Ruleset> for Game {
    /// A fresh game from the usual start position.
    fn from(ruleset: &rules::Ruleset) -> Game {
        Game::open(Opened::new(
            ruleset,
            ruleset.choices,
            StartPosition::initial(),
        ))
    }
}
