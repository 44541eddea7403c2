//! What a seat knows for certain about the position.

use position::Position;
use rules::{
    Own, Reserve, Try,
    chess::{Bitboard, Color, Rank, Square},
};

use crate::men::Men;

/// The part of a position that the seat knows: the seat's own men, the side to
/// move, and facts from the announcements. This part is the same in all positions of a
/// belief.
///
/// ```
/// use belief::Belief;
/// use rules::{chess::Color, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
/// let known = *Belief::usual(wild16, Color::Black).known();
/// assert_eq!((known.seat(), known.is_own_turn()), (Color::Black, false));
/// assert_eq!(known.own.all().count(), 16);
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Known {
    /// The seat's own men, castling rights and reserve.
    pub own: Own,
    /// Squares of the seat's promoted men; tracked only if the ruleset has
    /// drops.
    pub promoted: Bitboard,
    /// The opponent's reserve; empty if the ruleset has no drops.
    pub reserve: Reserve,
    /// Side to move.
    pub to_move: Color,
    /// The square that the seat's pawn passed over, if the last move was a
    /// double step of the seat.
    pub passed: Option<Square>,
    /// Whether the ruleset has drops: captured men can be put back on the
    /// board.
    pub drops: bool,
}

impl Known {
    /// Returns the seat's colour.
    pub const fn seat(&self) -> Color {
        self.own.color
    }

    /// Returns whether the seat is to move.
    pub fn is_own_turn(&self) -> bool {
        self.to_move == self.own.color
    }

    /// Returns the full position, which consists of the seat's own men and `men`, the men of the
    /// opponent.
    #[inline]
    pub(crate) fn position(&self, men: &Men) -> Position {
        let theirs = men.own(self.seat().other(), self.reserve);
        let (white, black) = match self.seat() {
            Color::White => (&self.own, &theirs),
            Color::Black => (&theirs, &self.own),
        };
        let passed = if self.is_own_turn() {
            let rank = self.seat().other().relative_rank(Rank::Third);
            men.passed.map(|file| Square::from_coords(file, rank))
        } else {
            self.passed
        };
        let promoted = self.promoted | men.promoted;
        Position::of_sides(white, black, promoted, self.to_move, passed)
    }

    /// Returns what the seat knows after a move. `what` is the seat's own try,
    /// or `None` if the opponent moved. `own` are the seat's men after the
    /// move, `reserve` is the opponent's reserve after the move.
    pub(crate) fn after(&self, own: &Own, reserve: Reserve, what: Option<Try>) -> Known {
        let mut promoted = self.promoted;
        let mut passed = None;
        if let Some(Try::Step {
            from,
            to,
            promotion,
        }) = what
        {
            if self.drops && (promoted.remove(from) || promotion.is_some()) {
                promoted.add(to);
            }
            let pawn = self.own.men.pawn.contains(from);
            if pawn && from.rank().distance(to.rank()) == 2 {
                let third = self.seat().relative_rank(Rank::Third);
                passed = Some(Square::from_coords(from.file(), third));
            }
        }
        Known {
            own: *own,
            promoted: promoted & own.all(),
            reserve,
            to_move: self.to_move.other(),
            passed,
            drops: self.drops,
        }
    }
}
