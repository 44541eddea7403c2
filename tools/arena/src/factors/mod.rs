//! Test of many changes of weights in the same games: `kriegspiel arena factors`.

mod args;
mod changes;
mod least_squares;

use std::{collections::BTreeMap, fmt, fmt::Write, sync::atomic::AtomicBool, time::Instant};

use bots::{Dice, Seed};
use serde::{Deserialize, Serialize};

pub use self::{
    args::FactorsArgs,
    changes::{Factor, FactorsError},
    least_squares::FitError,
};
use self::{changes::parse, least_squares::LeastSquares};
use crate::{
    play::Buffers,
    results::difference,
    run::RunError,
    scored::{GameSettings, Pairing, ScoreLog, ScoreSettings, ScoredGames, weighted, write_out},
    statistics::{expected_maximum, student_quantile},
};

/// Version of the format of the stored scores.
const FACTORS_VERSION: u32 = 1;

/// Number that is added to the seed to get the seed of the factors. So the factors are independent
/// of the openings and of the players' random numbers.
const FACTOR_SEED: u64 = 0x0066_6163_746f_7273;

/// Terms of the model in addition to the factors: the intercept and the colour.
const OTHER_TERMS: usize = 2;

/// A test of many factors in the same games.
///
/// In a game against another player, each factor is on with probability 1/2. In a game of `master`
/// against itself, each factor is on for one of the two players. In both cases the first player has
/// White in every second game.
#[derive(Clone, Debug)]
pub struct FactorTest {
    /// The games.
    pub games: ScoredGames,
    /// The factors. No two factors change the same weight.
    pub factors: Vec<Factor>,
}

/// An estimate, in points of 100 games.
#[derive(Copy, Clone, PartialEq, Debug, Serialize)]
pub struct EstimatedPoints {
    /// The estimated value.
    pub points: f64,
    /// Standard error of the value.
    pub standard_error: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
}

/// Gain of a factor: how many points in 100 games `master` gets more, or fewer, if the factor is on.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FactorGain {
    /// Name of the factor.
    pub name: String,
    /// The changed weights with their values: `rook=4.8 queen=7.5`.
    pub changes: String,
    /// The gain.
    #[serde(flatten)]
    pub gain: EstimatedPoints,
}

/// Result of a test of factors.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FactorGains {
    /// Number of finished games.
    pub games: u64,
    /// Number of games that were not played again, because an earlier run has stored their scores.
    pub resumed: u64,
    /// Elapsed time, in seconds.
    pub seconds: f64,
    /// Points of `master` in 100 games in which no factor is on. `None` if `master` has played
    /// against itself.
    pub without_factors: Option<EstimatedPoints>,
    /// How many points in 100 games a player gets more as White than as Black.
    pub white: EstimatedPoints,
    /// Gains of the factors, in the order of the file of changes.
    pub factors: Vec<FactorGain>,
    /// Expected value of the greatest of the gains if no factor has any effect.
    pub greatest_by_chance: f64,
}

/// Settings of a test, as in the first line of the stored scores. The number of games is not a
/// setting, because a test can be continued with more games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct FactorSettings {
    /// Version of the format.
    factors: u32,
    #[serde(flatten)]
    common: GameSettings,
    /// Name and changes of each factor.
    changes: Vec<String>,
}

impl ScoreSettings for FactorSettings {
    const TASK: &'static str = "factors";
    const FIRST: &'static str = "factors";

    /// If the factors differ, returns the first factor that differs.
    fn difference(&self, ours: &Self) -> Option<(String, String, String)> {
        if let Some(found) = difference(self, ours, "changes") {
            return Some(found);
        }
        let count = self.changes.len().max(ours.changes.len());
        let shown = |changes: &[String], n: usize| {
            let line = changes.get(n).map_or("missing", String::as_str);
            notation::printable(line).into_owned()
        };
        let pair = |n| (shown(&self.changes, n), shown(&ours.changes, n));
        let (n, (theirs, ours)) = (0..count)
            .map(|n| (n, pair(n)))
            .find(|(_, (theirs, ours))| theirs != ours)?;
        let setting = format!("factor {}", n + 1);
        Some((setting, format!("`{theirs}`"), format!("`{ours}`")))
    }
}

