//! How many men the opponent can have, after captures, promotions and drops.

use rules::{
    Capture, CapturedMan,
    chess::{ByRole, Role},
};

use crate::men::Men;

/// The roles to which a pawn can promote.
pub(crate) const PIECES: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// Bounds on the numbers of the opponent's men on the board. They never exclude the truth.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct Counts {
    pub(crate) least: ByRole<u8>,
    pub(crate) most: ByRole<u8>,
    /// Minimum and maximum number of all men, the king included.
    pub(crate) total: (u8, u8),
    /// Maximum number of promotions that `most` does not yet contain.
    promotable: u8,
}

impl Default for Counts {
    /// The bounds before the first position is added.
    fn default() -> Counts {
        Counts {
            least: ByRole::new_with(|_| u8::MAX),
            most: ByRole::new_with(|_| 0),
            total: (u8::MAX, 0),
            promotable: 0,
        }
    }
}

impl Counts {
    /// Widens the bounds to include a position.
    pub(crate) fn add(&mut self, men: &Men) {
        for (role, squares) in men.by_role.zip_role() {
            let count = squares.count() as u8;
            let (least, most) = (self.least.get_mut(role), self.most.get_mut(role));
            (*least, *most) = ((*least).min(count), (*most).max(count));
        }
        let all = men.all().count() as u8;
        self.total = (self.total.0.min(all), self.total.1.max(all));
        self.promotable = self.most.pawn;
    }

    /// A man of one of these roles was captured, or may have been captured.
    pub(crate) fn capture(&mut self, roles: &[Role], is_certain: bool) {
        for role in roles {
            lower(self.least.get_mut(*role));
        }
        if let ([only], true) = (roles, is_certain) {
            lower(self.most.get_mut(*only));
            if *only == Role::Pawn {
                lower(&mut self.promotable);
            }
        }
        if is_certain || !roles.is_empty() {
            lower(&mut self.total.0);
        }
        if is_certain {
            lower(&mut self.total.1);
        }
        self.tighten();
    }

    /// A pawn became a man of one of these roles, or may have become one.
    pub(crate) fn promote(&mut self, to: &[Role], is_certain: bool) {
        lower(&mut self.least.pawn);
        if is_certain {
            lower(&mut self.most.pawn);
        }
        if self.promotable > 0 {
            lower(&mut self.promotable);
            for role in to {
                *self.most.get_mut(*role) += 1;
            }
        }
        if let ([only], true) = (to, is_certain) {
            *self.least.get_mut(*only) += 1;
        }
        self.tighten();
    }

    /// A man was dropped.
    pub(crate) fn drop(&mut self, role: Role) {
        *self.least.get_mut(role) += 1;
        *self.most.get_mut(role) += 1;
        self.total = (self.total.0 + 1, self.total.1 + 1);
        self.promotable += u8::from(role == Role::Pawn);
    }

    /// Derives the bounds of each role from the total and the bounds of the other roles.
    fn tighten(&mut self) {
        for role in Role::ALL {
            let others = |of: &ByRole<u8>| {
                let others = of
                    .zip_role()
                    .into_iter()
                    .filter(|(other, _)| *other != role);
                others.fold(0_u8, |sum, (_, count)| sum.saturating_add(count))
            };
            let most = self.total.1.saturating_sub(others(&self.least));
            let least = self.total.0.saturating_sub(others(&self.most));
            let (is_least, is_most) = (self.least.get_mut(role), self.most.get_mut(role));
            (*is_least, *is_most) = ((*is_least).max(least), (*is_most).min(most));
        }
    }
}

fn lower(count: &mut u8) {
    *count = count.saturating_sub(1);
}

/// Returns whether a captured man with this role on the board can be announced in this way.
pub(crate) fn can_be_announced(role: Role, capture: &Capture, drops: bool) -> bool {
    let pawn = role == Role::Pawn;
    let man = match capture.man {
        None => true,
        Some(CapturedMan::Pawn) => pawn,
        Some(CapturedMan::Piece) => !pawn,
        // A promoted man becomes a pawn in the reserve.
        Some(CapturedMan::Exactly(named)) => role == named || drops && named == Role::Pawn,
    };
    man && (pawn || !capture.en_passant)
}
