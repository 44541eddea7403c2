//! Something that tells one game from the other.

use std::fmt;

/// Leak: data that reached the listener and differs between two games that
/// sounded alike.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Difference {
    /// The pair's number.
    pub index: u64,
    /// The ruleset.
    pub rules: String,
    /// Listener: `White`, `Black` or `Room`.
    pub listener: String,
    /// Step of the pair (0: the opening).
    pub step: usize,
    /// Name of the thing that reaches the listener.
    pub what: &'static str,
    /// The data in either game.
    pub is: [String; 2],
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "pair {} ({}, listener {}), step {}: {} differs\n  in one game: {}\n  in the other: {}",
            self.index, self.rules, self.listener, self.step, self.what, self.is[0], self.is[1]
        )
    }
}
