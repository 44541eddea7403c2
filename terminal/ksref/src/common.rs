//! The COMMON blocks of 1975: the four arrays in the layout of the article.

use rules::chess::Square;

use crate::{
    iboard::{CORNERS, Iboard},
    idata::{Idata, square},
    ksref::Ksref,
    minfo::{Cell, Minfo},
    nos::Nos,
    refusal::Refusal,
    verdict::{Rules, Verdict},
};

/// Length of the array NOS.
const NOS_CELLS: usize = 50;

const KING: i32 = 1;
const PAWN: i32 = 2;
const ROOK: i32 = 6;

/// The common blocks /KSINP/ and /KSOUT/. The subscripts are in the order of the article, but
/// counted from 0 instead of 1.
///
/// [`Common::ksref`] is SUBROUTINE KSREF, [`Common::legal`] is FUNCTION LEGAL.
/// [`Idata`], [`Iboard`] and [`Nos`] are our own, easier form of the arrays.
///
/// ```
/// use ksref::{Common, Rules};
///
/// let mut common = Common::default();
/// common.idata = [1, 0, 0, 0, 0, 0, 0, 0];
/// common.ksref()?;
/// assert_eq!(common.idata[1], 1);
/// common.idata = [1, 1, 5, 2, 5, 4, 0, 0];
/// common.ksref()?;
/// assert_eq!((common.idata[1], common.iboard[4][3]), (-1, [2, 1]));
/// # Ok::<(), ksref::Refusal>(())
/// ```
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Common {
    /// IDATA(8): IRULES, ICOLOR, IFROMH, IFROMV, ITOH, ITOV, IPROMO, ITRYRQ.
    pub idata: [i32; 8],
    /// IBOARD(8,8,2): `iboard[h - 1][v - 1]` is column h, row v. The first
    /// number is the code of the man; the second is its history, as in Table 2
    /// of the article.
    pub iboard: [[[i32; 2]; 8]; 8],
    /// MINFO(30,2).
    pub minfo: Minfo,
    /// NOS(50). The first cell is the number of listed attempts, plus 1. The next cells are the
    /// codes of these attempts. An attempt from column p, row q to column r, row s has the code
    /// 729 p + 81 q + 9 r + s.
    pub nos: [i32; NOS_CELLS],
    /// Every attempt of this turn that was answered *no*. NOS holds only 49 of them.
    noes: Nos,
}

impl Default for Common {
    /// Returns arrays of zeros. A call with ICOLOR 0 begins a game.
    fn default() -> Common {
        Common {
            idata: [0; 8],
            iboard: [[[0; 2]; 8]; 8],
            minfo: Minfo::default(),
            nos: [0; NOS_CELLS],
            noes: Nos::default(),
        }
    }
}

impl Common {
    /// SUBROUTINE KSREF: begins a game (ICOLOR 0, also after the end of a game), or answers a try
    /// request (ITRYRQ 1, Eastern rules). Otherwise judges the attempt, and plays it if it is legal.
    ///
    /// # Errors
    /// A [`Refusal`] if IDATA and IBOARD cannot be judged. Nothing is changed.
    pub fn ksref(&mut self) -> Result<(), Refusal> {
        let rules = self.rules()?;
        if self.idata[1] == 0 {
            self.begin(rules);
            return Ok(());
        }
        let mut board = self.board()?;
        let mut minfo = self.minfo;
        minfo[Cell::MRULES] = rules.number();
        // KSREF does not read MTERMN: ICOLOR alone says whether the game goes on.
        minfo[Cell::MTERMN] = 1;
        let mut noes = self.known_noes();
        let mut attempt = self.attempt();
        Ksref::call(&mut attempt, &mut board, &mut minfo, &mut noes)?;
        if attempt.itryrq != 0 || minfo[Cell::MATMPT] != 0 {
            minfo[Cell::MTERMN] = self.minfo[Cell::MTERMN];
        }
        self.write(&attempt, &board, minfo, noes);
        self.idata[1] = board.icolor.into();
        Ok(())
    }

