//! Knowledge of a seat.

use rules::Try;
use views::PlayerView;

/// A refused try of this turn, and why in words.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct RefusedTry {
    /// The try.
    pub attempt: Try,
    /// Meaning of the answer under this ruleset.
    pub why: String,
}

/// Knowledge of a seat: a fold of what it heard.
#[derive(Clone, PartialEq, Debug)]
pub struct SeatView {
    /// The number of the last thing heard.
    pub n: u32,
    /// View of the seat.
    pub view: PlayerView,
    /// Tries refused this turn: each once, in the order of first refusal.
    pub refused: Vec<RefusedTry>,
    /// The words that the seat may say now.
    pub words: Vec<&'static str>,
}
