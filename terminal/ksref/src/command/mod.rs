//! The command `kriegspiel ksref`: it reads numbers and prints the referee's
//! sheet.
//!
//! [`main`] runs the command with any reader and writers.

mod conversation;
mod driver;
mod endless;
mod numbers;
mod raw;
mod words;

use std::io::{self, BufRead, Write};

use referee::StartPosition;
use rules::rulesets;

use crate::{iboard::Iboard, ksref::Ksref, minfo::Minfo, nos::Nos, verdict::Rules};

pub use self::words::{CODES, CORRECTIONS};

/// Referee with the interface of 1975: numbers in, numbers out
///
/// Reads the number of the rules and then six numbers for each attempt. Answers
/// with the sheet MINFO, as the FORTRAN program of T. J. Buckholtz and C. S.
/// Wetherell did (Algorithm 89, The Computer Journal 18(2), 1975). `--paper`
/// runs the driver program of the article, with its formats. Without an option
/// it runs an easier dialog: it asks for the rules, then echoes each attempt and
/// prints the board, the sheet and the player to move.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(after_long_help = AFTER_HELP.as_str())]
pub struct Args {
    /// Answer each attempt with 11 rows of numbers and nothing else
    ///
    /// The rows are MINFO(1..30,1), MINFO(1..30,2), ICOLOR, and the board, row
    /// 8 first.
    #[arg(long)]
    pub raw: bool,
    /// Run the driver program of the article, with its input and output formats
    ///
    /// The rules are read by (I1), each attempt by (6I1): six digits without
    /// blanks between them, as in 525400. The program prints all eight cells of
    /// IDATA.
    #[arg(long, conflicts_with_all = ["raw", "board"])]
    pub paper: bool,
    /// Call only LEGAL: answer each attempt with one number, without playing it
    ///
    /// 0 legal, 1 no, 2 heck-no. With `--paper` the values are the values of the article: 1 legal,
    /// 0 no, -1 heck-no.
    #[arg(long, conflicts_with = "raw")]
    pub legal: bool,
    /// Read a start board after the number of the rules
    ///
    /// The board is ICOLOR and then 64 codes, row 8 first, as `--raw` prints
    /// them. A side with king and rook on their first squares may castle.
    #[arg(long)]
    pub board: bool,
    /// Start from this position
    #[arg(long, value_name = "FEN", conflicts_with = "board")]
    pub fen: Option<String>,
}

static AFTER_HELP: std::sync::LazyLock<String> =
    std::sync::LazyLock::new(|| format!("{CODES}\n{CORRECTIONS}"));

/// Reason why the command stopped before the end of its input.
#[derive(Debug, thiserror::Error)]
pub enum Stop {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The input or an option cannot be used; the reason in one line.
    #[error("{0}")]
    Input(String),
}

/// The arrays of a game, except IDATA.
struct GameArrays {
    iboard: Iboard,
    minfo: Minfo,
    nos: Nos,
}

impl GameArrays {
    fn open(rules: Rules, supplied: Option<Iboard>) -> Result<GameArrays, Stop> {
        let Some(mut iboard) = supplied else {
            let (iboard, minfo, nos) = Ksref::start(rules);
            return Ok(GameArrays { iboard, minfo, nos });
        };
        let (minfo, nos) = Ksref::supplied(rules, &mut iboard)
            .map_err(|refusal| Stop::Input(format!("the supplied board: {refusal}")))?;
        Ok(GameArrays { iboard, minfo, nos })
    }
}

/// Converts a FEN to a board.
fn board_of_fen(fen: &str) -> Result<Iboard, Stop> {
    let western = rulesets::by_id("western").expect("western is a named ruleset");
    let start = StartPosition::from_fen(fen, &western.choices)
        .map_err(|e| Stop::Input(format!("--fen: {e}")))?;
    Ok(Iboard::from(&start))
}

/// Converts ICOLOR and 64 codes, row 8 first, to a board.
fn board_of_codes(codes: &[i32; 65]) -> Result<Iboard, Stop> {
    let narrow = |what: &str, n: i32| {
        i8::try_from(n).map_err(|_| Stop::Input(format!("the supplied board: {what} is {n}")))
    };
    let [icolor, cells @ ..] = codes;
    let icolor = narrow("ICOLOR", *icolor)?;
    let mut men = [[0; 8]; 8];
    for (row, codes) in men.iter_mut().rev().zip(cells.chunks_exact(8)) {
        for (cell, code) in row.iter_mut().zip(codes) {
            *cell = narrow("a man's code", *code)?;
        }
    }
    Ok(Iboard::of_men(men, icolor))
}

/// Runs the command. Reads attempts from `input` and writes answers to `output`. Messages about
/// attempts that were not judged are written to `notes`.
///
/// The output is flushed after every answer.
///
/// # Errors
/// [`Stop::Input`] if the input or an option cannot be used; the message names
/// the place. [`Stop::Io`] if reading or writing fails.
pub fn main(
    args: &Args,
    input: impl BufRead,
    mut output: impl Write,
    mut notes: impl Write,
) -> Result<(), Stop> {
    if args.paper {
        let supplied = args.fen.as_deref().map(board_of_fen).transpose()?;
        let done = driver::run(supplied, args.legal, input, &mut output)?;
        done.map_err(|refusal| Stop::Input(format!("the supplied board: {refusal}")))
    } else if args.raw || args.legal {
        raw::run(args, input, &mut output, &mut notes)
    } else {
        conversation::run(args, input, &mut output)
    }
}
