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
        self.pawns + self.pieces + self.unknown + named
    }

    pub(crate) fn note(&mut self, capture: &Capture) {
        match capture.man {
            None => self.unknown += 1,
            Some(CapturedMan::Pawn) => self.pawns += 1,
            Some(CapturedMan::Piece) => self.pieces += 1,
            Some(CapturedMan::Exactly(role)) => self.note_man(role),
        }
    }

    pub(crate) fn note_man(&mut self, role: Role) {
        if role == Role::Pawn {
            self.pawns += 1;
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
