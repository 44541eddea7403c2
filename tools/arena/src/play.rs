//! Plays one game from start to end.

use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use bots::Budget;
use referee::{EndCause, Event, Game, Opened, Refusal, Ruling};
use rules::{
    Attempt, Calls, Listener, Over, Start, Try,
    chess::{ByColor, Color},
};
use views::{BothViews, PlayerView};

use crate::{
    cost::Cost,
    scribe::Scribe,
    seat::{Seat, SeatAnswer},
};

/// Maximum number of refused or unreadable attempts in one turn. A player who exceeds
/// this number loses the game ([`FaultKind::Refusals`]).
pub const MAX_REFUSALS_PER_TURN: u32 = 100;

/// Maximum number of answered attempts in one turn. A player who reaches this number
/// and does not complete the turn loses the game ([`FaultKind::Attempts`]). Without this limit,
/// a program could repeat one attempt forever.
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

/// Interval of timed turns: if the budget is [`Budget::Usual`], only every eighth turn is timed.
/// Reading the clock in every turn would slow down games of fast bots.
const TIMED_TURNS: u64 = 8;

/// Settings of one game.
#[derive(Copy, Clone, Debug)]
pub struct PlaySettings<'a> {
    /// Number of plies after which the game is stopped.
    pub max_plies: u32,
    /// Budget of each turn of each player.
    pub budget: Budget,
    /// Forced opening moves: White's first move, Black's first move and so on. The players
    /// are not asked for these moves. Each player hears its own forced moves in the same way as
    /// moves that it has chosen.
    pub forced: &'a [Try],
    /// If this becomes true, the game stops before its next attempt.
    pub stop: Option<&'a AtomicBool>,
}

impl Default for PlaySettings<'_> {
    fn default() -> Self {
        PlaySettings {
            max_plies: 2000,
            budget: Budget::Usual,
            forced: &[],
            stop: None,
        }
    }
}

/// Buffers that are reused for the next game.
#[derive(Debug, Default)]
pub struct Buffers {
    tries: Vec<Try>,
    calls: Calls,
    costs: ByColor<Cost>,
}

impl Buffers {
    /// Returns the cost of each player in the last game.
    pub fn costs(&self) -> &ByColor<Cost> {
        &self.costs
    }
}

/// Reason why the arena declares a game lost for a player.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum FaultKind {
    /// The bot panicked.
    Panicked,
    /// The program ended, or did not answer in time.
    Gone,
    /// The player made too many attempts in one turn that were refused or could
    /// not be read; see [`MAX_REFUSALS_PER_TURN`].
    Refusals,
    /// The player made too many attempts in one turn; see
    /// [`MAX_ATTEMPTS_PER_TURN`].
    Attempts,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [FaultKind; 4] = [
        FaultKind::Panicked,
        FaultKind::Gone,
        FaultKind::Refusals,
        FaultKind::Attempts,
    ];

    /// Returns the name of this kind, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            FaultKind::Panicked => "panicked",
            FaultKind::Gone => "gone",
            FaultKind::Refusals => "refusals",
            FaultKind::Attempts => "attempts",
        }
    }
}

/// Fault of a player. The player has lost the game. In the record of the game, the reason is that
/// the player has left.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct PlayerFault {
    /// The player.
    pub by: Color,
    /// Kind of the fault.
    pub kind: FaultKind,
}

/// Result of a game.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct Played {
    /// Number of completed moves.
    pub plies: u32,
    /// Number of attempts that the referee answered, questions included. Attempts that the referee
    /// refused and unreadable attempts are not included.
    pub attempts: u64,
    /// End of the game; `None` if it was stopped before its end.
    pub over: Option<Over>,
    /// The fault that ended the game, if a fault ended it.
    pub fault: Option<PlayerFault>,
}

