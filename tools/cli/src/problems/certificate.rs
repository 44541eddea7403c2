//! The command `kriegspiel problems certificate`.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use belief::Settings;
use problems::{KeptCertificate, SOLVER_BYTES, believe, kept_certificate, question, sha256};
use solver::search::{SearchLimits, Solver};

use super::{collection::problem, solve::certificate};
use crate::{interrupt::Work, usage};

/// Print the certificate of a problem that comes with the program
///
/// The certificate is one line of JSON; `kriegspiel solve --check` checks it with the
/// referee alone. Short certificates come with the program. A long certificate is made
/// again, and its SHA-256 is compared with the one that comes with the program.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel problems certificate wild16-3-1 > proof.jsonl
  kriegspiel solve --check proof.jsonl")]
pub(super) struct Args {
    /// Id of the problem
    #[arg(value_name = "ID")]
    id: String,
}

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    let work = Work::begin()?;
    let problem = problem(&args.id, None, &work)?;
    let id = &problem.id;
    let hash = match kept_certificate(id) {
        Some(KeptCertificate::Whole(certificate)) => return print(&certificate.write()),
        Some(KeptCertificate::Searched { .. }) => {
            return Err(usage(format_args!(
                "{id} has no certificate: its verdict is only the result of a search; `kriegspiel problems solve \
                 {id} --certificate FILE` tries to make a certificate"
            )));
        }
        Some(KeptCertificate::Hash { sha256, .. }) => Some(sha256),
        None => None,
    };
    let belief = believe(&problem, Settings::default(), &work.watch)
        .map_err(|error| anyhow::anyhow!("{id}: {error}"))?;
    let Some(belief) = belief else {
        return Ok(Work::stopped());
    };
    let moves = problem.own_moves.and_then(|n| u8::try_from(n).ok());
    let Some(question) = question(&belief, moves.unwrap_or(0)) else {
        anyhow::bail!("{id}: too many positions are possible");
    };
    let stop = || work.is_stopped();
    let limits = SearchLimits {
        nodes: u64::MAX,
        stop: &stop,
    };
    let mut solver = Solver::with_bytes(SOLVER_BYTES);
    let solved = solver
        .solve(&question, limits)
        .map_err(|error| anyhow::anyhow!("{id}: {error}"))?;
    let made = certificate(&problem, &question, &solved.decision, &mut solver, &stop);
    if work.is_stopped() {
        return Ok(Work::stopped());
    }
    let Some(made) = made else {
        anyhow::bail!("{id}: no certificate can be made of this verdict");
    };
    let line = made.write();
    if hash.is_some_and(|hash| hash != sha256(&line)) {
        anyhow::bail!(
            "{id}: the certificate differs from the one that was checked; `kriegspiel problems solve {id} \
             --certificate FILE` makes one that you can check"
        );
    }
    print(&line)
}

fn print(line: &str) -> anyhow::Result<ExitCode> {
    let mut output = io::stdout().lock();
    writeln!(output, "{line}")?;
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}
