//! The true position of a recorded game, beside the referee's own.

use referee::{Event, Opened, kernel::Position};
use rules::{
    ReserveUse, Try,
    chess::{Color, Role},
};

/// The position of a game that was recorded, with its counters: a fold of its
/// log.
#[derive(Clone, Debug)]
pub(crate) struct Truth {
    pub(crate) position: Position,
    pub(crate) drops: bool,
    halfmoves: u32,
    fullmoves: u32,
}

impl Truth {
    /// At the opening.
    pub(crate) fn of(opened: &Opened) -> Truth {
        Truth {
            position: *opened.start.position(),
            drops: opened.choices.reserve == ReserveUse::Drops,
            halfmoves: opened.start.halfmoves(),
            fullmoves: opened.start.fullmoves(),
        }
    }

    /// Takes in an event.
    pub(crate) fn apply(&mut self, event: &Event) {
        if let Event::Moved { by, what, .. } = *event {
            let pawn = match what {
                Try::Step { from, .. } => self.position.role_at(from) == Some(Role::Pawn),
                Try::Drop { role, .. } => role == Role::Pawn,
            };
            let captured = self.position.play(what, self.drops);
            self.halfmoves = if pawn || captured.is_some() {
                0
            } else {
                self.halfmoves.saturating_add(1)
            };
            if by == Color::Black {
                self.fullmoves = self.fullmoves.saturating_add(1);
            }
        }
    }

    /// The position after a move.
    pub(crate) fn after(&self, event: &Event) -> Position {
        let mut after = self.clone();
        after.apply(event);
        after.position
    }

    /// The position as FEN.
    pub(crate) fn fen(&self) -> String {
        self.position
            .fen(self.drops, self.halfmoves, self.fullmoves)
    }
}
