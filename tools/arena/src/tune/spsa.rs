//! The optimiser of [`Tuning`](super::Tuning): simultaneous perturbation stochastic approximation
//! (SPSA).
//!
//! The method is from J. C. Spall, "Multivariate stochastic approximation using a simultaneous
//! perturbation gradient approximation" (IEEE Transactions on Automatic Control 37(3), 1992). The
//! sequences of gains and their exponents are from J. C. Spall, "Implementation of the simultaneous
//! perturbation algorithm for stochastic optimization" (IEEE Transactions on Aerospace and
//! Electronic Systems 34(3), 1998). Fishtest, the testing framework of the chess program Stockfish,
//! uses the same method with pairs of games.

use bots::{Dice, Seed};

/// Exponent with which the changes of the values become smaller (Spall's alpha).
const CHANGE_EXPONENT: f64 = 0.602;

/// Exponent with which the steps become smaller (Spall's gamma).
const STEP_EXPONENT: f64 = 0.101;

/// Spall's constant A, as a share of the number of iterations. It makes the first changes smaller.
const STABILITY_SHARE: f64 = 0.1;

/// Number that is added to the seed to get the seed of the signs. So the signs are independent of
/// the openings and of the players' random numbers.
const SIGN_SEED: u64 = 0x7369_676e_7300;

/// A value that is tuned.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Axis {
    /// Value at the start.
    pub start: f64,
    /// Unit of the steps. Steps are proportional to this size.
    pub size: f64,
    /// Least possible value.
    pub least: f64,
    /// Greatest possible value.
    pub most: f64,
}

/// State of the optimiser.
///
/// In each iteration, a batch of pairs is measured. Each pair has its own random signs, one for each
/// axis. The pair compares two points: the present values plus and minus a step in the direction of
/// the signs. Then every value is changed in the direction of the better points.
#[derive(Clone, Debug)]
pub(crate) struct Spsa {
    axes: Vec<Axis>,
    /// First step, as a share of the size of an axis.
    first_step: f64,
    /// Size of the first change, as a share of the first step. This is the size in one case: all
    /// results of the first batch are 1, and all its pairs have the same signs.
    rate: f64,
    /// Spall's constant A.
    stability: f64,
    seed: u64,
    /// The present values.
    values: Vec<f64>,
    /// Number of finished iterations.
    iteration: u64,
}

impl Spsa {
    /// Returns the optimiser before the first of `iterations` iterations.
    pub fn new(axes: Vec<Axis>, iterations: u64, step: f64, rate: f64, seed: u64) -> Spsa {
        Spsa {
            values: axes.iter().map(|axis| axis.start).collect(),
            axes,
            first_step: step,
            rate,
            stability: STABILITY_SHARE * iterations as f64,
            seed: seed.wrapping_add(SIGN_SEED),
            iteration: 0,
        }
    }

    /// Returns the present values, in the order of the axes.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Returns the signs of a pair: 1 or -1 for each axis, both with the same probability.
    fn signs(&self, pair: u64) -> Vec<f64> {
        let mut dice = Dice::new(Seed {
            seed: self.seed,
            stream: pair,
        });
        let sign = |_| if dice.once_in(2) { 1.0 } else { -1.0 };
        self.axes.iter().map(sign).collect()
    }

    /// Returns the step of the present iteration, as a share of the size of an axis (Spall's c_k).
    fn present_step(&self) -> f64 {
        self.first_step / (self.iteration as f64 + 1.0).powf(STEP_EXPONENT)
    }

    /// Returns the factor of the estimated gradient in the present iteration (Spall's a_k).
    fn gain(&self) -> f64 {
        let first = self.rate * 2.0 * self.first_step * self.first_step;
        let decay = (self.stability + 1.0) / (self.stability + self.iteration as f64 + 1.0);
        first * decay.powf(CHANGE_EXPONENT)
    }

    /// Returns the two points that a pair compares: the values plus the step, and the values minus
    /// the step.
    pub fn points(&self, pair: u64) -> [Vec<f64>; 2] {
        let (signs, step) = (self.signs(pair), self.present_step());
        [1.0, -1.0].map(|side| {
            let each = self.axes.iter().zip(&self.values).zip(&signs);
            each.map(|((axis, value), sign)| {
                (value + side * sign * step * axis.size).clamp(axis.least, axis.most)
            })
            .collect()
        })
    }

