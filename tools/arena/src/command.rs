//! `kriegspiel arena`: plays the games, shows progress, prints the figures.

use std::{
    io::{self, IsTerminal, StdoutLock, Write},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, anyhow};
use indicatif::{ProgressBar, ProgressStyle};
use rules::Ruleset;
use serde::Serialize;

use crate::{
    args::{ArenaTask, Args, MergeArgs},
    factors::{FactorGains, FactorsArgs},
    games_file::is_games_file,
    merge::{Merged, merge},
    options::Usage,
    report::Report,
    run::{Outcome, Run, RunError},
    run_statistics::{PlayerStatistics, RunStatistics},
    sprt::SprtTracker,
    tune::TuneArgs,
};

/// Running time after which the progress bar is shown.
const PROGRESS_BAR_AFTER: Duration = Duration::from_secs(1);

/// State of the work when the command ended.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum RunEnd {
    /// The work is complete: all games were played, the test of `--sprt` was decided, or the
    /// results were merged.
    Complete,
    /// `interrupt` stopped the run or the tuning.
    Interrupted,
}

/// Plays the games that the arguments describe, merges results, or tunes weights. Then prints the
/// figures or the new weights. `ruleset` looks up a ruleset by its name, [`Args::rules`]. When
/// `interrupt` becomes true, the run or the tuning stops. After a run, the figures of the finished
/// games are printed.
///
/// # Errors
/// - A [`Usage`] if nothing could be played or merged.
/// - An error of `ruleset`.
/// - A player lost every game by a fault.
/// - The error that stopped the run early. The figures of the finished games are printed before
///   this function returns the error.
/// - An [`io::Error`] if the output cannot be written.
pub fn main(
    args: Args,
    ruleset: impl FnOnce(&str) -> anyhow::Result<Ruleset>,
    interrupt: &AtomicBool,
) -> anyhow::Result<RunEnd> {
    match args.task {
        Some(ArenaTask::Merge(args)) => {
            merge_results(&args)?;
            return Ok(RunEnd::Complete);
        }
        Some(ArenaTask::Tune(args)) => return tune(args, ruleset, interrupt),
        Some(ArenaTask::Factors(args)) => return test_factors(args, ruleset, interrupt),
        None => {}
    }
    let json = args.json;
    // The name is never empty, because clap has checked that `--rules` is given.
    let name = args.rules.clone().unwrap_or_default();
    let run = args.run(&ruleset(&name)?)?;
    let outcome = watched(&run, interrupt);
    let all = run.schedule().count();
    let played = outcome.games.len() as u64;
    let decided = outcome.sprt.as_ref().is_some_and(SprtTracker::is_decided);
    let mut broken = None;
    let interrupted = interrupt.load(Ordering::Relaxed) && played < all && !decided;
    if played > 0 || (outcome.fault.is_none() && !interrupted) {
        let names: Vec<String> = run.players.iter().map(ToString::to_string).collect();
        let figures = RunStatistics::new(&outcome, &names);
        let report = Report {
            rules: &run.opening.opened().rules,
            seed: run.seed,
            max_plies: run.max_plies,
            outcome: &outcome,
            figures: &figures,
        };
        print(&report, json)?;
        // Such a result says nothing of how the program plays.
        broken = figures.players.into_iter().find(|player| {
            let faults: usize = player.faults.values().map(Vec::len).sum();
            player.results.games > 0 && faults as u64 == player.results.games
        });
    }
    match outcome.fault {
        None if interrupted => {
            writeln!(io::stderr(), "{}", stopped(&run, played, all))?;
            Ok(RunEnd::Interrupted)
        }
        None => match broken {
            None => Ok(RunEnd::Complete),
            Some(PlayerStatistics { player, .. }) => Err(anyhow!(
                "{player} lost every game by a fault: see what it wrote to standard error"
            )),
        },
        Some(fault) => Err(match (&run.out, outcome.games.len()) {
            (_, 0) => Usage(fault.to_string()).into(),
            (None, _) => fault.into(),
            (Some(out), kept) => {
                anyhow!(
                    "{fault}; {kept} finished games are stored in {}",
                    out.display()
                )
            }
        }),
    }
}

/// Returns a message about an interrupted run: the number of games played, and where the run keeps
/// their results.
fn stopped(run: &Run, played: u64, all: u64) -> String {
    let kept = match &run.out {
        None => "without --out, the games are not stored".to_owned(),
        Some(out) if is_games_file(out) => format!("the games are in {}", out.display()),
        Some(_) => "the same command continues the run".to_owned(),
    };
    format!("stopped after {played} of {all} games; {kept}")
}

/// Plays the run. On a terminal, shows a progress bar after [`PROGRESS_BAR_AFTER`].
fn watched(run: &Run, interrupt: &AtomicBool) -> Outcome {
    let begun = Instant::now();
    let mut bar = None;
    let games = run.schedule().count();
    let outcome = run.play_until(interrupt, |finished| {
        if io::stderr().is_terminal() && begun.elapsed() >= PROGRESS_BAR_AFTER {
            bar.get_or_insert_with(|| bar_of(games, finished, begun))
                .set_position(finished);
        }
    });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    outcome
}

