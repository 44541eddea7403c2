//! IDATA: one attempt.

use rules::{
    Try,
    chess::{File, Rank, Role, Square},
};

/// IDATA: one attempt, as six numbers.
///
/// Columns a-h and rows 1-8 are numbered from 1. Castling is the king's step of
/// two squares. Numbers out of range are not an error: such an attempt is
/// answered *heck-no*.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Idata {
    /// IDATA(1): column of the origin square.
    pub ifromh: i32,
    /// IDATA(2): row of the origin square.
    pub ifromv: i32,
    /// IDATA(3): column of the target square.
    pub itoh: i32,
    /// IDATA(4): row of the target square.
    pub itov: i32,
    /// IDATA(5): the man that a pawn becomes on the last row: 3 knight, 4
    /// bishop, 5 queen, 6 rook; 0 if no pawn promotes.
    pub ipromo: i32,
    /// IDATA(6): 0 for a move. 1 asks whether there is a pawn try (Eastern
    /// rules); the other five numbers are then ignored.
    pub itryrq: i32,
}

impl From<[i32; 6]> for Idata {
    fn from(cells: [i32; 6]) -> Idata {
        let [ifromh, ifromv, itoh, itov, ipromo, itryrq] = cells;
        Idata {
            ifromh,
            ifromv,
            itoh,
            itov,
            ipromo,
            itryrq,
        }
    }
}

impl From<Idata> for [i32; 6] {
    fn from(i: Idata) -> [i32; 6] {
        [i.ifromh, i.ifromv, i.itoh, i.itov, i.ipromo, i.itryrq]
    }
}

/// Returns the square of a column and a row; `None` if a number is out of
/// range.
pub(crate) fn square(h: i32, v: i32) -> Option<Square> {
    let one = |n: i32| u32::try_from(n.checked_sub(1)?).ok().filter(|n| *n < 8);
    Some(Square::from_coords(File::new(one(h)?), Rank::new(one(v)?)))
}

/// Returns the column and the row of a square, both from 1.
pub(crate) fn coordinates(sq: Square) -> (i16, i16) {
    (sq.file() as i16 + 1, sq.rank() as i16 + 1)
}

impl Idata {
    /// Returns the step that the first four numbers mean; `None` if a number is out of range.
    pub(crate) fn step(&self) -> Option<Try> {
        let from = square(self.ifromh, self.ifromv)?;
        Some(Try::step(from, square(self.itoh, self.itov)?))
    }

    /// Returns the try that the first five numbers mean; `None` if a number is
    /// out of range.
    pub(crate) fn as_try(&self) -> Option<Try> {
        let promotion = match self.ipromo {
            0 => None,
            3 => Some(Role::Knight),
            4 => Some(Role::Bishop),
            5 => Some(Role::Queen),
            6 => Some(Role::Rook),
            _ => return None,
        };
        Some(Try::Step {
            from: square(self.ifromh, self.ifromv)?,
            to: square(self.itoh, self.itov)?,
            promotion,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_coordinates_from_one_to_eight_give_a_square() {
        assert_eq!(square(1, 1), Some(Square::A1));
        assert_eq!(square(8, 8), Some(Square::H8));
        for wild in [0, 9, -1, i32::MIN, i32::MAX] {
            assert_eq!(square(wild, 1), None);
            assert_eq!(square(1, wild), None);
        }
        for sq in Square::ALL {
            let (h, v) = coordinates(sq);
            assert_eq!(square(h.into(), v.into()), Some(sq));
        }
    }

    #[test]
    fn attempt_round_trips_through_six_numbers() {
        let cells = [1, 2, 3, 4, 5, 6];
        assert_eq!(<[i32; 6]>::from(Idata::from(cells)), cells);
    }
}
