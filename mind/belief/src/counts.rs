//! How many men the opponent can have, after captures, promotions and drops.

use rules::{
    Capture, CapturedMan,
    chess::{Bitboard, ByRole, Color, Rank, Role},
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
    /// Maximum number of pawns that can promote.
    promotable: u8,
    /// Number of promotions that the bounds contain.
    promoted: u8,
    /// For each number of promotions, beginning with one, the smallest number of moves that they
    /// need from the first positions on.
    needed: [u8; 16],
    /// Number of the opponent's moves after the first positions, at most 254.
    moves: u8,
}

impl Default for Counts {
    /// The bounds before the first position is added.
    fn default() -> Counts {
        Counts {
            least: ByRole::new_with(|_| u8::MAX),
            most: ByRole::new_with(|_| 0),
            total: (u8::MAX, 0),
            promotable: 0,
            promoted: 0,
            needed: [u8::MAX; 16],
            moves: 0,
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

    /// Takes into account how near the pawns of a position are to the last rank.
    pub(crate) fn add_pawns(&mut self, pawns: Bitboard, color: Color) {
        let mut moves = 0;
        let ranks = [6, 5, 4, 3, 2, 1].map(|rank| color.relative_rank(Rank::new(rank)));
        // A pawn on its first square moves two squares at once.
        let distances = ranks.into_iter().zip([1, 2, 3, 4, 5, 5]);
        let each = distances.flat_map(|(rank, distance)| {
            let here = (pawns & Bitboard::from_rank(rank)).count();
            std::iter::repeat_n(distance, here)
        });
        for (needed, distance) in self.needed.iter_mut().zip(each) {
            moves += distance;
            *needed = (*needed).min(moves);
        }
    }

    /// The pawns can be anywhere, so each promotion needs one move.
    pub(crate) fn forget_pawns(&mut self) {
        self.needed = std::array::from_fn(|before| before as u8 + 1);
    }

    /// The opponent has begun a move.
    pub(crate) fn begin_move(&mut self) {
        self.moves = self.moves.saturating_add(1).min(u8::MAX - 1);
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
        let reached = self.needed.iter().filter(|needed| **needed <= self.moves);
        let possible = (reached.count() as u8).min(self.promotable);
        if is_certain {
            lower(&mut self.most.pawn);
        }
        if self.promoted < possible {
            self.promoted += 1;
            lower(&mut self.least.pawn);
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
        if role == Role::Pawn {
            self.promotable += 1;
            self.forget_pawns();
        }
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
