//! A census: a sample that contains each possible position with the same probability. The number of
//! possible positions is estimated from the census.
//!
//! Several moves, from different positions, can lead to the same position. In this file each such
//! move is a *way* to the position. So there are more ways than positions. A way is *seen* if the
//! position before the move is in the sample. Most positions are not in the sample, so most ways
//! are not seen. The number of ways to a position is therefore estimated from the number of
//! *pairs*: two ways that are seen and lead to the same position. Suppose that each position before
//! the move is in the sample with probability *r*, independently of the other positions. Then a
//! pair is seen with probability *r*².

use rules::chess::Square;

use crate::{
    entries::{Entries, Entry, SHORT, free_unused, merge, retain},
    expand::Expansion,
    hidden::Hidden,
    moves::Moves,
    parallel,
};

/// Minimum number of positions of a census. A smaller census is drawn again from the sample of the
/// belief.
const FEW: usize = 100;
/// If an update must end in time, the census is smaller than usual for limits on positions from
/// this number to 6,000.
const MIN_TIMED: usize = 200;
/// Weight of the mean that earlier turns gave ([`Others::mean`]). It counts as much as this number
/// of pairs seen in the present turn.
const PRIOR_PAIRS: f64 = 20.0;
/// Weight of the spread that earlier turns gave ([`Others::spread`]). It counts as much as this
/// number of triples seen in the present turn. A triple is three ways to the same position.
const PRIOR_TRIPLES: f64 = 20.0;
/// Weight of the guess for a kind of move that was not seen yet. The guess counts as much as this
/// number of pairs.
const GUESSED_PAIRS: f64 = 2.0;
/// The mean number of other ways to the same position after a move without a capture, divided by
/// the mean number after a capture. This is a guess, used until both kinds of move were seen. After
/// a capture there are fewer other ways, because the seat knows the square of the capturing man.
const QUIET_TO_CAPTURE: f64 = 4.0;

/// Returns the maximum number of positions of a census, for a belief of at most `limit`
/// positions.
pub(crate) fn census_size(limit: usize) -> usize {
    (limit / 10).clamp(1_000, 200_000)
}

/// Returns the maximum number of positions of a census if an update must end in time. The census
/// must take only a small part of this time, even if the belief has only a few hundred positions.
/// If `limit` is below `MIN_TIMED`, the census keeps its usual size.
pub(crate) fn timed_census_size(limit: usize) -> usize {
    let most = census_size(limit);
    if limit < MIN_TIMED {
        return most;
    }
    (limit / 6).clamp(FEW, most)
}

/// Returns a random number for a position. The number is a hash value of the position and of the
/// number of the turn. It does not depend on the half-move clock.
#[inline]
fn draw<H: Hidden>(hidden: H, turn: u64) -> u64 {
    // The last steps of SplitMix64.
    let mut z = hidden.bucket() ^ turn.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Some of the positions after a move, with the number of ways to each. A hash value of a position
/// decides whether the position is included. So an included position is included with all ways that
/// lead to it.
#[derive(Clone, Debug)]
pub(crate) struct Sketch<H> {
    /// The positions. The weight of a position is the number of ways to this position.
    entries: Entries<H>,
    /// Intended number of positions. After `shrink` there are at most twice this number of
    /// positions.
    most: usize,
    threshold: u64,
    turn: u64,
}

impl<H: Hidden> Sketch<H> {
    pub(crate) fn new(most: usize, turn: u64) -> Sketch<H> {
        Sketch {
            entries: Vec::new(),
            most,
            threshold: u64::MAX,
            turn,
        }
    }

    /// Adds the positions after some moves, one entry for each way.
    pub(crate) fn add(&mut self, found: &[Entry<H>]) {
        for entry in found {
            if draw(entry.hidden, self.turn) <= self.threshold {
                self.entries.push(Entry {
                    hidden: entry.hidden,
                    weight: 1.0,
                });
            }
        }
        if self.entries.len() > (self.most * 4).max(SHORT) {
            self.shrink();
        }
    }

    fn shrink(&mut self) {
        merge(&mut self.entries, 1);
        while self.entries.len() > self.most * 2 {
            self.threshold /= 2;
            let (threshold, turn) = (self.threshold, self.turn);
            self.entries
                .retain(|entry| draw(entry.hidden, turn) <= threshold);
        }
    }

    /// Returns which share of all positions is in the sketch.
    fn share(&self) -> f64 {
        self.threshold as f64 / u64::MAX as f64
    }
}

/// A sample of the possible positions. Every possible position has the same probability
/// of being in the sample.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Census<H> {
    /// The positions, of weight 1.
    entries: Entries<H>,
    /// One position of the sample stands for this number of possible positions (an estimate). The
    /// number is at least 1.
    each: f64,
    /// How many other ways lead to the same position as a given way. The first distribution is for
    /// ways that capture nothing, the second is for captures.
    others: [Others; 2],
    turn: u64,
}

