//! Does what was announced follow the rules?
//!
//! [`follow`] plays a recorded game again under a ruleset and compares every
//! announcement with what the referee says: what is wrong, missing,
//! superfluous or said to the wrong person becomes a [`Finding`] with the rule
//! and its source. After a wrong announcement the truth is followed, so that
//! one error is found once; only where the record itself shows that the move
//! was made, or was not, the record is followed.
//!
//! [`guess`] asks under which of the named rulesets a record stands without a
//! finding.

mod answered;
mod claims;
mod columns;
mod compare;
mod ends;
mod finding;
mod follow;
mod remarked;
mod rule;

use rules::{Ruleset, rulesets};

pub(crate) use self::answered::answered;
pub use self::{
    finding::{Fault, Finding, What},
    follow::{Followed, Outcome, Step, follow},
};
use crate::account::{Account, OpeningError};

/// Whether a record could have been kept under a ruleset.
#[derive(Clone, Debug)]
pub struct Guess {
    /// The ruleset.
    pub ruleset: &'static Ruleset,
    /// The first contradiction; `None` if there is none.
    pub against: Option<Contradiction>,
}

/// A fact that speaks against a ruleset.
#[derive(Clone, Debug)]
pub enum Contradiction {
    /// An announcement that it does not allow.
    Finding(Box<Finding>),
    /// A start that cannot stand under it.
    Opening(OpeningError),
}

/// Asks of every named ruleset whether the record contradicts it.
pub fn guess(account: &Account) -> Vec<Guess> {
    rulesets::ALL
        .iter()
        .map(|ruleset| Guess {
            ruleset,
            against: against(account, ruleset),
        })
        .collect()
}

/// The first thing in the record that contradicts a ruleset.
pub fn against(account: &Account, ruleset: &Ruleset) -> Option<Contradiction> {
    match account.opening_under(ruleset) {
        Err(error) => Some(Contradiction::Opening(error)),
        Ok(opened) => follow(account, opened, true)
            .findings
            .into_iter()
            .next()
            .map(|finding| Contradiction::Finding(Box::new(finding))),
    }
}
