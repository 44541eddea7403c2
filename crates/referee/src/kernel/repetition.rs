//! Positions that come again.

use rules::{
    Try,
    chess::{Bitboard, ByColor, Color},
};

use super::position::Position;

/// The positions since the last irreversible move, the latest last.
///
/// They are kept and compared whole: no key, no chance of a mistake. Whether
/// any earlier one can have come again is seen at once from the squares that
/// were left since.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct Past {
    positions: Vec<Position>,
    /// The squares each side's men have left since the last irreversible move.
    left: ByColor<Bitboard>,
}

/// A position as it is compared: an en passant square counts only if a capture
/// there is legal.
fn compared(position: &Position) -> Position {
    let mut position = *position;
    if position.passed.is_some() {
        position.forget_idle_en_passant();
    }
    position
}

impl Past {
    /// The past of a game that begins, with room for a hundred half-moves and
    /// more, so that it seldom grows.
    pub(crate) fn from_start(position: &Position) -> Past {
        let mut positions = Vec::with_capacity(128);
        positions.push(compared(position));
        Past {
            positions,
            left: ByColor::default(),
        }
    }

    /// A move was made that can be undone.
    #[inline]
    pub(crate) fn go_on(&mut self, by: Color, what: Try, position: &Position) {
        if let Some(from) = what.from() {
            self.left.get_mut(by).add(from);
        }
        self.positions.push(compared(position));
    }

    /// A move was made that cannot be undone: nothing before comes again.
    #[inline]
    pub(crate) fn begin_anew(&mut self, position: &Position) {
        self.left = ByColor::default();
        self.positions.clear();
        self.positions.push(compared(position));
    }

    /// How often `position` occurred, which `by` reaches with `what`.
    ///
    /// Where nothing is dropped (`drops` is false), a position comes again only
    /// if the man just moved stands where one of his side's men stood then, and
    /// that one must have left the square since.
    #[inline]
    pub(crate) fn count(&self, by: Color, what: Try, position: &Position, drops: bool) -> usize {
        if !drops && !self.left.get(by).contains(what.to()) {
            return 0;
        }
        self.search(&compared(position))
    }

    fn search(&self, position: &Position) -> usize {
        // In the position last kept the other side was to move, and so in
        // every second one before it.
        let earlier = self.positions.iter().rev().skip(1).step_by(2);
        earlier.filter(|p| *p == position).count()
    }
}