impl<H: Hidden> Census<H> {
    /// Returns the census after a move. All ways of this move must have been added to `sketch`.
    pub(crate) fn begin(mut sketch: Sketch<H>, is_capture: bool) -> Census<H> {
        sketch.shrink();
        let counts = Counts::of(&sketch.entries);
        let others = Others {
            mean: counts.pairs / counts.ways,
            spread: counts.spread(),
            pairs: PRIOR_PAIRS,
        };
        let mut census = Census {
            each: 1.0 / sketch.share(),
            others: others.of_both(is_capture),
            turn: sketch.turn,
            entries: sketch.entries,
        };
        census.even();
        census
    }

    /// Returns the census after a move. `entries` are all possible positions after the move. `ways`
    /// is the number of ways to these positions.
    pub(crate) fn of_all(
        entries: &Entries<H>,
        most: usize,
        ways: usize,
        is_capture: bool,
    ) -> Census<H> {
        let share = (most as f64 / entries.len().max(1) as f64).min(1.0);
        let distinct = entries.len() as f64 / ways.max(1) as f64;
        let mut drawn = entries.clone();
        drawn.retain(|entry| draw(entry.hidden, 0) as f64 <= share * u64::MAX as f64);
        let others = Others {
            mean: Others::mean_at(distinct),
            pairs: PRIOR_PAIRS,
            ..Others::GUESS
        };
        let mut census = Census {
            each: entries.len() as f64 / drawn.len().max(1) as f64,
            entries: drawn,
            others: others.of_both(is_capture),
            turn: 0,
        };
        census.even();
        census
    }

    /// Returns a census. `entries` are some of `count` possible positions.
    pub(crate) fn of(entries: &Entries<H>, most: usize, count: f64) -> Census<H> {
        let mut census = Census {
            entries: entries.clone(),
            each: 1.0,
            others: Others::GUESS.of_both(false),
            turn: 0,
        };
        census.draw_from(entries, most, count);
        census
    }

    /// Replaces the sample by at most `most` of these positions, taken at equal steps
    /// from the list.
    fn draw_from(&mut self, entries: &Entries<H>, most: usize, count: f64) {
        let step = entries.len().div_ceil(most).max(1);
        self.entries = entries.iter().step_by(step).copied().collect();
        self.each = (count / self.entries.len().max(1) as f64).max(1.0);
        self.even();
    }

    /// Returns the estimated number of possible positions.
    pub(crate) fn size(&self) -> f64 {
        self.entries.len().max(1) as f64 * self.each
    }

    /// Returns the positions, each with weight 1.
    pub(crate) const fn entries(&self) -> &Entries<H> {
        &self.entries
    }

    /// Replaces the sample by some of these positions if the sample has become small.
    pub(crate) fn refresh(&mut self, entries: &Entries<H>, most: usize) {
        if self.entries.len() < FEW && entries.len() > self.entries.len() * 2 {
            let size = self.size().max(entries.len() as f64);
            self.draw_from(entries, most, size);
        }
    }

    /// Keeps the positions for which `keep` returns true, with the changes that `keep`
    /// made to them.
    pub(crate) fn retain(&mut self, keep: impl Fn(&mut Entry<H>) -> bool + Sync) {
        if retain(&mut self.entries, 1, keep) == 0 {
            self.entries.clear();
        }
    }

    /// Merges positions that a move of the seat made equal.
    pub(crate) fn merge(&mut self) {
        merge(&mut self.entries, 1);
        let counts = Counts::of(&self.entries);
        if counts.distinct < counts.ways {
            let others = Others {
                mean: counts.pairs / (counts.ways * self.rate()),
                ..Others::GUESS
            };
            self.count(&counts, 1.0, &others);
            self.even();
        }
    }

