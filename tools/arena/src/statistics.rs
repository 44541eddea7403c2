//! Scores with intervals, Elo differences, and likelihood ratios.
//!
//! All figures are computed from units. A unit is two games with swapped colours (and the same
//! forced opening), or one game if colours are not swapped. Units are independent of each other,
//! but the two games of one unit are not independent.

use bots::Dice;

/// Quantile of the normal distribution for 95 % intervals.
const Z: f64 = 1.959_963_984_540_054;

/// Scores of units, for one of two players.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct UnitScores {
    /// Number of units with each mean score: 0, 1/4, 1/2, 3/4, 1.
    counts: [u64; 5],
    games: u64,
}

/// An estimate with its 95 % interval.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Interval {
    /// The estimate.
    pub estimate: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl UnitScores {
    /// Adds a unit. `halves` is the sum of the scores of its games in half points,
    /// `games` is 1 or 2.
    pub fn add(&mut self, halves: u64, games: u64) {
        let quarter = if games == 1 { 2 * halves } else { halves };
        if let Some(count) = usize::try_from(quarter)
            .ok()
            .and_then(|quarter| self.counts.get_mut(quarter))
        {
            *count += 1;
            self.games += games;
        }
    }

    /// Adds the units of `other`.
    pub fn merge(&mut self, other: &UnitScores) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
        self.games += other.games;
    }

    /// Returns the same units from the other player's point of view.
    #[must_use]
    pub fn reversed(&self) -> UnitScores {
        let mut reversed = self.clone();
        reversed.counts.reverse();
        reversed
    }

    /// Returns the number of units.
    pub fn units(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the points of both players. The points of both players in a game add up to 1.
    pub(crate) fn points(&self) -> (f64, f64) {
        let games = self.games as f64;
        let mean = self.mean();
        (mean * games, (1.0 - mean) * games)
    }

    /// Draws as many units as there are, with replacement.
    pub(crate) fn resample(&self, dice: &mut Dice) -> UnitScores {
        let mut drawn = UnitScores {
            counts: [0; 5],
            games: self.games,
        };
        let units = u32::try_from(self.units()).unwrap_or(u32::MAX);
        for _ in 0..units {
            let mut unit = u64::from(dice.below(units));
            let score = self.counts.iter().position(|count| {
                let here = unit < *count;
                unit = unit.saturating_sub(*count);
                here
            });
            if let Some(score) = score {
                drawn.counts[score] += 1;
            }
        }
        drawn
    }

    /// Returns each possible score of a unit, and the number of units with this score.
    fn scores(&self) -> [(f64, f64); 5] {
        std::array::from_fn(|quarter| (quarter as f64 / 4.0, self.counts[quarter] as f64))
    }

    fn mean(&self) -> f64 {
        let sum: f64 = self.scores().iter().map(|(score, n)| score * n).sum();
        sum / (self.units() as f64).max(1.0)
    }

    /// Returns the mean score with its interval; `None` without units.
    ///
    /// The interval is the interval of E. B. Wilson ("Probable inference, the law of succession,
    /// and statistical inference", Journal of the American Statistical Association 22, 1927). The
    /// formula uses the effective number of games instead of the number of games. C. Franco, R.
    /// Little, T. Louis and E. Slud recommend this for clustered samples ("Comparative study of
    /// confidence intervals for proportions in complex sample surveys", Journal of Survey
    /// Statistics and Methodology 7, 2019). The effective number is the number of independent games
    /// without draws that would give the same mean score with the same variance. If all units have
    /// the same score, the effective number is the number of games.
    pub fn score(&self) -> Option<Interval> {
        let units = self.units() as f64;
        if units == 0.0 {
            return None;
        }
        let mean = self.mean();
        let squares = self.scores();
        let squares = squares.iter().map(|(score, n)| n * (score - mean).powi(2));
        let variance_of_mean = squares.sum::<f64>() / (units - 1.0).max(1.0) / units;
        let n = if variance_of_mean > 0.0 {
            mean * (1.0 - mean) / variance_of_mean
        } else {
            self.games as f64
        };
        let z2 = Z * Z;
        let centre = (mean + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = Z / (1.0 + z2 / n) * (mean * (1.0 - mean) / n + z2 / (4.0 * n * n)).sqrt();
        Some(Interval {
            estimate: mean,
            low: (centre - half).clamp(0.0, mean),
            high: (centre + half).clamp(mean, 1.0),
        })
    }

    /// Returns the logarithm of the likelihood ratio of the mean score `score1`
    /// against the mean score `score0`, both between 0 and 1.
    ///
    /// The result is the ratio of the generalised sequential probability ratio test (M. Van den
    /// Bergh, "A practical introduction to the GSPRT", 2020). Each hypothesis states the mean score
    /// of a unit. Many distributions of the five scores have this mean. The formula uses the
    /// distribution with the greatest likelihood. The test framework of Stockfish uses the same
    /// formula. A thousandth of a unit is added to each count, so that no probability is zero.
    pub fn log_likelihood_ratio(&self, score0: f64, score1: f64) -> f64 {
        if self.units() == 0 {
            return 0.0;
        }
        let scores = self.scores().map(|(score, n)| (score, n + 1e-3));
        let all: f64 = scores.iter().map(|(_, n)| n).sum();
        let shares = scores.map(|(score, n)| (score, n / all));
        let (tilt0, tilt1) = (tilt(&shares, score0), tilt(&shares, score1));
        // The probability of a score is share / (1 + tilt * (score - mean)).
        let ratio = shares.iter().map(|(score, share)| {
            let p0 = 1.0 + tilt0 * (score - score0);
            let p1 = 1.0 + tilt1 * (score - score1);
            share * (p0 / p1).ln()
        });
        all * ratio.sum::<f64>()
    }
}

/// Returns the number `x` for which the distribution with probabilities
/// `share / (1 + x * (score - mean))` has the mean `mean`. Uses bisection.
fn tilt(shares: &[(f64, f64); 5], mean: f64) -> f64 {
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..100 {
        let x = (low + high) / 2.0;
        let terms = shares.iter().map(|(score, share)| {
            let distance = score - mean;
            share * distance / (1.0 + x * distance)
        });
        // The sum decreases when `x` increases.
        if terms.sum::<f64>() > 0.0 {
            low = x;
        } else {
            high = x;
        }
    }
    (low + high) / 2.0
}

/// Returns the Elo difference that gives this score: 400 times the decimal logarithm of
/// the odds (A. Elo, "The rating of chessplayers, past and present", 1978). Infinite for
/// the scores 0 and 1.
pub fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// 97.5 % quantiles of Student's t distribution with 1, 2 and 3 degrees of freedom.
const FIRST_QUANTILES: [f64; 3] = [12.706, 4.303, 3.182];

/// Returns the 97.5 % quantile of Student's t distribution, for 95 % intervals. The error is below
/// 0.001.
///
/// The formula is 26.7.5 of M. Abramowitz and I. Stegun, "Handbook of mathematical functions"
/// (1964).
pub(crate) fn student_quantile(degrees_of_freedom: u64) -> f64 {
    let first = usize::try_from(degrees_of_freedom.saturating_sub(1)).ok();
    if let Some(quantile) = first.and_then(|first| FIRST_QUANTILES.get(first)) {
        return *quantile;
    }
    let (n, z) = (degrees_of_freedom as f64, Z);
    let terms = [
        z,
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
        (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5)
            - 1920.0 * z.powi(3)
            - 945.0 * z)
            / 92160.0,
    ];
    terms.iter().rev().fold(0.0, |sum, term| sum / n + term)
}

