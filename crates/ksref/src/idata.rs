//! IDATA: the attempt.

use rules::{
    Try,
    chess::{File, Rank, Role, Square},
};

/// IDATA: one attempt, six numbers.
///
/// Columns a-h and rows 1-8 are counted from 1. Castling is the king's step of
/// two squares. Numbers out of range are not an error: such an attempt is
/// answered *heck-no*.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Idata {
    /// IDATA(1): the column from which the man goes.
    pub ifromh: i32,
    /// IDATA(2): the row from which the man goes.
    pub ifromv: i32,
    /// IDATA(3): the column to which the man goes.
    pub itoh: i32,
    /// IDATA(4): the row to which the man goes.
    pub itov: i32,
    /// IDATA(5): what a pawn becomes on the last row: 3 knight, 4 bishop,
    /// 5 queen, 6 rook; 0 if none does.
    pub ipromo: i32,
    /// IDATA(6): 1 asks for tries (Eastern rules) and the other five are not
    /// read; 0 is a move.
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

/// The square of a column and a row; `None` if there is none.
pub(crate) fn square(h: i32, v: i32) -> Option<Square> {
    let one = |n: i32| u32::try_from(n.checked_sub(1)?).ok().filter(|n| *n < 8);
    Some(Square::from_coords(File::new(one(h)?), Rank::new(one(v)?)))
}

/// The column and the row of a square.
pub(crate) fn coordinates(sq: Square) -> (i16, i16) {
    (sq.file() as i16 + 1, sq.rank() as i16 + 1)
}

impl Idata {
    /// The try that the first five numbers mean; `None` if they mean none.
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
    fn the_corners_of_the_range_hold() {
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
    fn six_numbers_there_and_back() {
        let cells = [1, 2, 3, 4, 5, 6];
        assert_eq!(<[i32; 6]>::from(Idata::from(cells)), cells);
    }
}
