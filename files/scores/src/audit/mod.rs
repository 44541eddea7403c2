//! Checks whether the announcements of a recorded game follow the rules.
//!
//! [`follow`] replays a recorded game under a ruleset and compares every announcement with what the
//! referee says. If an announcement is wrong, missing, superfluous or made to the wrong listener,
//! the result has a [`Finding`] with the rule and its source. After a wrong announcement the replay
//! continues with the correct one, so each error is found once. There is one exception: the record
//! can contradict the referee about whether a move was made. If the following acts show that a legal
//! move was not made, the replay does not make it either. If they show that an illegal move was
//! made, the replay ends there.
//!
//! [`SeatRecord`] holds what one seat heard according to the record. It is for programs that use
//! what was heard, and not the true position.
//!
//! [`guess`] tests a record against every built-in ruleset.

mod answered;
mod claims;
mod columns;
mod compare;
mod ends;
mod finding;
mod follow;
mod remarked;
mod rule;
mod seat;
mod tags;

use rules::{Ruleset, rulesets};

pub use self::{
    finding::{AnnouncementKind, Fault, Finding},
    follow::{Followed, Outcome, Step, follow},
    seat::{RecordedHeard, SeatRecord},
};
use crate::recorded_game::{OpeningError, RecordedGame};

/// Result of testing a record against one ruleset.
#[derive(Clone, Debug)]
pub struct Guess {
    /// The ruleset.
    pub ruleset: &'static Ruleset,
    /// The first contradiction; `None` if there is none.
    pub against: Option<Contradiction>,
}

/// Evidence that a record was not made under a ruleset.
#[derive(Clone, Debug)]
pub enum Contradiction {
    /// An announcement that does not follow the ruleset.
    Finding(Box<Finding>),
    /// A start that is impossible under the ruleset.
    Opening(OpeningError),
}

/// Tests a record against every built-in ruleset.
pub fn guess(game: &RecordedGame) -> Vec<Guess> {
    rulesets::ALL
        .iter()
        .map(|ruleset| Guess {
            ruleset,
            against: against(game, ruleset),
        })
        .collect()
}

/// Returns the first contradiction between the record and a ruleset.
pub fn against(game: &RecordedGame, ruleset: &Ruleset) -> Option<Contradiction> {
    match game.opening_under(ruleset) {
        Err(error) => Some(Contradiction::Opening(error)),
        Ok(opened) => follow::acts(game, opened, true)
            .findings
            .into_iter()
            .next()
            .map(|finding| Contradiction::Finding(Box::new(finding))),
    }
}
