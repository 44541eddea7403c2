//! The option `--paper`: the driver program in the appendix of the article of 1975, with its
//! formats.
//!
//! The messages are those of the article, word for word (T. J. Buckholtz and C. S. Wetherell,
//! Algorithm 89, The Computer Journal 18(2), 1975). Blanks at the end of a line are not printed. A
//! comment such as "Format 2000" names the FORMAT statement of the article.

use std::io::{self, BufRead, Read, Write};

use super::endless::skip_line;
use crate::{common::Common, iboard::Iboard, minfo::Cell, refusal::Refusal, verdict::Rules};

/// Maximum length of a line, in bytes.
const MAX_LINE_BYTES: u64 = 4096;

/// Runs the driver until the game is over or the input ends. If `legal` is true, prints only
/// the verdict on each attempt, and plays none of them. Returns the refusal if the supplied board
/// is not possible in a game.
pub(super) fn run(
    supplied: Option<Iboard>,
    legal: bool,
    input: impl BufRead,
    output: &mut impl Write,
) -> io::Result<Result<(), Refusal>> {
    let mut driver = Driver {
        input,
        output,
        lines: 0,
    };
    let Some(rules) = driver.rules()? else {
        return Ok(Ok(()));
    };
    let mut common = Common::default();
    common.idata[0] = rules.number().into();
    let begun = match supplied {
        Some(board) => common.supply(rules, board),
        None => common.ksref(),
    };
    match begun {
        Err(refusal) => return Ok(Err(refusal)),
        Ok(()) if legal => driver.legal(&mut common)?,
        Ok(()) => driver.play(&mut common)?,
    }
    Ok(Ok(()))
}

struct Driver<'a, R, W> {
    input: R,
    output: &'a mut W,
    /// Number of lines read.
    lines: u64,
}

impl<R: BufRead, W: Write> Driver<'_, R, W> {
    /// Prints one line, without the blanks at its end.
    fn print(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.output, "{}", line.trim_end())
    }

    /// Asks for the rules until the answer is 1 or 2. Returns `None` if the input ends.
    fn rules(&mut self) -> io::Result<Option<Rules>> {
        let rules = loop {
            // Format 2000. The first character is the carriage control `1`: a new page.
            self.print("1 PLEASE TYPE 1 FOR WESTERN OR 2 FOR EASTERN RULES.")?;
            let Some([number]) = self.read("(I1)", "1")? else {
                return Ok(None);
            };
            if let Some(rules) = Rules::of(number.into()) {
                break rules;
            }
        };
        let name = match rules {
            Rules::Western => "WEST",
            Rules::Eastern => "EAST",
        };
        // Format 2010.
        self.print(&format!(
            " INPUT WAS {} FOR {name}ERN RULES.",
            rules.number()
        ))?;
        Ok(Some(rules))
    }

    fn play(&mut self, common: &mut Common) -> io::Result<()> {
        loop {
            self.print_arrays(common)?;
            if common.minfo[Cell::MTERMN] != 1 {
                // Format 2070.
                let code = common.minfo[Cell::MTERMN];
                self.print(&format!(" THE TERMINATION CODE IS {code}"))?;
                return self.output.flush();
            }
            // Format 2050.
            let color = if common.idata[1] == 1 {
                "WHITE"
            } else {
                "BLACK"
            };
            self.print(&format!(" {color} TO MOVE"))?;
            self.print(" PLEASE TYPE YOUR MOVE.")?;
            let Some(cells) = self.read::<6>("(6I1)", "525400")? else {
                return Ok(());
            };
            common.idata[2..].copy_from_slice(&cells);
            // Format 2060.
            let idata = common.idata.map(|n| format!("{n:>2}")).concat();
            self.print(&format!(" THE COMPLETE VECTOR IDATA IS {idata}"))?;
            if let Err(refusal) = common.ksref() {
                self.refuse(&refusal.to_string())?;
            }
        }
    }

    /// Prints the verdict on each attempt: the value of the function LEGAL of 1975.
    fn legal(&mut self, common: &mut Common) -> io::Result<()> {
        while let Some(cells) = self.read::<6>("(6I1)", "525400")? {
            common.idata[2..].copy_from_slice(&cells);
            match common.legal(2) {
                Ok(value) => self.print(&value.to_string())?,
                Err(refusal) => self.refuse(&refusal.to_string())?,
            }
            self.output.flush()?;
        }
        Ok(())
    }

    fn refuse(&mut self, why: &str) -> io::Result<()> {
        self.print(&format!(" NOT ACCEPTED: {}", why.to_uppercase()))
    }

    /// Prints the board and MINFO, the array with the answers of the referee.
    fn print_arrays(&mut self, common: &Common) -> io::Result<()> {
        const NAMES: [&str; 13] = [
            "BR", "BQ", "BB", "BN", "BP", "BK", "", "WK", "WP", "WN", "WB", "WQ", "WR",
        ];
        // Format 2020, (1X,8(2X,A2)): rows 8 to 1.
        for v in (0..8).rev() {
            let mut row = " ".to_owned();
            for column in &common.iboard {
                let name = usize::try_from(column[v][0] + 6)
                    .ok()
                    .and_then(|n| NAMES.get(n));
                row.push_str(&format!("  {:<2}", name.unwrap_or(&"??")));
            }
            self.print(&row)?;
        }
        // Formats 2030 and 2040, (5X,30I3/(2X,I1,1X,30I3)).
        self.print(" THE ARRAY MINFO IS")?;
        let cells = |row: &[i16; 30]| row.map(|n| format!("{n:>3}")).concat();
        let numbers = std::array::from_fn(|n| i16::try_from(n + 1).unwrap_or(0));
        self.print(&format!("     {}", cells(&numbers)))?;
        for (column, n) in common.minfo.columns().iter().zip(1..) {
            self.print(&format!("  {n} {}", cells(column)))?;
        }
        Ok(())
    }

    /// Reads a line of `N` columns, one digit each. A blank, and a column after the end of the
    /// line, are read as 0. Returns `None` at the end of the input.
    fn read<const N: usize>(&mut self, format: &str, sample: &str) -> io::Result<Option<[i32; N]>> {
        loop {
            self.output.flush()?;
            let mut line = Vec::new();
            let taken = self
                .input
                .by_ref()
                .take(MAX_LINE_BYTES)
                .read_until(b'\n', &mut line)?;
            if taken == 0 {
                return Ok(None);
            }
            if taken as u64 == MAX_LINE_BYTES && line.last() != Some(&b'\n') {
                skip_line(&mut self.input)?;
            }
            self.lines += 1;
            match digits(line.trim_ascii_end()) {
                Ok(cells) => return Ok(Some(cells)),
                Err(why) => self.refuse(&format!(
                    "line {}, {why}; the input format is {format}, as in {sample}",
                    self.lines
                ))?,
            }
        }
    }
}

/// Reads one digit from each of `N` columns.
fn digits<const N: usize>(line: &[u8]) -> Result<[i32; N], String> {
    let mut cells = [0; N];
    for (n, byte) in line.iter().enumerate() {
        let digit = match byte {
            b'0'..=b'9' => i32::from(byte - b'0'),
            b' ' => 0,
            _ => {
                let shown = if byte.is_ascii_graphic() { *byte } else { b'?' };
                let shown = char::from(shown);
                return Err(format!("column {}: `{shown}` is not a digit", n + 1));
            }
        };
        match cells.get_mut(n) {
            Some(cell) => *cell = digit,
            None if *byte == b' ' => {}
            None => return Err(format!("column {}: it must be blank", n + 1)),
        }
    }
    Ok(cells)
}
