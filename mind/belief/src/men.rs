//! The opponent's men in one position.

use position::Position;
use rules::{
    Own, Reserve, Wings,
    chess::{Bitboard, ByRole, Color, File, Role, Square},
};

/// The part of a position that the seat does not see: the opponent's men and
/// castling rights.
///
/// ```
/// use belief::Men;
/// use rules::{Own, Reserve, Wings, chess::{Board, Color, Role, Square}};
///
/// let black = Own::of(&Board::new(), Color::Black, Wings::BOTH, Reserve::EMPTY);
/// let men = Men::of(&black);
/// assert_eq!(men.all().count(), 16);
/// assert_eq!(men.role_at(Square::D8), Some(Role::Queen));
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Men {
    /// Squares of the opponent's men, by role.
    pub by_role: ByRole<Bitboard>,
    /// Squares of the opponent's promoted men; tracked only if the ruleset has
    /// drops.
    pub promoted: Bitboard,
    /// The wings on which the opponent may still castle.
    pub castling: Wings,
    /// File of the opponent's pawn that has just made a double step. `None` if no pawn of the seat
    /// can legally capture this pawn en passant. ([`Law::berkeley`](crate::Law) changes this: the file
    /// is also kept if no such capture is legal.)
    pub passed: Option<File>,
    /// Half-move clock: the number of half-moves since the last capture or pawn move, at most 127.
    /// If several possible games lead to this position, the value is the smallest of their clocks.
    /// If the ruleset has no fifty-move rule, the value is 0.
    pub quiet: u8,
}

impl Men {
    /// Returns the men and castling rights of one side. The other fields are
    /// empty.
    pub fn of(own: &Own) -> Men {
        Men {
            by_role: own.men,
            castling: own.castling,
            ..Men::default()
        }
    }

    /// Returns the men of the opponent of `seat`. `quiet` is the half-move clock.
    pub(crate) fn in_position(position: &Position, seat: Color, quiet: u8) -> Men {
        let theirs = position.own(seat.other());
        let passed = if position.turn() == seat {
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

    /// Returns the squares of all the opponent's men.
    #[inline]
    pub fn all(&self) -> Bitboard {
        let m = &self.by_role;
        m.pawn | m.knight | m.bishop | m.rook | m.queen | m.king
    }

    /// Returns the role of the opponent's man on a square, if there is one.
    pub fn role_at(&self, sq: Square) -> Option<Role> {
        Role::ALL
            .into_iter()
            .find(|role| self.by_role.get(*role).contains(sq))
    }

    /// Returns the opponent's men as [`Own`]. `color` is the opponent's colour,
    /// `reserve` the opponent's reserve.
    #[inline]
    pub(crate) fn own(&self, color: Color, reserve: Reserve) -> Own {
        Own {
            color,
            men: self.by_role,
            castling: self.castling,
            reserve,
        }
    }
}
