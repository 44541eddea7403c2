//! What is known about captured men.

use rules::{
    Capture, CapturedMan, Reserve,
    chess::{ByColor, Color, Role},
};

/// Known losses of one side: numbers of captured men.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct SideLosses {
    /// Number of men that are known to be pawns.
    pub pawns: u16,
    /// Number of men that are known to be pieces, of unknown role.
    pub pieces: u16,
    /// Number of men that may be pawns or pieces.
    pub unknown: u16,
    /// Numbers of men of known role, without pawns.
    pub named: Reserve,
}

impl SideLosses {
    /// Returns the number of men known to be lost.
    pub fn total(&self) -> u16 {
        let named: u16 = self.named.iter().map(|(_, n)| u16::from(n)).sum();
        [self.pawns, self.pieces, self.unknown]
            .into_iter()
            .fold(named, u16::saturating_add)
    }

    pub(crate) fn note(&mut self, capture: &Capture) {
        match capture.man {
            None => self.unknown = self.unknown.saturating_add(1),
            Some(CapturedMan::Pawn) => self.pawns = self.pawns.saturating_add(1),
            Some(CapturedMan::Piece) => self.pieces = self.pieces.saturating_add(1),
            Some(CapturedMan::Exactly(role)) => self.note_man(role),
        }
    }

    pub(crate) fn note_man(&mut self, role: Role) {
        if role == Role::Pawn {
            self.pawns = self.pawns.saturating_add(1);
        } else {
            self.named.add(role);
        }
    }
}

/// Known losses of both sides.
///
/// A seat knows its own losses exactly. Of the other side's losses, it knows only the losses that
/// were announced to it. Some rulesets announce no losses.
pub type Losses = ByColor<SideLosses>;

pub(crate) fn none() -> Losses {
    ByColor {
        white: SideLosses::default(),
        black: SideLosses::default(),
    }
}

pub(crate) fn of(losses: &mut Losses, color: Color) -> &mut SideLosses {
    losses.get_mut(color)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loss_counts_stop_at_their_maximum() {
        let capture = |man| Capture {
            square: None,
            man,
            en_passant: false,
        };
        let mut losses = SideLosses::default();
        for _ in 0..70_000 {
            losses.note(&capture(None));
            losses.note(&capture(Some(CapturedMan::Pawn)));
            losses.note(&capture(Some(CapturedMan::Piece)));
            losses.note_man(Role::Pawn);
            losses.note_man(Role::Queen);
        }
        assert_eq!(losses.pawns, u16::MAX);
        assert_eq!(losses.total(), u16::MAX);
    }
}
