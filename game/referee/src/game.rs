//! A game in progress.

use position::{Position, Seen, StartPosition, announcements};
use rules::{
    Answer, Calls, Choices, Listener, MoveAnnouncements, NonsenseRow, Over, Reason, ReserveUse,
    SeatVerdict, Start, Tries, Try, TurnState, Winner,
    chess::{ByColor, Color},
    seat_verdict,
};

use crate::{
    cause::Cause,
    event::{Event, Opened},
    refusal::Refusal,
    repetition::Repetitions,
};

/// A game in progress: the true position, and what has been announced.
///
/// [`judge`](Game::judge) decides, but does not change the game. [`apply`](Game::apply) changes the
/// game, but decides nothing. The game does not keep the list of its events. The caller keeps this
/// list. [`replay`](Game::replay) makes an equal game from the list.
#[derive(Clone, Debug)]
pub struct Game {
    pub(crate) opened: Box<Opened>,
    pub(crate) position: Position,
    /// The men that check the king of the side to move, and the open lines of this king.
    pub(crate) seen: Seen,
    pub(crate) halfmoves: u32,
    pub(crate) fullmoves: u32,
    /// What the player to move knows about the current turn.
    pub(crate) turn: TurnState,
    /// Number of answers "no" to each side. For the side to move, answers in the current turn are
    /// counted. For the other side, answers in its last turn are counted.
    pub(crate) rebuffs: ByColor<u32>,
    /// Announcements that everyone heard about the last completed move.
    pub(crate) said: MoveAnnouncements,
    pub(crate) offer: Option<Color>,
    pub(crate) over: Option<Over>,
    /// Earlier positions, for counting repetitions; empty if the ruleset does
    /// not count them.
    pub(crate) past: Repetitions,
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

/// Decision of the referee on an attempt, or on an end of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct Ruling {
    /// Event to record.
    pub event: Event,
    /// Calls to make, in order.
    pub calls: Calls,
}

impl Ruling {
    /// Returns the answer in one word, for the umpire's record.
    pub fn answer(&self) -> Answer {
        self.event
            .answer()
            .expect("only an opening has no answer, and a ruling is never an opening")
    }
}

/// Error: the list of events cannot be the log of a game.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum ReplayError {
    /// The first event is not [`Event::Opened`].
    #[error("a log must begin with the event `opened`")]
    NotOpened,
    /// A later event is [`Event::Opened`] too.
    #[error("event {index} opens the game a second time")]
    OpenedTwice {
        /// Index of the event in the log, from 0.
        index: usize,
    },
    /// The referee would not have made this decision at this point of the game.
    #[error("event {index} is impossible at this point of the game: {event}")]
    Impossible {
        /// Index of the event in the log, from 0.
        index: usize,
        /// Text form of the event.
        event: String,
    },
}

/// A closed game: everyone may see everything.
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// Ruleset, choices and start position.
    pub opened: Opened,
    /// Last position, as FEN.
    pub fen: String,
    /// Result and reason. If the game was not over: [`Winner::Unfinished`] and
    /// [`Reason::Aborted`].
    pub over: Over,
}

/// The umpire's record of a live game, with the true position.
///
/// Only the umpire's own tools, and spectators of two built-in bots, may use this type, because
/// nothing that is made from a sheet may be sent to a player.
#[derive(Clone, Debug)]
pub struct Sheet(StartPosition);

impl Sheet {
    /// Returns the true position as FEN. The en passant square is written only if a capture there
    /// is legal. Reserves, and `~` after promoted men, are written only if captured men can be
    /// dropped.
    pub fn fen(&self) -> String {
        self.0.fen()
    }

    /// Returns the true position, with castling rights, en passant square and reserves.
    pub const fn position(&self) -> &Position {
        self.0.position()
    }

    /// Returns the true board: the men of both sides.
    pub fn board(&self) -> rules::chess::Board {
        self.position().board()
    }

    /// Returns the reserves of both sides.
    pub const fn reserves(&self) -> ByColor<rules::Reserve> {
        self.position().reserves()
    }

    /// Lists every legal try of the side to move.
    pub fn legal_tries(&self) -> Vec<Try> {
        self.position().legal_tries()
    }
}

