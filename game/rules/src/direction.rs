//! Directions from which a king is checked.

use std::{fmt, str::FromStr};

use crate::chess::{Bitboard, Square, attacks};

crate::named! {
    /// Direction of a check, as seen from the checked king. The variants are in
    /// the order in which directions are announced.
    Direction {
        /// Along the king's rank.
        Rank = "rank";
        /// Along the king's file.
        File = "file";
        /// Along the longer of the king's two diagonals.
        Long = "long";
        /// Along the shorter of the king's two diagonals.
        Short = "short";
        /// By a knight.
        Knight = "knight";
    }
}

/// Returns the diagonal through `sq` parallel to a1-h8.
fn rising(sq: Square) -> Bitboard {
    lines(sq, |f, r| f - r)
}

/// Returns the diagonal through `sq` parallel to h1-a8.
fn falling(sq: Square) -> Bitboard {
    lines(sq, |f, r| f + r)
}

fn lines(sq: Square, index: fn(i32, i32) -> i32) -> Bitboard {
    let of = |s: Square| index(s.file() as i32, s.rank() as i32);
    Square::ALL
        .into_iter()
        .filter(|s| of(*s) == of(sq))
        .collect()
}

impl Direction {
    /// Returns the direction from which a man on `checker` checks a king on
    /// `king`.
    ///
    /// If king and checker share no line, the checker is a knight. The long
    /// diagonal is the diagonal with more squares. One of the two lengths is
    /// even and the other is odd, so the lengths are never equal.
    pub fn of(king: Square, checker: Square) -> Direction {
        let (kf, kr) = (king.file() as i32, king.rank() as i32);
        let (cf, cr) = (checker.file() as i32, checker.rank() as i32);
        if kr == cr {
            Direction::Rank
        } else if kf == cf {
            Direction::File
        } else {
            let rising = 8 - (kf - kr).abs();
            let falling = 8 - (7 - kf - kr).abs();
            let along_rising = kf - kr == cf - cr;
            if !along_rising && kf + kr != cf + cr {
                Direction::Knight
            } else if along_rising == (rising > falling) {
                Direction::Long
            } else {
                Direction::Short
            }
        }
    }

    /// Returns the squares on the line of this direction through `king`. On each side of the king,
    /// the line ends with the first square of `blockers`, which is included.
    ///
    /// For [`Direction::Knight`], returns the squares that are a knight's move
    /// away from `king`.
    pub fn reach(self, king: Square, blockers: Bitboard) -> Bitboard {
        let diagonal = |long: bool| {
            let (up, down) = (rising(king), falling(king));
            let line = if (up.count() > down.count()) == long {
                up
            } else {
                down
            };
            attacks::bishop_attacks(king, blockers) & line
        };
        match self {
            Direction::Rank => {
                attacks::rook_attacks(king, blockers) & Bitboard::from_rank(king.rank())
            }
            Direction::File => {
                attacks::rook_attacks(king, blockers) & Bitboard::from_file(king.file())
            }
            Direction::Long => diagonal(true),
            Direction::Short => diagonal(false),
            Direction::Knight => attacks::knight_attacks(king),
        }
    }
}

/// Error: no direction has this name.
#[derive(Copy, Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("not a direction (the directions are rank, file, long, short and knight)")]
pub struct ParseDirectionError;

impl FromStr for Direction {
    type Err = ParseDirectionError;

    fn from_str(s: &str) -> Result<Direction, ParseDirectionError> {
        Direction::from_name(s).ok_or(ParseDirectionError)
    }
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of directions of a check. A knight's check counts as a direction.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Default)]
pub struct Directions(u8);

impl Directions {
    /// The empty set.
    pub const NONE: Directions = Directions(0);

    /// Adds a direction to the set.
    pub fn add(&mut self, d: Direction) {
        self.0 |= 1 << d as u8;
    }

    /// Whether the direction is in the set.
    pub const fn contains(self, d: Direction) -> bool {
        self.0 & (1 << d as u8) != 0
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of directions.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Iterates over the directions, in the order in which they are announced.
    pub fn iter(self) -> impl Iterator<Item = Direction> {
        Direction::ALL
            .into_iter()
            .filter(move |d| self.contains(*d))
    }
}

impl FromIterator<Direction> for Directions {
    fn from_iter<I: IntoIterator<Item = Direction>>(iter: I) -> Directions {
        let mut all = Directions::NONE;
        for d in iter {
            all.add(d);
        }
        all
    }
}

impl fmt::Debug for Directions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagonals_through_a_square_have_unequal_lengths() {
        for sq in Square::ALL {
            assert_ne!(rising(sq).count(), falling(sq).count(), "{sq}");
        }
    }

    #[test]
    fn man_on_a_reached_square_checks_from_that_direction() {
        for king in Square::ALL {
            for d in Direction::ALL {
                for from in d.reach(king, Bitboard::EMPTY) {
                    assert_eq!(Direction::of(king, from), d, "{king} from {from}");
                }
            }
        }
    }
}
