//! Announcements about the pawn tries of the player to move.

use crate::{
    chess::{Bitboard, Square},
    choices::PawnTrySquare,
};

/// Announcement about the pawn tries of the player to move.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum Tries {
    /// Nothing (yet).
    #[default]
    Untold,
    /// Whether there is one.
    Whether(bool),
    /// Their number: different (from, to), a promotion counted once.
    Count(u8),
    /// The squares that stand for them.
    Squares(Bitboard),
    /// The landing squares reached by one pawn, and those reached by two.
    SinglesAndDoubles {
        /// Reached by one pawn.
        singles: Bitboard,
        /// Reached by two.
        doubles: Bitboard,
    },
}

impl Tries {
    /// Whether a pawn capture agrees with what was said.
    pub fn admits(self, from: Square, to: Square, named_by: PawnTrySquare) -> bool {
        self.origins(named_by).contains(from) && self.landings(named_by).contains(to)
    }

    /// The squares from which what was said admits a pawn capture.
    #[inline]
    pub fn origins(self, named_by: PawnTrySquare) -> Bitboard {
        match (self, named_by) {
            (Tries::Squares(s), PawnTrySquare::Origin) => s,
            (
                Tries::Untold
                | Tries::Whether(_)
                | Tries::Count(_)
                | Tries::Squares(_)
                | Tries::SinglesAndDoubles { .. },
                _,
            ) => Bitboard::FULL,
        }
    }

    /// The squares on which what was said admits a pawn capture.
    #[inline]
    pub fn landings(self, named_by: PawnTrySquare) -> Bitboard {
        match (self, named_by) {
            (Tries::Untold | Tries::Whether(true), _) => Bitboard::FULL,
            (Tries::Whether(false) | Tries::Count(0), _) => Bitboard::EMPTY,
            (Tries::Count(_), _) => Bitboard::FULL,
            (Tries::Squares(s), PawnTrySquare::Landing) => s,
            (Tries::Squares(s), PawnTrySquare::Origin) => {
                if s.any() {
                    Bitboard::FULL
                } else {
                    Bitboard::EMPTY
                }
            }
            (Tries::SinglesAndDoubles { singles, doubles }, _) => singles | doubles,
        }
    }
}
