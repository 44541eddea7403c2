//! Pairs of games that sound alike to one listener.
//!
//! Secrecy says: where a seat heard the same, its view, its tries and every
//! byte it is given are the same, whatever the truth. Two random games rarely
//! sound alike, so pairs are *made*: two games are played in lockstep, the
//! other side moves differently in each wherever both moves sound the same to
//! the listener, and private refusals are strewn into either. [`Pair::make`]
//! makes one, [`compare`] plays it again and compares everything that reaches
//! the listener; [`LEAKS`] are planted to show that a leak would be seen.
//!
//! ```
//! use testkit::pairs::{Pair, compare};
//!
//! let pair = Pair::make(1, 0);
//! let compared = compare(&pair, None).expect("the listener learns nothing else");
//! assert!(compared.plies >= compared.differing);
//! ```

mod compare;
mod difference;
mod leaks;
mod listener_view;
mod lockstep;
mod opening;
mod probes;
mod tally;
mod truth;

use std::fmt;

use referee::{EndCause, Event, Game, Opened, Refusal, Ruling};
use rules::{Attempt, Calls, Choices, Heard, Listener, Ruleset, chess::Color};

pub use self::{
    compare::{Compared, compare},
    difference::Difference,
    leaks::{LEAKS, Leak},
    listener_view::ListenerView,
    opening::CUSTOM,
    tally::Tally,
};

/// One thing that happens in a game.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Happening {
    /// A player asks something of the referee.
    Asked(Color, Attempt),
    /// Time or absence ends the game.
    Ended(EndCause),
}

impl Happening {
    /// Returns the ruling of the referee.
    ///
    /// # Errors
    /// The referee's refusal.
    pub fn judged(self, game: &Game) -> Result<Ruling, Refusal> {
        match self {
            Happening::Asked(by, attempt) => game.judge(by, attempt),
            Happening::Ended(cause) => game.judge_end(cause),
        }
    }
}

impl fmt::Display for Happening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Happening::Asked(by, attempt) => write!(f, "{by} {attempt}"),
            Happening::Ended(EndCause::Flag(color)) => write!(f, "{color} flag"),
            Happening::Ended(EndCause::Gone(color)) => write!(f, "{color} gone"),
            Happening::Ended(EndCause::GoneDraw(color)) => write!(f, "{color} gone-draw"),
            Happening::Ended(EndCause::Abort) => f.write_str("abort"),
        }
    }
}

/// Events in both games between two things that the listener hears.
///
/// In each game, any number of events that the listener does not hear, then at most
/// one that the listener hears: the same number of messages reaches the listener.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Step {
    /// Game by game.
    pub happenings: [Vec<Happening>; 2],
}

/// Two games that sound alike to one listener.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    /// By which number it was made.
    pub index: u64,
    /// Listener who cannot tell them apart.
    pub listener: Listener,
    /// The opening of each; rules and choices are the same.
    pub opened: [Opened; 2],
    /// Steps of the pair, in order.
    pub steps: Vec<Step>,
}

impl Pair {
    /// Makes the pair of that number; the same seed and number make the same
    /// pair.
    ///
    /// Sixteen rulesets and [`CUSTOM`] invented ones take turns, and so do
    /// the three listeners.
    pub fn make(seed: u64, index: u64) -> Pair {
        lockstep::make(seed, index)
    }

    /// Makes a pair of that number under a ruleset that is none of those, for
    /// that listener.
    pub fn make_under(seed: u64, index: u64, ruleset: &Ruleset, listener: Listener) -> Pair {
        lockstep::make_under(seed, index, ruleset, listener)
    }

    /// The ruleset's id.
    pub fn rules(&self) -> &str {
        &self.opened[0].rules
    }

    /// The choices of both games.
    pub fn choices(&self) -> &Choices {
        &self.opened[0].choices
    }

    /// The log of one of the two games, for replay.
    pub fn log(&self, which: usize) -> Vec<Event> {
        let mut game = Game::open(self.opened[which].clone());
        let mut log = vec![game.opened_event()];
        for step in &self.steps {
            for happening in &step.happenings[which] {
                if let Ok(ruling) = happening.judged(&game) {
                    game.apply(&ruling.event);
                    log.push(ruling.event);
                }
            }
        }
        log
    }
}

/// Returns what one listener hears of the calls.
pub fn heard_by(listener: Listener, calls: &Calls) -> Vec<Heard> {
    calls
        .iter()
        .filter(|call| call.audience.includes(listener))
        .map(|call| call.heard)
        .collect()
}
