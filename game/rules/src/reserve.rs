//! Captured men that may be dropped.

use crate::chess::Role;

/// Number of men of each role in one side's reserve, from pawn to queen.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, Default)]
pub struct Reserve([u8; 5]);

/// The roles that can be in a reserve, in the order of the counts.
const MEN: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

impl Reserve {
    /// A reserve without men.
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

    /// Returns the number of men of a role; 0 for the king.
    pub fn count(&self, role: Role) -> u8 {
        Reserve::index(role).map_or(0, |i| self.0[i])
    }

    /// Adds a man; a king is ignored.
    pub fn add(&mut self, role: Role) {
        if let Some(i) = Reserve::index(role) {
            self.0[i] = self.0[i].saturating_add(1);
        }
    }

    /// Removes a man; does nothing if there is none.
    pub fn take(&mut self, role: Role) {
        if let Some(i) = Reserve::index(role) {
            self.0[i] = self.0[i].saturating_sub(1);
        }
    }

    /// Whether the reserve has no men.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 5]
    }

    /// Iterates over the roles in the reserve and the number of each, pawn
    /// first. Roles without men are left out.
    pub fn iter(&self) -> impl Iterator<Item = (Role, u8)> + use<> {
        let counts = self.0;
        MEN.into_iter().zip(counts).filter(|(_, n)| *n > 0)
    }
}
