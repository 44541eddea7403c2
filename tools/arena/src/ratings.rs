//! Ratings of the players of a round robin.

use bots::{Dice, Seed};

use crate::{
    schedule::Schedule,
    statistics::{Interval, UnitScores},
};

/// Number of random samples from which the intervals of the ratings are computed.
const SAMPLES: usize = 500;

/// Number of steps of the iteration that computes the ratings ([`fit`]). After this number of
/// steps, the ratings no longer change.
const STEPS: usize = 300;

/// Points of the two players of a pair, the first player first.
#[derive(Copy, Clone, Debug)]
struct Points(f64, f64);

/// Computes ratings in Elo from the scores of every pair of players. The mean of the
/// ratings is 0.
///
/// The ratings have the greatest likelihood in the model of R. Bradley and M. Terry ("Rank analysis
/// of incomplete block designs", Biometrika 39, 1952), computed with the iteration of D. Hunter
/// ("MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32, 2004). A draw is
/// half a win for each side. One drawn game is added to each pair, so that ratings are finite. For
/// the intervals, 500 samples are made. In each sample, the units of each pair (see [`UnitScores`])
/// are drawn with replacement (B. Efron, "Bootstrap methods: another look at the jackknife", Annals
/// of Statistics 7, 1979). An interval contains the middle 95 % of the ratings of these samples.
pub(crate) fn ratings(schedule: &Schedule, scores: &[&UnitScores]) -> Vec<Interval> {
    let points = |scores: &UnitScores| {
        let (ours, theirs) = scores.points();
        Points(ours + 0.5, theirs + 0.5)
    };
    let all: Vec<Points> = scores.iter().map(|scores| points(scores)).collect();
    let estimates = fit(schedule, &all);
    let mut samples = vec![Vec::with_capacity(SAMPLES); schedule.players];
    let mut dice = Dice::new(Seed { seed: 0, stream: 0 });
    for _ in 0..SAMPLES {
        let sample: Vec<Points> = scores
            .iter()
            .map(|scores| points(&scores.resample(&mut dice)))
            .collect();
        for (player, rating) in fit(schedule, &sample).into_iter().enumerate() {
            samples[player].push(rating);
        }
    }
    let interval = |(estimate, mut samples): (f64, Vec<f64>)| {
        samples.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| samples[(share * (SAMPLES - 1) as f64).round() as usize];
        Interval {
            estimate,
            low: at(0.025).min(estimate),
            high: at(0.975).max(estimate),
        }
    };
    estimates.into_iter().zip(samples).map(interval).collect()
}

/// Returns the ratings with the greatest likelihood.
fn fit(schedule: &Schedule, points: &[Points]) -> Vec<f64> {
    let mut strength = vec![1.0_f64; schedule.players];
    for _ in 0..STEPS {
        let mut won = vec![0.0; schedule.players];
        let mut share = vec![0.0; schedule.players];
        for (pairing, Points(ours, theirs)) in points.iter().enumerate() {
            let (first, second) = schedule.pairing(pairing);
            won[first] += ours;
            won[second] += theirs;
            let games = (ours + theirs) / (strength[first] + strength[second]);
            share[first] += games;
            share[second] += games;
        }
        for (player, strength) in strength.iter_mut().enumerate() {
            *strength = won[player] / share[player];
        }
        let logs: f64 = strength.iter().map(|s| s.ln()).sum();
        let mean = (logs / schedule.players as f64).exp();
        strength.iter_mut().for_each(|s| *s /= mean);
    }
    strength.into_iter().map(|s| 400.0 * s.log10()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Shard;

    #[test]
    fn ratings_are_found_from_their_expected_scores() {
        let schedule = Schedule {
            players: 3,
            swap: false,
            games: 1000,
            shard: Shard::WHOLE,
        };
        // The scores that are expected if the ratings are 100, 0 and -100.
        let scores = |wins: u64| {
            let mut scores = UnitScores::default();
            (0..1000).for_each(|game| scores.add(if game < wins { 2 } else { 0 }, 1));
            scores
        };
        let predicted =
            |difference: f64| (1000.0 / (1.0 + 10_f64.powf(-difference / 400.0))).round() as u64;
        let all = [100.0, 200.0, 100.0].map(|difference| scores(predicted(difference)));
        let found = ratings(&schedule, &all.each_ref());
        for (rating, wanted) in found.iter().zip([100.0, 0.0, -100.0]) {
            assert!((rating.estimate - wanted).abs() < 2.0, "{found:?}");
            assert!(rating.low < wanted && wanted < rating.high, "{found:?}");
            assert!(rating.high - rating.low < 50.0, "{found:?}");
        }
        assert_eq!(ratings(&schedule, &all.each_ref()), found);
    }
}