impl fmt::Display for FactorGains {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "  {:24}{:>8}{:>18}{:>20}",
            "factor", "gain", "standard error", "95 % interval"
        )?;
        let white = FactorGain {
            name: "(White)".to_owned(),
            changes: String::new(),
            gain: self.white,
        };
        for FactorGain { name, gain, .. } in self.factors.iter().chain([&white]) {
            let EstimatedPoints {
                points,
                standard_error,
                low,
                high,
            } = gain;
            let interval = format!("{low:+.1} to {high:+.1}");
            writeln!(
                f,
                "  {name:24}{points:>+8.1}{standard_error:>18.1}{interval:>20}"
            )?;
        }
        writeln!(
            f,
            "\n  Gains are in points of 100 games. (White) is the gain of White, compared with Black."
        )?;
        if let Some(without) = &self.without_factors {
            let EstimatedPoints {
                points, low, high, ..
            } = without;
            writeln!(
                f,
                "  Without any factor, master gets {points:.1} points ({low:.1} to {high:.1})."
            )?;
        }
        let (count, chance) = (self.factors.len(), self.greatest_by_chance);
        if count > 1 {
            writeln!(
                f,
                "  Even if no factor has an effect, the greatest of {count} gains is about {chance:+.1} \
                 by chance.\n  So the greatest gains are too great: confirm them in a match with \
                 another seed."
            )?;
        }
        Ok(())
    }
}

impl FactorTest {
    /// Returns the settings, as in the first line of the stored scores.
    fn settings(&self) -> FactorSettings {
        FactorSettings {
            factors: FACTORS_VERSION,
            common: self.games.settings(),
            changes: self.factors.iter().map(ToString::to_string).collect(),
        }
    }

    /// Returns which factors are on for the first player of a game, in the order of the factors.
    fn switches(&self, game: u64) -> Vec<bool> {
        let mut dice = Dice::new(Seed {
            seed: self.games.seed.wrapping_add(FACTOR_SEED),
            stream: game,
        });
        self.factors.iter().map(|_| dice.once_in(2)).collect()
    }

    /// Returns the values of the terms of the model in a game: the intercept, the colour of the
    /// first player, and the factors.
    ///
    /// Against another player, the number of a factor is 1 if it is on, otherwise 0. If `master`
    /// plays against itself, the number is 1 if the first player has the factor, and -1 if the
    /// second player has it. In both cases the coefficient is the gain of a player with the factor,
    /// compared with a player without it.
    fn row(&self, game: u64) -> Vec<f64> {
        let off = if self.games.against.is_some() {
            0.0
        } else {
            -1.0
        };
        let color = if first_is_white(game) { 0.5 } else { -0.5 };
        let switches = self.switches(game);
        let factors = switches.iter().map(|on| if *on { 1.0 } else { off });
        [1.0, color].into_iter().chain(factors).collect()
    }

    /// Returns the least number of games with which all gains can be estimated; `None` if it is
    /// greater than `most`.
    fn least_games(&self, most: u64) -> Option<u64> {
        let mut sums = LeastSquares::new(OTHER_TERMS + self.factors.len());
        (0..most).find_map(|game| {
            sums.add(&self.row(game), 0.0);
            sums.is_determined().then_some(game + 1)
        })
    }

    /// Plays all games whose scores are not stored yet, and writes the gains of the factors. Returns
    /// `None` if `interrupt` became true before the end. At the start and after each game, calls
    /// `progress` with the number of finished games.
    ///
    /// # Errors
    /// A player cannot be started, a file cannot be read or written, or the scores of the games do
    /// not determine the gains.
    pub fn test(
        &self,
        interrupt: &AtomicBool,
        progress: impl Fn(u64) + Sync,
    ) -> Result<Option<FactorGains>, RunError> {
        let begun = Instant::now();
        let (games, settings) = (&self.games, self.settings());
        let (log, mut scores) = ScoreLog::open(&games.out, &settings, games.count)?;
        let resumed = scores.len() as u64;
        let play = |game, buffers: &mut Buffers| self.play(game, interrupt, buffers);
        let all = 0..games.count;
        games.play_missing(all, &mut scores, &log, interrupt, &progress, play)?;
        if (scores.len() as u64) < games.count {
            return Ok(None);
        }
        let mut gains = self.gains(&scores)?;
        write_out(&games.out, &self.file_text(&gains))?;
        gains.resumed = resumed;
        gains.seconds = begun.elapsed().as_secs_f64();
        Ok(Some(gains))
    }

