//! State of one turn: announcements and this turn's refusals.

use crate::{
    attempt::Try,
    choices::{Choices, Obligation},
    direction::Directions,
    refused_tries::RefusedTries,
    tries::Tries,
};

/// Knowledge of the player to move about the turn, besides own men: the check
/// and the pawn tries that were announced, what was asked, and what was
/// refused. The referee and that player's view hold the same value.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct TurnState {
    /// The announced check; an empty set is a check without direction.
    pub check: Option<Directions>,
    /// Announcement about pawn tries.
    pub tries: Tries,
    /// Whether Any? was asked and answered this turn.
    pub asked: bool,
    /// Whether an obligation to capture with a pawn stands.
    pub obliged: bool,
    /// Number of different pawn captures answered no this turn.
    pub pawn_captures_refused: u8,
    /// The tries answered no this turn.
    pub refused_tries: RefusedTries,
}

impl TurnState {
    /// Begins a new turn under new announcements.
    #[inline]
    pub fn begin(&mut self, check: Option<Directions>, tries: Tries) {
        self.refused_tries.clear();
        self.check = check;
        self.tries = tries;
        self.asked = false;
        self.obliged = false;
        self.pawn_captures_refused = 0;
    }

    /// A try was answered no.
    ///
    /// An obligation to *try* a pawn capture is met by a new one;
    /// `pawn_capture` tells whether it was one
    /// ([`Own::is_pawn_capture`](crate::Own::is_pawn_capture)).
    #[inline]
    pub fn refused(&mut self, choices: &Choices, pawn_capture: bool, t: Try) {
        // Counted without a branch: what was refused cannot be predicted.
        let counts = self.refused_tries.add(t) & pawn_capture;
        self.pawn_captures_refused = self.pawn_captures_refused.saturating_add(counts.into());
        self.obliged &= !(counts && choices.obligation == Obligation::Try);
    }

    /// Any? was asked and answered.
    pub fn any_answered(&mut self, choices: &Choices, answer: bool) {
        self.asked = true;
        self.tries = Tries::Whether(answer);
        self.obliged = answer && choices.obligation != Obligation::None;
    }
}
