//! Reads files of problems, for several commands.

use std::{
    io::{BufRead, Read},
    path::{Path, PathBuf},
};

pub(super) use problems::believe;
use scores::Problem;

use super::{
    interrupt::Work,
    terminal::{shown, tell},
    unpack, usage,
};

/// Longest line of a problem file, in bytes.
const MAX_LENGTH: u64 = 1 << 20;
/// Number of consecutive lines without a problem after which the reader gives up: the file is not a
/// file of problems.
const MAX_WRONG: u64 = 100;

/// Reader of a file of problems. Lines that are not problems are reported and counted.
pub(super) struct ProblemLines {
    path: PathBuf,
    input: Box<dyn BufRead>,
    /// Number of lines read.
    pub(super) number: u64,
    /// Number of lines that are not problems.
    pub(super) wrong: u64,
    wrong_in_a_row: u64,
    /// Number of problems.
    read: u64,
}

impl ProblemLines {
    /// Opens a file of problems, which may be compressed; `-` is standard input.
    pub(super) fn open(path: &Path) -> anyhow::Result<ProblemLines> {
        let (input, _) = unpack::open(path)?;
        let input = unpack::unpacked(path, input)?;
        Ok(ProblemLines {
            path: path.to_owned(),
            input,
            number: 0,
            wrong: 0,
            wrong_in_a_row: 0,
            read: 0,
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
                .take(MAX_LENGTH)
                .read_until(b'\n', &mut line);
            work.reads(false);
            match read {
                Ok(0) if self.read + self.wrong == 0 => {
                    let path = shown(&self.path);
                    return Err(usage(format_args!(
                        "{path}: there is no problem in it; docs/solver.md describes the lines of a file of problems"
                    )));
                }
                Ok(0) => return Ok(None),
                Ok(_) => self.number += 1,
                Err(error) => return Err(unpack::fault(&self.path, &error)),
            }
            let path = shown(&self.path);
            let number = self.number;
            if line.len() as u64 == MAX_LENGTH && !line.ends_with(b"\n") {
                return Err(usage(format_args!(
                    "{path}: line {number}: the line is longer than {MAX_LENGTH} bytes, so it is not a problem"
                )));
            }
            let text = String::from_utf8_lossy(&line);
            if text.trim().is_empty() {
                continue;
            }
            match Problem::read(&text) {
                Ok(problem) => {
                    self.wrong_in_a_row = 0;
                    self.read += 1;
                    return Ok(Some(problem));
                }
                Err(error) => {
                    self.wrong += 1;
                    self.wrong_in_a_row += 1;
                    tell(format_args!("{path}: line {number}: {error}"));
                    if self.wrong_in_a_row == MAX_WRONG {
                        return Err(usage(format_args!(
                            "{path}: {MAX_WRONG} consecutive lines are not problems: is it a file of problems?"
                        )));
                    }
                }
            }
        }
        Ok(None)
    }
}
