//! What is announced about the pawn tries of the player to move.

use crate::{
    chess::{Bitboard, Square},
    choices::PawnTrySquare,
};

/// What is announced about the pawn tries of the player to move.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum Tries {
    /// No announcement, or no announcement yet.
    #[default]
    Untold,
    /// Whether there is a pawn try.
    Whether(bool),
    /// Number of pawn tries: the number of different pairs of origin and target. A capture that
    /// promotes counts once, not once for each possible man.
    Count(u8),
    /// Squares of the pawn tries: the target squares or the origin squares, according to the choice
    /// [`PawnTrySquare`].
    Squares(Bitboard),
    /// Target squares, in two sets.
    SinglesAndDoubles {
        /// Target squares that exactly one pawn can reach.
        singles: Bitboard,
        /// Target squares that two pawns can reach.
        doubles: Bitboard,
    },
}

impl Tries {
    /// Whether this announcement allows a pawn capture with these squares.
    pub fn admits(self, from: Square, to: Square, named_by: PawnTrySquare) -> bool {
        self.origins(named_by).contains(from) && self.landings(named_by).contains(to)
    }

    /// Returns the origin squares that this announcement does not exclude. Even if
    /// there is no pawn try, these can be all squares. In this case [`landings`](Tries::landings)
    /// returns no square.
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

    /// Returns the target squares on which this announcement allows a pawn capture.
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
