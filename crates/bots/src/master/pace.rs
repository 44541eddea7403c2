//! How a turn uses its time, if the budget is a time: the share of each kind of work, and the
//! estimated speed of the work on this machine.
//!
//! Here, *the comparison* is the comparison of all attempts by the values of positions. It uses no
//! search. *The search* then looks two moves ahead, for the best attempts.

use std::time::Duration;

/// Share of a turn's time for the update of the belief. The maximum number of positions is chosen
/// so that the update takes about this share. If the player may think ahead, the number is chosen
/// one turn earlier, because the update can then begin before the budget of its turn is known.
pub(super) const LEARNING_SHARE: f32 = 0.4;

/// After this share of a turn's time, an update of the belief is cut short.
pub(super) const LONGEST_LEARNING: f32 = 0.6;

/// After this share of a turn's time, the search for a forced mate ends.
pub(super) const LONGEST_MATING: f32 = 0.65;

/// If the budget is [`Budget::Within`](crate::Budget::Within), the comparison ends after this share
/// of a turn's time.
pub(super) const LONGEST_COMPARISON: f32 = 0.65;

/// After this share of a turn's time, no search two moves ahead is begun for an attempt.
pub(super) const LONGEST_SEARCH: f32 = 0.8;

// The limits must have this order, because the parts of a turn follow each other in this order.
const _: () = assert!(LEARNING_SHARE < LONGEST_LEARNING && LONGEST_LEARNING < LONGEST_MATING);
const _: () = assert!(LONGEST_MATING < LONGEST_SEARCH);

/// The comparison may always use at least this share of a turn's time, even after a long update of
/// the belief.
pub(super) const LEAST_SHARE: f32 = 0.1;

/// The comparison and the search together have the time from the update of the belief to the end of
/// the search. This constant is the comparison's share of this time. The search takes the rest. The
/// comparison computes values: a value is the result of one attempt in one position. The number of
/// values is chosen so that the comparison takes this share.
const COMPARED_SHARE: f32 = 0.4;

/// If the budget is [`Budget::Time`](crate::Budget::Time), the comparison ends after this share of
/// the time from the update of the belief to the end of the search. It ends then even if it is not
/// complete.
pub(super) const LONGEST_COMPARED_SHARE: f32 = 0.6;

/// Least number of values computed in a turn.
const LEAST_VALUES: usize = 1_000;
/// Greatest number of values computed in a turn.
pub(super) const MOST_VALUES: usize = 400_000;

/// A speed is estimated only from at least this number of units of work. With fewer units, the
/// measured time includes too much other work.
const FEWEST: usize = 100;

/// Estimated time for one unit of work.
#[derive(Copy, Clone, Debug)]
pub(super) struct Pace {
    /// The estimate, in microseconds.
    micros: f32,
    /// Least value that the estimate can have.
    least: f32,
    /// Greatest value that the estimate can have.
    most: f32,
}

impl Pace {
    /// Pace of the updates of the belief. The unit is a position.
    pub const UPDATE: Pace = Pace {
        micros: 5.0,
        least: 2.0,
        most: 400.0,
    };

    /// Pace of the comparison. The unit is a value.
    pub const VALUE: Pace = Pace {
        micros: 1.0,
        least: 0.05,
        most: 20.0,
    };

    /// Pace of the search. The unit is an attempt in one position.
    pub const SEARCH: Pace = Pace {
        micros: 15.0,
        least: 2.0,
        most: 400.0,
    };

    /// Returns how many units of work can be done in a share of this time.
    pub fn within(self, time: Duration, share: f32) -> usize {
        (time.as_micros() as f32 * share / self.micros) as usize
    }

    /// Corrects the estimate after work of `units` units that took `time`.
    pub fn note(&mut self, units: usize, time: Duration) {
        if units < FEWEST {
            return;
        }
        // The work of one turn may be slow only because another program uses the machine. So a
        // single turn changes the estimate only a little.
        let each = time.as_secs_f32() * 1e6 / units as f32;
        let new = 0.75 * self.micros + 0.25 * each.min(3.0 * self.micros);
        self.micros = new.clamp(self.least, self.most);
    }
}

/// Returns the number of values to compute if `left` is the time between the update of the belief
/// and the end of the search.
pub(super) fn values_within(pace: Pace, left: Duration) -> usize {
    let values = pace.within(left, COMPARED_SHARE);
    values.clamp(LEAST_VALUES, MOST_VALUES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_work_lowers_the_number_of_units() {
        let mut pace = Pace::VALUE;
        let second = Duration::from_secs(1);
        assert_eq!(pace.within(second, 0.5), 500_000);
        // Work of too few units does not change the estimate.
        pace.note(10, second);
        assert_eq!(pace.within(second, 0.5), 500_000);
        // One slow turn changes the estimate a little. After many slow turns, the estimate is equal
        // to the measured time.
        pace.note(1_000, second);
        assert_eq!(pace.within(second, 0.5), 333_333);
        for _ in 0..50 {
            pace.note(100_000, second);
        }
        assert!((49_000..51_000).contains(&pace.within(second, 0.5)));
    }
}
