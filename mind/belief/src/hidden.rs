//! Packed forms of the opponent's men.

use std::fmt::Debug;

use rules::chess::{Bitboard, CastlingSide, File, Role, Square};

use crate::men::Men;

/// A packed form of [`Men`]. Equal values of `Men` have equal forms. If two forms differ only in
/// the half-move clock, they are ordered by the clock.
pub(crate) trait Hidden: Copy + Ord + Debug + Send + Sync {
    /// Packs men. The caller ensures that they fit.
    fn pack(men: &Men) -> Self;

    /// Unpacks the men.
    fn unpack(self) -> Men;

    /// Returns whether two forms are equal, apart from the half-move clock.
    fn is_same(self, other: Self) -> bool;

    /// Returns the half-move clock.
    fn quiet(self) -> u8;

    /// Returns the form after one man moved from a square to an empty square. The man keeps its
    /// role. `passed` and `quiet` are the new values, as in [`Men`].
    ///
    /// Must not be used for castling, promotions, or moves that change castling
    /// rights.
    fn shifted(self, from: Square, to: Square, passed: Option<File>, quiet: u8) -> Self;

    /// Returns a hash value. The half-move clock does not change the hash value.
    fn bucket(self) -> u64;
}

/// At most 16 men in 16 bytes; no man is marked as promoted. The bytes contain the squares, three
/// bits of role for each man, castling rights, en passant file and half-move clock.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub(crate) struct Small {
    squares: u64,
    /// From the highest bit: three planes of 16 bits for the roles, 2 bits of
    /// castling rights, 4 bits of en passant file, 3 unused bits, 7 bits of
    /// half-move clock.
    rest: u64,
}

const CLOCK: u64 = 0x7f;
const PASSED_AT: u32 = 10;
const CASTLING_AT: u32 = 14;
const PLANES_AT: u32 = 16;

/// The roles, indexed by their three bits. The codes 0 and 7 are unused.
pub(crate) const ROLES: [Role; 8] = [
    Role::Pawn,
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
    Role::King,
];

pub(crate) fn passed_bits(passed: Option<File>) -> u64 {
    passed.map_or(0, |file| file as u64 + 1)
}

pub(crate) fn passed_file(bits: u64) -> Option<File> {
    (bits > 0).then(|| File::new((bits as u32 - 1) & 7))
}

pub(crate) fn wings(bits: u64) -> rules::Wings {
    let mut wings = rules::Wings::NONE;
    if bits & 1 != 0 {
        wings.add(CastlingSide::KingSide);
    }
    if bits & 2 != 0 {
        wings.add(CastlingSide::QueenSide);
    }
    wings
}

impl Small {
    /// Maximum number of men.
    pub(crate) const MAX_MEN: usize = 16;
}

/// Returns how many of `squares` have a lower index than `sq`.
#[inline]
fn rank_of(squares: u64, sq: Square) -> u32 {
    (squares & ((1u64 << sq.to_u32()) - 1)).count_ones()
}

impl Hidden for Small {
    #[inline]
    fn pack(men: &Men) -> Small {
        let all = men.all();
        debug_assert!(all.count() <= Small::MAX_MEN);
        let m = &men.by_role;
        let planes = [
            m.pawn | m.bishop | m.queen,
            m.knight | m.bishop | m.king,
            m.rook | m.queen | m.king,
        ];
        let mut rest = 0u64;
        for (i, sq) in all.into_iter().enumerate() {
            for (plane, squares) in planes.iter().enumerate() {
                let bit = (squares.0 >> sq.to_u32()) & 1;
                rest |= bit << (PLANES_AT as usize + 16 * plane + i);
            }
        }
        Small {
            squares: all.0,
            rest: rest
                | (u64::from(men.castling.bits()) << CASTLING_AT)
                | (passed_bits(men.passed) << PASSED_AT)
                | u64::from(men.quiet.min(127)),
        }
    }

    #[inline]
    fn unpack(self) -> Men {
        let mut by_role = [0u64; 8];
        let mut planes = self.rest >> PLANES_AT;
        let mut squares = self.squares;
        while squares != 0 {
            let square = squares & squares.wrapping_neg();
            let role = (planes & 1) | ((planes >> 15) & 2) | ((planes >> 30) & 4);
            by_role[role as usize] |= square;
            planes >>= 1;
            squares ^= square;
        }
        Men {
            by_role: rules::chess::ByRole {
                pawn: Bitboard(by_role[1]),
                knight: Bitboard(by_role[2]),
                bishop: Bitboard(by_role[3]),
                rook: Bitboard(by_role[4]),
                queen: Bitboard(by_role[5]),
                king: Bitboard(by_role[6]),
            },
            promoted: Bitboard::EMPTY,
            castling: wings(self.rest >> CASTLING_AT),
            passed: passed_file((self.rest >> PASSED_AT) & 15),
            quiet: self.quiet(),
        }
    }

