//! Plays one game from start to end.

use std::fmt;

use bots::Budget;
use referee::{EndCause, Event, Game, Opened, Refusal, Ruling};
use rules::{
    Attempt, Calls, Listener, Over, Start, Try,
    chess::{ByColor, Color},
};
use views::{BothViews, PlayerView};

use crate::{
    scribe::Scribe,
    seat::{Seat, Word},
};

/// Maximum number of refused or unreadable attempts in one turn. A seat that
/// exceeds this number counts as gone.
pub const MAX_REFUSALS_PER_TURN: u32 = 100;

/// Maximum number of answered attempts in one turn. A seat that reaches this number
/// counts as gone. No player needs this many attempts, but a program could repeat one attempt forever.
pub const MAX_ATTEMPTS_PER_TURN: u32 = 10_000;

/// The start that all games of a run share.
#[derive(Clone, Debug)]
pub struct Opening {
    opened: Opened,
    asked: String,
    starts: ByColor<Start>,
    calls: Calls,
    views: ByColor<PlayerView>,
}

impl Opening {
    /// Computes what the seats hear at the start. `asked` is the input line that
    /// opens the game, for records: `new` or `new FEN`.
    pub fn new(opened: Opened, asked: String) -> Opening {
        let game = Game::open(opened.clone());
        let calls = game.opening_calls();
        let starts = ByColor {
            white: game.start(Listener::White),
            black: game.start(Listener::Black),
        };
        let views = ByColor::new_with(|color| {
            let mut view = PlayerView::open(opened.choices, color, starts.get(color));
            view.hear_calls(&calls);
            view
        });
        Opening {
            opened,
            asked,
            starts,
            calls,
            views,
        }
    }

    /// Returns the opening event of the games.
    pub fn opened(&self) -> &Opened {
        &self.opened
    }
}

/// Buffers that are reused for the next game.
#[derive(Debug, Default)]
pub struct Buffers {
    tries: Vec<Try>,
    calls: Calls,
}

/// Result of a game.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Played {
    /// Number of completed moves.
    pub plies: u32,
    /// Number of answered attempts and questions. Refused and unreadable attempts
    /// do not count.
    pub attempts: u64,
    /// End of the game; `None` if it was stopped before its end.
    pub over: Option<Over>,
}

/// Plays one game. It judges every attempt and passes the calls to the views and
/// to the seats to which they are addressed.
///
/// The list of tries is computed again before every attempt. This function allocates
/// no memory for an attempt; a seat or a scribe may do so.
pub fn play_game<W, B, S>(
    opening: &Opening,
    max_plies: u32,
    white: &mut W,
    black: &mut B,
    scribe: &mut S,
    buffers: &mut Buffers,
) -> Played
where
    W: Seat + ?Sized,
    B: Seat + ?Sized,
    S: Scribe,
{
    let Buffers { tries, calls } = buffers;
    let mut game = Game::open(opening.opened.clone());
    let mut views = opening.views.clone();
    let mut played = Played::default();
    let (mut refusals, mut answered) = (0, 0);
    let mut turn_begins = true;

    white.open(&opening.starts.white, &opening.opened.choices);
    black.open(&opening.starts.black, &opening.opened.choices);
    let listen = white.hears() || black.hears();
    let mut seats = Seats {
        white,
        black,
        listen,
    };
    // Call `told` on both seats. Both have heard the start, even if no call is addressed to them.
    seats.say(&opening.calls, ByColor::new_with(|_| true));
    scribe.opened(&game, &opening.asked, &opening.calls);
    // If only the views need the calls, pass them on without collecting them.
    let kept = &mut (listen || scribe.writes()).then_some(calls);

    while let Some(by) = game.to_move() {
        if played.plies >= max_plies {
            seats.stop(&game, EndCause::Abort);
            return played;
        }
        let word = if refusals > MAX_REFUSALS_PER_TURN || answered >= MAX_ATTEMPTS_PER_TURN {
            Word::Gone
        } else {
            let view = views.get(by);
            view.tries_into(tries);
            if std::mem::take(&mut turn_begins) {
                seats.begin_turn(by);
            }
            seats.answer(view, tries)
        };
        match word {
            Word::Attempt(attempt) => match judge(&mut game, by, attempt, &mut views, kept) {
                Ok(event) => {
                    if let Some(calls) = kept {
                        seats.tell(calls);
                        scribe.ruled(&game, by, attempt, &event, calls);
                    }
                    played.attempts += 1;
                    answered += 1;
                    if matches!(event, Event::Moved { .. }) {
                        played.plies += 1;
                        (refusals, answered) = (0, 0);
                        turn_begins = true;
                    }
                }
                Err(refusal) => {
                    refusals += 1;
                    scribe.refused(&game, by, attempt, &refusal);
                    seats.refused(by, &refusal);
                }
            },
            Word::Unreadable { text, why } => {
                refusals += 1;
                scribe.not_understood(&game, &text, &why);
                seats.refused(by, &why);
            }
            Word::Gone => {
                if let Some(ruling) = seats.stop(&game, EndCause::Gone(by)) {
                    game.apply(&ruling.event);
                    scribe.gone(&game, by, &ruling.calls);
                }
            }
        }
    }
    played.over = game.over();
    played
}

