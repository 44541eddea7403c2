//! Sets of squares: symmetries of the board, and steps of a king.

use rules::chess::Square;

/// Squares on which the rising diagonal (parallel to a1-h8) is longer than the falling diagonal.
pub(super) const LONG_RISING: u64 = {
    let mut set = 0;
    let mut i = 0_i32;
    while i < 64 {
        let (f, r) = (i % 8, i / 8);
        if (f - r).abs() < (7 - f - r).abs() {
            set |= 1 << i;
        }
        i += 1;
    }
    set
};

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Returns the squares next to at least one square of the set.
#[inline]
pub(super) const fn spread(set: u64) -> u64 {
    let sides = (set << 1 & NOT_A) | (set >> 1 & NOT_H);
    let row = set | sides;
    sides | row << 8 | row >> 8
}

/// One of the eight symmetries of the board. Bit 0 mirrors the files, and bit 1 mirrors the ranks.
/// After that, bit 2 exchanges files and ranks.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Debug)]
pub(super) struct Symmetry(pub u8);

impl Symmetry {
    /// All symmetries.
    pub const ALL: [Symmetry; 8] = [
        Symmetry(0),
        Symmetry(1),
        Symmetry(2),
        Symmetry(3),
        Symmetry(4),
        Symmetry(5),
        Symmetry(6),
        Symmetry(7),
    ];

    /// The symmetries that keep the direction of pawn moves.
    pub const OF_PAWNS: [Symmetry; 2] = [Symmetry(0), Symmetry(1)];

    /// Returns the image of a square.
    #[inline]
    pub fn square(self, square: Square) -> Square {
        let mut i = square.to_u32();
        if self.0 & 1 != 0 {
            i ^= 7;
        }
        if self.0 & 2 != 0 {
            i ^= 56;
        }
        if self.0 & 4 != 0 {
            i = i % 8 * 8 + i / 8;
        }
        Square::new(i)
    }

    /// Returns the image of a set of squares.
    #[inline]
    pub const fn set(self, mut set: u64) -> u64 {
        if self.0 & 1 != 0 {
            set = mirrored(set);
        }
        if self.0 & 2 != 0 {
            set = set.swap_bytes();
        }
        if self.0 & 4 != 0 {
            set = transposed(set);
        }
        set
    }

    /// Returns the symmetry that undoes this one.
    pub const fn inverse(self) -> Symmetry {
        // If bit 2 is set, a symmetry mirrors first and exchanges files and ranks last. The inverse
        // must exchange first. To exchange first and then mirror the files has the same effect as
        // to mirror the ranks first and then exchange. So bit 0 and bit 1 are swapped.
        match self.0 {
            5 => Symmetry(6),
            6 => Symmetry(5),
            _ => self,
        }
    }
}

/// Returns the set with the files mirrored.
const fn mirrored(set: u64) -> u64 {
    set.reverse_bits().swap_bytes()
}

/// Returns the set with files and ranks exchanged.
const fn transposed(mut set: u64) -> u64 {
    let mut swap = (set ^ set >> 7) & 0x00aa_00aa_00aa_00aa;
    set ^= swap ^ swap << 7;
    swap = (set ^ set >> 14) & 0x0000_cccc_0000_cccc;
    set ^= swap ^ swap << 14;
    swap = (set ^ set >> 28) & 0x0000_0000_f0f0_f0f0;
    set ^ swap ^ swap << 28
}

#[cfg(test)]
mod tests {
    use rules::chess::attacks;

    use super::*;

    #[test]
    fn symmetries_map_sets_as_they_map_squares() {
        for symmetry in Symmetry::ALL {
            for square in Square::ALL {
                let image = symmetry.square(square);
                assert_eq!(symmetry.set(1 << square.to_u32()), 1 << image.to_u32());
                assert_eq!(symmetry.inverse().square(image), square);
            }
        }
    }

    #[test]
    fn spread_of_a_square_agrees_with_the_steps_of_a_king() {
        for square in Square::ALL {
            assert_eq!(
                spread(1 << square.to_u32()),
                attacks::king_attacks(square).0
            );
        }
    }
}
