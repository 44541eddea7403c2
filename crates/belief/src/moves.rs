//! The moves that the opponent can make in one position.

use referee::kernel::Position;
use rules::{
    Choices, Try,
    chess::{Bitboard, Rank, Role, Square},
};

use crate::situation::promotions;

/// One man and the squares on which it may land.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Man {
    pub from: Square,
    pub role: Role,
    pub targets: Bitboard,
}

/// The legal moves of the side to move, man by man.
#[derive(Clone, Debug)]
pub(crate) struct Moves {
    men: [Man; 32],
    len: usize,
    /// The squares on which a pawn promotes.
    pub last: Bitboard,
    /// The men that a promoted pawn may become.
    pub promotions: &'static [Role],
    /// Scratch space for the probability of each move.
    pub shares: Vec<f64>,
}

impl Moves {
    /// No moves yet.
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

    /// Lists the steps of the side to move; drops are asked for apart.
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

    /// The men with their squares.
    pub(crate) fn men(&self) -> &[Man] {
        &self.men[..self.len]
    }

    /// Leaves only pawn captures, or only other moves; `takes` tells the squares
    /// that a pawn attacks.
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

    /// How many moves there are; each man that a pawn may become counts.
    #[inline]
    pub(crate) fn count(&self) -> u32 {
        self.men().iter().map(|man| self.count_of(man)).sum()
    }

    /// How many moves a man has; each man that a pawn may become counts.
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

    /// Every try, in order.
    pub(crate) fn each(&self, mut visit: impl FnMut(Role, Try)) {
        for man in self.men() {
            for to in man.targets {
                self.each_to(man, to, |t| visit(man.role, t));
            }
        }
    }

    /// The try of a man to a square, or those for each promotion.
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
