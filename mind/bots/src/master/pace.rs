//! How a turn uses its time, if the budget is a time: the share of each kind of work, and the
//! estimated speed of the work on this machine.
//!
//! Here, *the comparison* is the comparison of all attempts by the values of positions. It uses no
//! search. *The search* then looks two moves ahead, for the best attempts.

use std::time::Duration;

use crate::budget::Budget;

/// Share of a turn's time for the update of the belief. The maximum number of positions is chosen
/// so that the update takes about this share. If the player may think ahead, the number is chosen
/// one turn earlier, because the update can then begin before the budget of its turn is known.
pub(super) const LEARNING_SHARE: f32 = 0.4;

/// After this share of a turn's time, an update of the belief is cut short.
pub(super) const MAX_LEARNING: f32 = 0.6;

/// After this share of a turn's time, the search for a forced mate ends.
pub(super) const MAX_MATING: f32 = 0.65;

/// If the budget is [`Budget::Within`](crate::Budget::Within), the comparison ends after this share
/// of a turn's time.
const MAX_COMPARISON: f32 = 0.65;

/// After this share of a turn's time, no search two moves ahead is begun for an attempt.
const MAX_SEARCH: f32 = 0.8;

// The limits must have this order, because the parts of a turn follow each other in this order.
const _: () = assert!(LEARNING_SHARE < MAX_LEARNING && MAX_LEARNING < MAX_MATING);
const _: () = assert!(MAX_MATING < MAX_SEARCH);

/// Least share of a turn's time for the comparison and the search together. After a long update of
/// the belief, the comparison and the search may therefore end later than `MAX_COMPARISON` and
/// `MAX_SEARCH` say.
const MIN_SHARE: f32 = 0.1;

/// The comparison and the search together have the time from the update of the belief to the end of
/// the search. This constant is the comparison's share of this time. The search takes the rest. The
/// comparison computes values: a value is the result of one attempt in one position. The number of
/// values is chosen so that the comparison takes this share.
const COMPARED_SHARE: f32 = 0.4;

/// If the budget is [`Budget::Time`](crate::Budget::Time), the comparison ends after this share of
/// the time from the update of the belief to the end of the search. It ends then even if it is not
/// complete.
const MAX_COMPARED_SHARE: f32 = 0.6;

/// Least number of values computed in a turn.
const MIN_VALUES: usize = 1_000;
/// Greatest number of values computed in a turn.
pub(super) const MAX_VALUES: usize = 400_000;

/// A speed is estimated only from at least this number of units of work. With fewer units, the
/// measured time includes too much other work.
const MIN: usize = 100;

/// Estimated time for one unit of work.
#[derive(Copy, Clone, PartialEq, Debug)]
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
        if units < MIN {
            return;
        }
        // The work of one turn may be slow only because another program uses the machine. So a
        // single turn changes the estimate only a little.
        let each = time.as_secs_f32() * 1e6 / units as f32;
        let new = 0.75 * self.micros + 0.25 * each.min(3.0 * self.micros);
        self.micros = new.clamp(self.least, self.most);
    }
}

/// Returns the time of a turn; `None` if the budget is not a time.
pub(super) fn time_of(budget: Budget) -> Option<Duration> {
    match budget {
        Budget::Within(time) | Budget::Time(time) => Some(time),
        Budget::Usual | Budget::Nodes(_) => None,
    }
}

/// Division of the time that is left after the update of the belief.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Rest {
    /// Number of values to compute; `None` if the time does not limit this number.
    pub values: Option<usize>,
    /// End of the comparison, as a time from the start of the turn.
    pub compared: Duration,
    /// End of the search, as a time from the start of the turn.
    pub searched: Duration,
}

impl Rest {
    /// Divides the time that is left if the update of the belief ended after `elapsed`. `pace` is
    /// the pace of the comparison. Returns `None` if the budget is not a time.
    pub fn after(elapsed: Duration, budget: Budget, pace: Pace) -> Option<Rest> {
        let time = time_of(budget)?;
        let earliest = elapsed.saturating_add(time.mul_f32(MIN_SHARE));
        let searched = time.mul_f32(MAX_SEARCH).max(earliest);
        let left = searched.saturating_sub(elapsed);
        Some(match budget {
            Budget::Time(_) => Rest {
                values: Some(
                    pace.within(left, COMPARED_SHARE)
                        .clamp(MIN_VALUES, MAX_VALUES),
                ),
                compared: elapsed.saturating_add(left.mul_f32(MAX_COMPARED_SHARE)),
                searched,
            },
            Budget::Usual | Budget::Within(_) | Budget::Nodes(_) => Rest {
                values: None,
                compared: time.mul_f32(MAX_COMPARISON).max(earliest),
                searched,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Divides the rest of a turn of one second, if the update ended after `elapsed` milliseconds.
    /// Returns the number of values, the end of the comparison and the end of the search. The ends
    /// are in milliseconds.
    fn rest(elapsed: u64, micros: f32) -> (usize, u128, u128) {
        let pace = Pace {
            micros,
            ..Pace::VALUE
        };
        let second = Budget::Time(Duration::from_secs(1));
        let rest = Rest::after(Duration::from_millis(elapsed), second, pace).expect("a time");
        let millis = |end: Duration| end.as_secs_f64() * 1e3;
        let [compared, searched] = [rest.compared, rest.searched].map(millis);
        let values = rest.values.expect("the time limits the values");
        (values, compared.round() as u128, searched.round() as u128)
    }

    #[test]
    fn comparison_and_search_share_the_time_after_the_update() {
        // 400 ms are left. The comparison is planned for 160 ms, and ends after 240 ms.
        assert_eq!(rest(400, 1.0), (160_000, 640, 800));
        assert_eq!(rest(400, 4.0), (40_000, 640, 800));
        // A short update leaves more time.
        assert_eq!(rest(100, 2.0), (140_000, 520, 800));
    }

    #[test]
    fn comparison_has_time_after_the_slowest_update() {
        let stopped = (1_000.0 * MAX_LEARNING) as u64;
        assert_eq!(rest(stopped, 1.0), (80_000, 720, 800));
        // If the update ends after its limit or even after the turn, 100 ms are left.
        assert_eq!(rest(780, 1.0), (40_000, 840, 880));
        assert_eq!(rest(1_500, 1.0), (40_000, 1_560, 1_600));
        assert_eq!(rest(1_500, 20.0), (2_000, 1_560, 1_600));
    }

    #[test]
    fn only_a_budget_of_time_limits_the_values() {
        let second = Duration::from_secs(1);
        let within = Rest::after(second / 2, Budget::Within(second), Pace::VALUE);
        assert_eq!(within.expect("a time").values, None);
        assert_eq!(Rest::after(second, Budget::Nodes(9), Pace::VALUE), None);
        assert_eq!(Rest::after(second, Budget::Usual, Pace::VALUE), None);
    }

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
