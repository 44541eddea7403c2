//! Policies: what a seat does, depending on what it hears.

use std::rc::Rc;

use belief::Report;
use rules::Try;

/// A policy of one seat: an attempt or a question, and how to go on after each answer.
///
/// Parts of a policy can be shared: equal beliefs have the same part.
#[derive(Clone, PartialEq, Debug)]
pub enum Policy {
    /// Try a move.
    Try {
        /// The try.
        what: Try,
        /// How to go on after each report about the move and the opponent's reply. A try that
        /// always mates at once has none.
        branches: Vec<Branch>,
        /// How to go on if the try is refused; `None` if it cannot be refused.
        refused: Option<Rc<Policy>>,
    },
    /// Ask Any?.
    Any {
        /// How to go on after the answer yes; `None` if it is impossible.
        yes: Option<Rc<Policy>>,
        /// How to go on after the answer no; `None` if it is impossible.
        no: Option<Rc<Policy>>,
    },
}

/// How to go on after a move and the opponent's reply.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    /// What the seat hears about its own move.
    pub own: Report,
    /// What the seat hears about the opponent's reply.
    pub reply: Report,
    /// The policy for the seat's next turn.
    pub next: Rc<Policy>,
}