/// Returns the expected value of the greatest of `count` independent numbers with the standard
/// normal distribution; 0 if `count` is 0.
pub(crate) fn expected_maximum(count: usize) -> f64 {
    const STEP: f64 = 0.001;
    const END: f64 = 9.0;
    if count == 0 {
        return 0.0;
    }
    // The expected value is the integral of x d(F^count), where F is the distribution function of
    // one number. The sum has one summand for each small step.
    let exponent = count as f64;
    let (mut below, mut before, mut sum) = (0.0_f64, 0.0_f64, 0.0);
    for step in 0..(2.0 * END / STEP) as u32 {
        let x = (f64::from(step) + 0.5) * STEP - END;
        below += STEP * (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let after = below.powf(exponent);
        sum += x * (after - before);
        before = after;
    }
    sum
}

impl Interval {
    /// Converts an interval of scores to an interval of Elo differences.
    #[must_use]
    pub fn elo(self) -> Interval {
        Interval {
            estimate: elo(self.estimate),
            low: elo(self.low),
            high: elo(self.high),
        }
    }
}

#[cfg(test)]
mod tests {
    use bots::Seed;

    use super::*;

    fn units(counts: [u64; 5]) -> UnitScores {
        let games = 2 * counts.iter().sum::<u64>();
        UnitScores { counts, games }
    }

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 5e-4
    }

    #[test]
    fn interval_of_single_games_equals_wilsons_interval() {
        // For 8 wins in 10 games, Wilson's interval is 0.4902 to 0.9433. `score` computes the
        // variance with the denominator 9 instead of 10. So the effective number of games is 9.
        let mut scores = UnitScores::default();
        for game in 0..10 {
            scores.add(if game < 8 { 2 } else { 0 }, 1);
        }
        let score = scores.score().unwrap();
        assert!(close(score.estimate, 0.8));
        let wilson = |p: f64, n: f64| {
            let z2 = Z * Z;
            let half = Z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
            let at = |half| (p + z2 / (2.0 * n) + half) / (1.0 + z2 / n);
            (at(-half), at(half))
        };
        assert!(close(wilson(0.8, 10.0).0, 0.4902) && close(wilson(0.8, 10.0).1, 0.9433));
        let (low, high) = wilson(0.8, 9.0);
        assert!(
            close(score.low, low) && close(score.high, high),
            "{score:?}"
        );
    }

    #[test]
    fn a_perfect_score_has_an_interval() {
        let score = units([0, 0, 0, 0, 50]).score().unwrap();
        assert_eq!((score.estimate, score.high), (1.0, 1.0));
        // If all games are won, the lower end of Wilson's interval is n / (n + z^2).
        assert!(close(score.low, 100.0 / (100.0 + Z * Z)), "{score:?}");
        assert!(score.elo().estimate.is_infinite());
        assert_eq!(UnitScores::default().score(), None);
    }

    #[test]
    fn about_95_percent_of_intervals_contain_the_true_score() {
        let mut dice = Dice::new(Seed { seed: 5, stream: 0 });
        // Each unit has two games whose results depend on each other.
        let mut inside = 0;
        for _ in 0..2000 {
            let mut scores = UnitScores::default();
            for _ in 0..100 {
                let halves = [0, 1, 2, 2, 3, 3, 3, 4, 4, 4];
                scores.add(halves[dice.below(10) as usize], 2);
            }
            let score = scores.score().unwrap();
            inside += u32::from(score.low <= 0.65 && 0.65 <= score.high);
        }
        assert!((1850..=1950).contains(&inside), "{inside} of 2000");
    }

    #[test]
    fn elo_differences_of_scores_have_their_known_values() {
        assert!(elo(0.5).abs() < 1e-9);
        assert!(close(elo(0.75), 190.8485));
        assert!(close(elo(10.0 / 11.0), 400.0));
        assert!(close(elo(0.36), -elo(0.64)));
    }

    #[test]
    fn quantiles_of_student_have_their_known_values() {
        let known = [(1, 12.706), (3, 3.182), (4, 2.776), (5, 2.571), (10, 2.228)];
        for (degrees, quantile) in known.into_iter().chain([(30, 2.042), (1_000_000, Z)]) {
            let computed = student_quantile(degrees);
            assert!((computed - quantile).abs() < 1e-3, "{degrees}: {computed}");
        }
    }

    #[test]
    fn greatest_of_normal_numbers_has_its_known_mean() {
        // For 2 and 3 numbers, the mean is 1 and 3/2 divided by the square root of pi.
        let root = std::f64::consts::PI.sqrt();
        for (count, mean) in [(0, 0.0), (1, 0.0), (2, 1.0 / root), (3, 1.5 / root)] {
            assert!(close(expected_maximum(count), mean), "{count}");
        }
        assert!(close(expected_maximum(10), 1.5388));
        assert!(close(expected_maximum(30), 2.0428));
    }

    #[test]
    fn the_likelihood_ratio_has_its_known_values() {
        // If only two scores occur, the ratio is the ratio of Bernoulli experiments.
        let scores = units([25, 0, 0, 0, 75]);
        let bernoulli = |p: f64| 75.0 * p.ln() + 25.0 * (1.0 - p).ln();
        let wanted = bernoulli(0.8) - bernoulli(0.6);
        let ratio = scores.log_likelihood_ratio(0.6, 0.8);
        assert!((ratio - wanted).abs() < 0.05, "{ratio} {wanted}");
        // In general the ratio is close to the normal approximation.
        let scores = units([60, 200, 300, 240, 100]);
        let (n, mean) = (900.0, scores.mean());
        let squares = scores.scores();
        let squares = squares.iter().map(|(s, k)| k * (s - mean) * (s - mean));
        let variance = squares.sum::<f64>() / n;
        let (s0, s1) = (0.5, 0.54);
        let wanted = n * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        let ratio = scores.log_likelihood_ratio(s0, s1);
        assert!((ratio - wanted).abs() < 0.05, "{ratio} {wanted}");
        assert!(close(scores.log_likelihood_ratio(s1, s0), -ratio));
        assert_eq!(UnitScores::default().log_likelihood_ratio(0.5, 0.6), 0.0);
    }

    #[test]
    fn scores_of_both_players_add_up_to_one() {
        let scores = units([1, 2, 3, 4, 5]);
        let (ours, theirs) = (scores.score(), scores.reversed().score());
        let (ours, theirs) = (ours.unwrap(), theirs.unwrap());
        assert!(close(ours.estimate + theirs.estimate, 1.0));
        assert!(close(ours.low + theirs.high, 1.0));
    }
}
