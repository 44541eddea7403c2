//! The tries that were answered no this turn.

use crate::{
    attempt::Try,
    chess::{Bitboard, Role, Square},
};

/// The tries answered no this turn, by from and to; another promotion man is
/// the same try.
#[derive(Clone, Debug)]
pub struct RefusedTries {
    /// Landing squares by origin, meaningful where `origins` has the square.
    landings: [Bitboard; 64],
    origins: Bitboard,
    /// Squares by dropped man (pawn 0 .. king 5), meaningful if `any_drop`.
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
    /// Forgets all.
    #[inline]
    pub fn clear(&mut self) {
        self.origins = Bitboard::EMPTY;
        self.any_drop = false;
    }

    /// Remembers a refused try; false if it was remembered already.
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

    /// Whether the try was answered no this turn.
    #[inline]
    pub fn contains(&self, t: Try) -> bool {
        match t {
            Try::Step { from, to, .. } => self.landings(from).contains(to),
            Try::Drop { role, to } => self.drops(role).contains(to),
        }
    }

    /// The squares refused to the man on `from`.
    #[inline]
    pub fn landings(&self, from: Square) -> Bitboard {
        // Without a branch: whether there are any cannot be predicted.
        let known = (self.origins.0 >> from.to_u32()) & 1;
        Bitboard(self.landings[from.to_usize()].0 & known.wrapping_neg())
    }

    /// The squares refused to a drop.
    #[inline]
    pub fn drops(&self, role: Role) -> Bitboard {
        if self.any_drop {
            self.drops[role as usize - 1]
        } else {
            Bitboard::EMPTY
        }
    }

    /// Whether nothing was refused.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.origins.is_empty() && !self.any_drop
    }
}
