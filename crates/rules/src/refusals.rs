//! The tries that were answered no this turn.

use crate::{
    attempt::Try,
    chess::{Bitboard, Role, Square},
};

/// The tries answered no this turn, by from and to; another promotion man is
/// the same try.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Refusals {
    /// Landing squares by origin, meaningful where `origins` has the square.
    landings: [Bitboard; 64],
    origins: Bitboard,
    /// Squares by dropped man (pawn 0 .. king 5).
    drops: [Bitboard; 6],
    any_drop: bool,
}

impl Default for Refusals {
    fn default() -> Refusals {
        Refusals {
            landings: [Bitboard::EMPTY; 64],
            origins: Bitboard::EMPTY,
            drops: [Bitboard::EMPTY; 6],
            any_drop: false,
        }
    }
}

impl Refusals {
    /// Forgets all; costs as much as there is to forget.
    pub fn clear(&mut self) {
        for from in self.origins {
            self.landings[from.to_usize()] = Bitboard::EMPTY;
        }
        self.origins = Bitboard::EMPTY;
        if self.any_drop {
            self.drops = [Bitboard::EMPTY; 6];
            self.any_drop = false;
        }
    }

    /// Remembers a refused try; false if it was remembered already.
    pub fn add(&mut self, t: Try) -> bool {
        let known = self.contains(t);
        match t {
            Try::Step { from, to, .. } => {
                self.landings[from.to_usize()].add(to);
                self.origins.add(from);
            }
            Try::Drop { role, to } => {
                self.drops[role as usize - 1].add(to);
                self.any_drop = true;
            }
        }
        !known
    }

    /// Whether the try was answered no this turn.
    #[inline]
    pub fn contains(&self, t: Try) -> bool {
        match t {
            Try::Step { from, to, .. } => self.landings[from.to_usize()].contains(to),
            Try::Drop { role, to } => self.drops[role as usize - 1].contains(to),
        }
    }

    /// The squares refused to the man on `from`.
    #[inline]
    pub fn landings(&self, from: Square) -> Bitboard {
        self.landings[from.to_usize()]
    }

    /// The squares refused to a drop.
    #[inline]
    pub fn drops(&self, role: Role) -> Bitboard {
        self.drops[role as usize - 1]
    }

    /// Whether nothing was refused.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.origins.is_empty() && !self.any_drop
    }
}
