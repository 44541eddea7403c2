//! The figures of a run as text for people.

use std::fmt;

use rules::{Reason, Winner, chess::ByColor};

use crate::{
    run::Outcome,
    run_statistics::{PlayerStatistics, Results, RunStatistics},
    statistics::Interval,
};

/// Maximum number of games that are listed for one kind of fault.
const LISTED_GAMES: usize = 5;

/// The figures of a run as text for people.
#[derive(Debug)]
pub struct Report<'a> {
    /// Id of the ruleset.
    pub rules: &'a str,
    /// Seed of the run.
    pub seed: u64,
    /// Number of plies after which a game was stopped.
    pub max_plies: u32,
    /// Games, elapsed time and processor time of the run.
    pub outcome: &'a Outcome,
    /// Statistics of the run.
    pub figures: &'a RunStatistics,
}

impl Report<'_> {
    /// Returns the number of games won by each colour, no matter which player had this colour.
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

    fn heading(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.figures.summary.games;
        let plural = if games == 1 { "game" } else { "games" };
        write!(f, "{}: {games} {plural}, ", self.rules)?;
        let swap = self.outcome.schedule.swap;
        match self.figures.players.as_slice() {
            [first, second] => {
                let (first, second) = (&first.player, &second.player);
                write!(f, "{first} (White) against {second} (Black)")?;
                if swap {
                    write!(f, ", colours swapped after each game")?;
                }
            }
            players => {
                let names: Vec<&str> = players.iter().map(|p| p.player.as_str()).collect();
                write!(f, "each against each: {}", names.join(", "))?;
            }
        }
        writeln!(f, ", seed {}", self.seed)?;
        if self.figures.resumed > 0 {
            let resumed = self.figures.resumed;
            writeln!(f, "{resumed} of these games were read from earlier results")?;
        }
        writeln!(f)
    }

    fn counts(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let figures = &self.figures.summary;
        let games = figures.games;
        let row = |f: &mut fmt::Formatter<'_>, name: &str, n| {
            writeln!(f, "  {name:<24}{}", Share(n, games))
        };
        let schedule = &self.outcome.schedule;
        if schedule.swap && schedule.players == 2 {
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
            let name = format!("stopped: {} plies", self.max_plies);
            row(f, &name, figures.unfinished)?;
        }
        writeln!(f)
    }

    fn scores(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for pair in &self.figures.pairs {
            let (first, second) = (&pair.first, &pair.second);
            write!(f, "  {first} against {second}: {}", Score(&pair.results))?;
            writeln!(f)?;
        }
        writeln!(f)?;
        if let Some(sprt) = &self.figures.sprt {
            let (score0, score1) = (sprt.score0, sprt.score1);
            write!(
                f,
                "  test of score {score0} against {score1}: log-likelihood ratio {:.2} \
                 (decided at {:.2} or {:.2}), ",
                sprt.llr, -sprt.bound, sprt.bound,
            )?;
            match sprt.decision {
                None => writeln!(f, "not decided")?,
                Some(score) => writeln!(f, "decided for {score} after {} units", sprt.units)?,
            }
            writeln!(f)?;
        }
        Ok(())
    }

    fn players(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let players = &self.figures.players;
        let longest = players.iter().map(|p| p.player.chars().count()).max();
        let width = longest.unwrap_or(0).max("player".len());
        let rated = players.iter().any(|p| p.rating.is_some());
        if rated {
            writeln!(f, "  {:<width$}  rating  95 % interval   score", "player")?;
            let mut order: Vec<&PlayerStatistics> = players.iter().collect();
            let rating = |p: &PlayerStatistics| p.rating.map_or(0.0, |r| r.estimate);
            order.sort_by(|a, b| rating(b).total_cmp(&rating(a)));
            for player in order {
                if let Some(Interval {
                    estimate,
                    low,
                    high,
                }) = player.rating
                {
                    let score = player.results.score.map_or(0.0, |score| score.estimate);
                    let interval = format!("{low:+.0} to {high:+.0}");
                    let name = &player.player;
                    writeln!(
                        f,
                        "  {name:<width$}  {estimate:>+6.0}  {interval:<14} {:>5.1} %",
                        score * 100.0
                    )?;
                }
            }
            writeln!(f)?;
        }
        writeln!(
            f,
            "  {:<width$}  attempts a turn    time of a turn in ms: median      99 %   longest  over budget",
            "player"
        )?;
        for player in players {
            let millis = |time: Option<f64>| match time {
                None => "-".to_owned(),
                Some(time) if time < 10.0 => format!("{time:.3}"),
                Some(time) => format!("{time:.1}"),
            };
            writeln!(
                f,
                "  {:<width$}  {:>15.2}  {:>27} {:>9} {:>9}  {:>11}",
                player.player,
                player.attempts_per_turn,
                millis(player.p50_ms),
                millis(player.p99_ms),
                millis(player.longest_ms),
                player.overruns,
            )?;
        }
        writeln!(f)?;
        let mut faulty = false;
        for player in players {
            for (kind, games) in &player.faults {
                faulty = true;
                let listed = games.iter().take(LISTED_GAMES).map(u64::to_string);
                let listed: Vec<String> = listed.collect();
                let more = if games.len() > LISTED_GAMES {
                    ", ..."
                } else {
                    ""
                };
                let (name, n) = (&player.player, games.len());
                let numbers = listed.join(", ");
                let plural = if n == 1 { "game" } else { "games" };
                writeln!(
                    f,
                    "  {name} lost {n} {plural} by a fault ({kind}): {plural} {numbers}{more}"
                )?;
            }
        }
        if faulty {
            writeln!(f)?;
        }
        Ok(())
    }
}

/// A number of games, and the number of all games. Printed as the first number, and as a percentage
/// of the second.
struct Share(u64, u64);

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = self.0 as f64 * 100.0 / self.1.max(1) as f64;
        write!(f, "{:>8} {percent:>6.1} %", self.0)
    }
}

/// Wins, draws and losses, and the score with its interval.
struct Score<'a>(&'a Results);

impl fmt::Display for Score<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Results {
            won,
            drawn,
            lost,
            unfinished,
            ..
        } = self.0;
        write!(f, "{won} won, {drawn} drawn, {lost} lost")?;
        if *unfinished > 0 {
            write!(f, ", {unfinished} unfinished")?;
        }
        if let (Some(score), Some(elo)) = (self.0.score, self.0.elo) {
            let percent = |share: f64| share * 100.0;
            write!(
                f,
                "; score {:.1} % ({:.1} to {:.1}), Elo {:+.0} ({:+.0} to {:+.0})",
                percent(score.estimate),
                percent(score.low),
                percent(score.high),
                elo.estimate,
                elo.low,
                elo.high
            )?;
        }
        Ok(())
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.heading(f)?;
        self.counts(f)?;
        self.scores(f)?;
        self.players(f)?;
        let figures = &self.figures.summary;
        let each = |total: u64, n: u64| total as f64 / n.max(1) as f64;
        write!(
            f,
            "  {:.1} plies a game, {:.2} attempts a ply; {} attempts in {:.2} s, {} a second, \
             {} a second of processor time",
            each(figures.plies, figures.games),
            each(figures.attempts, figures.plies),
            figures.attempts,
            figures.seconds,
            figures.attempts_per_second,
            figures.attempts_per_cpu_second,
        )?;
        match self.figures.peak_memory {
            Some(bytes) => writeln!(f, "; at most {:.0} MB of memory", bytes as f64 / 1e6),
            None => writeln!(f),
        }
    }
}
