//! Budget of a turn.

use std::time::Duration;

/// What a player may spend on one turn, that is, on all attempts of the turn
/// together.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub enum Budget {
    /// No limit is given. The player thinks as long as it usually does.
    #[default]
    Usual,
    /// The usual amount of thinking, but at most this wall time for all attempts
    /// of the turn together.
    Within(Duration),
    /// Wall time of all attempts of the turn together. The time between two attempts does not
    /// count, because the referee answers in this time.
    Time(Duration),
    /// Number of nodes of all attempts of the turn together. A node is a unit of work, which
    /// differs between players (docs/bots.md, budget of nodes). A player with a budget of nodes
    /// reads no clock, so equal seeds and equal hearings give equal attempts.
    Nodes(u64),
}
