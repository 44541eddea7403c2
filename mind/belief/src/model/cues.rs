//! What was announced about the last moves and is known to both players.

use rules::{
    Try,
    chess::{Bitboard, Square},
};

use crate::report::Report;

/// What both players know about the last moves from the announcements.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub(crate) struct Cues {
    /// Target square of the seat's last move, if this move was announced as a capture.
    pub lost_on: Option<Square>,
    /// Square on which the opponent's last move captured a man.
    pub captor: Option<Square>,
    /// Squares on which men of the seat have captured and still stand.
    pub known: Bitboard,
    /// Whether the opponent is in check, as announced.
    pub in_check: bool,
}

impl Cues {
    /// Updates the cues after a move of the seat with this report.
    pub(crate) fn own_move(&mut self, what: Try, report: &Report) {
        self.lost_on = report.capture.map(|_| what.to());
        if let Some(from) = what.from() {
            self.known.discard(from);
        }
        if report.capture.is_some() {
            self.known.add(what.to());
        } else {
            self.known.discard(what.to());
        }
        self.in_check = report.check.is_some();
    }

    /// Updates the cues after a move of the opponent with this report.
    pub(crate) fn their_move(&mut self, report: &Report) {
        self.lost_on = None;
        self.captor = report.lost.map(|(square, _)| square);
        if let Some(square) = self.captor {
            self.known.discard(square);
        }
        self.in_check = false;
    }
}
