//! State of one turn: announcements, questions, refused tries.

use rules::{Directions, PawnTrySquare, Tries, Try, chess::Square};

/// State of the current turn.
#[derive(Clone, Debug)]
pub(super) struct Turn {
    /// The announced check; `None` if no check is announced.
    pub check: Option<Directions>,
    /// What was announced about pawn tries. After the question Any?, this is the answer.
    pub tries: Tries,
    /// Whether Any? was asked in this turn.
    pub asked: bool,
    /// Whether the player must try, or make, a pawn capture.
    pub obliged: bool,
    /// The tries answered "no" in this turn, without their promotion.
    pub refused: Vec<Try>,
    /// Number of different pawn captures among `refused`.
    pub captures_refused: usize,
}

/// Returns the try without its promotion, because tries that differ only in the
/// promotion count as one.
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

    /// Whether the announcement about pawn tries allows a pawn capture between
    /// these squares.
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
