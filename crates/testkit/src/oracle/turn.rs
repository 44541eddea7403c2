//! State between two moves: announcements, questions, refusals.

use rules::{Directions, PawnTrySquare, Tries, Try, chess::Square};

/// The turn of the player to move.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    /// The check as announced.
    pub check: Option<Directions>,
    /// Announcement of pawn tries, unasked or as the answer to Any?.
    pub tries: Tries,
    /// Any? was asked this turn.
    pub asked: bool,
    /// A pawn capture is due.
    pub obliged: bool,
    /// The tries answered no this turn, without their promotion.
    pub refused: Vec<Try>,
    /// The different pawn captures among them.
    pub captures_refused: usize,
}

/// From and to: another promotion man is the same attempt.
pub(super) fn same(t: Try) -> Try {
    match t {
        Try::Step { from, to, .. } => Try::step(from, to),
        Try::Drop { .. } => t,
    }
}

impl Turn {
    pub(super) fn new(check: Option<Directions>, tries: Tries) -> Turn {
        Turn {
            check,
            tries,
            asked: false,
            obliged: false,
            refused: Vec::new(),
            captures_refused: 0,
        }
    }

    pub(super) fn was_refused(&self, t: Try) -> bool {
        self.refused.contains(&same(t))
    }

    /// Whether the announcement leaves room for a pawn capture between these
    /// squares.
    pub(super) fn leaves_room_for(&self, from: Square, to: Square, by: PawnTrySquare) -> bool {
        match self.tries {
            Tries::Untold => true,
            Tries::Whether(some) => some,
            Tries::Count(count) => count > 0,
            Tries::Squares(squares) => match by {
                PawnTrySquare::Landing => squares.contains(to),
                PawnTrySquare::Origin => squares.contains(from),
            },
            Tries::SinglesAndDoubles { singles, doubles } => {
                singles.contains(to) || doubles.contains(to)
            }
        }
    }
}
