//! The command `kriegspiel problems`.

mod list;
mod make;
pub(super) mod show;
pub(super) mod solve;

use std::{path::PathBuf, process::ExitCode};

use kriegspiel::{problems::Collection, scores::Problem};

use super::{interrupt::Work, problem_lines::ProblemLines, usage};

/// Problems: can a mate be forced against every position that is possible?
///
/// About three thousand problems come with the program. In each one a player sees
/// only the own men and has heard something; the question is whether this player
/// can force mate within N own moves, whatever is true and whatever the opponent
/// plays. In about half of the problems the answer is no.
///
/// Exit code 0: done. 1: a problem is wrong. 2: wrong use of the command.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel problems list --rules wild16 --mate-in 2
  kriegspiel problems show wild16-3-1
  kriegspiel play --problem wild16-3-1
  kriegspiel problems solve wild16-3-1
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
    Make(make::Args),
}

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    match &args.task {
        Task::List(args) => list::main(args),
        Task::Show(args) => show::main(args),
        Task::Solve(args) => solve::main(args),
        Task::Make(args) => make::main(args),
    }
}

/// Returns the problems of a file, or the shipped problems.
pub(super) fn collection(file: Option<&PathBuf>, work: &Work) -> anyhow::Result<Collection> {
    let Some(path) = file else {
        return Ok(Collection::shipped());
    };
    let mut lines = ProblemLines::open(path)?;
    let mut problems = Vec::new();
    while let Some(problem) = lines.next(work)? {
        problems.push(problem);
    }
    if problems.is_empty() {
        return Err(usage(format_args!(
            "{}: there is no problem in this file",
            path.display()
        )));
    }
    Ok(Collection { problems })
}

/// Returns the problem with this id.
pub(super) fn problem(id: &str, file: Option<&PathBuf>, work: &Work) -> anyhow::Result<Problem> {
    let all = collection(file, work)?;
    let mut found = all.find(id);
    let Some(problem) = found.next() else {
        return Err(usage(format_args!(
            "there is no problem {id:?}; `kriegspiel problems list` lists all"
        )));
    };
    if found.next().is_some() {
        return Err(usage(format_args!("several problems have the id {id:?}")));
    }
    Ok(problem.clone())
}
