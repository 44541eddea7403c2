//! Limits of the work of a turn.

use super::{
    levels::{Strength, positions_within},
    pace::{LEARNING_SHARE, MAX_VALUES, Pace},
};
use crate::budget::Budget;

/// If the budget is a time or a number of nodes, the belief may always have this number of
/// positions, unless the memory allows fewer.
const MIN_POSITIONS: usize = 50;

/// Maximum number of positions in a belief, whatever the budget.
const MAX_POSITIONS: usize = 150_000;

/// If the budget is a number of nodes, the belief may have this number of positions for each node
/// of the budget.
const POSITIONS_EACH: usize = 5;

/// If the budget is a number of nodes, the bot may compute this number of values for each node of
/// the budget. Computing a value takes little time compared with updating a position of the belief.
const VALUES_EACH: usize = 12;

/// Work of a rebuild if the budget is [`Budget::Usual`]. A rebuild looks for positions again if too
/// few positions are left in the belief. To get the number of moves that the rebuild may try, this
/// constant is multiplied by the maximum number of positions.
const REBUILD_EACH: usize = 200;

/// Work of a rebuild, as in `REBUILD_EACH`, if the budget is a number of nodes or
/// [`Budget::Within`]. A position has about 30 moves, so such a rebuild takes no longer than an
/// update of the belief.
const MOVES_EACH: usize = 30;

/// Work of a rebuild, as in `REBUILD_EACH`, if the budget is [`Budget::Time`]. A rebuild is useful
/// only if it is complete before the update of the belief is cut short. Some time must also remain
/// to invent positions (`source`).
const TIMED_MOVES_EACH: usize = 5;

/// Number of copies of the belief that are kept while the player thinks ahead.
pub(super) const COPIES: usize = 3;

/// A rebuild may always try this number of moves, even if the belief has few positions.
const MIN_REBUILD: usize = 1_000;

/// Maximum number of moves that a rebuild may try.
const MAX_REBUILD: usize = 5_000_000;

/// Limits of the work of a turn.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) struct Limits {
    /// Maximum number of positions in the belief.
    pub positions: usize,
    /// Number of values that may be computed, if the time does not limit this number.
    pub values: usize,
    /// Number of moves that a rebuild of the belief may try.
    pub rebuild: usize,
}

impl Limits {
    /// Returns the limits of a turn with this budget. `update_pace` is the measured speed of the
    /// updates of the belief. `most_positions` is the number of positions that the memory allows.
    pub fn of(
        budget: Budget,
        strength: Strength,
        update_pace: Pace,
        most_positions: usize,
    ) -> Limits {
        let Strength { limit, nodes, .. } = strength;
        let limits = match budget {
            Budget::Usual => Limits {
                positions: limit,
                values: nodes,
                rebuild: REBUILD_EACH * limit,
            },
            Budget::Within(time) => {
                let within = positions_within(time.mul_f32(LEARNING_SHARE));
                Limits {
                    positions: limit.min(within),
                    values: nodes,
                    rebuild: (REBUILD_EACH * limit).min(MOVES_EACH * within),
                }
            }
            Budget::Nodes(nodes) => {
                let nodes = usize::try_from(nodes).unwrap_or(usize::MAX);
                let positions = nodes.saturating_mul(POSITIONS_EACH);
                let positions = positions.clamp(MIN_POSITIONS, MAX_POSITIONS);
                Limits {
                    positions,
                    values: nodes.saturating_mul(VALUES_EACH),
                    rebuild: MOVES_EACH * positions,
                }
            }
            Budget::Time(time) => {
                let positions = update_pace.within(time, LEARNING_SHARE);
                let positions = positions.clamp(MIN_POSITIONS, MAX_POSITIONS);
                Limits {
                    positions,
                    values: MAX_VALUES,
                    rebuild: TIMED_MOVES_EACH * positions,
                }
            }
        };
        Limits {
            positions: limits.positions.min(most_positions.max(1)),
            rebuild: limits.rebuild.clamp(MIN_REBUILD, MAX_REBUILD),
            ..limits
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::master::levels::MASTER;
    use std::time::Duration;

    #[test]
    fn speed_and_memory_limit_the_positions_of_a_timed_turn() {
        let limits = |budget: Budget, micros: u64, memory: usize| {
            let mut pace = Pace::UPDATE;
            for _ in 0..100 {
                pace.note(1_000, 1_000 * Duration::from_micros(micros));
            }
            Limits::of(budget, MASTER, pace, memory)
        };
        let (second, large) = (Budget::Time(Duration::from_secs(1)), usize::MAX);
        // 40 % of the second are for the update of the belief.
        assert_eq!(limits(second, 4, large).positions.div_ceil(100), 1_000);
        assert_eq!(limits(second, 40, large).positions.div_ceil(100), 100);
        assert_eq!(limits(second, 40, 100).positions, 100);
        assert_eq!(limits(Budget::Time(Duration::ZERO), 4, large).positions, 50);
        // The measured speed has no influence on a turn with a number of nodes.
        for micros in [4, 40] {
            let expected = Limits {
                positions: 1_000,
                values: 2_400,
                rebuild: 30_000,
            };
            assert_eq!(limits(Budget::Nodes(200), micros, large), expected);
        }
    }
}
