//! What a seat knows of a position for certain.

use referee::kernel::Position;
use rules::{
    Own, Reserve, Try,
    chess::{Bitboard, Color, Rank, Square},
};

use crate::men::Men;

/// What every position of a belief has in common: the seat's own men, whose
/// turn it is, and what else is public.
///
/// ```
/// use belief::Belief;
/// use rules::{chess::Color, rulesets};
///
/// let wild16 = rulesets::by_id("wild16").expect("a named ruleset").choices;
/// let known = *Belief::usual(wild16, Color::Black).known();
/// assert_eq!((known.seat(), known.is_own_turn()), (Color::Black, false));
/// assert_eq!(known.own.all().count(), 16);
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Known {
    /// The seat's own men, rights and reserve.
    pub own: Own,
    /// Those of the own men that were pawns; kept only where men can be
    /// dropped.
    pub promoted: Bitboard,
    /// The opponent's reserve; empty where men cannot be dropped.
    pub reserve: Reserve,
    /// Whose turn it is.
    pub to_move: Color,
    /// The square passed by a double step that the seat has just made.
    pub passed: Option<Square>,
    /// Whether captured men can be dropped.
    pub drops: bool,
}

impl Known {
    /// The seat's colour.
    pub const fn seat(&self) -> Color {
        self.own.color
    }

    /// Whether the seat is to move.
    pub fn is_own_turn(&self) -> bool {
        self.to_move == self.own.color
    }

    /// The full position with these men of the opponent.
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

    /// The opponent's men in a full position in which the seat's are these.
    /// `quiet` as in [`Men`].
    pub(crate) fn men(&self, position: &Position, quiet: u8) -> Men {
        let color = self.seat().other();
        let theirs = position.own(color);
        let passed = if self.is_own_turn() {
            position.legal_en_passant().map(|sq| sq.file())
        } else {
            None
        };
        Men {
            promoted: position.promoted() & theirs.all(),
            passed,
            quiet,
            ..Men::of(&theirs)
        }
    }

    /// What is known after a move: the seat's own `what`, or one of the
    /// opponent. `own` are the seat's men then.
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