    /// Applies a move of the opponent. `most` is the intended number of positions.
    pub(crate) fn play_opponent_move(
        &mut self,
        expansion: &Expansion<'_>,
        most: usize,
        threads: usize,
    ) {
        let mut sketch = Sketch::new(most, self.turn + 1);
        let length = parallel::piece(self.entries.len(), threads).min(1 << 13);
        for round in self.entries.chunks(length.max(1) * threads.max(1)) {
            let found = parallel::each(round.chunks(length).collect(), |piece| {
                let mut moves = Moves::none(expansion.choices);
                let mut found = Vec::new();
                for entry in piece {
                    expansion.expand(entry, &mut moves, &mut found);
                }
                found
            });
            for found in found {
                sketch.add(&found);
            }
        }
        sketch.shrink();
        self.turn += 1;
        let share = sketch.share();
        self.entries = sketch.entries;
        free_unused(&mut self.entries);
        match expansion.report.lost {
            None => {
                let counts = Counts::of(&self.entries);
                let others = self.others[0].with(&counts, self.rate());
                self.others[0] = others;
                self.count(&counts, share, &others);
            }
            Some((square, _)) => self.count_captures(share, square),
        }
        self.even();
    }

    /// Does the same as `count`, after a capture on `square`. Positions with different kinds of man
    /// on this square are counted separately, because a queen can have come from many more squares
    /// than a pawn.
    fn count_captures(&mut self, share: f64, square: Square) {
        let kind = |entry: &Entry<H>| entry.hidden.unpack().role_at(square).map_or(0, usize::from);
        let mut by_kind: [Entries<H>; 7] = Default::default();
        for entry in &self.entries {
            by_kind[kind(entry)].push(*entry);
        }
        let rate = self.rate();
        let sizes = by_kind.each_ref().map(|entries| {
            let counts = Counts::of(entries);
            let others = self.others[1].with(&counts, rate);
            self.size_by(&counts, share, &others)
        });
        let all = Counts::of(&self.entries);
        self.others[1] = self.others[1].with(&all, rate);
        let each_of = |kind: usize| sizes[kind] / by_kind[kind].len().max(1) as f64;
        let each = (0..7).map(each_of).fold(1.0, f64::max);
        // A position of the sample stands for a number of possible positions. This number differs
        // between the kinds of man. So positions are removed until the number is the same for all
        // kinds.
        let turn = !self.turn;
        self.entries.retain(|entry| {
            let stays = each_of(kind(entry)) / each;
            draw(entry.hidden, turn) as f64 <= stays * u64::MAX as f64
        });
        let size: f64 = sizes.iter().sum();
        self.each = (size / self.entries.len().max(1) as f64).max(1.0);
    }

    /// Sets `each`. `share` says which share of all positions after the move is in the census.
    fn count(&mut self, counts: &Counts, share: f64, others: &Others) {
        if counts.distinct > 0.0 {
            let size = self.size_by(counts, share, others);
            self.each = (size / counts.distinct).max(1.0);
        }
    }

    /// Returns the estimated number of possible positions. `share` says which share of all positions
    /// after the move is in the census.
    fn size_by(&self, counts: &Counts, share: f64, others: &Others) -> f64 {
        if counts.distinct == 0.0 {
            return 0.0;
        }
        let distinct = if self.each <= 1.001 {
            // All possible positions before the move were in the census, so all ways were seen, and
            // no estimate is needed.
            counts.distinct / counts.ways
        } else {
            others.distinct()
        };
        self.each * counts.ways / share * distinct
    }

    /// Returns the probability that a possible position is in the census.
    fn rate(&self) -> f64 {
        1.0 / self.each
    }

    fn even(&mut self) {
        for entry in &mut self.entries {
            entry.weight = 1.0;
        }
    }
}

/// Counts of the ways that were seen, and of the different positions after these ways. Two or three
/// ways to the same position are counted as a pair or a triple. A pair counts once for each order
/// of its ways, and so does a triple.
struct Counts {
    ways: f64,
    distinct: f64,
    pairs: f64,
    triples: f64,
}

impl Counts {
    /// Counts the ways, pairs and triples for these positions. The weight of a position is the
    /// number of ways to it.
    fn of<H>(entries: &Entries<H>) -> Counts {
        let mut counts = Counts {
            ways: 0.0,
            distinct: entries.len() as f64,
            pairs: 0.0,
            triples: 0.0,
        };
        for entry in entries {
            let n = entry.weight;
            counts.ways += n;
            counts.pairs += n * (n - 1.0);
            counts.triples += n * (n - 1.0) * (n - 2.0);
        }
        counts.ways = counts.ways.max(1.0);
        counts
    }

