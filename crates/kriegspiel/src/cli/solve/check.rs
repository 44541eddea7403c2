//! The command `kriegspiel solve --check`.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::bail;
use flate2::read::MultiGzDecoder;
use kriegspiel::certificate::Certificate;
use serde_json::json;

use super::args::Args;
use crate::cli::{
    games::{counted, cut},
    interrupt::Work,
    usage,
};

/// Longest certificate, in bytes.
const LONGEST: u64 = 1 << 30;
/// Maximum number of moves that are replayed for one certificate.
const MOST_REPLAYED: u64 = 2_000_000_000;

pub(super) fn main(path: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    let work = Work::begin()?;
    let fault = |e| usage(format_args!("{}: {e}", path.display()));
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(fault)?)
    };
    let mut input = BufReader::new(input);
    let zipped = input.fill_buf().map_err(fault)?.starts_with(&[0x1f, 0x8b]);
    let mut input: Box<dyn BufRead> = if zipped {
        Box::new(BufReader::new(MultiGzDecoder::new(input)))
    } else {
        Box::new(input)
    };
    let mut output = io::stdout().lock();
    let (mut number, mut checked, mut wrong) = (0u64, 0u64, 0u64);
    while !work.is_stopped() {
        let mut line = Vec::new();
        work.reads(true);
        let read = input.by_ref().take(LONGEST).read_until(b'\n', &mut line);
        work.reads(false);
        match read {
            Ok(0) => break,
            Ok(_) => number += 1,
            Err(error) => {
                output.flush()?;
                return Err(cut(path, &error));
            }
        }
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() {
            continue;
        }
        let certificate = Certificate::read(&text);
        let id = certificate
            .as_ref()
            .map_or(String::new(), |certificate| certificate.id.clone());
        let moves = certificate.as_ref().map_or(0, |one| one.moves);
        let found = certificate.and_then(|certificate| certificate.check(MOST_REPLAYED));
        match found {
            Ok(found) => {
                checked += 1;
                if args.json {
                    let said = json!({"id": id, "mate": found.mate, "moves": moves, "replayed": found.replayed});
                    writeln!(output, "{said}")?;
                } else {
                    let verdict = if found.mate { "mate" } else { "no mate" };
                    let moves = counted(u64::from(moves), "own move");
                    let replayed = counted(found.replayed, "move");
                    writeln!(
                        output,
                        "{id}: {verdict} in {moves} is proved ({replayed} replayed)"
                    )?;
                }
            }
            Err(error) => {
                wrong += 1;
                if args.json {
                    writeln!(output, "{}", json!({"id": id, "error": error.to_string()}))?;
                } else {
                    writeln!(output, "{id}: line {number}: {error}")?;
                }
            }
        }
    }
    output.flush()?;
    if work.is_stopped() {
        return Ok(Work::stopped());
    }
    if wrong > 0 {
        bail!(
            "{}: {} of {} not proved",
            path.display(),
            wrong,
            counted(wrong + checked, "certificate")
        );
    }
    if checked == 0 {
        return Err(usage(format_args!(
            "{}: there is no certificate in it",
            path.display()
        )));
    }
    Ok(ExitCode::SUCCESS)
}