/// Judges an attempt and passes the calls to both views; also collects them if `kept` is `Some`.
#[inline]
fn judge(
    game: &mut Game,
    by: Color,
    attempt: Attempt,
    views: &mut ByColor<PlayerView>,
    kept: &mut Option<&mut Calls>,
) -> Result<Event, Refusal> {
    match kept {
        None => {
            let mut both = BothViews {
                white: &mut views.white,
                black: &mut views.black,
            };
            game.attempt_before(by, attempt, &mut both)
        }
        Some(calls) => {
            let event = game.attempt(by, attempt, calls)?;
            views.white.hear_calls(calls);
            views.black.hear_calls(calls);
            Ok(event)
        }
    }
}

/// The two seats, and whether at least one of them wants to hear calls.
struct Seats<'a, W: ?Sized, B: ?Sized> {
    white: &'a mut W,
    black: &'a mut B,
    listen: bool,
}

impl<W: Seat + ?Sized, B: Seat + ?Sized> Seats<'_, W, B> {
    fn begin_turn(&mut self, by: Color) {
        match by {
            Color::White => self.white.begin_turn(Budget::Usual),
            Color::Black => self.black.begin_turn(Budget::Usual),
        }
    }

    fn answer(&mut self, view: &PlayerView, tries: &[Try]) -> Word {
        match view.color() {
            Color::White => self.white.answer(view, tries),
            Color::Black => self.black.answer(view, tries),
        }
    }

    fn refused(&mut self, by: Color, why: &dyn fmt::Display) {
        match by {
            Color::White => self.white.refused(why),
            Color::Black => self.black.refused(why),
        }
    }

    /// Passes to each seat the calls addressed to it.
    fn tell(&mut self, calls: &Calls) {
        self.say(calls, ByColor::new_with(|_| false));
    }

    /// As [`tell`](Seats::tell). `heard` tells which seats have already heard something of this event.
    fn say(&mut self, calls: &Calls, mut heard: ByColor<bool>) {
        if !self.listen {
            return;
        }
        for call in calls {
            if call.audience.includes(Listener::White) {
                self.white.hear(&call.heard);
                heard.white = true;
            }
            if call.audience.includes(Listener::Black) {
                self.black.hear(&call.heard);
                heard.black = true;
            }
        }
        if heard.white {
            self.white.told();
        }
        if heard.black {
            self.black.told();
        }
    }

    /// Judges an end by absence or abort, and passes the calls to the seats.
    fn stop(&mut self, game: &Game, cause: EndCause) -> Option<Ruling> {
        let ruling = game.judge_end(cause).ok()?;
        self.tell(&ruling.calls);
        Some(ruling)
    }
}
