//! Tuning of the weights of `master` by games: `kriegspiel arena tune`.

mod args;
mod spsa;

use std::{fmt, sync::atomic::AtomicBool, time::Instant};

use bots::Weights;
use serde::{Deserialize, Serialize};

pub use self::args::TuneArgs;
use self::spsa::{Axis, Spsa};
use crate::{
    play::Buffers,
    run::RunError,
    scored::{GameSettings, Pairing, ScoreLog, ScoreSettings, ScoredGames, weighted, write_out},
};

/// Version of the format of the stored scores.
const TUNING_VERSION: u32 = 1;

/// Number of pairs of games in an iteration. All pairs of an iteration start from the same weights,
/// so they can be played at the same time. The last iteration can have fewer pairs.
const BATCH: u64 = 8;

/// Unit of the steps of a weight that is 0 at the start ([`Axis::size`]), as a share of the range
/// of the weight.
const SIZE_OF_ZERO: f64 = 0.01;

/// A tuning of weights by games.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// The games; their number is even. If both players of a pair play against another player, they
    /// play with the same opening and the same random numbers. Otherwise the two players of a pair
    /// play each other, and both games of the pair have the same opening.
    pub games: ScoredGames,
    /// Names of the weights that are tuned.
    pub names: Vec<String>,
    /// First step of a weight, as a share of its value at the start.
    pub step: f64,
    /// Limit for the first change of a weight, as a share of the first step.
    pub rate: f64,
}

/// Settings of a tuning, as in the first line of the stored scores.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct TuningSettings {
    /// Version of the format.
    tuning: u32,
    #[serde(flatten)]
    common: GameSettings,
    /// Names of the tuned weights.
    names: Vec<String>,
    games: u64,
    step: f64,
    rate: f64,
}

impl ScoreSettings for TuningSettings {
    const TASK: &'static str = "tune";
    const FIRST: &'static str = "tuning";
}

/// Result of a tuning.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Tuned {
    /// Number of finished games.
    pub games: u64,
    /// Number of finished pairs of games.
    pub pairs: u64,
    /// Number of pairs of games in which one of the two sets of weights had a greater score.
    pub decided: u64,
    /// Number of games that were not played again, because an earlier run has stored their scores.
    pub resumed: u64,
    /// Elapsed time, in seconds.
    pub seconds: f64,
    /// The tuned weights.
    pub weights: Vec<TunedWeight>,
}

/// A weight before and after the tuning.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TunedWeight {
    /// Name of the weight.
    pub name: String,
    /// Value at the start.
    pub start: f32,
    /// Value at the end.
    pub end: f32,
}

impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tuned {
            games,
            pairs,
            decided,
            seconds,
            ..
        } = self;
        writeln!(
            f,
            "  {games} games in {seconds:.0} s; {decided} of {pairs} pairs were decided"
        )?;
        writeln!(
            f,
            "\n  {:20}{:>10}{:>10}{:>10}",
            "weight", "start", "end", "change"
        )?;
        for TunedWeight { name, start, end } in &self.weights {
            let change = match *start {
                0.0 => "new".to_owned(),
                start => format!("{:+.1} %", 100.0 * (end / start - 1.0)),
            };
            writeln!(f, "  {name:20}{start:>10}{end:>10}{change:>10}")?;
        }
        Ok(())
    }
}

impl Tuning {
    /// Returns the settings, as in the first line of the stored scores.
    fn settings(&self) -> TuningSettings {
        TuningSettings {
            tuning: TUNING_VERSION,
            common: self.games.settings(),
            names: self.names.clone(),
            games: self.games.count,
            step: self.step,
            rate: self.rate,
        }
    }

    /// Returns the optimiser before the first iteration.
    fn optimiser(&self) -> Spsa {
        let axis = |name: &String| {
            let start = f64::from(self.games.weights.get(name).unwrap_or_default());
            let range = Weights::range(name).unwrap_or(0.0..=0.0);
            let (least, most) = (f64::from(*range.start()), f64::from(*range.end()));
            Axis {
                start,
                size: if start == 0.0 {
                    SIZE_OF_ZERO * (most - least)
                } else {
                    start
                },
                least,
                most,
            }
        };
        let axes = self.names.iter().map(axis).collect();
        let iterations = (self.games.count / 2).div_ceil(BATCH);
        Spsa::new(axes, iterations, self.step, self.rate, self.games.seed)
    }