    /// Plays a game. Returns the score of the first player, minus 0.5; `None` if the game was
    /// interrupted.
    fn play(
        &self,
        game: u64,
        interrupt: &AtomicBool,
        buffers: &mut Buffers,
    ) -> Result<Option<f64>, RunError> {
        let switches = self.switches(game);
        let master = |side: bool| {
            let mut weights = self.games.weights.clone();
            let each = self.factors.iter().zip(&switches);
            for (factor, _) in each.filter(|(_, on)| **on == side) {
                factor.switch_on(&mut weights);
            }
            weighted(weights)
        };
        let second = match &self.games.against {
            None => master(false),
            Some(bot) => bot.clone(),
        };
        let pairing = Pairing {
            first: master(true),
            second,
            first_is_white: first_is_white(game),
            opening: game,
            stream: game,
        };
        self.games.score(&pairing, interrupt, buffers)
    }

    /// Estimates the gains from the scores of the games.
    fn gains(&self, scores: &BTreeMap<u64, f64>) -> Result<FactorGains, FitError> {
        let mut sums = LeastSquares::new(OTHER_TERMS + self.factors.len());
        for (game, score) in scores {
            sums.add(&self.row(*game), *score);
        }
        let fit = sums.fit()?;
        let quantile = student_quantile(fit.degrees_of_freedom);
        let estimate = |(value, error): (f64, f64), offset: f64| {
            let (points, standard_error) = (offset + 100.0 * value, 100.0 * error);
            EstimatedPoints {
                points,
                standard_error,
                low: points - quantile * standard_error,
                high: points + quantile * standard_error,
            }
        };
        let (others, factors) = fit.coefficients.split_at(OTHER_TERMS);
        let gain = |(factor, coefficient): (&Factor, &(f64, f64))| FactorGain {
            name: factor.name.clone(),
            changes: factor.changes(),
            gain: estimate(*coefficient, 0.0),
        };
        let factors: Vec<FactorGain> = self.factors.iter().zip(factors).map(gain).collect();
        let errors = factors.iter().map(|factor| factor.gain.standard_error);
        let mean_error = errors.sum::<f64>() / factors.len().max(1) as f64;
        let against = self.games.against.as_ref();
        Ok(FactorGains {
            games: scores.len() as u64,
            resumed: 0,
            seconds: 0.0,
            without_factors: against.map(|_| estimate(others[0], 50.0)),
            white: estimate(others[1], 0.0),
            greatest_by_chance: mean_error * expected_maximum(factors.len()),
            factors,
        })
    }

    /// Returns the text of the file with the result. The text does not depend on the running time.
    fn file_text(&self, gains: &FactorGains) -> String {
        let mut text = self.games.made_by("factors");
        let opponent = self.games.against.as_ref();
        let opponent = opponent.map_or("itself".to_owned(), ToString::to_string);
        let _ = writeln!(text, ", against {opponent}\n\n{gains}\n  Factors:\n");
        for factor in &self.factors {
            let _ = writeln!(text, "  {factor}");
        }
        text
    }
}

