//! Keys that are equal when positions repeat.

use rules::{
    Try,
    chess::{Bitboard, CastlingSide, Color, Role, Square},
};

use super::position::{Captured, Position, corner};

/// A key of 128 bits: equal for the same men, side to move, rights and
/// reserves; the en passant square counts only if a capture there is legal.
///
/// Positions that differ collide with a chance of about 10^-34 a pair.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct RepetitionKey(u128);

/// The keys since the last irreversible move, the latest last.
///
/// A filter of 256 bits says at once that most positions are new.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct Past {
    keys: Vec<RepetitionKey>,
    filter: [u64; 4],
}

impl Past {
    /// An empty past with room for a hundred half-moves and more, so that it
    /// seldom grows.
    pub(crate) fn with_room() -> Past {
        Past {
            keys: Vec::with_capacity(128),
            filter: [0; 4],
        }
    }

    fn bit(key: RepetitionKey) -> (usize, u64) {
        let low = key.0 as u8;
        (usize::from(low >> 6), 1 << (low & 63))
    }

    /// Forgets everything: no position before can come again.
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.filter = [0; 4];
    }

    /// Remembers a position.
    #[inline]
    pub(crate) fn push(&mut self, key: RepetitionKey) {
        let (word, bit) = Past::bit(key);
        self.filter[word] |= bit;
        self.keys.push(key);
    }

    /// How often a position occurred that is reached by the next move.
    #[inline]
    pub(crate) fn count(&self, key: RepetitionKey) -> usize {
        let (word, bit) = Past::bit(key);
        if self.filter[word] & bit == 0 {
            return 0;
        }
        // In the key last pushed the other side was to move, and so in every
        // second one before it.
        let earlier = self.keys.iter().rev().skip(1).step_by(2);
        earlier.filter(|k| **k == key).count()
    }
}

const fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

const fn word(n: u64) -> u128 {
    ((mix(2 * n) as u128) << 64) | mix(2 * n + 1) as u128
}

const MEN: usize = 12 * 64;

static MAN: [u128; MEN] = {
    let mut table = [0; MEN];
    let mut i = 0;
    while i < MEN {
        table[i] = word(i as u64);
        i += 1;
    }
    table
};

const fn man(color: Color, role: Role, sq: Square) -> u128 {
    let side = match color {
        Color::White => 0,
        Color::Black => 6,
    };
    MAN[(side + role as usize - 1) * 64 + sq.to_usize()]
}

const TURN: u128 = word(10_000);

/// By the castling rights, White's wings in the low two bits.
static RIGHTS: [u128; 16] = {
    let mut table = [0; 16];
    let mut i = 1;
    while i < 16 {
        table[i] = word(10_100 + i as u64);
        i += 1;
    }
    table
};
const PASSED: u64 = 10_200;
const PROMOTED: u64 = 10_300;
const RESERVE: u64 = 11_000;

impl Position {
    /// The key of the men on the board alone; see
    /// [`shifted_men_key`](Position::shifted_men_key).
    pub(crate) fn men_key(&self) -> u128 {
        let mut key = 0;
        for color in Color::ALL {
            for (role, squares) in self.men.zip_role() {
                for sq in squares & *self.sides.get(color) {
                    key ^= man(color, role, sq);
                }
            }
        }
        key
    }

    /// The key of the men after a legal try, from the key before it.
    #[inline]
    pub(crate) fn shifted_men_key(
        &self,
        key: u128,
        t: Try,
        role: Role,
        captured: Option<Captured>,
    ) -> u128 {
        let us = self.turn;
        let mut key = key;
        if let Some(taken) = captured {
            key ^= man(us.other(), taken.role, taken.square);
        }
        match t {
            Try::Step {
                from,
                to,
                promotion,
            } => {
                key ^= man(us, role, from) ^ man(us, promotion.unwrap_or(role), to);
                if role == Role::King && from.file().distance(to.file()) == 2 {
                    let side = CastlingSide::from_king_side(to.file() > from.file());
                    key ^= man(us, Role::Rook, corner(us, side))
                        ^ man(us, Role::Rook, side.rook_to(us));
                }
            }
            Try::Drop { to, .. } => key ^= man(us, role, to),
        }
        key
    }

    /// The repetition key, given the key of the men.
    #[inline]
    pub(crate) fn repetition_key(&self, men: u128) -> RepetitionKey {
        let mut key = men;
        if self.turn == Color::Black {
            key ^= TURN;
        }
        let rights = self.castling.white.bits() | (self.castling.black.bits() << 2);
        key ^= RIGHTS[usize::from(rights)];
        if self.passed.is_some()
            && let Some(sq) = self.legal_en_passant()
        {
            key ^= word(PASSED + sq as u64);
        }
        if self.promoted.any() || !self.reserves.white.is_empty() || !self.reserves.black.is_empty()
        {
            key ^= self.drop_key();
        }
        RepetitionKey(key)
    }

    fn drop_key(&self) -> u128 {
        let mut key = 0;
        for sq in self.promoted & (self.sides.white | self.sides.black) & !Bitboard::EMPTY {
            key ^= word(PROMOTED + sq as u64);
        }
        for color in Color::ALL {
            for (role, count) in self.reserves.get(color).iter() {
                let which = (color as u64 * 8 + role as u64) * 64 + u64::from(count);
                key ^= word(RESERVE + which);
            }
        }
        key
    }
}
