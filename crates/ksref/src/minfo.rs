//! MINFO: the referee's sheet of answers.

use std::ops::{Index, IndexMut};

use crate::{idata::coordinates, verdict::Rules};
use rules::chess::Square;

/// A named cell of MINFO.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Cell {
    row: usize,
    column: usize,
    name: &'static str,
}

impl Cell {
    /// (1,1): 1 in progress, 2 checkmate, 3 stalemate. 0: not started.
    pub const MTERMN: Cell = Cell::new(1, 1, "MTERMN");
    /// (1,2): 1 Western rules, 2 Eastern rules.
    pub const MRULES: Cell = Cell::new(1, 2, "MRULES");
    /// (2,1): the man that was captured, 2-6; 0 if none was. A promoted man
    /// counts as what it has become.
    pub const MLOST: Cell = Cell::new(2, 1, "MLOST");
    /// (3,1): the column on which the captured man stood.
    pub const MSQRH: Cell = Cell::new(3, 1, "MSQRH");
    /// (3,2): the row on which the captured man stood.
    pub const MSQRV: Cell = Cell::new(3, 2, "MSQRV");
    /// (4,1): what the capturer is told: 1 a piece, 2 a pawn (Western rules),
    /// 3 a man (Eastern rules).
    pub const MCAPT: Cell = Cell::new(4, 1, "MCAPT");
    /// (5,1): 1 if a pawn was promoted. The authors advise to ignore it.
    pub const MPROMO: Cell = Cell::new(5, 1, "MPROMO");
    /// (6,1): 1 the attempt is answered no, 2 heck-no, 0 the last attempt was
    /// legal.
    pub const MATMPT: Cell = Cell::new(6, 1, "MATMPT");
    /// (6,2): who is to move, 1 White, 2 Black; at the end, who is mated or
    /// stalemated.
    pub const MCOLOR: Cell = Cell::new(6, 2, "MCOLOR");
    /// (7,1): the first check: 1 a check (Eastern rules), 2 on the long
    /// diagonal, 3 on the short diagonal, 4 vertical, 5 horizontal, 6 by a
    /// knight.
    pub const MCHEKA: Cell = Cell::new(7, 1, "MCHEKA");
    /// (7,2): the second check, with the same numbers (Western rules).
    pub const MCHEKB: Cell = Cell::new(7, 2, "MCHEKB");
    /// (8,1): the answer to a try request: 1 none, 2 some (Eastern rules).
    pub const MTRYEA: Cell = Cell::new(8, 1, "MTRYEA");
    /// (8,2): the number of *no* since the last legal move.
    pub const MNOS: Cell = Cell::new(8, 2, "MNOS");
    /// (9,1): how many squares one pawn can capture on (Western rules); 1 if
    /// there is any pawn try (Eastern rules).
    pub const MSTRY: Cell = Cell::new(9, 1, "MSTRY");
    /// (24,1): how many squares two pawns can capture on (Western rules).
    pub const MDTRY: Cell = Cell::new(24, 1, "MDTRY");

    /// Every named cell, row by row.
    pub const ALL: [Cell; 15] = [
        Cell::MTERMN,
        Cell::MRULES,
        Cell::MLOST,
        Cell::MSQRH,
        Cell::MSQRV,
        Cell::MCAPT,
        Cell::MPROMO,
        Cell::MATMPT,
        Cell::MCOLOR,
        Cell::MCHEKA,
        Cell::MCHEKB,
        Cell::MTRYEA,
        Cell::MNOS,
        Cell::MSTRY,
        Cell::MDTRY,
    ];

    const fn new(row: usize, column: usize, name: &'static str) -> Cell {
        Cell { row, column, name }
    }

    /// The row, 1-30.
    pub const fn row(self) -> usize {
        self.row
    }

    /// The column, 1 or 2.
    pub const fn column(self) -> usize {
        self.column
    }

    /// The paper's name.
    pub const fn name(self) -> &'static str {
        self.name
    }
}

/// MINFO: thirty rows of two columns, with all that the referee has to say.
///
/// Rows 10-23 list the squares of the single tries, rows 25-30 those of the
/// double tries: the column of the board in column 1, the row in column 2.
/// [`Cell`] names the other cells.
///
/// A legal move writes the sheet anew. *No* and *heck-no* change MATMPT and
/// MNOS alone, a try request MTRYEA alone.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Minfo {
    columns: [[i16; 30]; 2],
}