    /// FUNCTION LEGAL: 1 if the attempt is legal, 0 for *no*, -1 for *heck-no*.
    ///
    /// If `itype` is 1, LEGAL judges as KSREF does, and changes IBOARD, ICOLOR, MINFO and NOS. But
    /// after a legal attempt, MINFO names no pawn tries and no mate. Any other `itype` means 2:
    /// nothing is changed, and [`Ksref::legal`] judges. ITRYRQ is ignored. If ICOLOR is 0, no man is
    /// the mover's, so the value is -1.
    ///
    /// # Errors
    /// A [`Refusal`] if IDATA and IBOARD cannot be judged. Nothing is changed.
    pub fn legal(&mut self, itype: i32) -> Result<i32, Refusal> {
        let rules = self.rules()?;
        let [_, icolor, .., itryrq] = self.idata;
        if itype != 1 {
            return match icolor {
                0 => Ok(Verdict::HeckNo.value()),
                _ => Ok(Ksref::legal(&self.attempt(), &self.board()?, rules)?.value()),
            };
        }
        if icolor == 0 {
            self.minfo[Cell::MATMPT] = Verdict::HeckNo.number();
            return Ok(Verdict::HeckNo.value());
        }
        self.idata[7] = 0;
        let judged = self.ksref();
        self.idata[7] = itryrq;
        judged?;
        Ok(match self.minfo[Cell::MATMPT] {
            0 => {
                self.idata[1] = -icolor;
                self.minfo.clear_tries();
                self.minfo[Cell::MTERMN] = 0;
                1
            }
            1 => 0,
            _ => -1,
        })
    }

    /// Supplies a board instead of the start position. Writes both planes of IBOARD (the men and
    /// their history), ICOLOR and the sheet, and empties NOS.
    ///
    /// # Errors
    /// A [`Refusal`] if the board is not possible in a game.
    pub fn supply(&mut self, rules: Rules, mut board: Iboard) -> Result<(), Refusal> {
        let (minfo, noes) = Ksref::supplied(rules, &mut board)?;
        *self = Common {
            idata: [rules.number().into(), board.icolor.into(), 0, 0, 0, 0, 0, 0],
            minfo,
            noes,
            ..Common::default()
        };
        self.nos[0] = 1;
        self.supply_planes(&board);
        Ok(())
    }

    fn rules(&self) -> Result<Rules, Refusal> {
        Rules::of(self.idata[0].into())
            .ok_or(Refusal::Rules(self.idata[0].try_into().unwrap_or(i16::MAX)))
    }

    fn begin(&mut self, rules: Rules) {
        let (board, minfo, noes) = Ksref::start(rules);
        *self = Common {
            idata: self.idata,
            minfo,
            noes,
            ..Common::default()
        };
        self.idata[1] = 1;
        self.nos[0] = 1;
        self.put_men(&board);
    }

    fn attempt(&self) -> Idata {
        let [_, _, from_h, from_v, to_h, to_v, ipromo, itryrq] = self.idata;
        Idata::from([from_h, from_v, to_h, to_v, ipromo, itryrq])
    }

    /// Writes the men, not their history.
    fn put_men(&mut self, board: &Iboard) {
        for (h, column) in self.iboard.iter_mut().enumerate() {
            for (v, cell) in column.iter_mut().enumerate() {
                cell[0] = board.men[v][h].into();
            }
        }
    }

    /// Writes both planes for a board whose history is not known.
    fn supply_planes(&mut self, board: &Iboard) {
        self.put_men(board);
        for (column, first) in self.iboard.iter_mut().zip(0i32..) {
            for (cell, v) in column.iter_mut().zip(0..) {
                let at_home = v == if cell[0] > 0 { 1 } else { 6 };
                cell[1] = match cell[0].abs() {
                    PAWN if i32::from(board.ipassh) == first + 1
                        && v == if board.icolor == 1 { 4 } else { 3 }
                        && cell[0] == -i32::from(board.icolor) * PAWN =>
                    {
                        1
                    }
                    PAWN if !at_home => 2,
                    ROOK => 1,
                    _ => 0,
                };
            }
        }
        for ((color, _, corner), right) in CORNERS.into_iter().zip(board.icastl) {
            if right == 1 {
                self.at(corner)[1] = 0;
            }
            let home = color.fold_wb(Square::E1, Square::E8);
            let none = CORNERS
                .into_iter()
                .zip(board.icastl)
                .all(|((other, ..), right)| other != color || right == 0);
            if none && self.at(home)[0].abs() == KING {
                self.at(home)[1] = 1;
            }
        }
        self.add_checks();
    }

    fn at(&mut self, sq: Square) -> &mut [i32; 2] {
        &mut self.iboard[sq.file() as usize][sq.rank() as usize]
    }

    /// Converts IBOARD and ICOLOR to our board.
    fn board(&self) -> Result<Iboard, Refusal> {
        let mut men = [[0i8; 8]; 8];
        for (h, column) in self.iboard.iter().enumerate() {
            for (v, cell) in column.iter().enumerate() {
                // A code that does not fit in an `i8` becomes a code that is out of range, and is
                // refused later.
                men[v][h] = cell[0].try_into().unwrap_or(i8::MAX);
            }
        }
        let icolor = self.idata[1].try_into().unwrap_or(i8::MAX);
        let mut board = Iboard::of_men(men, icolor);
        for ((color, _, corner), right) in CORNERS.into_iter().zip(&mut board.icastl) {
            let home = color.fold_wb(Square::E1, Square::E8);
            let history = |sq: Square| self.iboard[sq.file() as usize][sq.rank() as usize][1];
            // The history of a king is twice the number of checks against it, plus one if the king
            // has moved. So an odd number means that the king has moved.
            if history(corner) != 0 || history(home) % 2 != 0 {
                *right = 0;
            }
        }
        let opponent = -self.idata[1].signum();
        for (column, h) in self.iboard.iter().zip(1..) {
            let row = if opponent == -1 { 4 } else { 3 };
            if column[row] == [opponent * PAWN, 1] {
                board.ipassh = h;
            }
        }
        Ok(board)
    }

