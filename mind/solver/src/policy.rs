//! Policies, which say what a seat attempts, depending on what it hears.

use std::rc::Rc;

use belief::Report;
use rules::Try;

/// A policy of one seat: a try or a question, and the policy after each answer.
///
/// Parts of a policy can be shared: if the same belief occurs at two places of a policy, both
/// places refer to the same part.
#[derive(Clone, PartialEq, Debug)]
pub enum Policy {
    /// Try a move.
    Try {
        /// The try.
        what: Try,
        /// One branch for each pair of reports: about the move, and about the opponent's reply.
        /// Empty if the try always mates at once.
        branches: Vec<Branch>,
        /// The policy after a refusal of the try; `None` if the try cannot be refused.
        refused: Option<Rc<Policy>>,
    },
    /// Ask Any?.
    Any {
        /// The policy after the answer yes; `None` if this answer is impossible.
        yes: Option<Rc<Policy>>,
        /// The policy after the answer no; `None` if this answer is impossible.
        no: Option<Rc<Policy>>,
    },
}

/// The policy after a move and the opponent's reply.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    /// What the seat hears about its own move.
    pub own: Report,
    /// What the seat hears about the opponent's reply.
    pub reply: Report,
    /// The policy for the seat's next turn.
    pub next: Rc<Policy>,
}
