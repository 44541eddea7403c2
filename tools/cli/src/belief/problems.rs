//! The command `kriegspiel belief --problems`.

use std::{
    io::{self, Write},
    path::Path,
    process::ExitCode,
    time::Instant,
};

use anyhow::bail;
use serde_json::json;

use super::{Args, report::size_words};
use crate::{
    games::counted,
    interrupt::Work,
    problem_lines::{ProblemLines, believe},
    terminal::{Text, tell},
};

pub(super) fn main(path: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    let work = Work::begin()?;
    let settings = args.settings()?;
    let mut lines = ProblemLines::open(path)?;
    let mut output: Box<dyn Write> = if args.json {
        Box::new(io::stdout().lock())
    } else {
        Box::new(Text::new(io::stdout().lock()))
    };
    let (mut problems, mut wrong) = (0u64, 0u64);
    while !work.is_stopped() {
        let next = lines.next(&work);
        let problem = match next {
            Ok(Some(problem)) => problem,
            Ok(None) => break,
            Err(error) => {
                output.flush()?;
                return Err(error);
            }
        };
        problems += 1;
        let began = Instant::now();
        let believed = believe(&problem, settings.clone(), &work.watch);
        let seconds = began.elapsed().as_secs_f64();
        match believed {
            Ok(None) => {
                problems -= 1;
                break;
            }
            Ok(Some(belief)) if args.json => {
                let object = json!({
                    "id": problem.id,
                    "positions": belief.size().count(),
                    "regime": belief.regime().name(),
                    "seconds": seconds,
                });
                writeln!(output, "{object}")?;
            }
            Ok(Some(belief)) => {
                let label = problem
                    .positions
                    .map_or(String::new(), |n| format!(", {n} according to the file"));
                writeln!(
                    output,
                    "{}: {} ({}){label}",
                    problem.id,
                    size_words(belief.size()),
                    belief.regime().name()
                )?;
            }
            Err(error) if args.json => {
                wrong += 1;
                let object =
                    json!({"id": problem.id, "positions": 0, "seconds": seconds, "error": error});
                writeln!(output, "{object}")?;
            }
            Err(error) => {
                wrong += 1;
                writeln!(output, "{}: {error}", problem.id)?;
            }
        }
    }
    output.flush()?;
    if work.is_stopped() {
        tell(format_args!(
            "stopped in line {}, after {}",
            lines.number,
            counted(problems, "problem")
        ));
        return Ok(Work::stopped());
    }
    let wrong = wrong + lines.wrong;
    if wrong > 0 {
        bail!(
            "{}: {} could not be computed",
            path.display(),
            counted(wrong, "problem")
        );
    }
    Ok(ExitCode::SUCCESS)
}