    /// Returns the start weights with these values of the tuned weights, rounded to five digits.
    fn weights_with(&self, values: &[f64]) -> Weights {
        let mut weights = self.games.weights.clone();
        for (name, value) in self.names.iter().zip(values) {
            let range = Weights::range(name).unwrap_or(0.0..=0.0);
            let rounded: f32 = format!("{value:.4e}").parse().unwrap_or(*value as f32);
            let value = rounded.clamp(*range.start(), *range.end());
            // The name and the range were checked before, so there is no error.
            let _ = weights.set(name, value);
        }
        weights
    }

    /// Returns the text of the new file of weights. A comment says how the weights were made.
    fn file_text(&self, end: &Weights) -> String {
        let made = format!("\n# {}\n", self.games.made_by("tune"));
        end.to_string().replacen('\n', &made, 1)
    }

    /// Plays all games whose scores are not stored yet, and writes the weights at the end. Returns
    /// `None` if `interrupt` became true before the end. After each game, calls `progress` with the
    /// number of finished games.
    ///
    /// # Errors
    /// A player cannot be started, or a file cannot be read or written.
    pub fn tune(
        &self,
        interrupt: &AtomicBool,
        progress: impl Fn(u64) + Sync,
    ) -> Result<Option<Tuned>, RunError> {
        let begun = Instant::now();
        let (games, settings) = (&self.games, self.settings());
        let (log, mut scores) = ScoreLog::open(&games.out, &settings, games.count)?;
        let resumed = scores.len() as u64;
        let mut optimiser = self.optimiser();
        let pairs = games.count / 2;
        let mut decided = 0;
        for first in (0..pairs).step_by(BATCH as usize) {
            let batch = first..(first + BATCH).min(pairs);
            let numbers = 2 * batch.start..2 * batch.end;
            let play =
                |game, buffers: &mut Buffers| self.play(game, &optimiser, interrupt, buffers);
            games.play_missing(numbers, &mut scores, &log, interrupt, &progress, play)?;
            let mut results = Vec::new();
            for pair in batch {
                let (Some(plus), Some(minus)) =
                    (scores.get(&(2 * pair)), scores.get(&(2 * pair + 1)))
                else {
                    return Ok(None);
                };
                let result = plus + minus;
                decided += u64::from(result != 0.0);
                results.push((pair, result));
            }
            optimiser.advance(&results);
        }
        let end = self.weights_with(optimiser.values());
        write_out(&games.out, &self.file_text(&end))?;
        let weight = |name: &String| TunedWeight {
            name: name.clone(),
            start: self.games.weights.get(name).unwrap_or_default(),
            end: end.get(name).unwrap_or_default(),
        };
        Ok(Some(Tuned {
            games: scores.len() as u64,
            pairs,
            decided,
            resumed,
            seconds: begun.elapsed().as_secs_f64(),
            weights: self.names.iter().map(weight).collect(),
        }))
    }

    /// Plays a game. Returns what it adds to the result of its pair, from -0.5 to 0.5. Returns
    /// `None` if the game was interrupted.
    ///
    /// A pair compares two sets of weights: `plus` and `minus`. The result of the pair is the score
    /// of `plus` less the score of `minus`. If the two sets play each other, they swap colours in
    /// the second game. If both sets play against another player, they have the same colour and the
    /// same random numbers. Then `plus` plays the first game of the pair.
    fn play(
        &self,
        game: u64,
        optimiser: &Spsa,
        interrupt: &AtomicBool,
        buffers: &mut Buffers,
    ) -> Result<Option<f64>, RunError> {
        let (pair, in_second) = (game / 2, game % 2 == 1);
        let [plus, minus] = optimiser
            .points(pair)
            .map(|values| weighted(self.weights_with(&values)));
        let is_white = pair % 2 == 0;
        let (first, second, stream, first_is_white) = match (&self.games.against, in_second) {
            (None, _) => (plus, minus, game, !in_second),
            (Some(bot), true) => (minus, bot.clone(), pair, is_white),
            (Some(bot), false) => (plus, bot.clone(), pair, is_white),
        };
        let pairing = Pairing {
            first,
            second,
            first_is_white,
            opening: pair,
            stream,
        };
        let score = self.games.score(&pairing, interrupt, buffers)?;
        // In the second game against another player, `minus` has played.
        let is_minus = self.games.against.is_some() && in_second;
        let sign = if is_minus { -1.0 } else { 1.0 };
        Ok(score.map(|score| sign * score))
    }
}
