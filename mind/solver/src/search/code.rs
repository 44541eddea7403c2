//! Tries in 16 bits, and a hash of a position.

use position::Position;
use rules::{
    Try,
    chess::{CastlingSide, Color, Role, Square},
};

/// A try in 16 bits: origin, target and promotion. For a drop, the role is stored in the bits of
/// the origin.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub(crate) struct Code(pub u16);

/// Number of values of [`Code::pair`].
pub(crate) const PAIRS: usize = 72 * 64;
/// Value of the promotion bits that marks a drop.
const DROP: u16 = 7;

impl Code {
    #[inline]
    pub(crate) fn of(t: Try) -> Code {
        Code(match t {
            Try::Step {
                from,
                to,
                promotion,
            } => {
                let role = promotion.map_or(0, |role| role as u16);
                (from.to_u32() as u16) | ((to.to_u32() as u16) << 6) | (role << 12)
            }
            Try::Drop { role, to } => (role as u16) | ((to.to_u32() as u16) << 6) | (DROP << 12),
        })
    }

    pub(crate) fn to(self) -> Square {
        Square::new(u32::from(self.0 >> 6) & 63)
    }

    #[inline]
    pub(crate) fn what(self) -> Try {
        let role = |bits: u16| Role::ALL.into_iter().find(|role| *role as u16 == bits);
        let low = self.0 & 63;
        let to = self.to();
        match self.0 >> 12 {
            DROP => Try::Drop {
                role: role(low).unwrap_or(Role::Pawn),
                to,
            },
            0 => Try::step(Square::new(u32::from(low)), to),
            promotion => Try::Step {
                from: Square::new(u32::from(low)),
                to,
                promotion: role(promotion),
            },
        }
    }

    /// Returns an index that stands for the pair of origin and target. Tries that differ only in
    /// the promotion have the same index.
    #[inline]
    pub(crate) fn pair(self) -> usize {
        let low = usize::from(self.0 & 0xfff);
        if self.0 >> 12 == DROP {
            (usize::from(self.0 >> 6) & 63) | ((64 + usize::from(self.0 & 7)) << 6)
        } else {
            low
        }
    }
}

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

/// Returns a hash of the whole position, with the en passant square even if no en passant capture
/// is legal.
#[inline]
pub(crate) fn hash(p: &Position) -> u64 {
    let rights = u64::from(p.castling(Color::White).bits())
        | (u64::from(p.castling(Color::Black).bits()) << 2);
    let passed = p.passed().map_or(0, |sq| u64::from(sq.to_u32()) + 1);
    let mut rest = rights | (passed << 4) | (u64::from(p.turn() == Color::White) << 12);
    let reserves = p.reserves();
    if !(reserves.white.is_empty() && reserves.black.is_empty()) || p.promoted().any() {
        for reserve in [reserves.white, reserves.black] {
            for (role, count) in reserve.iter() {
                let word = (role as u64) | (u64::from(count) << 3);
                rest = fold(rest ^ word ^ 0x5851_f42d_4c95_7f2d, 0x9e37_79b9_7f4a_7c15);
            }
            rest = fold(rest ^ 0x2545_f491_4f6c_dd1d, 0xd6e8_feb8_6659_fd93);
        }
        rest ^= p.promoted().0.rotate_left(17);
    }
    let men = |role| p.men(role).0;
    let a = fold(
        men(Role::Pawn) ^ 0xa076_1d64_78bd_642f,
        men(Role::Knight) ^ 0xe703_7ed1_a0b4_28db,
    );
    let b = fold(
        men(Role::Bishop) ^ 0x8ebc_6af0_9c88_c6e3,
        men(Role::Rook) ^ 0x5899_65cc_7537_4cc3,
    );
    let c = fold(
        men(Role::Queen) ^ 0x1d8e_4e27_c47d_124f,
        men(Role::King) ^ 0xeb44_acca_b455_d165,
    );
    let d = fold(
        p.side(Color::White).0 ^ 0x9c6e_6877_736c_46e3,
        rest ^ 0xcb9c_59b3_f9f8_7d4d,
    );
    fold(a ^ b.rotate_left(21), c ^ d.rotate_left(43)) ^ a.rotate_left(11) ^ d
}

/// Returns the castling tries that the rights of the side to move still allow.
pub(crate) fn castling_targets(p: &Position) -> impl Iterator<Item = Try> + use<> {
    let us = p.turn();
    let wings = p.castling(us);
    let king = p.king(us);
    CastlingSide::ALL
        .into_iter()
        .filter(move |side| wings.has(*side))
        .map(move |side| Try::step(king, side.king_to(us)))
}
