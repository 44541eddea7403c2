//! Refutations: proofs that a seat cannot force mate.

use rules::Try;

/// A set of positions, and a refutation of every attempt in these positions. The seat cannot
/// distinguish the positions, because it has heard the same in all of them. The positions of the
/// first node are those in [`Decision::NoMate`](crate::search::Decision::NoMate).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RefutedNode {
    /// The attempts that are legal in at least one position. If only one own move is left, some
    /// attempts are left out: those that are legal in a position and do not mate there. Such a
    /// position already refutes the attempt.
    pub attempts: Vec<RefutedAttempt>,
    /// Refutation of the question Any?, if the answer is not the same in all positions. The first
    /// field has the indices of some positions in which the answer is the same. The second field is
    /// the index of the node for these positions in the same turn.
    pub any: Option<(Vec<usize>, usize)>,
}

/// Refutation of one attempt.
#[derive(Clone, PartialEq, Debug)]
pub struct RefutedAttempt {
    /// The attempt.
    pub what: Try,
    /// Indices of positions of this node, each with the opponent's reply. The reply is `None` if
    /// the attempt itself ends the game. It is also `None` if the opponent can end the game by
    /// three refused pawn captures instead of a reply. If `rest` is present, the attempt is refused
    /// in all these positions, and all replies are `None`.
    pub by: Vec<(usize, Option<Try>)>,
    /// Index of the node for the positions after the replies; `None` if the game is over or if
    /// `rest` is present.
    pub to: Option<usize>,
    /// Index of the node for the positions where the attempt is refused, in the same turn.
    pub rest: Option<usize>,
}