/// Plays one game. Judges every attempt, and passes each call to the views and the seats that may
/// hear the call.
///
/// The list of tries is computed again before every attempt. This function allocates no memory for
/// an attempt; a seat or a scribe may allocate memory.
pub fn play_game<W, B, S>(
    opening: &Opening,
    settings: &PlaySettings<'_>,
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
    let Buffers {
        tries,
        calls,
        costs,
    } = buffers;
    costs.white.clear();
    costs.black.clear();
    let mut game = Game::open(opening.opened.clone());
    let mut views = opening.views.clone();
    let mut played = Played::default();
    let (mut refusals, mut answered) = (0, 0);
    let mut turn: Option<Turn> = None;
    let mut forced = settings.forced.iter();

    white.open(Color::White, &opening.starts.white, &opening.opened.choices);
    black.open(Color::Black, &opening.starts.black, &opening.opened.choices);
    let listen = white.hears() || black.hears();
    let mut seats = Seats {
        white,
        black,
        listen,
    };
    // Both seats have heard the start. So `end_event` is called for both, even if no call is addressed
    // to them.
    seats.say(&opening.calls, ByColor::new_with(|_| true));
    scribe.opened(&game, &opening.asked, &opening.calls);
    // If only the views need the calls, the calls are passed to the views directly and are not
    // collected.
    let kept = &mut (listen || scribe.writes()).then_some(calls);

    while let Some(by) = game.to_move() {
        let stopped = settings
            .stop
            .is_some_and(|stop| stop.load(Ordering::Relaxed));
        if stopped || played.plies >= settings.max_plies {
            seats.stop(&game, EndCause::Abort);
            return played;
        }
        let spent = costs.get_mut(by);
        let forced_move = forced.next();
        let word = if let Some(t) = forced_move {
            Ok(SeatAnswer::Attempt(Attempt::Try(*t)))
        } else if refusals > MAX_REFUSALS_PER_TURN {
            Err(FaultKind::Refusals)
        } else if answered >= MAX_ATTEMPTS_PER_TURN {
            Err(FaultKind::Attempts)
        } else {
            let view = views.get(by);
            view.tries_into(tries);
            let turn = turn.get_or_insert_with(|| {
                seats.begin_turn(by, settings.budget);
                spent.turns += 1;
                Turn::new(by, settings.budget, spent.turns)
            });
            Ok(turn.measure(|| seats.answer(view, tries)))
        };
        let fault = match word {
            Ok(SeatAnswer::Attempt(attempt)) => {
                match judge(&mut game, by, attempt, &mut views, kept) {
                    Ok(event) => {
                        if let Some(calls) = kept {
                            seats.tell(calls);
                            scribe.ruled(&game, by, attempt, &event, calls);
                        }
                        played.attempts += 1;
                        answered += 1;
                        if forced_move.is_none() {
                            spent.attempts += 1;
                        }
                        if matches!(event, Event::Moved { .. }) {
                            played.plies += 1;
                            (refusals, answered) = (0, 0);
                            if let Some(turn) = turn.take() {
                                turn.end(settings.budget, spent);
                            }
                        }
                    }
                    Err(refusal) => {
                        refusals += 1;
                        scribe.refused(&game, by, attempt, &refusal);
                        seats.refused(by, &refusal);
                    }
                }
                None
            }
            Ok(SeatAnswer::Unreadable { text, why }) => {
                refusals += 1;
                scribe.not_understood(&game, &text, &why);
                seats.refused(by, &why);
                None
            }
            Ok(SeatAnswer::Gone) => Some(FaultKind::Gone),
            Ok(SeatAnswer::Panicked) => Some(FaultKind::Panicked),
            Err(kind) => Some(kind),
        };
        if let Some(kind) = fault
            && let Some(ruling) = seats.stop(&game, EndCause::Gone(by))
        {
            game.apply(&ruling.event);
            scribe.gone(&game, by, &ruling.calls);
            played.fault = Some(PlayerFault { by, kind });
        }
    }
    if let Some(turn) = turn {
        // The game ended in this turn without a move, for example by resignation. The time of this
        // turn counts, too.
        let spent = costs.get_mut(turn.by);
        turn.end(settings.budget, spent);
    }
    played.over = game.over();
    played
}

/// The current turn of a player.
struct Turn {
    by: Color,
    /// Time spent so far; `None` if this turn is not timed.
    spent: Option<Duration>,
}

impl Turn {
    /// Begins the turn with this number, from 1.
    fn new(by: Color, budget: Budget, number: u64) -> Turn {
        let timed = budget != Budget::Usual || number % TIMED_TURNS == 1;
        Turn {
            by,
            spent: timed.then_some(Duration::ZERO),
        }
    }

    /// Calls a function. If this turn is timed, adds the time of the call to the time spent.
    #[inline]
    fn measure<T>(&mut self, call: impl FnOnce() -> T) -> T {
        let Some(spent) = &mut self.spent else {
            return call();
        };
        let begun = Instant::now();
        let done = call();
        *spent += begun.elapsed();
        done
    }

    /// Adds the time of the turn to the cost of the player.
    fn end(self, budget: Budget, cost: &mut Cost) {
        let Some(spent) = self.spent else {
            return;
        };
        cost.times.add(spent);
        cost.longest = cost.longest.max(spent);
        if let Budget::Time(most) = budget {
            cost.overruns += u64::from(spent > most);
        }
    }
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
    fn begin_turn(&mut self, by: Color, budget: Budget) {
        match by {
            Color::White => self.white.begin_turn(budget),
            Color::Black => self.black.begin_turn(budget),
        }
    }

    fn answer(&mut self, view: &PlayerView, tries: &[Try]) -> SeatAnswer {
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

    /// Passes each call of an event to the seats to which the call is addressed. Then ends the
    /// event for every seat that has heard something of it.
    fn tell(&mut self, calls: &Calls) {
        self.say(calls, ByColor::new_with(|_| false));
    }

    /// Does the same as [`tell`](Seats::tell). `heard` says which seats have already heard
    /// something of the event before this function is called.
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
            self.white.end_event();
        }
        if heard.black {
            self.black.end_event();
        }
    }

    /// Ends the game because a player has left or because the game is aborted. Passes the calls to
    /// the seats.
    fn stop(&mut self, game: &Game, cause: EndCause) -> Option<Ruling> {
        let ruling = game.judge_end(cause).ok()?;
        self.tell(&ruling.calls);
        Some(ruling)
    }
}
