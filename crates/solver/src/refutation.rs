//! Refutations: why a seat cannot force mate.

use rules::Try;

/// One set of positions that sound alike, and how every attempt in them is refuted. The positions
/// of the first node are those of [`Decision::NoMate`](crate::search::Decision::NoMate).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RefutedNode {
    /// The attempts that are legal in some position. Empty if one own move is left: then each
    /// attempt fails to mate in some position.
    pub attempts: Vec<RefutedAttempt>,
}

/// How one attempt is refuted.
#[derive(Clone, PartialEq, Debug)]
pub struct RefutedAttempt {
    /// The attempt.
    pub what: Try,
    /// Indices of positions of this node, each with the reply; `None` if the attempt itself ends
    /// the game, or lets the opponent end it without a move.
    pub by: Vec<(usize, Option<Try>)>,
    /// Index of the node whose positions are those after the replies; `None` if the game is over.
    pub to: Option<usize>,
}
