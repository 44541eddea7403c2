//! The dialog of the program of 1975.
//!
//! The questions, the output and their order are as in the article (Algorithm 89; see the crate's
//! documentation). The wording is ours. The module `driver` (option `--paper`) has the wording of
//! the article.

use std::io::{self, BufRead, Read, Write};

use super::{
    Args, CODES, CORRECTIONS, GameArrays, Stop, board_of_codes, board_of_fen,
    endless::skip_line,
    numbers::{Numbers, printable},
};
use crate::{
    iboard::Iboard,
    idata::Idata,
    ksref::Ksref,
    minfo::{Cell, Minfo},
    verdict::Rules,
};

/// Maximum length of a line, in bytes.
const MAX_LINE_BYTES: u64 = 4096;

const HEADER: &str = "\
KSREF, A REFEREE FOR KRIEGSPIEL AND CHESS, IN THE CODING OF 1975
HELP EXPLAINS THE CODES, END ENDS THE PROGRAM

";

/// Runs the dialog until the game is over, the user types END, or the input
/// ends.
pub(super) fn run(args: &Args, input: impl BufRead, output: &mut impl Write) -> Result<(), Stop> {
    let supplied = args.fen.as_deref().map(board_of_fen).transpose()?;
    let mut talk = Talk {
        input,
        output,
        lines: 0,
    };
    talk.output.write_all(HEADER.as_bytes())?;
    match talk.hold(args, supplied) {
        Ok(()) | Err(Left::End) => Ok(()),
        Err(Left::Stop(stop)) => Err(stop),
    }
}

struct Talk<'a, R, W> {
    input: R,
    output: &'a mut W,
    /// Number of lines read.
    lines: u64,
}

/// Reason why the dialog ends.
enum Left {
    /// The user typed END, the input ended, or the game is over.
    End,
    /// An error, which the caller reports.
    Stop(Stop),
}

impl From<Stop> for Left {
    fn from(stop: Stop) -> Left {
        Left::Stop(stop)
    }
}

impl From<io::Error> for Left {
    fn from(error: io::Error) -> Left {
        Left::Stop(error.into())
    }
}

impl<R: BufRead, W: Write> Talk<'_, R, W> {
    fn hold(&mut self, args: &Args, supplied: Option<Iboard>) -> Result<(), Left> {
        let rules = self.rules()?;
        let mut arrays = match supplied {
            None if args.board => self.supplied(rules)?,
            supplied => GameArrays::open(rules, supplied)?,
        };
        loop {
            self.print(&arrays)?;
            if arrays.iboard.icolor == 0 {
                return Err(Left::End);
            }
            let GameArrays { iboard, minfo, nos } = &mut arrays;
            loop {
                let cells = self.ask::<6>("ENTER IDATA (IFROMH IFROMV ITOH ITOV IPROMO ITRYRQ)")?;
                let mut idata = Idata::from(cells);
                let echo = cells.map(|n| format!(" {n:>2}")).concat();
                writeln!(self.output, "\nIDATA  {echo}")?;
                match Ksref::call(&mut idata, iboard, minfo, nos) {
                    Ok(()) => break,
                    Err(refusal) => self.refuse(&refusal.to_string())?,
                }
            }
        }
    }

    fn rules(&mut self) -> Result<Rules, Left> {
        loop {
            let [number] = self.ask::<1>("WHICH RULES ARE IN EFFECT (1 WESTERN, 2 EASTERN)")?;
            match Rules::of(number.into()) {
                Some(rules) => return Ok(rules),
                None => self.refuse("the rules must be 1 or 2")?,
            }
        }
    }

    fn supplied(&mut self, rules: Rules) -> Result<GameArrays, Left> {
        loop {
            let mut codes = [0; 65];
            let [icolor] = self.ask::<1>("ENTER ICOLOR (1 WHITE, -1 BLACK)")?;
            codes[0] = icolor;
            for (cells, row) in codes[1..].chunks_exact_mut(8).zip((1..=8).rev()) {
                let men = self.ask::<8>(&format!("ENTER ROW {row}"))?;
                cells.copy_from_slice(&men);
            }
            let opened =
                board_of_codes(&codes).and_then(|board| GameArrays::open(rules, Some(board)));
            match opened {
                Ok(arrays) => return Ok(arrays),
                Err(Stop::Input(fault)) => self.refuse(&fault)?,
                Err(stop @ Stop::Io(_)) => return Err(stop.into()),
            }
        }
    }

    fn refuse(&mut self, why: &str) -> io::Result<()> {
        writeln!(self.output, "NOT ACCEPTED: {}", why.to_uppercase())
    }

    /// Repeats a question until a line contains exactly `N` numbers.
    fn ask<const N: usize>(&mut self, question: &str) -> Result<[i32; N], Left> {
        loop {
            writeln!(self.output, "{question}")?;
            self.output.flush()?;
            let line = self.line()?;
            if line.eq_ignore_ascii_case(b"END") {
                return Err(Left::End);
            }
            if line.eq_ignore_ascii_case(b"HELP") {
                write!(self.output, "\n{CODES}\n{CORRECTIONS}\n")?;
                continue;
            }
            match exactly(&line, self.lines) {
                Ok(numbers) => return Ok(numbers),
                Err(why) => self.refuse(&why)?,
            }
        }
    }

    /// Returns the next line that is not blank, without line end. At the end of
    /// the input, the dialog ends.
    fn line(&mut self) -> Result<Vec<u8>, Left> {
        loop {
            let mut line = Vec::new();
            let read = self
                .input
                .by_ref()
                .take(MAX_LINE_BYTES)
                .read_until(b'\n', &mut line)?;
            self.lines += 1;
            if read == 0 {
                return Err(Left::End);
            }
            if line.len() as u64 == MAX_LINE_BYTES && line.last() != Some(&b'\n') {
                skip_line(&mut self.input)?;
                self.refuse(&format!(
                    "line {}: it is longer than {MAX_LINE_BYTES} characters",
                    self.lines
                ))?;
                continue;
            }
            let line = line.trim_ascii();
            if !line.is_empty() {
                return Ok(line.to_owned());
            }
        }
    }

    fn print(&mut self, arrays: &GameArrays) -> io::Result<()> {
        let GameArrays { iboard, minfo, .. } = arrays;
        print_board(self.output, iboard)?;
        print_minfo(self.output, minfo)?;
        if iboard.icolor == 0 {
            writeln!(
                self.output,
                "\nTHE TERMINATION CODE IS {}",
                minfo[Cell::MTERMN]
            )?;
        } else {
            let color = if iboard.icolor == 1 { "WHITE" } else { "BLACK" };
            writeln!(self.output, "\nTHE PLAYER TO MOVE IS {color}\n")?;
        }
        self.output.flush()
    }
}

