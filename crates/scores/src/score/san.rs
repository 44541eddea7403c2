//! Standard algebraic notation, with its mark of check.

use referee::kernel::Position;
use rules::{Try, chess::CastlingSide};

use super::fit::check_and_mate;
use crate::pgn::{self, write_san};

/// A legal move in standard algebraic notation: `Nbd2`, `exd6`, `c8=Q+`,
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

/// The mark of check or mate after a legal move.
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

/// The wing on which a move castles.
pub(super) fn castling_side(position: &Position, t: Try) -> Option<CastlingSide> {
    let from = t.from()?;
    pgn::castling_side(position.role_at(from)?, from, t.to())
}
