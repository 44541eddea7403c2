//! Attempts and time that a player used in games.

use std::time::Duration;

/// Number of buckets of [`Times`] for the times from 2^n to 2^(n+1) microseconds, for each n of at
/// least 5. Below 32 microseconds, each whole number of microseconds has its own bucket.
const PARTS: u32 = 32;

/// Number of buckets of [`Times`]. The greatest time of the last bucket is about 19 hours. Longer
/// times are counted in this bucket, too.
const BUCKETS: usize = 32 * PARTS as usize;

/// Histogram of times. Each time counts as the greatest time of its bucket. For times up to 19
/// hours, the error is at most one microsecond or 1/32 of the time, whichever is greater.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Times {
    counts: Box<[u32; BUCKETS]>,
}

impl Default for Times {
    fn default() -> Times {
        Times {
            counts: Box::new([0; BUCKETS]),
        }
    }
}

/// Returns the number of the bucket of a time in microseconds.
fn bucket(micros: u64) -> usize {
    let parts = u64::from(PARTS);
    if micros < parts {
        return micros as usize;
    }
    let shift = micros.ilog2() - PARTS.ilog2();
    let bucket = u64::from(shift) * parts + (micros >> shift);
    (bucket as usize).min(BUCKETS - 1)
}

/// Returns the greatest time of a bucket, in microseconds.
fn bound(bucket: usize) -> u64 {
    let (bucket, parts) = (bucket as u64, u64::from(PARTS));
    if bucket < parts {
        return bucket;
    }
    let shift = bucket / parts - 1;
    ((bucket - shift * parts + 1) << shift) - 1
}

impl Times {
    /// Adds a time.
    pub fn add(&mut self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.counts[bucket(micros)] += 1;
    }

    /// Adds all times of another histogram.
    pub fn merge(&mut self, other: &Times) {
        for (count, more) in self.counts.iter_mut().zip(other.counts.iter()) {
            *count = count.saturating_add(*more);
        }
    }

    /// Returns a quantile of the times, rounded up to the greatest time of its bucket. `share` is
    /// the share of the times that are not longer than the quantile; 0.5 gives the median. Returns
    /// `None` if there are no times.
    pub fn quantile(&self, share: f64) -> Option<Duration> {
        let all: u64 = self.counts.iter().map(|n| u64::from(*n)).sum();
        let wanted = ((all as f64 * share).ceil() as u64).max(1);
        let mut reached = 0;
        let bucket = self.counts.iter().position(|n| {
            reached += u64::from(*n);
            reached >= wanted
        })?;
        Some(Duration::from_micros(bound(bucket)))
    }

    /// Returns a pair for each bucket that is not empty: the number that identifies the bucket, and
    /// the number of times in the bucket.
    pub fn buckets(&self) -> Vec<(u16, u32)> {
        let counts = self.counts.iter().enumerate();
        counts
            .filter(|(_, count)| **count > 0)
            .map(|(bucket, count)| (u16::try_from(bucket).unwrap_or(u16::MAX), *count))
            .collect()
    }

    /// Returns the histogram with these buckets; `None` if one of the bucket numbers is too
    /// great.
    pub fn from_buckets(buckets: &[(u16, u32)]) -> Option<Times> {
        let mut times = Times::default();
        for (bucket, count) in buckets {
            *times.counts.get_mut(usize::from(*bucket))? = *count;
        }
        Some(times)
    }

    fn clear(&mut self) {
        self.counts.fill(0);
    }
}

/// Turns, attempts and time that one player used in one game or in many games. Forced
/// opening moves are not included.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct Cost {
    /// Number of turns.
    pub turns: u64,
    /// Number of attempts that the referee answered, questions included.
    pub attempts: u64,
    /// Number of turns that took longer than the budget.
    pub overruns: u64,
    /// Time of the longest measured turn.
    pub longest: Duration,
    /// Times of the measured turns.
    pub times: Times,
}

impl Cost {
    /// Adds the cost of other games.
    pub fn merge(&mut self, other: &Cost) {
        self.turns += other.turns;
        self.attempts += other.attempts;
        self.overruns += other.overruns;
        self.longest = self.longest.max(other.longest);
        self.times.merge(&other.times);
    }

    pub(crate) fn clear(&mut self) {
        (self.turns, self.attempts, self.overruns) = (0, 0, 0);
        self.longest = Duration::ZERO;
        self.times.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_rounded_up_by_at_most_one_32nd() {
        for micros in (0..5000).chain([65_535, 65_536, 1_000_000, 3_600_000_000]) {
            let rounded = bound(bucket(micros));
            assert!(rounded >= micros, "{micros}: {rounded}");
            assert!(rounded - micros <= micros / 32, "{micros}: {rounded}");
        }
        assert_eq!(bucket(u64::MAX), BUCKETS - 1);
    }

    #[test]
    fn quantiles_agree_with_the_sorted_times() {
        let mut times = Times::default();
        assert_eq!(times.quantile(0.5), None);
        for micros in 1..=100 {
            times.add(Duration::from_micros(micros));
        }
        assert_eq!(times.quantile(0.2), Some(Duration::from_micros(20)));
        assert_eq!(times.quantile(0.5), Some(Duration::from_micros(50)));
        assert_eq!(times.quantile(0.99), Some(Duration::from_micros(99)));
        let mut twice = Times::from_buckets(&times.buckets()).unwrap();
        assert_eq!(twice, times);
        twice.merge(&times);
        assert_eq!(twice.quantile(0.5), times.quantile(0.5));
        assert_eq!(Times::from_buckets(&[(u16::MAX, 1)]), None);
    }
}
