//! The figures of a run, as text and as JSON.

use std::{
    collections::HashMap,
    io::{self, Write},
    time::Duration,
};

use serde::Serialize;
use tokio::time::Instant;

use super::{
    super::terminal::Text, seat::Played, shared::NoteCounts, spectator::SpectatorRecord,
    verify::Faults,
};

/// The report prints at most this many faults, and at most this many texts of errors.
const SHOWN: usize = 20;

/// Percentiles of times, in milliseconds.
#[derive(Copy, Clone, Default, Serialize)]
struct Times {
    count: u64,
    p50: f64,
    p90: f64,
    p99: f64,
    max: f64,
}

impl Times {
    fn new(mut times: Vec<Duration>) -> Times {
        times.sort_unstable();
        let at = |part: f64| {
            let place = (part * times.len() as f64).ceil() as usize;
            let time = times.get(place.saturating_sub(1)).copied();
            // Microseconds are exact enough.
            time.map_or(0.0, |time| time.as_micros() as f64 / 1000.0)
        };
        Times {
            count: times.len() as u64,
            p50: at(0.5),
            p90: at(0.9),
            p99: at(0.99),
            max: at(1.0),
        }
    }
}

/// What the user asked for.
#[derive(Copy, Clone)]
pub(super) struct Wanted {
    /// Number of games at the same time.
    pub(super) games: u32,
    /// Number of spectators.
    pub(super) watchers: u32,
    /// Number of attempts per second.
    pub(super) rate: f64,
    /// Whether the figures are printed as JSON.
    pub(super) json: bool,
}

/// Measured values of a run. The names of these fields are the keys of the JSON.
#[derive(Serialize)]
pub(super) struct Measured {
    /// Number of games that were played, including the games that a player resigned at the end.
    games: u64,
    /// Seconds in which attempts were made.
    seconds: f64,
    /// Number of answered attempts, without the resignations at the end.
    attempts: u64,
    attempts_per_second: f64,
    /// Time from an attempt until both players have heard the move.
    both_heard_ms: Times,
    /// Time from an attempt to its answer, including attempts that only the mover heard.
    answered_ms: Times,
    /// Time from an attempt until a spectator has heard the move.
    spectators_heard_ms: Times,
    errors: u64,
    waits: u64,
    lost_connections: u64,
    reconnections: u64,
    bytes_sent: u64,
    bytes_received: u64,
    games_compared: u64,
    logs_compared: u64,
    faults: u64,
    #[serde(skip)]
    log: Option<String>,
    #[serde(skip)]
    counts: NoteCounts,
    #[serde(skip)]
    found: Faults,
}

impl Measured {
    pub(super) fn new(
        played: &[Played],
        spectators: &[SpectatorRecord],
        span: Duration,
        counts: NoteCounts,
        found: Faults,
    ) -> Measured {
        let mut both = Vec::new();
        let mut sent: HashMap<&str, HashMap<usize, Instant>> = HashMap::new();
        for game in played {
            let moves = game.seats.iter().flat_map(|seat| &seat.moves);
            let moves: HashMap<usize, Instant> = moves.copied().collect();
            for (n, sent) in &moves {
                let heard = game.seats.each_ref().map(|seat| seat.heard.get(*n));
                if let [Some(white), Some(black)] = heard {
                    both.push(white.max(black).saturating_duration_since(*sent));
                }
            }
            sent.insert(&game.table.id, moves);
        }
        let mut watched = Vec::new();
        for record in spectators {
            let Some((moves, since)) = sent.get(record.game.as_str()).zip(record.since) else {
                continue;
            };
            for (n, heard) in record.heard.iter().enumerate() {
                if let Some(sent) = moves.get(&n).filter(|sent| **sent > since) {
                    watched.push(heard.saturating_duration_since(*sent));
                }
            }
        }
        let answers = played.iter().flat_map(|game| &game.seats);
        let answers: Vec<Duration> = answers.flat_map(|seat| seat.answers.clone()).collect();
        let attempts = answers.len() as u64;
        let seconds = span.as_secs_f64();
        Measured {
            games: played.len() as u64,
            seconds,
            attempts,
            attempts_per_second: attempts as f64 / seconds.max(f64::EPSILON),
            both_heard_ms: Times::new(both),
            answered_ms: Times::new(answers),
            spectators_heard_ms: Times::new(watched),
            errors: counts.errors.values().sum(),
            waits: counts.waits,
            lost_connections: counts.lost,
            reconnections: counts.reconnections,
            bytes_sent: 0,
            bytes_received: 0,
            games_compared: found.finished,
            logs_compared: found.logs,
            faults: found.list.len() as u64,
            log: None,
            counts,
            found,
        }
    }

