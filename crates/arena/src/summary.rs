//! Figures of a run.

use std::{fmt, time::Duration};

use rules::{Reason, Winner, chess::ByColor};
use serde::Serialize;

use crate::run::{Outcome, Run};

/// Figures of a run. The order of the fields is the order of the keys in the
/// JSON line.
///
/// `white` and `black` count the wins of the contestants given as `--white` and
/// `--black`, also in games in which colours are swapped.
#[derive(Copy, Clone, PartialEq, Debug, Default, Serialize)]
pub struct Summary {
    /// Games played, including unfinished ones.
    pub games: u64,
    /// Attempts and questions that were answered. Refused attempts do not count.
    pub attempts: u64,
    /// Completed moves.
    pub plies: u64,
    /// Games won by the contestant given as `--white`.
    pub white: u64,
    /// Games won by the contestant given as `--black`.
    pub black: u64,
    /// Number of draws.
    pub draws: u64,
    /// Games stopped before their end.
    pub unfinished: u64,
    /// Elapsed time, in seconds.
    pub seconds: f64,
    /// Attempts per second of elapsed time.
    pub attempts_per_second: u64,
    /// Attempts per second of processor time; 0 if the processor time is not known.
    pub attempts_per_cpu_second: u64,
}

impl From<&Outcome> for Summary {
    fn from(outcome: &Outcome) -> Summary {
        let seconds = outcome.time.as_secs_f64();
        let mut summary = Summary {
            seconds: (seconds * 1e6).round() / 1e6,
            ..Summary::default()
        };
        for game in &outcome.games {
            summary.games += 1;
            summary.attempts += game.played.attempts;
            summary.plies += u64::from(game.played.plies);
            let first = Winner::from(game.first);
            *match game.played.over.map(|over| over.winner) {
                Some(winner) if winner == first => &mut summary.white,
                Some(Winner::White | Winner::Black) => &mut summary.black,
                Some(Winner::Draw) => &mut summary.draws,
                Some(Winner::Unfinished) | None => &mut summary.unfinished,
            } += 1;
        }
        let attempts = summary.attempts as f64;
        let per_second = |time: Duration| match time.as_secs_f64() {
            seconds if seconds > 0.0 => (attempts / seconds).round() as u64,
            _ => 0,
        };
        summary.attempts_per_second = per_second(outcome.time);
        summary.attempts_per_cpu_second = per_second(outcome.processor_time);
        summary
    }
}

/// The figures of a run as text for people.
#[derive(Debug)]
pub struct Report<'a> {
    /// Settings of the run.
    pub run: &'a Run,
    /// Games, elapsed time and processor time of the run.
    pub outcome: &'a Outcome,
}

impl Report<'_> {
    /// Counts the games won by each colour, no matter which contestant played this colour.
    fn won_by_color(&self) -> ByColor<u64> {
        ByColor::new_with(|color| {
            let games = self.outcome.games.iter();
            let won = games.filter(|game| {
                game.played
                    .over
                    .is_some_and(|over| over.winner == Winner::from(color))
            });
            won.count() as u64
        })
    }
}

/// A count and the number of all games, printed with its percentage.
struct Share(u64, u64);

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = self.0 as f64 * 100.0 / self.1.max(1) as f64;
        write!(f, "{:>8} {percent:>6.1} %", self.0)
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let run = self.run;
        let figures = Summary::from(self.outcome);
        let games = figures.games;
        let rules = &run.opening.opened().rules;
        let plural = if games == 1 { "game" } else { "games" };
        let swap = if run.swap {
            ", colours swapped after each game"
        } else {
            ""
        };
        writeln!(
            f,
            "{rules}: {games} {plural}, {} (White) against {} (Black){swap}, seed {}",
            run.white, run.black, run.seed
        )?;
        writeln!(f)?;
        let width = 24;
        let row = |f: &mut fmt::Formatter<'_>, name: &str, n| {
            writeln!(f, "  {name:<width$}{}", Share(n, games))
        };
        if run.swap {
            row(f, "won by contestant 1", figures.white)?;
            row(f, "won by contestant 2", figures.black)?;
        }
        let by_color = self.won_by_color();
        row(f, "won by White", by_color.white)?;
        row(f, "won by Black", by_color.black)?;
        row(f, "drawn", figures.draws)?;
        row(f, "unfinished", figures.unfinished)?;
        writeln!(f)?;
        for reason in Reason::ALL {
            let all = self.outcome.games.iter();
            let ended = all.filter(|g| g.played.over.is_some_and(|o| o.reason == reason));
            let n = ended.count() as u64;
            if n > 0 {
                row(f, reason.name(), n)?;
            }
        }
        if figures.unfinished > 0 {
            let name = format!("stopped: {} plies", run.max_plies);
            row(f, &name, figures.unfinished)?;
        }
        writeln!(f)?;
        let each = |total: u64, n: u64| total as f64 / n.max(1) as f64;
        writeln!(
            f,
            "  {:.1} plies a game, {:.2} attempts a ply; {} attempts in {:.2} s, {} a second, \
             {} a second of processor time",
            each(figures.plies, games),
            each(figures.attempts, figures.plies),
            figures.attempts,
            figures.seconds,
            figures.attempts_per_second,
            figures.attempts_per_cpu_second,
        )
    }
}
