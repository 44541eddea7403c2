//! The command `kriegspiel belief --problems`.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
    path::Path,
    process::ExitCode,
    time::Instant,
};

use anyhow::bail;
use belief::{Belief, Origin, Settings, Unheard};
use flate2::read::MultiGzDecoder;
use kriegspiel::{
    rules::{
        Own, Reserve, Start, Wings,
        chess::{Board, ByColor, Color},
        rulesets::BERKELEY,
    },
    scores::Problem,
};
use serde_json::json;

use super::{Args, interrupt::Work, report::size_words, usage};
use crate::cli::games::{counted, cut};

/// Longest line of a problem file, in bytes.
const LONGEST: u64 = 1 << 20;
/// If this number of consecutive lines are not problems, the file is not a file of
/// problems.
const MOST_WRONG: u64 = 100;

/// Opens a file of problems, which may be gzip; `-` is standard input.
fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead>> {
    let fault = |e| usage(format_args!("{}: {e}", path.display()));
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(File::open(path).map_err(fault)?)
    };
    let mut input = BufReader::new(input);
    let zipped = input.fill_buf().map_err(fault)?.starts_with(&[0x1f, 0x8b]);
    Ok(if zipped {
        Box::new(BufReader::new(MultiGzDecoder::new(input)))
    } else {
        Box::new(input)
    })
}

/// Computes the belief at the end of a problem. Returns `None` if the work was
/// stopped.
fn believe(problem: &Problem, settings: Settings, work: &Work) -> Result<Option<Belief>, String> {
    let start = Start {
        rules: BERKELEY.id.clone(),
        own: Some(Own::of(
            &Board::new(),
            Color::White,
            Wings::BOTH,
            Reserve::EMPTY,
        )),
        reserves: ByColor::default(),
    };
    let belief = Belief::open(
        BERKELEY.choices,
        Color::White,
        &start,
        &Origin::Usual,
        settings,
    );
    let mut belief = belief.map_err(|error| error.to_string())?;
    for heard in &problem.heard {
        match belief.hear_watched(heard, &work.watch) {
            Ok(()) => {}
            Err(Unheard::Stopped) => return Ok(None),
            Err(Unheard::Unexplained(error)) => return Err(error.to_string()),
        }
    }
    Ok(Some(belief))
}

pub(super) fn main(path: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    let work = Work::begin()?;
    let settings = args.settings()?;
    let mut input = open(path)?;
    let mut output = io::stdout().lock();
    let (mut number, mut problems, mut wrong, mut wrong_in_a_row) = (0u64, 0u64, 0u64, 0u64);
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
        if line.len() as u64 == LONGEST && !line.ends_with(b"\n") {
            output.flush()?;
            return Err(usage(format_args!(
                "{}: line {number}: the line is longer than {LONGEST} bytes, so it is not a problem",
                path.display()
            )));
        }
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() {
            continue;
        }
        let problem = match Problem::read(&text) {
            Ok(problem) => {
                wrong_in_a_row = 0;
                problem
            }
            Err(error) => {
                wrong += 1;
                wrong_in_a_row += 1;
                // If stderr is closed too, the error cannot be reported.
                let _ignored = writeln!(
                    io::stderr(),
                    "kriegspiel: {}: line {number}: {error}",
                    path.display()
                );
                if wrong_in_a_row == MOST_WRONG {
                    output.flush()?;
                    return Err(usage(format_args!(
                        "{}: {MOST_WRONG} consecutive lines are not problems: is it a file of problems?",
                        path.display()
                    )));
                }
                continue;
            }
        };
        problems += 1;
        let began = Instant::now();
        let believed = believe(&problem, settings.clone(), &work);
        let seconds = began.elapsed().as_secs_f64();
        match believed {
            Ok(None) => {
                problems -= 1;
                break;
            }
            Ok(Some(belief)) if args.json => {
                let said = json!({
                    "id": problem.id,
                    "positions": belief.size().count(),
                    "regime": belief.regime().name(),
                    "seconds": seconds,
                });
                writeln!(output, "{said}")?;
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
                let said =
                    json!({"id": problem.id, "positions": 0, "seconds": seconds, "error": error});
                writeln!(output, "{said}")?;
            }
            Err(error) => {
                wrong += 1;
                writeln!(output, "{}: {error}", problem.id)?;
            }
        }
    }
    output.flush()?;
    if work.is_stopped() {
        // Nothing can be done if stderr is closed.
        let _ignored = writeln!(
            io::stderr(),
            "kriegspiel: stopped in line {number}, after {}",
            counted(problems, "problem")
        );
        return Ok(Work::stopped());
    }
    if wrong > 0 {
        bail!(
            "{}: {} could not be computed",
            path.display(),
            counted(wrong, "problem")
        );
    }
    Ok(ExitCode::SUCCESS)
}