/// Returns whether the first player of a game has White. The colours alternate.
fn first_is_white(game: u64) -> bool {
    game.is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use bots::Weights;
    use referee::{Opened, StartPosition};
    use rules::rulesets::WILD16;

    use super::*;
    use crate::play::Opening;

    /// Returns a test of five factors.
    fn test_of_five(count: u64, against: Option<&str>) -> FactorTest {
        let weights = (*Weights::shipped()).clone();
        let text = "kriegspiel-factors 1\na pawn=1\nb rook=1\nc queen=1\nd trade=1\ne prey=1\n";
        let opened = Opened::new(&WILD16, WILD16.choices, StartPosition::initial());
        FactorTest {
            factors: parse(text, &weights).unwrap(),
            games: ScoredGames {
                opening: Opening::new(opened, "new".to_owned()),
                weights,
                against: against.map(|bot| bot.parse().unwrap()),
                count,
                seed: 6,
                random_moves: 0,
                nodes: 1,
                threads: 1,
                max_plies: 100,
                out: "unused".into(),
            },
        }
    }

    /// Gains of the five factors in the tests below, as scores.
    const PLANTED: [f64; 5] = [0.12, 0.05, 0.0, -0.06, -0.15];

    /// Returns scores of games without a board. `White` scores 0.04 more than `Black`.
    fn scores_of(test: &FactorTest, dice: &mut Dice) -> BTreeMap<u64, f64> {
        let is_match = test.games.against.is_some();
        let games = 0..test.games.count;
        let score = |game| {
            let mut chance = if is_match { 0.7 } else { 0.5 };
            chance += if first_is_white(game) { 0.02 } else { -0.02 };
            for (on, gain) in test.switches(game).into_iter().zip(PLANTED) {
                chance += match (on, is_match) {
                    (true, _) => gain,
                    (false, true) => 0.0,
                    (false, false) => -gain,
                };
            }
            let won = f64::from(dice.below(1_000_000)) < 1e6 * chance;
            (game, if won { 0.5 } else { -0.5 })
        };
        games.map(score).collect()
    }

    #[test]
    fn planted_gains_are_found_against_a_bot_and_itself() {
        for against in [Some("sparring"), None] {
            let test = test_of_five(40_000, against);
            let mut dice = Dice::new(Seed { seed: 8, stream: 0 });
            let gains = test.gains(&scores_of(&test, &mut dice)).unwrap();
            // With 40,000 games, a standard error is about half a point at most.
            let near = |estimate: &EstimatedPoints, planted: f64| {
                let error = estimate.points - planted;
                assert!(error.abs() < 1.5, "{estimate:?} instead of {planted}");
                assert!(
                    (0.2..0.6).contains(&estimate.standard_error),
                    "{estimate:?}"
                );
            };
            for (factor, planted) in gains.factors.iter().zip(PLANTED) {
                near(&factor.gain, 100.0 * planted);
            }
            near(&gains.white, 4.0);
            assert_eq!(gains.without_factors.is_some(), against.is_some());
            if let Some(without) = gains.without_factors {
                assert!((without.points - 70.0).abs() < 2.0, "{without:?}");
            }
        }
    }

    #[test]
    fn intervals_contain_the_planted_gains_nearly_always() {
        for against in [Some("sparring"), None] {
            let test = test_of_five(120, against);
            let mut dice = Dice::new(Seed { seed: 9, stream: 0 });
            let (mut inside, mut all) = (0, 0);
            for _ in 0..200 {
                let gains = test.gains(&scores_of(&test, &mut dice)).unwrap();
                for (factor, planted) in gains.factors.iter().zip(PLANTED) {
                    let EstimatedPoints { low, high, .. } = factor.gain;
                    inside += u32::from((low..high).contains(&(100.0 * planted)));
                    all += 1;
                }
            }
            assert!((930..=970).contains(&inside), "{inside} of {all}");
        }
    }

    #[test]
    fn each_factor_is_on_in_about_half_of_the_games() {
        let test = test_of_five(4000, None);
        let mut on = [0; 5];
        let mut equal = 0;
        for game in 0..4000 {
            let switches = test.switches(game);
            equal += u32::from(switches[0] == switches[1]);
            for (count, on) in on.iter_mut().zip(switches) {
                *count += u32::from(on);
            }
        }
        // The standard deviation is 32.
        assert!(
            on.iter().chain([&equal]).all(|n| (1870..=2130).contains(n)),
            "{on:?} {equal}"
        );
    }

    #[test]
    fn equal_scores_and_few_games_are_errors() {
        let test = test_of_five(50, None);
        let all_won: BTreeMap<u64, f64> = (0..50).map(|game| (game, 0.5)).collect();
        assert_eq!(test.gains(&all_won), Err(FitError::Exact));
        let least = test.least_games(50).unwrap();
        let scores = |count| (0..count).map(|game| (game, [0.5, -0.5, 0.0][game as usize % 3]));
        assert!(least >= 8);
        assert!(test.gains(&scores(least).collect()).is_ok());
        let too_few = test.gains(&scores(least - 1).collect());
        assert_eq!(too_few, Err(FitError::TooFew));
        assert_eq!(test.least_games(least - 1), None);
    }
}
