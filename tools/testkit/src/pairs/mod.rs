//! Pairs of games in which one listener hears the same.
//!
//! The rule of secrecy is about two games in which a listener has heard the same. In both games the
//! listener must get the same view, the same tries and the same bytes, even if the true positions
//! are different. In two random games a listener seldom hears the same, so pairs are *made*. Two
//! games are played in lockstep. A player who is not the listener makes different moves in the two
//! games, if the listener hears the same about both moves. Some pairs also contain refused tries
//! that the listener does not hear. [`Pair::make`] makes a pair. [`compare`] plays both games again, and
//! compares everything that reaches the listener.
//!
//! ```
//! use testkit::pairs::{Pair, compare};
//!
//! let pair = Pair::make(1, 0);
//! let compared = compare(&pair).expect("the listener learns nothing else");
//! assert!(compared.plies >= compared.differing);
//! ```

mod compare;
mod difference;
mod listener_view;
mod lockstep;
mod opening;
mod probes;
mod tally;

use std::fmt;

use referee::{EndCause, Event, Game, Opened, Refusal, Ruling};
use rules::{Attempt, Calls, Choices, Heard, Listener, Ruleset, chess::Color};

pub use self::{
    compare::{Compared, compare},
    difference::Difference,
    listener_view::ListenerView,
    opening::CUSTOM,
    tally::Tally,
};

/// An action that the referee judges in a game.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Happening {
    /// A player makes an attempt.
    Asked(Color, Attempt),
    /// Time, absence or an abort ends the game.
    Ended(EndCause),
}

impl Happening {
    /// Judges the action.
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

/// The actions in both games up to the next thing that the listener hears.
///
/// In each game, the listener hears at most the last of these actions, and none of the actions
/// before. The listener hears the same about the last action in both games. So the listener gets
/// the same number of messages in both games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Step {
    /// Actions in the first game and in the second game.
    pub happenings: [Vec<Happening>; 2],
}

/// Two games in which one listener hears the same.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair {
    /// Number with which the pair was made.
    pub index: u64,
    /// The listener who cannot distinguish the games.
    pub listener: Listener,
    /// Openings of the two games, with the same rules and choices.
    pub opened: [Opened; 2],
    /// Steps of the pair, in order.
    pub steps: Vec<Step>,
}

impl Pair {
    /// Makes the pair with this number. The same seed and number always give
    /// the same pair.
    ///
    /// The pairs 0, 1, 2 and so on use the named rulesets, then [`CUSTOM`] random rulesets,
    /// then the named rulesets again. The listener changes each time the list of rulesets begins
    /// again.
    pub fn make(seed: u64, index: u64) -> Pair {
        lockstep::make(seed, index)
    }

    /// Makes the pair with this number, for a given ruleset and listener.
    pub fn make_under(seed: u64, index: u64, ruleset: &Ruleset, listener: Listener) -> Pair {
        lockstep::make_under(seed, index, ruleset, listener)
    }

    /// Returns the id of the ruleset.
    pub fn rules(&self) -> &str {
        &self.opened[0].rules
    }

    /// Returns the choices of both games.
    pub fn choices(&self) -> &Choices {
        &self.opened[0].choices
    }

    /// Returns the events of one of the two games, for a replay.
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

/// Returns the parts of the calls that one listener hears.
pub fn heard_by(listener: Listener, calls: &Calls) -> Vec<Heard> {
    calls
        .iter()
        .filter(|call| call.audience.includes(listener))
        .map(|call| call.heard)
        .collect()
}
