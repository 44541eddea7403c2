//! Refutations: proofs that a seat cannot force mate.

use rules::Try;

/// A set of positions that the seat cannot distinguish, because it has heard the same in all of
/// them, and a refutation of every attempt in these positions. The positions of the first node are
/// those in [`Decision::NoMate`](crate::search::Decision::NoMate).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RefutedNode {
    /// The attempts that are legal in at least one position. If only one own move is left, an
    /// attempt that is legal in some position without a mate is left out, because this position
    /// already refutes it.
    pub attempts: Vec<RefutedAttempt>,
    /// Refutation of the question Any?, if the answer is not the same in all positions. It consists
    /// of the indices of positions with the same answer, and of the node for these positions in the
    /// same turn.
    pub any: Option<(Vec<usize>, usize)>,
}

/// Refutation of one attempt.
#[derive(Clone, PartialEq, Debug)]
pub struct RefutedAttempt {
    /// The attempt.
    pub what: Try,
    /// Indices of positions of this node, each with the opponent's reply. The reply is `None` if
    /// the attempt itself ends the game, or if the opponent can then end the game without a move.
    /// If `rest` is present, these are positions in which the attempt is refused, and all replies
    /// are `None`.
    pub by: Vec<(usize, Option<Try>)>,
    /// Index of the node for the positions after the replies; `None` if the game is over or if
    /// `rest` is present.
    pub to: Option<usize>,
    /// Index of the node for the positions in which the attempt is refused, in the same turn.
    pub rest: Option<usize>,
}