impl Game {
    /// Opens a game. If the start position ends the game, the game is over at once.
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
            past: Repetitions::default(),
            opened: Box::new(opened),
        };
        if game.counts_repetition() {
            game.past = Repetitions::from_start(&position, game.drops());
        }
        let facts = position.facts();
        game.over = announcements::end(
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
            announcements::tries(game.choices(), &position, &facts.seen)
        };
        let check = announcements::check(game.choices(), facts.check);
        game.turn.begin(check, tries);
        game
    }

    /// Returns the first event of the game's log.
    pub fn opened_event(&self) -> Event {
        Event::Opened(self.opened.clone())
    }

    /// Returns what a listener hears first when the game opens: the ruleset,
    /// the own men (players only) and both reserves.
    pub fn start(&self, listener: Listener) -> Start {
        let position = self.opened.start.position();
        Start {
            rules: self.opened.rules.clone(),
            own: listener.color().map(|color| position.own(color)),
            reserves: position.reserves(),
        }
    }

    /// Returns the calls that follow the [`start`](Game::start) when the game
    /// opens: check, pawn tries, and the turn or the end in the start position.
    pub fn opening_calls(&self) -> Calls {
        Game::open((*self.opened).clone()).calls_of_position()
    }

    /// Rebuilds a game from the list of its events.
    ///
    /// # Errors
    /// [`ReplayError`] if the list does not begin with an opening, or if an event differs from the
    /// referee's decision. The error names the first such event.
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

    /// Judges an attempt, or an end by time, absence or abort. Changes nothing.
    ///
    /// # Errors
    /// The same errors as [`judge`](Game::judge).
    pub fn judge_cause(&self, cause: Cause) -> Result<Ruling, Refusal> {
        match cause {
            Cause::Attempt { by, attempt } => self.judge(by, attempt),
            Cause::End(cause) => self.judge_end(cause),
        }
    }

    /// If a try is nonsense, returns the reason: the row of the table of verdicts (one of the rows
    /// 2 to 5). Otherwise returns `None`.
    pub fn nonsense_row(&self, by: Color, what: Try) -> Option<NonsenseRow> {
        match seat_verdict(self.choices(), &self.position.own(by), &self.turn, what) {
            SeatVerdict::Nonsense(row) => Some(row),
            SeatVerdict::Open | SeatVerdict::RepeatNo | SeatVerdict::No => None,
        }
    }

    /// Returns the choices of the ruleset, after the switches of this game were applied.
    pub fn choices(&self) -> &Choices {
        &self.opened.choices
    }

    /// Returns the id of the ruleset.
    pub fn rules(&self) -> &str {
        &self.opened.rules
    }

    /// Returns the side to move in the position, even if the game is over.
    pub fn turn(&self) -> Color {
        self.position.turn()
    }

    /// Returns the side to move; `None` if the game is over.
    pub fn to_move(&self) -> Option<Color> {
        self.over.is_none().then(|| self.position.turn())
    }

    /// Returns the result and the reason; `None` if the game is not over.
    pub fn over(&self) -> Option<Over> {
        self.over
    }

    /// Returns the side whose draw offer is open, if there is one.
    pub fn draw_offer(&self) -> Option<Color> {
        self.offer
    }

    /// Returns the umpire's record with the true position. Only for the
    /// umpire's own tools.
    pub fn sheet(&self) -> Sheet {
        let (halfmoves, fullmoves) = (self.halfmoves, self.fullmoves);
        Sheet(StartPosition::of(
            self.position,
            halfmoves,
            fullmoves,
            self.drops(),
        ))
    }

    /// Closes the game, whether it is over or not. Everyone may see the returned
    /// value.
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

    /// Whether the referee would decide exactly `event` at this point of the
    /// game.
    fn could_happen(&self, event: &Event) -> bool {
        let ruling = event.cause().map(|cause| self.judge_cause(cause));
        matches!(ruling, Some(Ok(ruling)) if ruling.event == *event)
    }
}

impl From<&rules::Ruleset> for Game {
    /// Opens a game from the usual start position. If the ruleset has another, use [`Game::open`]
    /// with [`StartPosition::of_ruleset`].
    fn from(ruleset: &rules::Ruleset) -> Game {
        Game::open(Opened::new(
            ruleset,
            ruleset.choices,
            StartPosition::initial(),
        ))
    }
}
