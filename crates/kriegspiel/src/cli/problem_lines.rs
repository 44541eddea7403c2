//! Reads files of problems, for several commands.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::{Path, PathBuf},
};

use belief::{Belief, Origin, Settings, Situation, Unheard, Watch};
use flate2::read::MultiGzDecoder;
use kriegspiel::{
    rules::{
        Own, Reserve, Start, Wings,
        chess::{Board, ByColor, ByRole, CastlingSide, Color, Role, fen::Fen},
        corner, rulesets,
    },
    scores::{Problem, ProblemStart},
};

use super::{games::cut, interrupt::Work, terminal::tell, usage};

/// Longest line of a problem file, in bytes.
const LONGEST: u64 = 1 << 20;
/// If this number of consecutive lines are not problems, the file is not a file of
/// problems.
const MOST_WRONG: u64 = 100;

/// Reader of a file of problems. Lines that are no problems are reported and counted.
pub(super) struct ProblemLines {
    path: PathBuf,
    input: Box<dyn BufRead>,
    /// Number of lines read.
    pub(super) number: u64,
    /// Number of lines that are no problems.
    pub(super) wrong: u64,
    wrong_in_a_row: u64,
}

impl ProblemLines {
    /// Opens a file of problems, which may be gzip; `-` is standard input.
    pub(super) fn open(path: &Path) -> anyhow::Result<ProblemLines> {
        let fault = |e| usage(format_args!("{}: {e}", path.display()));
        let input: Box<dyn Read> = if path == Path::new("-") {
            Box::new(io::stdin())
        } else {
            Box::new(File::open(path).map_err(fault)?)
        };
        let mut input = BufReader::new(input);
        let zipped = input.fill_buf().map_err(fault)?.starts_with(&[0x1f, 0x8b]);
        let input: Box<dyn BufRead> = if zipped {
            Box::new(BufReader::new(MultiGzDecoder::new(input)))
        } else {
            Box::new(input)
        };
        Ok(ProblemLines {
            path: path.to_owned(),
            input,
            number: 0,
            wrong: 0,
            wrong_in_a_row: 0,
        })
    }

    /// Returns the next problem; `None` at the end of the file, or when the work was stopped.
    pub(super) fn next(&mut self, work: &Work) -> anyhow::Result<Option<Problem>> {
        while !work.is_stopped() {
            let mut line = Vec::new();
            work.reads(true);
            let read = self
                .input
                .by_ref()
                .take(LONGEST)
                .read_until(b'\n', &mut line);
            work.reads(false);
            match read {
                Ok(0) => return Ok(None),
                Ok(_) => self.number += 1,
                Err(error) => return Err(cut(&self.path, &error)),
            }
            let path = self.path.display();
            let number = self.number;
            if line.len() as u64 == LONGEST && !line.ends_with(b"\n") {
                return Err(usage(format_args!(
                    "{path}: line {number}: the line is longer than {LONGEST} bytes, so it is not a problem"
                )));
            }
            let text = String::from_utf8_lossy(&line);
            if text.trim().is_empty() {
                continue;
            }
            match Problem::read(&text) {
                Ok(problem) => {
                    self.wrong_in_a_row = 0;
                    return Ok(Some(problem));
                }
                Err(error) => {
                    self.wrong += 1;
                    self.wrong_in_a_row += 1;
                    tell(format_args!("{path}: line {number}: {error}"));
                    if self.wrong_in_a_row == MOST_WRONG {
                        return Err(usage(format_args!(
                            "{path}: {MOST_WRONG} consecutive lines are not problems: is it a file of problems?"
                        )));
                    }
                }
            }
        }
        Ok(None)
    }
}

/// Computes the belief at the end of a problem. Returns `None` if the work was
/// stopped.
pub(super) fn believe(
    problem: &Problem,
    settings: Settings,
    watch: &Watch,
) -> Result<Option<Belief>, String> {
    let ruleset = rulesets::by_id(&problem.rules)
        .ok_or_else(|| format!("there is no ruleset {:?}", problem.rules))?;
    let choices = ruleset.choices;
    let seat = problem.seat;
    let usual = || Own::of(&Board::new(), seat, Wings::BOTH, Reserve::EMPTY);
    let of_fen = |fen: &String| {
        Situation::from_fen(&choices, seat, fen)
            .map(|one| (one.known.own, one.known.reserve))
            .map_err(|error| error.to_string())
    };
    let ((own, reserve), origin) = match &problem.start {
        ProblemStart::Usual => ((usual(), Reserve::EMPTY), Origin::Usual),
        ProblemStart::Fen(fen) => (of_fen(fen)?, Origin::OneOf(vec![fen.clone()])),
        ProblemStart::Positions(fens) => {
            let first = fens.first().ok_or("there is no position")?;
            (of_fen(first)?, Origin::OneOf(fens.clone()))
        }
        ProblemStart::Unknown { own, men } => {
            let (own, to_move) = own_of_fen(own, seat)?;
            let men = letters(men)?;
            ((own, Reserve::EMPTY), Origin::Unknown { to_move, men })
        }
    };
    let mut reserves = ByColor::default();
    *reserves.get_mut(seat) = own.reserve;
    *reserves.get_mut(seat.other()) = reserve;
    let start = Start {
        rules: ruleset.id.clone(),
        own: Some(own),
        reserves,
    };
    let belief = Belief::open(choices, seat, &start, &origin, settings);
    let mut belief = belief.map_err(|error| error.to_string())?;
    for heard in &problem.heard {
        match belief.hear_watched(heard, watch) {
            Ok(()) => {}
            Err(Unheard::Stopped) => return Ok(None),
            Err(Unheard::Unexplained(error)) => return Err(error.to_string()),
        }
    }
    Ok(Some(belief))
}

/// Reads the seat's own men from a FEN that has no other men.
fn own_of_fen(text: &str, seat: Color) -> Result<(Own, Color), String> {
    let fen: Fen = text.parse().map_err(|error| format!("{text}: {error}"))?;
    let setup = fen.into_setup();
    if setup.board.by_color(seat.other()).any() {
        return Err(format!(
            "{text}: with men, start must have the seat's own men only"
        ));
    }
    let mut wings = Wings::NONE;
    for side in CastlingSide::ALL {
        if setup.castling_rights.contains(corner(seat, side)) {
            wings.add(side);
        }
    }
    Ok((
        Own::of(&setup.board, seat, wings, Reserve::EMPTY),
        setup.turn,
    ))
}

/// Counts men by their letters.
fn letters(text: &str) -> Result<ByRole<u8>, String> {
    let mut men = ByRole::<u8>::default();
    for letter in text.chars() {
        let role = Role::from_char(letter)
            .ok_or_else(|| format!("men: no man has the letter {letter:?}"))?;
        let count = men.get_mut(role);
        *count = count.saturating_add(1);
    }
    Ok(men)
}
