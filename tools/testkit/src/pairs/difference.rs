//! A difference by which a listener could distinguish two games.

use std::fmt;

/// A leak: what reached the listener in the two games of a pair differs.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Difference {
    /// Number of the pair.
    pub index: u64,
    /// Id of the ruleset.
    pub rules: String,
    /// The listener: `White`, `Black` or `Room` (the spectators).
    pub listener: String,
    /// Step of the pair in which the difference was found; 0 is the opening.
    pub step: usize,
    /// Name of what differs: for example the view or the JSON.
    pub what: &'static str,
    /// The two texts that differ: from the first game and from the second game.
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
