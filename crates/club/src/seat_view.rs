//! What a seat knows.

use rules::Try;
use views::PlayerView;

/// A refused try of this turn, and why in words.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct RefusedTry {
    /// The try.
    pub attempt: Try,
    /// What that answer means under this ruleset.
    pub why: String,
}

/// What a seat knows: a fold of what it heard.
#[derive(Clone, PartialEq, Debug)]
pub struct SeatView {
    /// The number of the last thing heard.
    pub n: u32,
    /// What the seat knows.
    pub view: PlayerView,
    /// What was refused this turn: each try once, in the order of first refusal.
    pub refused: Vec<RefusedTry>,
    /// The words that the seat may say now.
    pub words: Vec<&'static str>,
}