/// The rows in which single tries are listed, and double tries, from 0.
const SINGLES: std::ops::Range<usize> = 9..23;
const DOUBLES: std::ops::Range<usize> = 24..30;

impl Index<Cell> for Minfo {
    type Output = i16;

    fn index(&self, cell: Cell) -> &i16 {
        &self.columns[cell.column - 1][cell.row - 1]
    }
}

impl IndexMut<Cell> for Minfo {
    fn index_mut(&mut self, cell: Cell) -> &mut i16 {
        &mut self.columns[cell.column - 1][cell.row - 1]
    }
}

impl From<[[i16; 30]; 2]> for Minfo {
    fn from(columns: [[i16; 30]; 2]) -> Minfo {
        Minfo { columns }
    }
}

impl Minfo {
    /// Makes a sheet that holds only the rules: all that
    /// [`Ksref::legal`](crate::Ksref::legal) needs.
    pub fn new(rules: Rules) -> Minfo {
        let mut minfo = Minfo::default();
        minfo[Cell::MRULES] = rules.number();
        minfo
    }

    /// Both columns, each with rows 1-30.
    pub const fn columns(&self) -> &[[i16; 30]; 2] {
        &self.columns
    }

    /// The rules that MRULES names.
    pub fn rules(&self) -> Option<Rules> {
        Rules::of(self[Cell::MRULES].into())
    }

    /// The squares that one pawn can capture on, as (column, row).
    pub fn single_tries(&self) -> impl Iterator<Item = (i16, i16)> {
        self.listed(SINGLES, self[Cell::MSTRY])
    }

    /// The squares that two pawns can capture on, as (column, row).
    pub fn double_tries(&self) -> impl Iterator<Item = (i16, i16)> {
        self.listed(DOUBLES, self[Cell::MDTRY])
    }

    fn listed(&self, rows: std::ops::Range<usize>, count: i16) -> impl Iterator<Item = (i16, i16)> {
        let [h, v] = &self.columns;
        let wanted = usize::try_from(count).unwrap_or(0);
        rows.take(wanted)
            .map(|row| (h[row], v[row]))
            .filter(|(h, _)| *h != 0)
    }

    /// Lists one more pawn capture on a square: a square found twice moves
    /// from the single tries to the double tries.
    pub(crate) fn add_try(&mut self, to: Square) {
        let (h, v) = coordinates(to);
        let count = usize::try_from(self[Cell::MSTRY]).unwrap_or(0);
        let end = SINGLES.start + count;
        let here = |row: &usize| (self.columns[0][*row], self.columns[1][*row]) == (h, v);
        match (SINGLES.start..end).find(here) {
            None => {
                self.set(SINGLES, count, (h, v));
                self[Cell::MSTRY] += 1;
            }
            Some(row) => {
                for column in &mut self.columns {
                    column.copy_within(row + 1..end, row);
                    column[end - 1] = 0;
                }
                self[Cell::MSTRY] -= 1;
                let doubles = usize::try_from(self[Cell::MDTRY]).unwrap_or(0);
                self.set(DOUBLES, doubles, (h, v));
                self[Cell::MDTRY] += 1;
            }
        }
    }

    fn set(&mut self, mut rows: std::ops::Range<usize>, n: usize, (h, v): (i16, i16)) {
        // Eight pawns have at most 14 single and 6 double tries.
        if let Some(row) = rows.nth(n) {
            self.columns[0][row] = h;
            self.columns[1][row] = v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_cells_share_a_place_or_a_list() {
        for (i, a) in Cell::ALL.into_iter().enumerate() {
            assert!(!SINGLES.contains(&(a.row - 1)) && !DOUBLES.contains(&(a.row - 1)));
            for b in &Cell::ALL[i + 1..] {
                assert_ne!((a.row, a.column), (b.row, b.column));
                assert_ne!(a.name, b.name);
            }
        }
    }

    #[test]
    fn a_square_found_twice_moves_to_the_doubles() {
        let mut minfo = Minfo::new(Rules::Western);
        for sq in [Square::D4, Square::B3, Square::F5, Square::B3] {
            minfo.add_try(sq);
        }
        assert_eq!(minfo.single_tries().collect::<Vec<_>>(), [(4, 4), (6, 5)]);
        assert_eq!(minfo.double_tries().collect::<Vec<_>>(), [(2, 3)]);
        assert_eq!((minfo[Cell::MSTRY], minfo[Cell::MDTRY]), (2, 1));
    }
}
