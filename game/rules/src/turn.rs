//! State of one turn: the announcements, and the tries refused in this turn.

use crate::{
    attempt::Try,
    choices::{Choices, Obligation},
    direction::Directions,
    refused_tries::RefusedTries,
    tries::Tries,
};

/// What the player to move knows about the turn, besides the own men. The referee and the view of
/// this player compute equal values.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct TurnState {
    /// The announced check; `None` if no check is announced. If the check is announced without
    /// directions, the set is empty.
    pub check: Option<Directions>,
    /// What was announced about the pawn tries. After the question Any?, this is the answer.
    pub tries: Tries,
    /// Whether Any? was answered in this turn.
    pub asked: bool,
    /// Whether the player must try, or make, a pawn capture now.
    pub obliged: bool,
    /// Number of different pawn captures answered "no" in this turn.
    pub pawn_captures_refused: u8,
    /// Tries answered "no" in this turn.
    pub refused_tries: RefusedTries,
}

impl TurnState {
    /// Starts a new turn with its announcements.
    #[inline]
    pub fn begin(&mut self, check: Option<Directions>, tries: Tries) {
        self.refused_tries.clear();
        self.check = check;
        self.tries = tries;
        self.asked = false;
        self.obliged = false;
        self.pawn_captures_refused = 0;
    }

    /// Records a try that was answered "no".
    ///
    /// `pawn_capture` says whether the try is a pawn capture
    /// ([`Own::is_pawn_capture`](crate::Own::is_pawn_capture)). If the player must *try* a pawn
    /// capture, a pawn capture that was not refused before fulfils this obligation.
    #[inline]
    pub fn refused(&mut self, choices: &Choices, pawn_capture: bool, t: Try) {
        // This code has no branch: a branch would depend on the kind of the refused try, and the CPU
        // could not predict it.
        let counts = self.refused_tries.add(t) & pawn_capture;
        self.pawn_captures_refused = self.pawn_captures_refused.saturating_add(counts.into());
        self.obliged &= !(counts && choices.obligation == Obligation::Try);
    }

    /// Records the answer to Any?.
    pub fn any_answered(&mut self, choices: &Choices, answer: bool) {
        self.asked = true;
        self.tries = Tries::Whether(answer);
        self.obliged = answer && choices.obligation != Obligation::None;
    }
}
