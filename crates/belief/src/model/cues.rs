//! What was announced of the last moves, as far as both sides know it.

use rules::{Try, chess::Square};

use crate::report::Report;

/// What was announced of the last moves, as far as the seat knows it too.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct Cues {
    /// Where the seat's last move took a man, as the seat was told.
    pub lost_on: Option<Square>,
    /// Where the opponent's last move took a man.
    pub captor: Option<Square>,
    /// Whether a check on the opponent stands announced.
    pub in_check: bool,
}

impl Cues {
    /// The seat played a try, and this was said.
    pub(crate) fn own_move(&mut self, what: Try, report: &Report) {
        self.lost_on = report.capture.map(|_| what.to());
        self.in_check = report.check.is_some();
    }

    /// The opponent moved, and this was said.
    pub(crate) fn their_move(&mut self, report: &Report) {
        self.lost_on = None;
        self.captor = report.lost.map(|(square, _)| square);
        self.in_check = false;
    }
}
