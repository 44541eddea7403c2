//! The opening of a game, as JSON.

use rules::{
    Own, Reserve, Start, Wings,
    chess::{Board, ByColor, CastlingSide, Color, Role},
};
use serde::{Deserialize, Serialize};

use crate::heard::{HeardError, HeardJson};

/// The castling rights of one side: `"KQ"`, `"K"`, `"Q"` or `""`. `K` means the
/// king's wing, `Q` means the queen's wing.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum CastlingJson {
    /// Rights on both wings.
    #[serde(rename = "KQ")]
    Both,
    /// A right on the king's wing only.
    #[serde(rename = "K")]
    King,
    /// A right on the queen's wing only.
    #[serde(rename = "Q")]
    Queen,
    /// No right.
    #[serde(rename = "")]
    Neither,
}

/// Both reserves. A reserve has one letter of `QRBNP` for each man, in this order:
/// `"QN"`.
#[derive(Clone, Eq, PartialEq, Hash, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct ReservesJson {
    /// White's reserve.
    pub white: String,
    /// Black's reserve.
    pub black: String,
}

/// The letters of the men in a reserve, in the order of the written form.
const LETTERS: [(char, Role); 5] = [
    ('Q', Role::Queen),
    ('R', Role::Rook),
    ('B', Role::Bishop),
    ('N', Role::Knight),
    ('P', Role::Pawn),
];

fn reserve_letters(reserve: &Reserve) -> String {
    LETTERS
        .into_iter()
        .flat_map(|(letter, role)| (0..reserve.count(role)).map(move |_| letter))
        .collect()
}

fn reserve(letters: &str) -> Result<Reserve, HeardError> {
    let mut reserve = Reserve::EMPTY;
    for c in letters.chars() {
        let (_, role) =
            LETTERS
                .into_iter()
                .find(|(l, _)| *l == c)
                .ok_or_else(|| HeardError::Reserve {
                    reserve: letters.to_owned(),
                })?;
        reserve.add(role);
    }
    Ok(reserve)
}

impl From<Wings> for CastlingJson {
    fn from(wings: Wings) -> CastlingJson {
        match (
            wings.has(CastlingSide::KingSide),
            wings.has(CastlingSide::QueenSide),
        ) {
            (true, true) => CastlingJson::Both,
            (true, false) => CastlingJson::King,
            (false, true) => CastlingJson::Queen,
            (false, false) => CastlingJson::Neither,
        }
    }
}

impl From<CastlingJson> for Wings {
    fn from(castling: CastlingJson) -> Wings {
        let mut wings = Wings::NONE;
        match castling {
            CastlingJson::Both => wings = Wings::BOTH,
            CastlingJson::King => wings.add(CastlingSide::KingSide),
            CastlingJson::Queen => wings.add(CastlingSide::QueenSide),
            CastlingJson::Neither => {}
        }
        wings
    }
}

impl From<&Start> for HeardJson {
    fn from(start: &Start) -> HeardJson {
        let full = !start.reserves.white.is_empty() || !start.reserves.black.is_empty();
        HeardJson::Start {
            rules: start.rules.to_string(),
            men: start
                .own
                .as_ref()
                .map(|own| own.board().board_fen().to_string()),
            castling: start.own.as_ref().map(|own| own.castling.into()),
            reserves: full.then(|| ReservesJson {
                white: reserve_letters(&start.reserves.white),
                black: reserve_letters(&start.reserves.black),
            }),
        }
    }
}

pub(crate) fn start(
    rules: &str,
    men: Option<&str>,
    castling: Option<CastlingJson>,
    letters: Option<&ReservesJson>,
) -> Result<Start, HeardError> {
    let reserves = match letters {
        Some(letters) => ByColor {
            white: reserve(&letters.white)?,
            black: reserve(&letters.black)?,
        },
        None => ByColor::default(),
    };
    let own = match (men, castling) {
        (None, None) => None,
        (Some(men), Some(castling)) => {
            let wrong = || HeardError::Men {
                men: men.to_owned(),
            };
            let board: Board = men.parse().map_err(|_| wrong())?;
            let color = match (board.white().any(), board.black().any()) {
                (true, false) => Color::White,
                (false, true) => Color::Black,
                (true, true) | (false, false) => return Err(wrong()),
            };
            let reserve = reserves[color];
            Some(Own::of(&board, color, castling.into(), reserve))
        }
        (Some(_), None) | (None, Some(_)) => return Err(HeardError::HalfSeat),
    };
    Ok(Start {
        rules: rules.to_owned().into(),
        own,
        reserves,
    })
}
