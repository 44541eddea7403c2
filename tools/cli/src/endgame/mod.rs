//! The command `kriegspiel endgame`.

mod bound;
mod build;
mod curve;
mod ending;
mod query;
mod verify;

use std::process::ExitCode;

/// Endings against the lone king: forced mates by a side that does not see it
///
/// One side has the king and one or two more men. The other side has only the
/// king, and its square is not known. A mate is forced if one policy mates from
/// every possible square of the lone king and against all its moves. Refused
/// tries cost nothing, and the directions of a check are announced.
///
/// Exit code 0: done. 1: `verify` found an error. 2: wrong use of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel endgame build
  kriegspiel endgame query Kc3,Rd4
  kriegspiel endgame query Kf6,Qe4 --kings h8,g8,h7 --json
  kriegspiel endgame verify KRK --every 100
  kriegspiel endgame curve KRK --games 1000 --seed 1
  kriegspiel endgame bound KRK --depth 6")]
pub(super) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    Build(build::Args),
    Verify(verify::Args),
    Query(query::Args),
    Curve(curve::Args),
    Bound(bound::Args),
}

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.task {
        Task::Build(args) => build::main(args)?,
        Task::Query(args) => query::main(args)?,
        Task::Curve(args) => curve::main(args)?,
        Task::Bound(args) => bound::main(args)?,
        Task::Verify(args) => return verify::main(args),
    }
    Ok(ExitCode::SUCCESS)
}
