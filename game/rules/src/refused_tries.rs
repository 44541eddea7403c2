//! Tries that the referee answered "no" in this turn.

use crate::{
    attempt::Try,
    chess::{Bitboard, Role, Square},
};

/// Tries answered "no" in this turn, by origin and target square.
///
/// Tries that differ only in the promotion man count as one try.
#[derive(Clone, Debug)]
pub struct RefusedTries {
    /// Target squares of the refused tries, indexed by origin square. The entry of a square is
    /// valid only if `origins` contains this square.
    landings: [Bitboard; 64],
    origins: Bitboard,
    /// Target squares of the refused drops, indexed by role (pawn 0 .. king 5).
    /// Valid only if `any_drop` is true.
    drops: [Bitboard; 6],
    any_drop: bool,
}

impl Default for RefusedTries {
    fn default() -> RefusedTries {
        RefusedTries {
            landings: [Bitboard::EMPTY; 64],
            origins: Bitboard::EMPTY,
            drops: [Bitboard::EMPTY; 6],
            any_drop: false,
        }
    }
}

impl PartialEq for RefusedTries {
    fn eq(&self, other: &RefusedTries) -> bool {
        let mut squares = self.origins.into_iter();
        (self.origins, self.any_drop) == (other.origins, other.any_drop)
            && squares.all(|from| self.landings(from) == other.landings(from))
            && (!self.any_drop || self.drops == other.drops)
    }
}

impl Eq for RefusedTries {}

impl RefusedTries {
    /// Removes all tries.
    #[inline]
    pub fn clear(&mut self) {
        self.origins = Bitboard::EMPTY;
        self.any_drop = false;
    }

    /// Adds a refused try. Returns false if it was added before.
    pub fn add(&mut self, t: Try) -> bool {
        let known = self.contains(t);
        match t {
            Try::Step { from, to, .. } => {
                self.landings[from.to_usize()] = self.landings(from) | Bitboard::from_square(to);
                self.origins.add(from);
            }
            Try::Drop { role, to } => {
                if !self.any_drop {
                    self.drops = [Bitboard::EMPTY; 6];
                    self.any_drop = true;
                }
                self.drops[role as usize - 1].add(to);
            }
        }
        !known
    }

    /// Whether the try was answered "no" in this turn.
    #[inline]
    pub fn contains(&self, t: Try) -> bool {
        match t {
            Try::Step { from, to, .. } => self.landings(from).contains(to),
            Try::Drop { role, to } => self.drops(role).contains(to),
        }
    }

    /// Returns the target squares of the refused tries of the man on `from`.
    #[inline]
    pub fn landings(&self, from: Square) -> Bitboard {
        // This code has no branch, because the CPU could not predict whether there are refused
        // tries from this square.
        let known = (self.origins.0 >> from.to_u32()) & 1;
        Bitboard(self.landings[from.to_usize()].0 & known.wrapping_neg())
    }

    /// Returns the squares on which a drop of `role` was refused in this turn.
    #[inline]
    pub fn drops(&self, role: Role) -> Bitboard {
        if self.any_drop {
            self.drops[role as usize - 1]
        } else {
            Bitboard::EMPTY
        }
    }

    /// Whether no try was refused in this turn.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.origins.is_empty() && !self.any_drop
    }
}
