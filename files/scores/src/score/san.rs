//! Standard algebraic notation with check marks.

use position::Position;
use rules::{Try, chess::CastlingSide};

use super::fit::check_and_mate;
use crate::pgn::{self, write_san};

/// Writes a legal move in standard algebraic notation: `Nbd2`, `exd6`, `c8=Q+`,
/// `O-O`, `N@f5`.
///
/// # Examples
///
/// ```
/// use referee::StartPosition;
///
/// let start = StartPosition::initial();
/// assert_eq!(scores::score::san(start.position(), "g1f3".parse()?), "Nf3");
/// # Ok::<(), rules::ParseAttemptError>(())
/// ```
pub fn san(position: &Position, t: Try) -> String {
    let mut text = san_without_check(position, t);
    text.push_str(check_mark(position, t));
    text
}

/// Returns the mark of check or mate of a legal move.
pub(super) fn check_mark(position: &Position, t: Try) -> &'static str {
    match check_and_mate(position, t) {
        (_, true) => "#",
        (true, false) => "+",
        (false, false) => "",
    }
}

pub(super) fn san_without_check(position: &Position, t: Try) -> String {
    let mut text = String::new();
    write_san(position, t, &mut text);
    text
}

/// Returns the wing to which a move castles; `None` if it does not castle.
pub(super) fn castling_side(position: &Position, t: Try) -> Option<CastlingSide> {
    let from = t.from()?;
    pgn::castling_side(position.role_at(from)?, from, t.to())
}