    #[inline]
    fn is_same(self, other: Small) -> bool {
        self.squares == other.squares && (self.rest ^ other.rest) <= CLOCK
    }

    #[inline]
    fn quiet(self) -> u8 {
        (self.rest & CLOCK) as u8
    }

    #[inline]
    fn shifted(self, from: Square, to: Square, passed: Option<File>, quiet: u8) -> Small {
        let left = self.squares & !(1u64 << from.to_u32());
        let (i, j) = (rank_of(self.squares, from), rank_of(left, to));
        // The man moves from index i to index j. So in each plane, bit i is removed and inserted
        // again as bit j.
        const LANES: u64 = 0x0001_0001_0001;
        let planes = self.rest >> PLANES_AT;
        let moved = (planes >> i) & LANES;
        let below = |n: u32| LANES * ((1u64 << n) - 1);
        let low = planes & below(i);
        let high = (planes >> 1) & (below(15) ^ below(i));
        let without = low | high;
        let low = without & below(j);
        let high = (without & (below(15) ^ below(j))) << 1;
        let planes = low | high | (moved << j);
        Small {
            squares: left | (1u64 << to.to_u32()),
            rest: (planes << PLANES_AT)
                | (self.rest & (3 << CASTLING_AT))
                | (passed_bits(passed) << PASSED_AT)
                | u64::from(quiet),
        }
    }

    #[inline]
    fn bucket(self) -> u64 {
        let mixed = self.squares.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ (self.rest & !CLOCK)
                .wrapping_mul(0xd6e8_feb8_6659_fd93)
                .rotate_left(31);
        mixed ^ (mixed >> 32)
    }
}

/// Up to 32 men in 32 bytes. Promoted men are marked.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub(crate) struct Wide {
    squares: u64,
    /// Three planes for the roles and one for promoted men. Bit `i` of each
    /// plane belongs to man `i`.
    planes: [u32; 4],
    /// Castling rights, en passant file and clock, as in the low 16 bits of
    /// `rest` in [`Small`].
    rest: u64,
}

impl Hidden for Wide {
    fn pack(men: &Men) -> Wide {
        let all = men.all();
        let mut planes = [0u32; 4];
        for (i, sq) in all.into_iter().take(32).enumerate() {
            let role = men.role_at(sq).map_or(0, |role| role as u32);
            let bits = role | (u32::from(men.promoted.contains(sq)) << 3);
            for (k, plane) in planes.iter_mut().enumerate() {
                *plane |= ((bits >> k) & 1) << i;
            }
        }
        Wide {
            squares: all.0,
            planes,
            rest: (u64::from(men.castling.bits()) << CASTLING_AT)
                | (passed_bits(men.passed) << PASSED_AT)
                | u64::from(men.quiet.min(127)),
        }
    }

    fn unpack(self) -> Men {
        let mut men = Men {
            castling: wings(self.rest >> CASTLING_AT),
            passed: passed_file((self.rest >> PASSED_AT) & 15),
            quiet: self.quiet(),
            ..Men::default()
        };
        for (i, sq) in Bitboard(self.squares).into_iter().enumerate() {
            let bit = |plane: usize| ((self.planes[plane] >> (i & 31)) & 1) as usize;
            let role = ROLES[bit(0) | (bit(1) << 1) | (bit(2) << 2)];
            men.by_role.get_mut(role).add(sq);
            men.promoted.set(sq, bit(3) == 1);
        }
        men
    }

    fn is_same(self, other: Wide) -> bool {
        self.squares == other.squares
            && self.planes == other.planes
            && (self.rest ^ other.rest) <= CLOCK
    }

    fn quiet(self) -> u8 {
        (self.rest & CLOCK) as u8
    }

    fn shifted(self, from: Square, to: Square, passed: Option<File>, quiet: u8) -> Wide {
        let mut men = self.unpack();
        if let Some(role) = men.role_at(from) {
            men.by_role.get_mut(role).discard(from);
            men.by_role.get_mut(role).add(to);
        }
        let promoted = men.promoted.remove(from);
        men.promoted.set(to, promoted);
        men.passed = passed;
        men.quiet = quiet;
        Wide::pack(&men)
    }

    fn bucket(self) -> u64 {
        let planes = self
            .planes
            .iter()
            .fold(0u64, |all, plane| all.rotate_left(16) ^ u64::from(*plane));
        let mixed = (self.squares ^ planes.rotate_left(7) ^ (self.rest >> 7).rotate_left(40))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    }
}
