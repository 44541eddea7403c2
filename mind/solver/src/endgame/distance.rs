//! Number of moves to mate if the lone king is visible.

use rules::chess::{Bitboard, Role, Square};

use super::{
    OwnMen, TryOutcome,
    geometry::{Symmetry, spread},
    placements::{Placements, in_parallel},
};

/// Distance that means "no mate".
const NEVER: u8 = u8::MAX;

/// The number of own moves to mate with best play on both sides, if the lone king is visible.
#[derive(Clone, Debug)]
pub struct Distances {
    placements: Placements,
    /// Number of own moves to mate, with the mating side to move. The first index is the placement,
    /// and the second index is the square of the lone king.
    moves: Vec<[u8; 64]>,
}

/// A try, prepared for the computation.
struct Step {
    next: usize,
    symmetry: Symmetry,
    refused: u64,
}

impl Distances {
    /// Computes the distances in these endings. An ending is a king and one or two more men. For an
    /// ending with a pawn, the endings after its promotion must be given too.
    pub fn build(endings: &[&[Role]]) -> Distances {
        let placements = Placements::of(endings);
        let count = placements.all().len();
        let steps = in_parallel(placements.all(), |men| {
            let step = |tried| {
                let outcome =
                    TryOutcome::of(*men, tried, men.possible_kings(), rules::CheckTold::Silent);
                let (next, symmetry) = placements.find(outcome.men)?;
                Some(Step {
                    next,
                    symmetry: symmetry.inverse(),
                    refused: outcome.refused.0,
                })
            };
            men.tries().into_iter().filter_map(step).collect::<Vec<_>>()
        });
        // Three sets of squares for each placement, with the lone king to move: its possible
        // squares, the squares to which it may move, and the squares where it is in check.
        let boards = in_parallel(placements.all(), |men| {
            let attacked = men.attacked();
            let stand = !(men.squares().0 | spread(1 << men.king().to_u32()));
            let check = attacked.directions.iter().fold(0, |all, one| all | one);
            (stand, !attacked.any, check)
        });
        let mut moves = vec![[NEVER; 64]; count];
        let mut won = vec![0_u64; count];
        let mut lost = vec![0_u64; count];
        for n in 1..NEVER {
            for at in 0..count {
                let (stand, free, check) = boards[at];
                let mated = check & !spread(free);
                let caught = spread(free) & !spread(free & !won[at]);
                lost[at] = stand & (mated | caught);
            }
            let indices: Vec<usize> = (0..count).collect();
            let next = in_parallel(&indices, |at| {
                let mut set = 0;
                for step in &steps[*at] {
                    set |= step.symmetry.set(lost[step.next]) & !step.refused;
                }
                set & placements.all()[*at].possible_kings().0
            });
            let mut changed = false;
            for at in 0..count {
                for square in Bitboard(next[at] & !won[at]) {
                    moves[at][square.to_usize()] = n;
                    changed = true;
                }
                won[at] |= next[at];
            }
            if !changed {
                break;
            }
        }
        Distances { placements, moves }
    }

    /// Returns the number of own moves to mate, with the mating side to move. Returns `None` if
    /// there is no mate, or if the ending with these men is not known.
    pub fn get(&self, men: OwnMen, king: Square) -> Option<u8> {
        let (at, symmetry) = self.placements.find(men)?;
        let moves = self.moves[at][symmetry.square(king).to_usize()];
        (moves != NEVER).then_some(moves)
    }

    /// Returns the best moves of a lone king that sees everything and is to move. If there are
    /// captures, the best moves are the captures. Otherwise they are the moves that delay the mate
    /// for the longest time. Returns an empty set if the king cannot move.
    pub fn best_replies(&self, men: OwnMen, king: Square) -> Bitboard {
        let free = Bitboard(!men.attacked().any);
        let to = rules::chess::attacks::king_attacks(king) & free;
        let captures = to & men.squares();
        if captures.any() {
            return captures;
        }
        let Some((at, symmetry)) = self.placements.find(men) else {
            return to;
        };
        let moves = |to: Square| self.moves[at][symmetry.square(to).to_usize()];
        let longest = to.into_iter().map(moves).max();
        to.into_iter()
            .filter(|to| Some(moves(*to)) == longest)
            .collect()
    }

    /// Returns the greatest distance in all known endings, with the mating side to move.
    pub fn longest(&self) -> u8 {
        let all = self.moves.iter().flatten().copied();
        all.filter(|moves| *moves != NEVER).max().unwrap_or(0)
    }
}
