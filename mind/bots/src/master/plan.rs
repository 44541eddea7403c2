//! The order of the attempts of a turn.
//!
//! All attempts are compared in the same positions. An attempt is legal only in some positions.
//! These positions can be better or worse for us than the other positions. So it would be unfair to
//! compare only the mean values of the attempts.
//!
//! Instead, an attempt A is compared with the attempt B that would be played without A. Only
//! positions where A is legal are used. A has a gain if its mean value in these positions is
//! greater than the mean value of B there. A comes before other attempts only if A has a gain.

/// Values of attempts in positions: a row for each attempt.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// Weight of each position.
    pub weights: Vec<f32>,
    /// Values by attempt, then by position. If the attempt is illegal in a position, the value is
    /// NaN.
    pub values: Vec<f32>,
    /// Number of attempts.
    pub attempts: usize,
}

/// Which attempts may be planned, and what a refused attempt costs.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Bounds<'a> {
    /// For each attempt, whether it may be planned.
    pub may: &'a [bool],
    /// Cost of a refused attempt, in pawns.
    pub refusal: f32,
}

/// An attempt comes before other attempts only if its mean gain is at least this number, in pawns.
const MIN_GAIN: f32 = 0.002;

/// Weight of an imagined position, as a share of the total weight of the positions. The mean gain
/// of each attempt includes this position, with a gain of 0. So the mean gain of an attempt becomes
/// smaller if the attempt is legal in few positions.
const DOUBT: f32 = 0.01;

/// Maximum number of planned attempts.
const MAX_LENGTH: usize = 40;

impl Table {
    /// Returns the table with these values. Each column is one position, with a value for each
    /// attempt. All positions have the same weight.
    pub fn of_columns(columns: &[Vec<f32>], attempts: usize) -> Table {
        let mut values = Vec::with_capacity(columns.len() * attempts);
        for attempt in 0..attempts {
            values.extend(columns.iter().map(|column| column[attempt]));
        }
        Table {
            weights: vec![1.0; columns.len()],
            values,
            attempts,
        }
    }

    fn row(&self, attempt: usize) -> &[f32] {
        let n = self.weights.len();
        &self.values[attempt * n..(attempt + 1) * n]
    }

    /// Returns the weights of the positions after the refusal of an attempt.
    pub fn refused(&self, weights: &[f32], attempt: usize) -> Vec<f32> {
        let values = weights.iter().zip(self.row(attempt));
        values
            .map(|(weight, value)| if value.is_nan() { *weight } else { 0.0 })
            .collect()
    }

    /// Returns the attempts of a turn in order. Each attempt is made only if all
    /// earlier attempts were refused. The list ends when it contains a legal
    /// attempt for every position, or when it has `MAX_LENGTH` attempts.
    pub fn plan(&self, weights: &[f32], bounds: Bounds<'_>) -> Vec<usize> {
        let mut left = weights.to_vec();
        let mut list = Vec::new();
        while list.len() < MAX_LENGTH {
            let Some(next) = self.first(&left, bounds, &list) else {
                break;
            };
            list.push(next);
            for (weight, value) in left.iter_mut().zip(self.row(next)) {
                if !value.is_nan() {
                    *weight = 0.0;
                }
            }
        }
        list
    }

    /// Returns the mean value of a list of attempts. The mean includes each position in which at
    /// least one attempt of the list is legal. Returns `None` if there is no such position.
    pub fn worth(&self, weights: &[f32], list: &[usize], refusal: f32) -> Option<f32> {
        let (mut sum, mut total) = (0.0, 0.0);
        for (at, weight) in weights.iter().enumerate() {
            let legal = list
                .iter()
                .enumerate()
                .find(|(_, attempt)| !self.row(**attempt)[at].is_nan());
            if let Some((refused, attempt)) = legal.filter(|_| *weight > 0.0) {
                sum += weight * (self.row(*attempt)[at] - refusal * refused as f32);
                total += weight;
            }
        }
        (total > 0.0).then(|| sum / total)
    }

