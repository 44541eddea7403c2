//! The remaining part of a budget.

use std::time::{Duration, Instant};

use crate::budget::Budget;

/// The remaining budget of a turn. The time between two attempts is not counted.
#[derive(Copy, Clone, Debug)]
pub(crate) enum BudgetLeft {
    /// Number of nodes.
    Nodes(u64),
    /// Number of nodes, and time.
    Both(u64, Duration),
    /// Time.
    Time(Duration),
}

/// The part of the remaining budget that one attempt may use, and what it has used so far.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Allowance {
    Nodes {
        used: u64,
        most: u64,
    },
    Both {
        used: u64,
        nodes: u64,
        begun: Instant,
        time: Duration,
    },
    Time {
        begun: Instant,
        most: Duration,
    },
}

impl BudgetLeft {
    /// Returns the remaining budget at the beginning of a turn. If no budget is given, the result
    /// is `usual` nodes. If the budget is a time, a tenth of this time is reserved, because the
    /// clock is read only after some work.
    pub fn new(budget: Budget, usual: u64) -> BudgetLeft {
        match budget {
            Budget::Usual => BudgetLeft::Nodes(usual),
            Budget::Nodes(nodes) => BudgetLeft::Nodes(nodes),
            Budget::Within(time) => BudgetLeft::Both(usual, time.mul_f64(0.9)),
            Budget::Time(time) => BudgetLeft::Time(time.mul_f64(0.9)),
        }
    }

    /// Returns an allowance for one attempt: the remaining budget divided by `part`. If the budget
    /// is a time, `begun` is the start of the attempt.
    pub fn allow(self, begun: Option<Instant>, part: u32) -> Allowance {
        match self {
            BudgetLeft::Nodes(nodes) => Allowance::Nodes {
                used: 0,
                most: nodes / u64::from(part.max(1)),
            },
            BudgetLeft::Both(nodes, time) => {
                let begun = begun.unwrap_or_else(Instant::now);
                Allowance::Both {
                    used: 0,
                    nodes: nodes / u64::from(part.max(1)),
                    begun,
                    time: share(begun, time, part),
                }
            }
            BudgetLeft::Time(time) => {
                let begun = begun.unwrap_or_else(Instant::now);
                Allowance::Time {
                    begun,
                    most: share(begun, time, part),
                }
            }
        }
    }

    /// Returns the present time if the budget limits the time. If the budget is only a number of
    /// nodes, no clock is read, and the result is `None`.
    pub fn clock(self) -> Option<Instant> {
        match self {
            BudgetLeft::Nodes(_) => None,
            BudgetLeft::Both(..) | BudgetLeft::Time(_) => Some(Instant::now()),
        }
    }

    /// Subtracts what an attempt has used.
    pub fn spend(&mut self, allowance: Allowance) {
        match (self, allowance) {
            (BudgetLeft::Nodes(nodes), Allowance::Nodes { used, .. }) => {
                *nodes = nodes.saturating_sub(used);
            }
            (BudgetLeft::Time(time), Allowance::Time { begun, .. }) => {
                *time = time.saturating_sub(begun.elapsed());
            }
            (BudgetLeft::Both(nodes, time), Allowance::Both { used, begun, .. }) => {
                *nodes = nodes.saturating_sub(used);
                *time = time.saturating_sub(begun.elapsed());
            }
            // This cannot happen: the allowance and the remaining budget are of the same kind.
            (BudgetLeft::Nodes(_) | BudgetLeft::Both(..) | BudgetLeft::Time(_), _) => {}
        }
    }
}

impl Allowance {
    /// Records that nodes were used. Returns whether the attempt may use more.
    pub fn take(&mut self, nodes: u64) -> bool {
        match self {
            Allowance::Nodes { used, most } => {
                *used += nodes;
                used < most
            }
            Allowance::Both {
                used,
                nodes: most,
                begun,
                time,
            } => {
                *used += nodes;
                used < most && begun.elapsed() < *time
            }
            Allowance::Time { begun, most } => begun.elapsed() < *most,
        }
    }
}

/// Returns the time that an attempt may take, counted from `begun`. The result is the time that has
/// already passed, plus the remaining time divided by `part`.
fn share(begun: Instant, time: Duration, part: u32) -> Duration {
    let passed = begun.elapsed();
    passed + time.saturating_sub(passed) / part.max(1)
}
