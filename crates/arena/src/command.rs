//! `kriegspiel arena` itself: progress, figures, exit status.

use std::{
    io::{self, IsTerminal, Write},
    process::ExitCode,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};

use crate::{
    args::Args,
    run::{Outcome, Run, RunError},
    summary::{Report, Summary},
};

/// How long a run must last to get a progress bar.
const LONG: Duration = Duration::from_secs(1);

/// Plays the games that were asked for and prints the figures.
///
/// The exit status is 2 for what cannot be played at all, 1 for a run that had
/// to stop.
///
/// # Errors
/// What cannot be played, in one line; output that cannot be written.
pub fn main(args: Args) -> anyhow::Result<ExitCode> {
    let json = args.json;
    let run = args.run()?;
    let outcome = watched(&run);
    let mut code = ExitCode::SUCCESS;
    if let Some(fault) = &outcome.fault {
        let kept = outcome.games.len();
        let kept = match &run.out {
            Some(out) if kept > 0 => {
                format!("; {kept} finished games are kept in {}", out.display())
            }
            Some(_) | None => String::new(),
        };
        eprintln!("error: {fault}{kept}");
        code = match fault {
            RunError::Start { .. } | RunError::Directory { .. } => ExitCode::from(2),
            RunError::Write { .. } => ExitCode::FAILURE,
        };
        if outcome.games.is_empty() {
            return Ok(code);
        }
    }
    match print(&run, &outcome, json) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(code),
        printed => Ok(printed.map(|()| code)?),
    }
}

/// Plays, with a progress bar on a terminal if it takes long.
fn watched(run: &Run) -> Outcome {
    let begun = Instant::now();
    let mut bar = None;
    let outcome = run.play(|finished| {
        if io::stderr().is_terminal() && begun.elapsed() >= LONG {
            bar.get_or_insert_with(|| bar_of(run.games, begun))
                .set_position(finished);
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    outcome
}

fn bar_of(games: u64, begun: Instant) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{wide_bar} {human_pos}/{human_len} games, {per_sec}, {eta} left",
    );
    let bar = ProgressBar::new(games).with_elapsed(begun.elapsed());
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn print(run: &Run, outcome: &Outcome, json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if json {
        serde_json::to_writer(&mut out, &Summary::from(outcome))?;
        writeln!(out)?;
    } else {
        write!(out, "{}", Report { run, outcome })?;
    }
    out.flush()
}
