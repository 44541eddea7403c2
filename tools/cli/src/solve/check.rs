//! The command `kriegspiel solve --check`.

use std::{
    io::{self, BufRead, Read, Write},
    path::Path,
    process::ExitCode,
};

use anyhow::bail;
use problems::certificate::Certificate;
use serde_json::json;

use super::args::Args;
use crate::{games::counted, interrupt::Work, terminal::shown, unpack, usage};

/// Longest certificate, in bytes.
const MAX_LENGTH: u64 = 1 << 30;
/// Maximum length of a line that does not begin like a certificate, in bytes.
const MAX_OTHER: u64 = 1 << 16;
/// Maximum number of moves that are replayed for one certificate.
const MAX_REPLAYED: u64 = 2_000_000_000;

pub(super) fn main(path: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    let work = Work::begin()?;
    let name = shown(path);
    let (input, _) = unpack::open(path)?;
    let mut input = unpack::unpacked(path, input)?;
    let mut output = io::stdout().lock();
    let (mut number, mut checked, mut wrong) = (0u64, 0u64, 0u64);
    while !work.is_stopped() {
        let mut line = Vec::new();
        work.reads(true);
        // Input that is not a certificate may be an endless line.
        let is_json = input
            .fill_buf()
            .is_ok_and(|next| next.first() == Some(&b'{'));
        let most = if is_json { MAX_LENGTH } else { MAX_OTHER };
        let read = input.by_ref().take(most).read_until(b'\n', &mut line);
        work.reads(false);
        match read {
            Ok(0) => break,
            Ok(_) => number += 1,
            Err(error) => {
                output.flush()?;
                return Err(unpack::fault(path, &error));
            }
        }
        if line.len() as u64 == most && !line.ends_with(b"\n") {
            output.flush()?;
            return Err(usage(format_args!(
                "{name}: line {number}: this is not a certificate; give a file that `kriegspiel solve --certificates FILE` wrote"
            )));
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
        let found = certificate.and_then(|certificate| certificate.check(MAX_REPLAYED));
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
                    let id = if id.is_empty() { &name } else { &id };
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
            "{name}: {wrong} of {} not proved",
            counted(wrong + checked, "certificate")
        );
    }
    if checked == 0 {
        return Err(usage(format_args!(
            "{name}: there is no certificate in it; `kriegspiel solve --certificates FILE` writes a file of certificates"
        )));
    }
    Ok(ExitCode::SUCCESS)
}
