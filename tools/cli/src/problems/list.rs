//! The command `kriegspiel problems list`.

use std::{
    io::{self, Write},
    path::PathBuf,
    process::ExitCode,
};

use scores::{Problem, ProblemStart};

use super::collection::collection;
use crate::{games::counted, interrupt::Work, terminal::Text};

/// List problems
///
/// The list does not say whether there is a mate; --answers adds that.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// List the problems in this file (JSON lines, may be gzip), not the problems of the program
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,

    /// Only problems under this ruleset
    #[arg(long, value_name = "ID")]
    rules: Option<String>,

    /// Only problems that ask for a mate in N own moves
    #[arg(long, value_name = "N")]
    mate_in: Option<u32>,

    /// Only problems of authors whose names contain this text
    #[arg(long, value_name = "TEXT")]
    author: Option<String>,

    /// Also say whether there is a mate
    #[arg(long)]
    answers: bool,

    /// Print the problems as JSON lines
    #[arg(long)]
    json: bool,
}

impl Args {
    fn wants(&self, problem: &Problem) -> bool {
        let rules = self.rules.as_ref().is_none_or(|id| *id == problem.rules);
        let moves = self.mate_in.is_none_or(|n| problem.own_moves == Some(n));
        let author = self.author.as_ref().is_none_or(|text| {
            let name = problem.author.as_deref().unwrap_or_default();
            name.to_lowercase().contains(&text.to_lowercase())
        });
        rules && moves && author
    }
}

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    let work = Work::begin()?;
    let all = collection(args.file.as_ref(), &work)?;
    let mut output = Text::new(io::stdout().lock());
    let mut listed = 0;
    for problem in all.problems.iter().filter(|one| args.wants(one)) {
        listed += 1;
        if args.json {
            let mut problem = problem.clone();
            if !args.answers {
                problem.mate = None;
            }
            writeln!(output, "{}", problem.write())?;
            continue;
        }
        let seat = problem.seat.fold_wb("White", "Black");
        let moves = counted(problem.own_moves.unwrap_or(0).into(), "own move");
        let from = match &problem.start {
            ProblemStart::Usual => "from the usual start position".to_owned(),
            ProblemStart::Fen(_) => "from another start position".to_owned(),
            ProblemStart::Unknown { men, .. } => format!("against {men} on unknown squares"),
            ProblemStart::Positions(fens) => {
                format!("{} given", counted(fens.len() as u64, "position"))
            }
        };
        write!(
            output,
            "{}: {seat}, {}, mate in {moves}, {from}",
            problem.id, problem.rules
        )?;
        if let Some(author) = &problem.author {
            write!(output, " ({author})")?;
        }
        if args.answers {
            let answer = match problem.mate {
                Some(true) => "mate",
                Some(false) => "no mate",
                None => "no answer is given",
            };
            write!(output, ": {answer}")?;
        }
        writeln!(output)?;
    }
    if !args.json {
        writeln!(output, "{}", counted(listed, "problem"))?;
    }
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}
