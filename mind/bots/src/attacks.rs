//! The squares that the men of one side attack.

use rules::{
    Own,
    chess::{Bitboard, Rank, Role, Square, attacks},
};

/// Returns the men of a side that attack a square.
pub(crate) fn attackers(side: &Own, square: Square, occupied: Bitboard) -> Bitboard {
    let men = &side.men;
    (attacks::knight_attacks(square) & men.knight)
        | (attacks::king_attacks(square) & men.king)
        | (attacks::pawn_attacks(side.color.other(), square) & men.pawn)
        | (attacks::bishop_attacks(square, occupied) & (men.bishop | men.queen))
        | (attacks::rook_attacks(square, occupied) & (men.rook | men.queen))
}

/// Returns the squares that a man attacks.
pub(crate) fn reach(side: &Own, role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    attacks::attacks(from, role.of(side.color), occupied)
}

/// Returns all squares that a side attacks.
pub(crate) fn attacked(side: &Own, occupied: Bitboard) -> Bitboard {
    let mut all = Bitboard::EMPTY;
    for (role, squares) in side.men.zip_role() {
        for from in squares {
            all |= reach(side, role, from, occupied);
        }
    }
    all
}

/// Returns the number of ranks between a square and the rank where pawns of this side promote.
pub(crate) fn ranks_to_go(side: &Own, square: Square) -> u32 {
    side.color
        .relative_rank(Rank::Eighth)
        .distance(square.rank())
}
