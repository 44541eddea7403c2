//! Standard algebraic notation.

use referee::kernel::Position;
use rules::{
    Try,
    chess::{CastlingSide, Role},
};

use super::fit::check_and_mate;

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
    let (from, to, promotion) = match t {
        Try::Drop { role, to } => return format!("{}@{to}", role.upper_char()),
        Try::Step {
            from,
            to,
            promotion,
        } => (from, to, promotion),
    };
    if let Some(side) = castling_side(position, t) {
        return castling_text(side).to_owned();
    }
    let role = position.role_at(from).unwrap_or(Role::Pawn);
    let takes = position.captured_by(t).is_some();
    let mut text = String::new();
    if role == Role::Pawn {
        if takes {
            text.push(from.file().char());
        }
    } else {
        text.push(role.upper_char());
        let (file, rank) = told_apart(position, t, role);
        if file {
            text.push(from.file().char());
        }
        if rank {
            text.push(from.rank().char());
        }
    }
    if takes {
        text.push('x');
    }
    text.push_str(&to.to_string());
    if let Some(man) = promotion {
        text.push('=');
        text.push(man.upper_char());
    }
    text
}

/// Whether file and rank must be named to tell a man from others of his kind.
fn told_apart(position: &Position, t: Try, role: Role) -> (bool, bool) {
    let Some(from) = t.from() else {
        return (false, false);
    };
    let men = position.side(position.turn()) & position.men(role);
    let (mut others, mut same_file, mut same_rank) = (false, false, false);
    for other in men {
        if other != from && position.is_legal(Try::step(other, t.to())) {
            others = true;
            same_file |= other.file() == from.file();
            same_rank |= other.rank() == from.rank();
        }
    }
    (others && (!same_file || same_rank), others && same_file)
}

/// The wing on which a move castles.
pub(super) fn castling_side(position: &Position, t: Try) -> Option<CastlingSide> {
    let from = t.from()?;
    position
        .own(position.turn())
        .is_castling(t)
        .then(|| CastlingSide::from_king_side(t.to().file() > from.file()))
}

pub(super) const fn castling_text(side: CastlingSide) -> &'static str {
    match side {
        CastlingSide::KingSide => "O-O",
        CastlingSide::QueenSide => "O-O-O",
    }
}
