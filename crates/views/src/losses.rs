//! What is known of captures.

use rules::{
    Capture, CapturedMan, Reserve,
    chess::{ByColor, Color, Role},
};

/// What is known of the men one side lost.
#[derive(Copy, Clone, Eq, PartialEq, Debug, Default)]
pub struct SideLosses {
    /// Pawns, known to be pawns.
    pub pawns: u16,
    /// Pieces: known not to be pawns, kind unknown.
    pub pieces: u16,
    /// Men of unknown kind.
    pub unknown: u16,
    /// Men known by name, other than pawns.
    pub named: Reserve,
}

impl SideLosses {
    /// How many men are known to be lost.
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

/// What is known of the men both sides lost.
///
/// A seat knows its own losses exactly; of the other side's it knows what was
/// said to it, which under some rulesets is nothing at all.
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
    fn counts_of_losses_stay_at_their_most() {
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
