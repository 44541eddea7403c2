//! Refutations: why a seat cannot force mate.

use rules::Try;

/// One set of positions that sound alike, and how every attempt in them is refuted. The positions
/// of the first node are those of [`Decision::NoMate`](crate::search::Decision::NoMate).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RefutedNode {
    /// The attempts that are legal in some position. With one own move left, an attempt is not
    /// listed if it fails to mate in some position.
    pub attempts: Vec<RefutedAttempt>,
    /// How the question Any? is refuted, if its answer tells the positions apart: indices of
    /// positions with the same answer, and the node for these, in the same turn.
    pub any: Option<(Vec<usize>, usize)>,
}

/// How one attempt is refuted.
#[derive(Clone, PartialEq, Debug)]
pub struct RefutedAttempt {
    /// The attempt.
    pub what: Try,
    /// Indices of positions of this node, each with the reply; `None` if the attempt itself ends
    /// the game, or lets the opponent end it without a move. If there is `rest`, the attempt is
    /// refused in these positions, and there are no replies.
    pub by: Vec<(usize, Option<Try>)>,
    /// Index of the node whose positions are those after the replies; `None` if the game is over.
    pub to: Option<usize>,
    /// Index of the node for the positions in which the attempt is refused, in the same turn.
    pub rest: Option<usize>,
}
