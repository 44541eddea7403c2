//! Results of a try for all possible squares of the lone king.

use rules::{
    CheckTold, Try,
    chess::{Bitboard, attacks},
};

use super::{OwnMen, geometry::spread};

/// Results of a try for all possible squares of the lone king. The sets `refused`, `mate`,
/// `stalemate` and the sets of `heard` are disjoint. Each possible square is in one of these sets.
#[derive(Clone, Debug)]
pub struct TryOutcome {
    /// The men after the try.
    pub men: OwnMen,
    /// Squares of the king. If the king is on one of them, the try is refused.
    pub refused: Bitboard,
    /// Squares of the king on which it is mated.
    pub mate: Bitboard,
    /// Squares of the king on which it is stalemated.
    pub stalemate: Bitboard,
    /// Squares of the king from which it can capture a man. These squares are also in the sets of
    /// `heard`.
    pub loses: Bitboard,
    /// Squares of the king. If the king is on one of them, the game continues. The squares of one
    /// set lead to the same announcement of check. No set is empty.
    pub heard: Vec<Bitboard>,
    /// Squares that the men do not attack after the try. The king may move to these squares. The
    /// square of an unprotected man is one of these squares too.
    free: u64,
}

impl TryOutcome {
    /// Computes the results of a try. The try must be one of [`OwnMen::tries`], and the squares
    /// `kings` must be among [`OwnMen::possible_kings`].
    pub fn of(men: OwnMen, tried: Try, kings: Bitboard, told: CheckTold) -> TryOutcome {
        let after = men.after(tried);
        let attacked = after.attacked();
        let all = after.squares().0;
        let refused = match tried {
            Try::Step { from, to, .. } => {
                let near = if from == men.king() {
                    attacks::king_attacks(to).0
                } else {
                    0
                };
                near | attacks::between(from, to).0 | 1 << to.to_u32()
            }
            Try::Drop { to, .. } => 1 << to.to_u32(),
        } & kings.0;
        let accepted = kings.0 & !refused;
        let free = !attacked.any;
        let can_move = spread(free);
        let stuck = accepted & !can_move;
        let mut heard = vec![accepted & can_move];
        let halve = |heard: &mut Vec<u64>, line: u64| {
            for at in 0..heard.len() {
                let inside = heard[at] & line;
                heard[at] &= !line;
                heard.push(inside);
            }
            heard.retain(|set| *set != 0);
        };
        match told {
            CheckTold::Silent => {}
            CheckTold::Bare => halve(&mut heard, attacked.any),
            CheckTold::Directions => {
                for line in attacked.directions {
                    halve(&mut heard, line);
                }
            }
        }
        heard.retain(|set| *set != 0);
        TryOutcome {
            men: after,
            refused: Bitboard(refused),
            mate: Bitboard(stuck & attacked.any),
            stalemate: Bitboard(stuck & !attacked.any),
            loses: Bitboard(accepted & spread(free & all)),
            heard: heard.into_iter().map(Bitboard).collect(),
            free,
        }
    }

    /// Returns the squares of the king for which the try is accepted.
    pub fn legal(&self) -> Bitboard {
        let heard = self
            .heard
            .iter()
            .fold(Bitboard::EMPTY, |all, one| all | *one);
        self.mate | self.stalemate | heard
    }

    /// Returns the possible squares of the king after its reply, if the king was on one of `kings`
    /// and took no man.
    pub fn replies(&self, kings: Bitboard) -> Bitboard {
        Bitboard(spread(kings.0) & self.free & !self.men.squares().0)
    }

    /// Returns the squares of the king where every reply leads to a square of `goal`. `goal` must
    /// not contain the square of a man.
    pub(super) fn certain(&self, goal: u64) -> u64 {
        !spread(self.free & !goal)
    }
}