/// Returns a progress bar for a run. `finished` is the number of finished games when the bar is
/// created.
fn bar_of(games: u64, finished: u64, begun: Instant) -> ProgressBar {
    let style =
        ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} games, {eta} left");
    let bar = ProgressBar::new(games)
        .with_position(finished)
        .with_elapsed(begun.elapsed());
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Tunes weights and prints them.
fn tune(
    args: TuneArgs,
    ruleset: impl FnOnce(&str) -> anyhow::Result<Ruleset>,
    interrupt: &AtomicBool,
) -> anyhow::Result<RunEnd> {
    let (json, ruleset) = (args.options.json, ruleset(&args.options.rules)?);
    let tuning = args.tuning(&ruleset)?;
    let tuned = scored(tuning.games.count, |progress| {
        tuning.tune(interrupt, progress)
    })?;
    print_task(tuned, json, |out, tuned| {
        write!(out, "{tuned}")?;
        let file = tuning.games.out.display();
        writeln!(out, "\n  The new weights are in {file}.")
    })
}

/// Tests factors and prints their gains.
fn test_factors(
    args: FactorsArgs,
    ruleset: impl FnOnce(&str) -> anyhow::Result<Ruleset>,
    interrupt: &AtomicBool,
) -> anyhow::Result<RunEnd> {
    let (json, ruleset) = (args.options.json, ruleset(&args.options.rules)?);
    let test = args.test(&ruleset)?;
    let gains = scored(test.games.count, |progress| test.test(interrupt, progress))?;
    print_task(gains, json, |out, gains| {
        let FactorGains { games, seconds, .. } = gains;
        write!(out, "  {games} games in {seconds:.0} s\n\n{gains}")?;
        let file = test.games.out.display();
        writeln!(out, "\n  The table is in {file} too.")
    })
}

/// Performs a task with a number of games. On a terminal, shows a progress bar after
/// [`PROGRESS_BAR_AFTER`]. `task` gets a function that must be called with the number of finished
/// games. If the task was interrupted, `task` returns `None`. Then this function prints a message.
fn scored<T>(
    games: u64,
    task: impl FnOnce(&(dyn Fn(u64) + Sync)) -> Result<Option<T>, RunError>,
) -> anyhow::Result<Option<T>> {
    let begun = Instant::now();
    let bar = Mutex::new(None);
    let played = AtomicU64::new(0);
    let ended = task(&|finished| {
        played.fetch_max(finished, Ordering::Relaxed);
        if io::stderr().is_terminal() && begun.elapsed() >= PROGRESS_BAR_AFTER {
            let mut bar = bar.lock().unwrap_or_else(PoisonError::into_inner);
            bar.get_or_insert_with(|| bar_of(games, finished, begun))
                .set_position(finished);
        }
    });
    if let Some(bar) = bar.into_inner().unwrap_or_else(PoisonError::into_inner) {
        bar.finish_and_clear();
    }
    let played = played.into_inner();
    let ended = ended.map_err(|fault| match played {
        0 => anyhow::Error::from(Usage(fault.to_string())),
        _ => fault.into(),
    })?;
    if ended.is_none() {
        let text = format!("stopped after {played} of {games} games; the same command continues");
        writeln!(io::stderr(), "{text}")?;
    }
    Ok(ended)
}

/// Prints the result of a task as one line of JSON, or with the function `table`.
fn print_task<T: Serialize>(
    result: Option<T>,
    json: bool,
    table: impl FnOnce(&mut StdoutLock<'static>, &T) -> io::Result<()>,
) -> anyhow::Result<RunEnd> {
    let Some(result) = result else {
        return Ok(RunEnd::Interrupted);
    };
    let mut out = io::stdout().lock();
    if json {
        serde_json::to_writer(&mut out, &result)?;
        writeln!(out)?;
    } else {
        table(&mut out, &result)?;
    }
    out.flush()?;
    Ok(RunEnd::Complete)
}

fn merge_results(args: &MergeArgs) -> anyhow::Result<()> {
    let usage = |fault: String| Usage(format!("merge: {fault}"));
    let merged = merge(&args.results, args.sprt).map_err(|fault| usage(fault.to_string()))?;
    let Merged {
        outcome,
        names,
        rules,
        seed,
        max_plies,
    } = &merged;
    if names.len() > 2 && args.sprt.is_some() {
        return Err(usage("--sprt: the test is for a match of two players".to_owned()).into());
    }
    let figures = RunStatistics::new(outcome, names);
    let report = Report {
        rules,
        seed: *seed,
        max_plies: *max_plies,
        outcome,
        figures: &figures,
    };
    print(&report, args.json).context("the figures cannot be written")
}

fn print(report: &Report<'_>, json: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if json {
        serde_json::to_writer(&mut out, report.figures)?;
        writeln!(out)?;
    } else {
        write!(out, "{report}")?;
    }
    out.flush()
}
