//! What a seat knows.

use rules::Try;
use views::PlayerView;
use wire::CauseJson;

/// A try that was refused in this turn, with the reason.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct RefusedTry {
    /// The try.
    pub attempt: Try,
    /// Why the referee refused it.
    pub cause: CauseJson,
}

/// What a seat knows. It is computed only from what the seat heard.
#[derive(Clone, PartialEq, Debug)]
pub struct SeatView {
    /// Number of the last hearing.
    pub n: u32,
    /// Board and turn, as this seat knows them.
    pub view: PlayerView,
    /// Tries that were refused in this turn. Each try is listed once, in the
    /// order of the first refusals.
    pub refused: Vec<RefusedTry>,
    /// Texts of everything that the player can do now, except tries.
    pub words: Vec<&'static str>,
}