    pub(super) fn with_bytes(self, sent: u64, received: u64) -> Measured {
        Measured {
            bytes_sent: sent,
            bytes_received: received,
            ..self
        }
    }

    /// Adds the name of the data (a file or a database) that the records were compared with.
    pub(super) fn compared(self, log: Option<String>) -> Measured {
        Measured { log, ..self }
    }

    /// Whether there was no error and no fault.
    pub(super) fn is_good(&self) -> bool {
        self.faults == 0 && self.errors == 0
    }

    /// Prints the figures and then the faults.
    pub(super) fn print(&self, wanted: Wanted) -> anyhow::Result<()> {
        let mut output = Text::new(io::stdout().lock());
        for fault in self.found.list.iter().take(SHOWN) {
            writeln!(output, "{fault}")?;
        }
        if self.found.list.len() > SHOWN {
            writeln!(output, "... and {} more", self.found.list.len() - SHOWN)?;
        }
        for (error, count) in self.counts.errors.iter().take(SHOWN) {
            writeln!(output, "{count} times: {error}")?;
        }
        if wanted.json {
            writeln!(output, "{}", serde_json::to_string(self)?)?;
        } else {
            self.print_text(&mut output, wanted)?;
        }
        Ok(output.flush()?)
    }

    fn print_text(&self, output: &mut impl Write, wanted: Wanted) -> io::Result<()> {
        writeln!(
            output,
            "{} games played, {} at the same time, {} spectators, {:.1} s",
            self.games, wanted.games, wanted.watchers, self.seconds
        )?;
        writeln!(
            output,
            "{} attempts answered: {:.1} per second ({:.1} per second were wanted)",
            self.attempts, self.attempts_per_second, wanted.rate
        )?;
        writeln!(
            output,
            "{:<34}{:>9}{:>10}{:>10}{:>10}{:>10}",
            "time in milliseconds", "count", "p50", "p90", "p99", "max"
        )?;
        for (what, times) in [
            ("from attempt to both hearings", self.both_heard_ms),
            ("from attempt to answer", self.answered_ms),
            ("from attempt to a spectator", self.spectators_heard_ms),
        ] {
            let Times {
                count,
                p50,
                p90,
                p99,
                max,
            } = times;
            writeln!(
                output,
                "{what:<34}{count:>9}{p50:>10.1}{p90:>10.1}{p99:>10.1}{max:>10.1}"
            )?;
        }
        writeln!(
            output,
            "{} errors, {} temporary refusals, {} connections lost, {} opened again",
            self.errors, self.waits, self.lost_connections, self.reconnections
        )?;
        let each = |bytes: u64| bytes as f64 / (self.attempts.max(1)) as f64;
        writeln!(
            output,
            "{} bytes sent ({:.0} per attempt), {} bytes received ({:.0} per attempt)",
            self.bytes_sent,
            each(self.bytes_sent),
            self.bytes_received,
            each(self.bytes_received)
        )?;
        let log = match &self.log {
            Some(log) => format!(", {} with the log in {log}", self.logs_compared),
            None => String::new(),
        };
        let verdict = match self.faults {
            0 => "no fault found".to_owned(),
            1 => "1 fault found".to_owned(),
            n => format!("{n} faults found"),
        };
        writeln!(
            output,
            "{} games compared with the finished games{log}: {verdict}",
            self.games_compared
        )
    }
}
