//! Why the referee refused a try, as far as its player can know.

use serde::{Deserialize, Serialize};

/// Why the referee refused an attempt. It is computed only from the player's own men and from what
/// the player heard.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum CauseJson {
    /// Any? or `px` without a pawn that could capture.
    NoPawn,
    /// Nonsense: the own men cannot do it.
    Impossible,
    /// Nonsense: no such pawn try was announced.
    NoSuchPawnTry,
    /// Nonsense: it cannot answer the announced check.
    NotAnAnswer,
    /// Nonsense: a pawn capture is due.
    PawnCaptureDue,
    /// Nonsense: the three pawn captures of the turn are spent.
    TriesSpent,
    /// Nonsense: it was refused before in this turn.
    Repeated,
    /// Nonsense of another kind.
    Nonsense,
    /// Illegal: the own men cannot do it.
    OwnMen,
    /// Illegal castling: an unseen man is in the way, or the king would castle out of, through or
    /// into check.
    Castling,
    /// Illegal pawn capture: there is nothing to capture, or the king would be in check.
    PawnCapture,
    /// Illegal drop: an unseen man is there, or the king would be in check.
    Drop,
    /// Illegal move of the king: the king would be in check there.
    KingThere,
    /// Illegal move: the king would be in check.
    Check,
    /// Illegal move: an unseen man is in the way, or the king would be in check.
    Way,
}