    /// Returns the attempts that were answered *no* in this turn: the attempts in NOS, and the
    /// attempts for which NOS had no room. If the caller has set NOS(1) to 1, there are no such
    /// attempts.
    fn known_noes(&self) -> Nos {
        let mut noes = if self.nos[0] <= 1 {
            Nos::default()
        } else {
            self.noes
        };
        let count = usize::try_from(self.nos[0]).unwrap_or(0).min(NOS_CELLS);
        for code in self.nos.iter().take(count).skip(1) {
            let cell = |divisor: i32| code / divisor % 9;
            let from = square(code / 729, cell(81));
            if let (Some(from), Some(to)) = (from, square(cell(9), cell(1))) {
                noes.note(from, to);
            }
        }
        noes
    }

    /// Writes the arrays after a call.
    fn write(&mut self, attempt: &Idata, board: &Iboard, minfo: Minfo, noes: Nos) {
        let legal = attempt.itryrq == 0 && minfo[Cell::MATMPT] == 0;
        let counted = minfo[Cell::MNOS] > self.minfo[Cell::MNOS];
        (self.minfo, self.noes) = (minfo, noes);
        if legal {
            self.write_move(attempt, board);
        } else if counted {
            self.write_no(attempt);
        }
    }

    fn write_no(&mut self, attempt: &Idata) {
        let count = usize::try_from(self.nos[0]).unwrap_or(1).max(1);
        if let Some(cell) = self.nos.get_mut(count) {
            let Idata {
                ifromh,
                ifromv,
                itoh,
                itov,
                ..
            } = attempt;
            *cell = 729 * ifromh + 81 * ifromv + 9 * itoh + itov;
            self.nos[0] = i32::try_from(count + 1).unwrap_or(i32::MAX);
        }
    }

    /// Writes the men after a legal move, and their history.
    fn write_move(&mut self, attempt: &Idata, board: &Iboard) {
        let Some((from, to)) =
            square(attempt.ifromh, attempt.ifromv).zip(square(attempt.itoh, attempt.itov))
        else {
            return;
        };
        let [man, was] = *self.at(from);
        // A pawn with history 1 has advanced two squares with the last move. After the present
        // move, its history is 2. The history of a king counts the checks against it. This loop
        // sets the count to 0; `add_checks` writes the count of the new sheet.
        for cell in self.iboard.iter_mut().flatten() {
            match cell[0].abs() {
                PAWN if cell[1] == 1 => cell[1] = 2,
                KING => cell[1] %= 2,
                _ => {}
            }
        }
        self.put_men(board);
        *self.at(from) = [0, 0];
        let promotes = attempt.ipromo != 0;
        self.at(to)[1] = match man.abs() {
            KING | ROOK => 1,
            PAWN if promotes => i32::from(attempt.ipromo == ROOK),
            PAWN => 2 - i32::from((attempt.ifromv - attempt.itov).abs() == 2),
            _ => 0,
        };
        if man.abs() == KING && was % 2 == 0 && (attempt.ifromh - attempt.itoh).abs() == 2 {
            let beside = square((attempt.ifromh + attempt.itoh) / 2, attempt.itov);
            if let Some(rook) = beside {
                self.at(rook)[1] = 1;
            }
        }
        for cell in self.iboard.iter_mut().flatten().filter(|c| c[0] == 0) {
            cell[1] = 0;
        }
        self.nos = [0; NOS_CELLS];
        self.nos[0] = 1;
        self.add_checks();
    }

    /// Counts the checks on the sheet, and writes them into the history of the king in check.
    fn add_checks(&mut self) {
        let cells = [Cell::MCHEKA, Cell::MCHEKB].into_iter();
        let checks: i32 = cells.map(|cell| i32::from(self.minfo[cell] != 0)).sum();
        let king = if self.minfo[Cell::MCOLOR] == 1 {
            KING
        } else {
            -KING
        };
        for cell in self.iboard.iter_mut().flatten() {
            if cell[0] == king {
                cell[1] = cell[1] % 2 + 2 * checks;
            }
        }
    }
}
