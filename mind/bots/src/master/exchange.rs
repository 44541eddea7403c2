//! Exchanges: a series of captures on one square.

use rules::{
    Own,
    chess::{Bitboard, Role, Square},
};

use super::weights::Weights;
use crate::attacks::attackers;

/// Maximum number of captures in a series.
const MAX: usize = 16;

/// Returns what `taker` gains by capturing a man of `owner` on `square`, in
/// pawns. `first` is the man that captures, `victim` the role of the captured
/// man.
///
/// After the first capture, both sides capture with their least valuable man. A side stops if a
/// further capture would lose material. But the first capture is always made, because the taker
/// does not know which men protect the square.
pub(crate) fn gain(
    weights: &Weights,
    taker: &Own,
    owner: &Own,
    square: Square,
    victim: Role,
    first: (Square, Role),
) -> f32 {
    let mut occupied = taker.all() | owner.all();
    let mut gains = [0.0; MAX];
    gains[0] = weights.of(victim);
    let mut last = 0;
    let (mut from, mut role) = first;
    let (mut mover, mut other) = (owner, taker);
    while last + 1 < MAX {
        occupied.discard(from);
        let next = least(mover, attackers(mover, square, occupied) & occupied);
        let Some((next_from, next_role)) = next else {
            break;
        };
        // Only the king could capture next, but the man on the square is protected. A king
        // cannot capture a protected man, so the series ends here.
        if next_role == Role::King && (attackers(other, square, occupied) & occupied).any() {
            break;
        }
        last += 1;
        gains[last] = weights.of(role) - gains[last - 1];
        (from, role) = (next_from, next_role);
        std::mem::swap(&mut mover, &mut other);
    }
    while last > 0 {
        gains[last - 1] = -(-gains[last - 1]).max(gains[last]);
        last -= 1;
    }
    gains[0]
}

/// Returns the square and role of the least valuable man that a side has on the squares `among`.
pub(crate) fn least(side: &Own, among: Bitboard) -> Option<(Square, Role)> {
    side.men
        .zip_role()
        .into_iter()
        .find_map(|(role, squares)| Some(((squares & among).first()?, role)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::{
        Reserve, Wings,
        chess::{Board, Color},
    };

    fn sides(board: &str) -> (Own, Own) {
        let board: Board = board.parse().expect("the text is a board");
        let side = |color| Own::of(&board, color, Wings::NONE, Reserve::EMPTY);
        (side(Color::White), side(Color::Black))
    }

    /// Checks what White gains by a capture on d5.
    fn check(board: &str, expected: f32) {
        let (white, black) = sides(board);
        let square = Square::D5;
        let hitters = attackers(&white, square, white.all() | black.all());
        let first = least(&white, hitters).expect("White can capture");
        let victim = black.role_at(square).expect("Black has a man there");
        let gained = gain(&Weights::USUAL, &white, &black, square, victim, first);
        assert!((gained - expected).abs() < 1e-5, "{board}: {gained}");
    }

    const PAWN: f32 = Weights::USUAL.pawn;

    #[test]
    fn unprotected_man_is_won() {
        check("4k3/8/8/3n4/4P3/8/8/4K3", Weights::USUAL.knight);
    }

    #[test]
    fn queen_that_takes_a_protected_pawn_is_lost() {
        check("4k3/8/4p3/3p4/8/8/8/3QK3", PAWN - Weights::USUAL.queen);
    }

    #[test]
    fn rook_behind_a_capturing_rook_supports_the_capture() {
        // After the exchange of the rooks, White is ahead by a pawn.
        check("3rk3/8/8/3p4/8/8/3R4/3RK3", PAWN);
    }

    #[test]
    fn king_does_not_take_a_protected_man() {
        check("8/8/3k4/3p4/8/8/3R4/3RK3", PAWN);
        check("8/8/3k4/3p4/8/8/3R4/4K3", PAWN - Weights::USUAL.rook);
    }
}
