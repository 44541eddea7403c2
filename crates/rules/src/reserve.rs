//! Captured men that may be dropped.

use crate::chess::Role;

/// The men in one side's reserve, pawn to queen.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Reserve([u8; 5]);

/// The men that can be in a reserve.
const MEN: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

impl Reserve {
    /// No men.
    pub const EMPTY: Reserve = Reserve([0; 5]);

    const fn index(role: Role) -> Option<usize> {
        match role {
            Role::Pawn => Some(0),
            Role::Knight => Some(1),
            Role::Bishop => Some(2),
            Role::Rook => Some(3),
            Role::Queen => Some(4),
            Role::King => None,
        }
    }

    /// Returns the number of men of a kind; 0 for the king.
    pub fn count(&self, role: Role) -> u8 {
        Reserve::index(role).map_or(0, |i| self.0[i])
    }

    /// Puts a man into the reserve; a king is ignored.
    pub fn add(&mut self, role: Role) {
        if let Some(i) = Reserve::index(role) {
            self.0[i] = self.0[i].saturating_add(1);
        }
    }

    /// Takes a man out; nothing happens if there is none.
    pub fn take(&mut self, role: Role) {
        if let Some(i) = Reserve::index(role) {
            self.0[i] = self.0[i].saturating_sub(1);
        }
    }

    /// Whether there are no men.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 5]
    }

    /// Each kind of man of which there is one, with its number, pawn first.
    pub fn iter(&self) -> impl Iterator<Item = (Role, u8)> + use<> {
        let counts = self.0;
        MEN.into_iter().zip(counts).filter(|(_, n)| *n > 0)
    }
}