    /// Ends an iteration. `results` contains the number of each measured pair and its result: the
    /// score of the first point minus the score of the second point, from -1 to 1.
    pub fn advance(&mut self, results: &[(u64, f64)]) {
        let factor = self.gain() / (2.0 * self.present_step() * results.len().max(1) as f64);
        let mut slopes = vec![0.0; self.axes.len()];
        for (pair, result) in results {
            for (slope, sign) in slopes.iter_mut().zip(self.signs(*pair)) {
                *slope += result * sign;
            }
        }
        for ((value, axis), slope) in self.values.iter_mut().zip(&self.axes).zip(slopes) {
            *value = (*value + factor * slope * axis.size).clamp(axis.least, axis.most);
        }
        self.iteration += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(start: f64, size: f64) -> Axis {
        Axis {
            start,
            size,
            least: 0.0,
            most: 20.0,
        }
    }

    /// Runs the optimiser on random results of pairs, without games. One of the two points wins
    /// each pair. A point wins with a greater probability if the square of its distance from `best`
    /// is smaller.
    fn tuned(axes: &[Axis], best: &[f64], iterations: u64) -> Vec<f64> {
        let mut spsa = Spsa::new(axes.to_vec(), iterations, 0.1, 0.5, 1);
        let mut dice = Dice::new(Seed { seed: 2, stream: 0 });
        let loss = |point: &[f64]| -> f64 {
            let each = point.iter().zip(best).zip(axes);
            each.map(|((at, best), axis)| ((at - best) / axis.size).powi(2))
                .sum()
        };
        for iteration in 0..iterations {
            let results: Vec<(u64, f64)> = (8 * iteration..8 * iteration + 8)
                .map(|pair| {
                    let [plus, minus] = spsa.points(pair);
                    let chance = (0.5 + loss(&minus) - loss(&plus)).clamp(0.0, 1.0);
                    let won = f64::from(dice.below(1_000_000)) < 1e6 * chance;
                    (pair, if won { 1.0 } else { -1.0 })
                })
                .collect();
            spsa.advance(&results);
        }
        spsa.values().to_vec()
    }

    #[test]
    fn values_approach_the_optimum_although_results_are_random() {
        let axes = [axis(1.0, 1.0), axis(8.0, 8.0), axis(0.02, 0.02)];
        let best = [1.3, 6.4, 0.025];
        let values = tuned(&axes, &best, 400);
        for ((value, best), axis) in values.iter().zip(best).zip(&axes) {
            let (before, after) = ((axis.start - best).abs(), (value - best).abs());
            assert!(after < 0.35 * before, "{best}: {} {value}", axis.start);
        }
    }

    #[test]
    fn equal_results_change_no_value() {
        let axes = [axis(1.0, 1.0), axis(5.0, 5.0)];
        let mut spsa = Spsa::new(axes.to_vec(), 10, 0.1, 0.5, 1);
        spsa.advance(&[(0, 0.0), (1, 0.0)]);
        assert_eq!(spsa.values(), [1.0, 5.0]);
    }

    #[test]
    fn first_change_and_later_steps_have_the_documented_sizes() {
        let axes = vec![axis(4.0, 4.0)];
        let mut spsa = Spsa::new(axes, 100, 0.1, 0.5, 1);
        let [plus, minus] = spsa.points(0);
        assert!(((plus[0] - minus[0]).abs() - 0.8).abs() < 1e-9);
        spsa.advance(&[(0, 1.0)]);
        // The value is changed by half of the step, towards the point with the greater score.
        let expected = 4.0 + 0.25 * (plus[0] - minus[0]);
        assert!((spsa.values()[0] - expected).abs() < 1e-9);
        for _ in 1..100 {
            spsa.advance(&[(0, 0.0)]);
        }
        assert!((spsa.present_step() - 0.1 / 101_f64.powf(0.101)).abs() < 1e-9);
        let decay = (11.0_f64 / 111.0).powf(0.602);
        assert!((spsa.gain() - 0.01 * decay).abs() < 1e-9);
    }

    #[test]
    fn values_and_points_stay_in_the_range_of_the_axis() {
        let mut spsa = Spsa::new(vec![axis(19.9, 10.0)], 5, 0.5, 9.0, 1);
        for pair in 0..5 {
            let [plus, minus] = spsa.points(pair);
            let better = if plus[0] > minus[0] { 1.0 } else { -1.0 };
            assert!(plus[0].max(minus[0]) <= 20.0);
            spsa.advance(&[(pair, better)]);
        }
        assert_eq!(spsa.values(), [20.0]);
    }
}
