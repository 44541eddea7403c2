//! The command `kriegspiel problems`.

mod certificate;
pub(super) mod collection;
mod list;
mod make;
pub(super) mod show;
pub(super) mod solve;

use std::process::ExitCode;

/// Problems: can a mate be forced against every position that is possible?
///
/// Several hundred problems come with the program: published problems of composers, and problems
/// that `make` made. In each one a player has heard something, or knows the possible positions; the
/// question is whether this player can force mate within N own moves, wherever the opponent's men
/// are and whatever the opponent plays. The answer to many problems is no.
///
/// Exit code 0: done. 1: a problem is wrong. 2: wrong use of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel problems list --rules wild16 --mate-in 2
  kriegspiel problems show wild16-3-1
  kriegspiel play --problem wild16-3-1
  kriegspiel problems solve wild16-3-1
  kriegspiel problems certificate wild16-3-1
  kriegspiel problems make --out mine.jsonl --counts 3=20 --seed 7")]
pub(super) struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    List(list::Args),
    Show(show::Args),
    Solve(solve::Args),
    Certificate(certificate::Args),
    Make(make::Args),
}

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.task {
        Task::List(args) => list::main(args),
        Task::Show(args) => show::main(args),
        Task::Solve(args) => solve::main(args),
        Task::Certificate(args) => certificate::main(args),
        Task::Make(args) => make::main(args),
    }
}
