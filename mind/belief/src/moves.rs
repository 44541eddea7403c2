//! The legal moves in one position.

use position::Position;
use rules::{
    Choices, Try,
    chess::{Bitboard, Rank, Role, Square},
};

use crate::situation::promotions;

/// One man and the squares to which it can move.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Man {
    pub from: Square,
    pub role: Role,
    pub targets: Bitboard,
}

/// The legal moves of the side to move, grouped by man.
#[derive(Clone, Debug)]
pub(crate) struct Moves {
    men: [Man; 32],
    len: usize,
    /// The squares on which a pawn promotes.
    pub last: Bitboard,
    /// The roles to which a pawn can promote.
    pub promotions: &'static [Role],
    /// Scratch space for the probability of each move.
    pub shares: Vec<f64>,
}

impl Moves {
    /// Returns an empty list.
    pub(crate) const fn none(choices: &Choices) -> Moves {
        Moves {
            men: [Man {
                from: Square::A1,
                role: Role::Pawn,
                targets: Bitboard::EMPTY,
            }; 32],
            len: 0,
            last: Bitboard::EMPTY,
            promotions: promotions(choices.promotion_man),
            shares: Vec::new(),
        }
    }

    /// Replaces the list by the legal moves of the side to move. Drops are not
    /// included.
    #[inline]
    pub(crate) fn list(&mut self, position: &Position) {
        let mut len = 0;
        let men = &mut self.men;
        position.each_legal_man(&position.seen(), |from, role, targets| {
            men[len & 31] = Man {
                from,
                role,
                targets,
            };
            len += 1;
        });
        self.len = len.min(32);
        self.last = Bitboard::from_rank(position.turn().relative_rank(Rank::Eighth));
    }

    /// Returns the men with their target squares.
    pub(crate) fn men(&self) -> &[Man] {
        &self.men[..self.len]
    }

    /// Keeps only pawn captures if `captures` is true, otherwise only the other
    /// moves. `takes` returns the squares that a pawn attacks.
    pub(crate) fn restrict(&mut self, captures: bool, takes: impl Fn(Square) -> Bitboard) {
        for man in &mut self.men[..self.len] {
            let attacked = match man.role {
                Role::Pawn => takes(man.from),
                Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {
                    Bitboard::EMPTY
                }
            };
            man.targets &= if captures { attacked } else { !attacked };
        }
    }

    /// Returns the number of moves. Promotions to different roles are different
    /// moves.
    #[inline]
    pub(crate) fn count(&self) -> u32 {
        self.men().iter().map(|man| self.count_of(man)).sum()
    }

    /// Returns the number of moves of one man. Promotions to different roles
    /// are different moves.
    #[inline]
    pub(crate) fn count_of(&self, man: &Man) -> u32 {
        let all = man.targets.count() as u32;
        if man.role == Role::Pawn {
            let extra = self.promotions.len() as u32 - 1;
            all + extra * (man.targets & self.last).count() as u32
        } else {
            all
        }
    }

    /// Calls `visit` with every move, in order.
    pub(crate) fn each(&self, mut visit: impl FnMut(Role, Try)) {
        for man in self.men() {
            for to in man.targets {
                self.each_to(man, to, |t| visit(man.role, t));
            }
        }
    }

    /// Calls `visit` with the move of a man to a square, or with each promotion
    /// on that square.
    #[inline]
    pub(crate) fn each_to(&self, man: &Man, to: Square, mut visit: impl FnMut(Try)) {
        let from = man.from;
        if man.role == Role::Pawn && self.last.contains(to) {
            for role in self.promotions {
                visit(Try::Step {
                    from,
                    to,
                    promotion: Some(*role),
                });
            }
        } else {
            visit(Try::step(from, to));
        }
    }
}
