//! MINFO: the sheet on which the referee writes its answers.

use std::ops::{Index, IndexMut};

use crate::{idata::coordinates, verdict::Rules};
use rules::chess::Square;

/// A named cell of MINFO. Each comment below begins with the cell's row and column.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct Cell {
    row: usize,
    column: usize,
    name: &'static str,
}

impl Cell {
    /// (1,1): state of the game: 0 not started, 1 in progress, 2 checkmate, 3
    /// stalemate.
    pub const MTERMN: Cell = Cell::new(1, 1, "MTERMN");
    /// (1,2): the rules: 1 Western, 2 Eastern.
    pub const MRULES: Cell = Cell::new(1, 2, "MRULES");
    /// (2,1): code of the captured man, 2-6; 0 if none was captured. A promoted man has the code of
    /// its new role.
    pub const MLOST: Cell = Cell::new(2, 1, "MLOST");
    /// (3,1): column of the captured man.
    pub const MSQRH: Cell = Cell::new(3, 1, "MSQRH");
    /// (3,2): row of the captured man.
    pub const MSQRV: Cell = Cell::new(3, 2, "MSQRV");
    /// (4,1): what the capturer hears: 1 a piece, 2 a pawn (Western rules), 3 a
    /// man (Eastern rules); 0 if nothing was captured.
    pub const MCAPT: Cell = Cell::new(4, 1, "MCAPT");
    /// (5,1): 1 if a pawn was promoted. The authors of 1975 advise to ignore this cell.
    pub const MPROMO: Cell = Cell::new(5, 1, "MPROMO");
    /// (6,1): the answer to the last attempt: 0 legal, 1 no, 2 heck-no.
    pub const MATMPT: Cell = Cell::new(6, 1, "MATMPT");
    /// (6,2): the side to move, 1 White, 2 Black. At the end: the side that is
    /// mated or stalemated.
    pub const MCOLOR: Cell = Cell::new(6, 2, "MCOLOR");
    /// (7,1): the first check: 1 a check (Eastern rules), 2 on the long
    /// diagonal, 3 on the short diagonal, 4 on the file, 5 on the rank, 6 by a
    /// knight; 0 if there is none.
    pub const MCHEKA: Cell = Cell::new(7, 1, "MCHEKA");
    /// (7,2): the second check, with the same numbers (Western rules).
    pub const MCHEKB: Cell = Cell::new(7, 2, "MCHEKB");
    /// (8,1): the answer to a try request (Eastern rules): 1 none, 2 some; 0 if
    /// there was no request.
    pub const MTRYEA: Cell = Cell::new(8, 1, "MTRYEA");
    /// (8,2): number of answers *no* since the last legal move.
    pub const MNOS: Cell = Cell::new(8, 2, "MNOS");
    /// (9,1): Western rules: number of squares on which exactly one pawn can
    /// capture. Eastern rules: 1 if there is any pawn try.
    pub const MSTRY: Cell = Cell::new(9, 1, "MSTRY");
    /// (24,1): number of squares on which two pawns can capture (Western
    /// rules).
    pub const MDTRY: Cell = Cell::new(24, 1, "MDTRY");

    /// All named cells, row by row.
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

    /// Returns the row, from 1 to 30.
    pub const fn row(self) -> usize {
        self.row
    }

    /// Returns the column: 1 or 2.
    pub const fn column(self) -> usize {
        self.column
    }

    /// Returns the cell's name in the article of 1975.
    pub const fn name(self) -> &'static str {
        self.name
    }
}

/// MINFO: thirty rows of two columns, which contain everything that the referee
/// has to say.
///
/// Rows 10-23 list the squares of the single tries (one pawn can capture). Rows 25-30 list the
/// squares of the double tries (two pawns can capture). Each of these rows is one square: the first
/// number is the square's column, the second is the square's row. [`Cell`] names the other cells.
///
/// A legal move rewrites all cells. The answer *heck-no* changes only MATMPT. The answer *no*
/// changes MATMPT and MNOS. A try request changes only MTRYEA.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Minfo {
    columns: [[i16; 30]; 2],
}

/// Rows that list the single tries, counted from 0.
const SINGLES: std::ops::Range<usize> = 9..23;
/// Rows that list the double tries, counted from 0.
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
    /// Makes a sheet in which only MRULES is set.
    pub fn new(rules: Rules) -> Minfo {
        let mut minfo = Minfo::default();
        minfo[Cell::MRULES] = rules.number();
        minfo
    }

    /// Returns both columns of the sheet; each has 30 rows.
    pub const fn columns(&self) -> &[[i16; 30]; 2] {
        &self.columns
    }

    /// Returns the rules that MRULES means; `None` if its value is out of range.
    pub fn rules(&self) -> Option<Rules> {
        Rules::of(self[Cell::MRULES].into())
    }

    /// Returns the squares on which exactly one pawn can capture, as (column, row).
    pub fn single_tries(&self) -> impl Iterator<Item = (i16, i16)> {
        self.listed(SINGLES, self[Cell::MSTRY])
    }

    /// Returns the squares on which two pawns can capture, as (column, row).
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

    /// Adds a pawn capture to the lists. A square that is already a single try
    /// moves to the double tries.
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

    /// Removes the pawn tries: both numbers and both lists.
    pub(crate) fn clear_tries(&mut self) {
        for column in &mut self.columns {
            column[SINGLES.start - 1..DOUBLES.end].fill(0);
        }
    }

    fn set(&mut self, mut rows: std::ops::Range<usize>, n: usize, (h, v): (i16, i16)) {
        // The row always exists: eight pawns have at most 14 single and 6 double tries.
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
    fn cells_do_not_overlap() {
        for (i, a) in Cell::ALL.into_iter().enumerate() {
            assert!(!SINGLES.contains(&(a.row - 1)) && !DOUBLES.contains(&(a.row - 1)));
            for b in &Cell::ALL[i + 1..] {
                assert_ne!((a.row, a.column), (b.row, b.column));
                assert_ne!(a.name, b.name);
            }
        }
    }

    #[test]
    fn square_added_twice_moves_to_the_double_tries() {
        let mut minfo = Minfo::new(Rules::Western);
        for sq in [Square::D4, Square::B3, Square::F5, Square::B3] {
            minfo.add_try(sq);
        }
        assert_eq!(minfo.single_tries().collect::<Vec<_>>(), [(4, 4), (6, 5)]);
        assert_eq!(minfo.double_tries().collect::<Vec<_>>(), [(2, 3)]);
        assert_eq!((minfo[Cell::MSTRY], minfo[Cell::MDTRY]), (2, 1));
    }
}
