//! `kriegspiel arena`: plays the games, shows progress, prints the figures.

use std::{
    io::{self, IsTerminal, Write},
    time::{Duration, Instant},
};

use anyhow::anyhow;
use indicatif::{ProgressBar, ProgressStyle};
use rules::Ruleset;

use crate::{
    args::{Args, Usage},
    run::{Outcome, Run},
    summary::{Report, Summary},
};

/// Running time after which the progress bar is shown.
const PROGRESS_BAR_AFTER: Duration = Duration::from_secs(1);

/// Plays the games of the arguments under a ruleset, and prints the figures. The
/// caller looks up the ruleset by its name, [`Args::rules`].
///
/// # Errors
/// A [`Usage`] if nothing could be played. Another error if the run stopped
/// early; before this error, the figures of the finished games are printed. An
/// [`io::Error`] if the output cannot be written.
pub fn main(args: Args, ruleset: &Ruleset) -> anyhow::Result<()> {
    let json = args.json;
    let run = args.run(ruleset)?;
    let outcome = watched(&run);
    if outcome.fault.is_none() || !outcome.games.is_empty() {
        print(&run, &outcome, json)?;
    }
    match outcome.fault {
        None => Ok(()),
        Some(fault) => Err(match (&run.out, outcome.games.len()) {
            (_, 0) => Usage(fault.to_string()).into(),
            (None, _) => fault.into(),
            (Some(out), kept) => {
                anyhow!(
                    "{fault}; {kept} finished games are kept in {}",
                    out.display()
                )
            }
        }),
    }
}

/// Plays the run. On a terminal, shows a progress bar after [`PROGRESS_BAR_AFTER`].
fn watched(run: &Run) -> Outcome {
    let begun = Instant::now();
    let mut bar = None;
    let outcome = run.play(|finished| {
        if io::stderr().is_terminal() && begun.elapsed() >= PROGRESS_BAR_AFTER {
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
    let style =
        ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} games, {eta} left");
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