    fn spread(&self) -> f64 {
        if self.pairs > 0.0 {
            (self.triples * self.ways / (self.pairs * self.pairs)).clamp(1.0, 4.0)
        } else {
            Others::GUESS.spread
        }
    }
}

/// Distribution of the number of other ways that lead to the same position as a given way. The
/// distribution is negative binomial.
#[derive(Copy, Clone, PartialEq, Debug)]
struct Others {
    mean: f64,
    /// Second factorial moment, divided by the square of the mean. It is 1 for a Poisson
    /// distribution.
    spread: f64,
    /// Weight of this estimate. It counts as much as this number of pairs that are seen later.
    pairs: f64,
}

impl Others {
    const GUESS: Others = Others {
        mean: 4.0,
        spread: 1.3,
        pairs: GUESSED_PAIRS,
    };

    /// Inverts [`distinct`](Others::distinct): returns the mean for which that function gives the
    /// number `distinct`. The spread is the spread of `GUESS`.
    fn mean_at(distinct: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1_000.0);
        for _ in 0..50 {
            let mean = (low + high) / 2.0;
            let others = Others {
                mean,
                ..Others::GUESS
            };
            if others.distinct() > distinct {
                low = mean;
            } else {
                high = mean;
            }
        }
        low
    }

    /// Returns this distribution for one kind of move, and a guess for the other kind.
    fn of_both(self, is_capture: bool) -> [Others; 2] {
        let guess = |factor: f64| Others {
            mean: self.mean * factor,
            pairs: GUESSED_PAIRS,
            ..self
        };
        if is_capture {
            [guess(QUIET_TO_CAPTURE), self]
        } else {
            [self, guess(1.0 / QUIET_TO_CAPTURE)]
        }
    }

    /// Returns this estimate, updated with the ways that were seen. `rate` is the probability that
    /// a position is in the census. Only ways from positions in the census are seen. So the n-th
    /// factorial moment of the seen ways is the moment of all ways, multiplied by `rate` to the
    /// power n.
    fn with(&self, counts: &Counts, rate: f64) -> Others {
        let pairs = counts.pairs / 2.0 + self.pairs;
        let exposure = counts.ways * rate / 2.0 + self.pairs / self.mean.max(0.01);
        let triples = counts.triples / 6.0 + PRIOR_TRIPLES;
        let expected =
            counts.pairs * counts.pairs / counts.ways / 6.0 + PRIOR_TRIPLES / self.spread;
        Others {
            mean: pairs / exposure,
            spread: (triples / expected).clamp(1.0, 4.0),
            pairs: PRIOR_PAIRS,
        }
    }

    /// Returns the number of different positions divided by the number of ways. The result is the
    /// mean of `1 / (1 + n)`, where `n` is the number of other ways to the same position.
    fn distinct(&self) -> f64 {
        let mean = self.mean;
        if mean < 1e-6 {
            return 1.0 - mean / 2.0;
        }
        let shape = 1.0 / (self.spread - 1.0).max(1e-3);
        let y = (mean / shape).ln_1p();
        let a = shape - 1.0;
        if a.abs() < 1e-6 {
            return y * shape / mean;
        }
        -(-a * y).exp_m1() * shape / (a * mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the mean of 1 / (1 + n), where n has a negative binomial distribution.
    fn by_summing(mean: f64, shape: f64) -> f64 {
        let (p, mut sum) = (mean / (mean + shape), 0.0);
        let mut probability = (1.0 - p).powf(shape);
        for n in 0..10_000 {
            let n = f64::from(n);
            sum += probability / (1.0 + n);
            probability *= p * (shape + n) / (n + 1.0);
        }
        sum
    }

    #[test]
    fn distinct_equals_the_mean_computed_by_summing() {
        for spread in [1.05, 1.5, 2.0, 3.0] {
            for mean in [0.1, 1.0, 5.0, 30.0] {
                let others = Others {
                    mean,
                    spread,
                    ..Others::GUESS
                };
                let expected = by_summing(mean, 1.0 / (spread - 1.0));
                let found = others.distinct();
                assert!(
                    (found / expected - 1.0).abs() < 1e-6,
                    "{mean} {spread}: {found} {expected}"
                );
            }
        }
    }
}
