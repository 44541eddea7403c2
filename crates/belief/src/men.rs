//! The opponent's men, as one position has them.

use rules::{
    Own, Reserve, Wings,
    chess::{Bitboard, ByRole, Color, File, Role, Square},
};

/// What a seat does not see of a position: the opponent's men and rights.
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
    /// The opponent's men by role.
    pub by_role: ByRole<Bitboard>,
    /// Those of them that were pawns; kept only where men can be dropped.
    pub promoted: Bitboard,
    /// The wings on which the opponent may still castle.
    pub castling: Wings,
    /// The file of a pawn of the opponent that has just made a double step and
    /// can legally be captured en passant.
    pub passed: Option<File>,
    /// The fewest half-moves since the last capture or pawn move by which the
    /// position can have come about; 0 where fifty moves do not count.
    pub quiet: u8,
}

impl Men {
    /// The men, rights and nothing else of one side.
    pub fn of(own: &Own) -> Men {
        Men {
            by_role: own.men,
            castling: own.castling,
            ..Men::default()
        }
    }

    /// All squares on which a man of the opponent stands.
    #[inline]
    pub fn all(&self) -> Bitboard {
        let m = &self.by_role;
        m.pawn | m.knight | m.bishop | m.rook | m.queen | m.king
    }

    /// The man on a square.
    pub fn role_at(&self, sq: Square) -> Option<Role> {
        Role::ALL
            .into_iter()
            .find(|role| self.by_role.get(*role).contains(sq))
    }

    /// The men as their owner has them.
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
