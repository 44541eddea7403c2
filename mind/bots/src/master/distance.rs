//! Number of moves to mate with king and queen, or king and rook, against a lone king whose square
//! is known.

use std::sync::OnceLock;

use rules::chess::{Bitboard, Color, Role, Square, attacks};

/// Number of moves to mate, for each placement of three men: the mating side's king,
/// the mating side's queen or rook, and the lone king. The mating side is to move.
#[derive(Debug)]
pub(crate) struct Distances(Vec<u8>);

/// Marks positions without a forced mate, and impossible positions.
const NEVER: u8 = u8::MAX;

const PLACES: usize = 64 * 64 * 64;

fn index(king: Square, man: Square, other: Square) -> usize {
    (king.to_usize() * 64 + man.to_usize()) * 64 + other.to_usize()
}

fn squares(index: usize) -> (Square, Square, Square) {
    let square = |i: usize| Square::new((i % 64) as u32);
    (square(index / 4096), square(index / 64), square(index))
}

fn reach(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    attacks::attacks(from, role.of(Color::White), occupied)
}

impl Distances {
    /// Returns the table for a queen. It is computed on first use.
    pub fn queen() -> &'static Distances {
        static QUEEN: OnceLock<Distances> = OnceLock::new();
        QUEEN.get_or_init(|| Distances::of(Role::Queen))
    }

    /// Returns the table for a rook. It is computed on first use.
    pub fn rook() -> &'static Distances {
        static ROOK: OnceLock<Distances> = OnceLock::new();
        ROOK.get_or_init(|| Distances::of(Role::Rook))
    }

    /// Returns the number of moves to mate; `None` if there is no mate.
    pub fn get(&self, king: Square, man: Square, other: Square) -> Option<u8> {
        let moves = self.0[index(king, man, other)];
        (moves != NEVER).then_some(moves)
    }

    /// Computes the table, going backwards from the mates.
    fn of(role: Role) -> Distances {
        // For each position with the lone king to move, the number of the king's moves that are not
        // yet known to lose.
        let mut free = vec![NEVER; PLACES];
        let mut mating = vec![NEVER; PLACES];
        let mut lost = Vec::new();
        for (at, free) in free.iter_mut().enumerate() {
            let (king, man, other) = squares(at);
            if king == man || king == other || man == other || king.distance(other) == 1 {
                continue;
            }
            let occupied = Bitboard::from_square(king);
            let hit = reach(role, man, occupied) | attacks::king_attacks(king);
            let replies = attacks::king_attacks(other) & !hit;
            // If the lone king is stalemated or can capture the queen or rook, the position is
            // never lost for the lone king.
            if replies.is_empty() && hit.contains(other) {
                *free = 0;
                lost.push(at);
            } else if replies.any() && !replies.contains(man) {
                *free = replies.count() as u8;
            }
        }
        let mut moves = 0;
        while !lost.is_empty() {
            moves += 1;
            let mut won = Vec::new();
            for at in lost.drain(..) {
                let (king, man, other) = squares(at);
                let standing = Bitboard::from_square(king).with(man).with(other);
                let men = reach(role, man, standing) & !standing;
                let kings = attacks::king_attacks(king) & !standing & !attacks::king_attacks(other);
                let before = men
                    .into_iter()
                    .map(|man| index(king, man, other))
                    .chain(kings.into_iter().map(|king| index(king, man, other)));
                for at in before {
                    // When the mating side is to move, the lone king must not be in check.
                    let (king, man, other) = squares(at);
                    let hit = reach(role, man, Bitboard::from_square(king));
                    if mating[at] == NEVER && !hit.contains(other) {
                        mating[at] = moves;
                        won.push(at);
                    }
                }
            }
            for at in won {
                let (king, man, other) = squares(at);
                for from in attacks::king_attacks(other) {
                    let before = index(king, man, from);
                    if free[before] != NEVER && free[before] > 0 {
                        free[before] -= 1;
                        if free[before] == 0 {
                            lost.push(before);
                        }
                    }
                }
            }
        }
        Distances(mating)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longest_mates_have_the_lengths_that_books_give() {
        let most = |distances: &Distances| {
            let known = distances.0.iter().filter(|moves| **moves != NEVER);
            known.max().copied()
        };
        assert_eq!(most(Distances::queen()), Some(10));
        assert_eq!(most(Distances::rook()), Some(16));
    }

    #[test]
    fn a_mate_in_one_is_one_move_away() {
        use Square::{A1, A7, B6, G6, G8, H1, H8};
        assert_eq!(Distances::rook().get(G6, A1, G8), Some(1));
        assert_eq!(
            Distances::rook().get(G6, H1, H8),
            None,
            "the lone king is in check before the move"
        );
        assert_eq!(Distances::queen().get(B6, A7, Square::A8), None);
    }
}
