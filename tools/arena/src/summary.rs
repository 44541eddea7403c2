//! Counts and times of a run.

use std::time::Duration;

use rules::Winner;
use serde::Serialize;

use crate::run::Outcome;

/// Counts and times of a run. The order of the fields is the order of the keys in the
/// JSON line.
///
/// `white` and `black` count the wins of the players given as `--white` and `--black`. If colours
/// are swapped, a win still counts for the player who has won. In a round robin, `white` and `black`
/// count the wins of the first and of the second player of each pair.
#[derive(Copy, Clone, PartialEq, Debug, Default, Serialize)]
pub struct Summary {
    /// Number of games played, including unfinished games.
    pub games: u64,
    /// Number of attempts that the referee answered, questions included. Attempts that the referee
    /// refused are not included.
    pub attempts: u64,
    /// Number of completed moves.
    pub plies: u64,
    /// Number of games won by the player given as `--white`.
    pub white: u64,
    /// Number of games won by the player given as `--black`.
    pub black: u64,
    /// Number of draws.
    pub draws: u64,
    /// Number of games that were stopped before their end.
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
        // Counts only attempts of games that this run played, because games that were read from
        // results took no time in this run.
        let attempts = outcome.new_attempts as f64;
        let per_second = |time: Duration| match time.as_secs_f64() {
            seconds if seconds > 0.0 => (attempts / seconds).round() as u64,
            _ => 0,
        };
        summary.attempts_per_second = per_second(outcome.time);
        summary.attempts_per_cpu_second = per_second(outcome.processor_time);
        summary
    }
}