    /// Returns the attempts and their mean advantage over the other attempts, the
    /// best first.
    pub fn ranked(&self, weights: &[f32], bounds: Bounds<'_>) -> Vec<(usize, f32)> {
        let n = self.weights.len();
        let (mut sums, mut counts) = (vec![0.0_f32; n], vec![0_u16; n]);
        for attempt in 0..self.attempts {
            if bounds.may[attempt] {
                for (at, value) in self.row(attempt).iter().enumerate() {
                    if !value.is_nan() {
                        sums[at] += value;
                        counts[at] += 1;
                    }
                }
            }
        }
        let total: f32 = weights.iter().sum();
        let mut ranked = Vec::new();
        for attempt in 0..self.attempts {
            let (mut gain, mut legal) = (0.0, 0.0);
            for (at, value) in self.row(attempt).iter().enumerate() {
                let weight = weights[at];
                if weight > 0.0 && !value.is_nan() {
                    gain += weight * (value - sums[at] / f32::from(counts[at].max(1)));
                    legal += weight;
                }
            }
            if bounds.may[attempt] && legal > 0.0 {
                let cost = bounds.refusal * (total - legal);
                ranked.push((attempt, (gain - cost) / (legal + DOUBT * total)));
            }
        }
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked
    }

    /// Returns the attempt to make first, given the weights of the positions;
    /// `None` if no attempt is legal in any of them.
    fn first(&self, weights: &[f32], bounds: Bounds<'_>, made: &[usize]) -> Option<usize> {
        let total: f32 = weights.iter().sum();
        if total <= 0.0 {
            return None;
        }
        let ranked = self.ranked(weights, bounds);
        let mut first = ranked.first()?.0;
        // For each position, the value of the attempt that would be played there according to the
        // present order.
        let mut played = vec![f32::NAN; weights.len()];
        for (attempt, _) in &ranked {
            for (played, value) in played.iter_mut().zip(self.row(*attempt)) {
                if played.is_nan() {
                    *played = *value;
                }
            }
        }
        for _ in 0..8 {
            let gain = |attempt: usize| {
                let (mut gain, mut legal) = (0.0, 0.0);
                for ((weight, value), played) in weights.iter().zip(self.row(attempt)).zip(&played)
                {
                    if *weight > 0.0 && !value.is_nan() {
                        gain += weight * (value - played);
                        legal += weight;
                    }
                }
                let sure = legal / (legal + DOUBT * total);
                gain * sure - bounds.refusal * (total - legal)
            };
            let best = ranked
                .iter()
                .map(|(attempt, _)| *attempt)
                .filter(|attempt| !made.contains(attempt))
                .map(|attempt| (gain(attempt), attempt))
                .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
            match best {
                Some((gain, attempt)) if gain > MIN_GAIN * total => {
                    first = attempt;
                    for (played, value) in played.iter_mut().zip(self.row(attempt)) {
                        if !value.is_nan() {
                            *played = *value;
                        }
                    }
                }
                Some(_) | None => break,
            }
        }
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO: f32 = f32::NAN;

    fn table(rows: &[&[f32]]) -> Table {
        Table {
            weights: vec![1.0; rows[0].len()],
            values: rows.concat(),
            attempts: rows.len(),
        }
    }

    fn plan(table: &Table, refusal: f32) -> Vec<usize> {
        let may = vec![true; table.attempts];
        let bounds = Bounds { may: &may, refusal };
        table.plan(&table.weights, bounds)
    }

    #[test]
    fn attempts_are_compared_in_the_same_positions() {
        // The second attempt is legal only in the last position. Every attempt has a high value
        // there, but the second attempt is worse than the first attempt.
        let table = table(&[&[0.0, 0.0, 0.0, 5.0], &[NO, NO, NO, 4.0]]);
        assert_eq!(plan(&table, 0.0), [0]);
    }

    #[test]
    fn attempt_that_wins_where_it_is_legal_comes_first() {
        let table = table(&[&[0.0, 0.0, 0.0, 0.0], &[NO, NO, NO, 3.0]]);
        assert_eq!(plan(&table, 0.0), [1, 0]);
        // If refusals cost more than the gain, the attempt is not made.
        assert_eq!(plan(&table, 2.0), [0]);
    }

    #[test]
    fn plan_continues_until_every_position_has_a_move() {
        let table = table(&[&[1.0, NO, NO], &[NO, 0.5, NO], &[0.2, 0.2, 0.2]]);
        let list = plan(&table, 0.0);
        assert_eq!(list.last(), Some(&2));
        assert_eq!(list.len(), 3);
        let worth = table.worth(&table.weights, &list, 0.0);
        assert!((worth.expect("every position has a move") - 1.7 / 3.0).abs() < 1e-6);
    }
}
