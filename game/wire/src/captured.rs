//! The announced captured man, as JSON.

use rules::{CapturedMan, chess::Role};
use serde::{Deserialize, Serialize};

/// What is announced about a captured man: `"pawn"`, `"piece"` or the man's
/// name.
///
/// The ruleset decides whether the announcement names the man, or only says
/// whether it is a pawn or a piece. A pawn is `"pawn"` in both cases.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum CapturedJson {
    /// A pawn.
    Pawn,
    /// Any man except a pawn. A promoted man is a piece.
    Piece,
    /// A knight.
    Knight,
    /// A bishop.
    Bishop,
    /// A rook.
    Rook,
    /// A queen.
    Queen,
    /// A king. No referee announces its capture.
    King,
}

impl From<CapturedMan> for CapturedJson {
    fn from(man: CapturedMan) -> CapturedJson {
        match man {
            CapturedMan::Pawn | CapturedMan::Exactly(Role::Pawn) => CapturedJson::Pawn,
            CapturedMan::Piece => CapturedJson::Piece,
            CapturedMan::Exactly(Role::Knight) => CapturedJson::Knight,
            CapturedMan::Exactly(Role::Bishop) => CapturedJson::Bishop,
            CapturedMan::Exactly(Role::Rook) => CapturedJson::Rook,
            CapturedMan::Exactly(Role::Queen) => CapturedJson::Queen,
            CapturedMan::Exactly(Role::King) => CapturedJson::King,
        }
    }
}

impl From<CapturedJson> for CapturedMan {
    fn from(man: CapturedJson) -> CapturedMan {
        match man {
            CapturedJson::Pawn => CapturedMan::Pawn,
            CapturedJson::Piece => CapturedMan::Piece,
            CapturedJson::Knight => CapturedMan::Exactly(Role::Knight),
            CapturedJson::Bishop => CapturedMan::Exactly(Role::Bishop),
            CapturedJson::Rook => CapturedMan::Exactly(Role::Rook),
            CapturedJson::Queen => CapturedMan::Exactly(Role::Queen),
            CapturedJson::King => CapturedMan::Exactly(Role::King),
        }
    }
}
