//! Exchanges: a series of captures on one square.

use rules::{
    Own,
    chess::{Bitboard, Role, Square},
};

use crate::sparring::guess::attackers;

/// Maximum number of captures in a series.
const MOST: usize = 16;

/// Returns the value of a man, in pawns. The value of a king is greater than the value
/// of all other men together.
pub(crate) const fn value(role: Role) -> f32 {
    match role {
        Role::Pawn => 1.0,
        Role::Knight => 3.1,
        Role::Bishop => 3.2,
        Role::Rook => 5.0,
        Role::Queen => 9.5,
        Role::King => 100.0,
    }
}

/// Returns the square and role of the least valuable of these men of a side.
pub(crate) fn least(side: &Own, among: Bitboard) -> Option<(Square, Role)> {
    side.men
        .zip_role()
        .into_iter()
        .find_map(|(role, squares)| Some(((squares & among).first()?, role)))
}

/// Returns what `taker` gains by capturing a man of `owner` on `square`, in
/// pawns. `first` is the man that captures, `victim` the role of the captured
/// man.
///
/// After the first capture, both sides capture with their least valuable man. A side stops if a
/// further capture would lose material. But the first capture is always made, because the taker
/// does not know which men protect the square.
pub(crate) fn gain(
    taker: &Own,
    owner: &Own,
    square: Square,
    victim: Role,
    first: (Square, Role),
) -> f32 {
    let mut occupied = taker.all() | owner.all();
    let mut gains = [0.0; MOST];
    gains[0] = value(victim);
    let mut last = 0;
    let (mut from, mut role) = first;
    let (mut mover, mut other) = (owner, taker);
    while last + 1 < MOST {
        occupied.discard(from);
        let next = least(mover, attackers(mover, square, occupied) & occupied);
        let Some((next_from, next_role)) = next else {
            break;
        };
        // A king cannot capture a protected man, so the series ends here.
        if next_role == Role::King && (attackers(other, square, occupied) & occupied).any() {
            break;
        }
        last += 1;
        gains[last] = value(role) - gains[last - 1];
        (from, role) = (next_from, next_role);
        std::mem::swap(&mut mover, &mut other);
    }
    while last > 0 {
        gains[last - 1] = -(-gains[last - 1]).max(gains[last]);
        last -= 1;
    }
    gains[0]
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

    fn by_white(board: &str, square: Square) -> f32 {
        let (white, black) = sides(board);
        let hitters = attackers(&white, square, white.all() | black.all());
        let first = least(&white, hitters).expect("White can capture");
        let victim = black.role_at(square).expect("Black has a man there");
        gain(&white, &black, square, victim, first)
    }

    #[test]
    fn unprotected_man_is_won() {
        assert_eq!(by_white("4k3/8/8/3n4/4P3/8/8/4K3", Square::D5), 3.1);
    }

    #[test]
    fn queen_that_takes_a_protected_pawn_is_lost() {
        assert_eq!(by_white("4k3/8/4p3/3p4/8/8/8/3QK3", Square::D5), 1.0 - 9.5);
    }

    #[test]
    fn hidden_second_attacker_supports_the_first() {
        // After the exchange of the rooks, White is ahead by a pawn.
        assert_eq!(by_white("3rk3/8/8/3p4/8/8/3R4/3RK3", Square::D5), 1.0);
    }

    #[test]
    fn king_does_not_take_a_protected_man() {
        assert_eq!(by_white("8/8/3k4/3p4/8/8/3R4/3RK3", Square::D5), 1.0);
        assert_eq!(by_white("8/8/3k4/3p4/8/8/3R4/4K3", Square::D5), 1.0 - 5.0);
    }
}