/// Reads the numbers of a line. The line must contain exactly `N` numbers.
fn exactly<const N: usize>(line: &[u8], number: u64) -> Result<[i32; N], String> {
    let mut numbers = Numbers::at_line(line, number);
    let mut all = Vec::with_capacity(N);
    loop {
        match numbers.number() {
            Ok(Some(number)) => all.push(number),
            Ok(None) => break,
            Err(Stop::Input(why)) => return Err(why),
            Err(Stop::Io(e)) => return Err(e.to_string()),
        }
    }
    let count = all.len();
    let numbers_of = |n: usize| format!("{n} number{}", if n == 1 { "" } else { "s" });
    all.try_into().map_err(|_| {
        format!(
            "line {number}: {} wanted, but `{}` holds {count}",
            numbers_of(N),
            printable(line)
        )
    })
}

/// Returns the name of a man, for example WP or BR; blanks for an empty square.
fn name(man: i8) -> &'static str {
    const WHITE: [&str; 7] = ["  ", "WK", "WP", "WN", "WB", "WQ", "WR"];
    const BLACK: [&str; 7] = ["  ", "BK", "BP", "BN", "BB", "BQ", "BR"];
    let names = if man < 0 { &BLACK } else { &WHITE };
    names
        .get(usize::from(man.unsigned_abs()))
        .copied()
        .unwrap_or("??")
}

fn print_board(output: &mut impl Write, iboard: &Iboard) -> io::Result<()> {
    writeln!(output)?;
    for (men, v) in iboard.men.iter().rev().zip((1..=8).rev()) {
        let row = men.map(|man| format!("  {}", name(man))).concat();
        writeln!(output, "{}", format!("{v}  {row}").trim_end())?;
    }
    let columns: Vec<String> = (1..=8).map(|h| format!("{h:>4}")).collect();
    writeln!(output, "\n   {}", columns.concat())
}

/// Prints the named cells of MINFO (the array with the answers of the referee), and the squares of
/// the pawn tries.
fn print_minfo(output: &mut impl Write, minfo: &Minfo) -> io::Result<()> {
    writeln!(output, "\nMINFO")?;
    for row in 1..=24 {
        let mut named = Cell::ALL.into_iter().filter(|c| c.row() == row).peekable();
        if named.peek().is_some() {
            let cells: Vec<String> = named
                .map(|c| format!("{:<6} {:>3}", c.name(), minfo[c]))
                .collect();
            writeln!(output, "{row:>3}  {}", cells.join("    "))?;
        }
        if row == 9 {
            print_squares(output, 10, minfo.single_tries())?;
        }
    }
    print_squares(output, 25, minfo.double_tries())
}

fn print_squares(
    output: &mut impl Write,
    first: usize,
    squares: impl Iterator<Item = (i16, i16)>,
) -> io::Result<()> {
    for (row, (h, v)) in (first..).zip(squares) {
        writeln!(output, "{row:>3}  COLUMN {h:>3}    ROW    {v:>3}")?;
    }
    Ok(())
}
