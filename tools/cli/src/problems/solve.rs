//! The command `kriegspiel problems solve`.

use std::{
    fs::File,
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
    time::{Duration, Instant},
};

use belief::Settings;
use problems::certificate::Certificate;
use problems::certify::{certificate_of, policy_words};
use problems::{SOLVER_BYTES, believe, keys, question};
use scores::Problem;
use solver::search::{Decision, MateQuestion, SearchLimits, Solver};

use super::collection::problem;
use crate::{games::counted, interrupt::Work, terminal::Text, usage};

/// Maximum number of nodes of a certificate.
const MAX_NODES: usize = 1_000_000;

/// Solve one problem, and print the answer in words
///
/// If there is a mate, the policy is printed: what to try, depending on what is
/// heard. If there is no mate, a core is printed: a few of the positions, against
/// which alone no mate can be forced.
/// `kriegspiel solve --problems FILE` solves whole files.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Id of the problem
    #[arg(value_name = "ID")]
    id: String,

    /// Read the problem from this file (JSON lines, may be gzip)
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Stop after this number of seconds
    #[arg(long, value_name = "SECONDS")]
    limit: Option<u64>,

    /// Also print every try with which a mate can begin, and whether there is a shorter mate
    #[arg(long)]
    keys: bool,

    /// Write the certificate of the verdict to this file
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
}

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    let work = Work::begin()?;
    let problem = problem(&args.id, args.file.as_ref(), &work)?;
    let id = &problem.id;
    let belief = believe(&problem, Settings::default(), &work.watch)
        .map_err(|error| anyhow::anyhow!("{id}: {error}"))?;
    let Some(belief) = belief else {
        return Ok(Work::stopped());
    };
    let moves = problem
        .own_moves
        .and_then(|n| u8::try_from(n).ok())
        .unwrap_or(0);
    let Some(question) = question(&belief, moves) else {
        anyhow::bail!("{id}: too many positions are possible");
    };
    let began = Instant::now();
    let limit = args.limit.map(Duration::from_secs);
    let stop = || work.is_stopped() || limit.is_some_and(|limit| began.elapsed() >= limit);
    let limits = SearchLimits {
        nodes: u64::MAX,
        stop: &stop,
    };
    let mut solver = Solver::with_bytes(SOLVER_BYTES);
    let outcome = solver
        .solve(&question, limits)
        .map_err(|error| anyhow::anyhow!("{id}: {error}"))?;
    if work.is_stopped() {
        return Ok(Work::stopped());
    }
    let mut output = Text::new(io::stdout().lock());
    for line in verdict_words(&problem, &question, &outcome.decision) {
        writeln!(output, "{line}")?;
    }
    if args.keys && matches!(outcome.decision, Decision::Mate(_)) {
        let tries = keys(&question, &mut solver, limits);
        let first_tries = tries.map_or("not decided".to_owned(), |tries| {
            let tries: Vec<String> = tries.iter().map(ToString::to_string).collect();
            tries.join(" ")
        });
        writeln!(output, "A mate can begin with: {first_tries}")?;
        let mut shorter = question.clone();
        shorter.moves = moves.saturating_sub(1);
        if shorter.moves > 0 {
            let found = solver.solve(&shorter, limits).map(|found| found.decision);
            let article = match found {
                Ok(Decision::Mate(_)) => "a",
                Ok(Decision::NoMate(_)) => "no",
                Ok(Decision::Undecided) | Err(_) => "perhaps a",
            };
            let moves = counted(shorter.moves.into(), "own move");
            writeln!(output, "There is {article} mate in {moves}.")?;
        }
    }
    output.flush()?;
    let Some(path) = &args.certificate else {
        return Ok(ExitCode::SUCCESS);
    };
    let Some(certificate) = certificate(&problem, &question, &outcome.decision, &mut solver, &stop)
    else {
        anyhow::bail!("{id}: no certificate can be made of this verdict");
    };
    let fault = |e: io::Error| usage(format_args!("{}: {e}", path.display()));
    let mut file = File::create(path).map_err(fault)?;
    writeln!(file, "{}", certificate.write()).map_err(fault)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the answer to a problem, in words.
pub(crate) fn verdict_words(
    problem: &Problem,
    question: &MateQuestion,
    decision: &Decision,
) -> Vec<String> {
    let id = &problem.id;
    let own_moves = counted(question.moves.into(), "own move");
    let positions = counted(question.positions.len() as u64, "position");
    match decision {
        Decision::Mate(policy) => {
            let mut lines = vec![format!("{id}: mate in {own_moves} against {positions}:")];
            lines.extend(policy_words(policy, problem.seat));
            lines
        }
        Decision::NoMate(core) => {
            let core_size = counted(core.len() as u64, "position");
            let mut lines = vec![
                format!("{id}: no mate in {own_moves} against {positions}."),
                format!("There is no mate even against these alone ({core_size}):"),
            ];
            for i in core.iter().take(20) {
                let one = question.positions[*i];
                lines.push(format!("  {}", one.fen(u32::from(one.quiet), 1)));
            }
            lines
        }
        Decision::Undecided => vec![format!("{id}: not decided; give a higher --limit")],
    }
}

/// Makes the certificate of a decision. Returns `None` if none can be made.
pub(crate) fn certificate(
    problem: &Problem,
    question: &MateQuestion,
    decision: &Decision,
    solver: &mut Solver,
    stop: &dyn Fn() -> bool,
) -> Option<Certificate> {
    let limits = SearchLimits {
        nodes: u64::MAX,
        stop,
    };
    let (rules, most) = (&problem.rules, MAX_NODES);
    let mut certificate = certificate_of(rules, question, decision, solver, limits, most)?;
    certificate.id.clone_from(&problem.id);
    Some(certificate)
}
