//! Named positions, each with a certain difficulty.

/// A position, and what is difficult about it.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct NamedStart {
    /// What is difficult about the position.
    pub name: &'static str,
    /// The position as FEN.
    pub fen: &'static str,
}

const fn named(name: &'static str, fen: &'static str) -> NamedStart {
    NamedStart { name, fen }
}

/// Positions without drops.
#[rustfmt::skip]
pub const NAMED: &[NamedStart] = &[
    named("the usual start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    named("218 moves", "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"),
    named("218 moves for Black", "1bk1nnbK/4q1PP/2q4q/q4q2/3q4/1q4q1/4q3/r6r b - - 0 1"),
    named("en passant pinned along the rank", "8/8/8/K2Pp2r/8/8/8/4k3 w - e6 0 1"),
    named("en passant pinned along the rank, Black", "4K3/8/8/8/R2Pp2k/8/8/8 b - d3 0 1"),
    named("en passant pinned on the diagonal", "7b/8/8/3pP3/8/2K5/8/4k3 w - d6 0 1"),
    named("en passant pinned on the file", "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1"),
    named("en passant takes a pawn that checks", "7k/8/8/3pP3/2K5/8/8/8 w - d6 0 1"),
    named("en passant takes a pawn that gives a diagonal check", "7k/8/8/3pP3/4K3/8/8/3r1r2 w - d6 0 1"),
    named("en passant blocks a discovered check", "3k4/8/8/q2pP3/8/8/8/4K3 w - - 0 1"),
    named("two pawns may take en passant", "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1"),
    named("two pawns may take en passant, one pinned", "4r2k/8/8/2PpP3/8/8/8/4K3 w - d6 0 1"),
    named("before a double step past two pawns", "4k3/3p4/8/2P1P3/8/8/8/4K3 b - - 0 1"),
    named("a double step that discovers a check", "8/8/8/8/k1p4R/8/3P4/3K4 w - - 0 1"),
    named("a pawn pinned by a bishop, en passant impossible", "3k4/8/3K4/1r1pP3/8/8/7b/3R4 w - - 0 1"),
    named("en passant gives a discovered check on the file", "3rk3/8/8/3pP3/8/8/4R3/B3K3 w - d6 0 1"),
    named("en passant gives double check", "8/4k3/8/3pP3/8/8/8/4R2K w - d6 0 1"),
    named("castling everywhere", "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"),
    named("castling on open lines", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"),
    named("castling on open lines, Black", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"),
    named("castling through attack on both wings", "4k3/8/8/8/8/8/4n3/R3K2R w KQ - 0 1"),
    named("castling through attack, king's wing", "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
    named("castling into attack, king's wing", "4k1r1/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
    named("castling through attack, queen's wing", "3rk3/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
    named("castling past an attacked b1", "1r2k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
    named("castling out of check", "4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1"),
    named("castling with an unseen man on b1", "4k3/8/8/8/8/8/8/Rn2K2R w KQ - 0 1"),
    named("Black can capture a rook that may castle", "4k3/8/8/8/8/6n1/8/R3K2R b KQ - 0 1"),
    named("castling gives check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1"),
    named("pawns about to promote", "n1n4k/PPPP4/8/8/8/8/4pppp/K5N1 w - - 0 1"),
    named("promotion by capture in a corner ends a castling right", "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1"),
    named("promotion gives double check", "3rk3/4P3/8/8/8/8/4R3/4K3 w - - 0 1"),
    named("only an under-promotion avoids stalemate", "8/5P1k/8/6K1/8/8/8/8 w - - 0 1"),
    named("pinned pawns and tries", "4k3/8/8/1b1p1p1b/2P3P1/3K4/8/3R4 w - - 0 1"),
    named("a pinned pawn may take its pinner", "4k3/8/8/8/1b6/2P5/3K4/8 w - - 0 1"),
    named("checks on both diagonals", "4k3/8/8/7b/8/1b6/8/3K4 w - - 0 1"),
    named("a knight that discovers a rank check", "8/8/8/k2N3R/8/8/8/7K w - - 0 1"),
    named("a knight that discovers a file check", "3k4/8/8/8/3N4/8/8/3R3K w - - 0 1"),
    named("a knight that discovers a diagonal check", "7k/8/8/4N3/8/8/1B6/K7 w - - 0 1"),
    named("a bishop that discovers rank and file checks", "3k4/8/8/8/3B4/8/8/3R3K w - - 0 1"),
    named("a rook that discovers a diagonal check", "7k/8/5R2/8/8/8/1B6/K7 w - - 0 1"),
    named("a pawn gives check and discovers a file check", "8/3k4/4p3/3P4/8/8/8/3RK3 w - - 0 1"),
    named("stalemate in one", "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1"),
    named("stalemate on the board", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
    named("a king move stalemates a king whose only pawn is pinned", "k7/1p1K4/8/8/8/4B3/8/7B w - - 0 1"),
    named("stalemate on the board, the only pawn is pinned", "k7/1pK5/8/8/8/4B3/8/7B b - - 0 1"),
    named("checkmate on the board", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"),
    named("only one king move is legal", "7k/8/8/8/2b5/1p6/1P2q3/K7 w - - 0 1"),
    named("blocked pawns", "4k3/8/1p1p1p1p/1P1P1P1P/1P1P1P1P/8/8/4K3 w - - 0 1"),
    named("many pawn tries", "4k3/8/8/1p1p1p1p/P1P1P1P1/8/8/4K3 w - - 0 1"),
    named("only pawn moves are legal", "7k/8/8/8/2n5/1P1P4/2q5/K7 w - - 0 1"),
    named("check in a locked pawn chain, one legal move", "6bk/8/8/p1p1p3/PpPpPp2/1P1P1Pp1/6P1/5K1r w - - 0 1"),
    named("one pawn capture and bishop moves are legal", "k7/8/8/8/6pp/6pP/6P1/6BK w - - 0 1"),
    named("two different bishops", "4k3/8/8/3b4/8/8/8/2B1K3 w - - 0 1"),
    named("bishops on one colour", "4k3/8/8/4b3/8/3p4/8/2B1K1B1 w - - 0 1"),
    named("each side has one knight or bishop", "4k3/8/3n4/8/8/8/3p4/2B1K3 w - - 0 1"),
    named("king and knight against king", "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1"),
    named("a capture leaves only the two kings", "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1"),
    named("fifty moves are near", "r3k3/8/8/8/8/8/8/4K2R w - - 95 120"),
    named("fifty moves are over", "r3k3/8/8/8/8/8/8/4K2R w - - 100 120"),
    named("Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    named("rank pins", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
    named("promotions and checks", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"),
    named("only pawn captures are legal, more pawn captures are imaginable", "4k3/8/8/5p1p/5P1P/pp6/PPb5/K7 w - - 0 1"),
    named("only pawn captures are legal, more pawn captures are imaginable, in check", "4k3/8/8/5p1p/5P1P/pn6/PPb5/K7 w - - 0 1"),
    named("only pawn captures are legal, more pawn captures are imaginable, Black", "k7/ppB5/PP6/5p1p/5P1P/8/8/4K3 b - - 0 1"),
];

/// Positions in which men can be dropped.
#[rustfmt::skip]
pub const NAMED_DROPS: &[NamedStart] = &[
    named("men of all roles in both reserves", "4k3/8/8/8/8/8/8/4K3[PNBRQpnbrq] w - - 0 1"),
    named("promoted men on the board", "r3k2r/8/1r~2q~3/8/3N~4/8/4n~3/R3K2R[Pp] w KQkq - 0 1"),
    named("a drop must block", "4k3/8/8/8/8/8/8/q3K3[NP] w - - 0 1"),
    named("a check that no drop answers", "4k3/8/8/8/8/3n4/8/4K3[QRBNP] w - - 0 1"),
    named("mate unless a drop blocks the check", "6rk/8/8/8/8/5r2/7r/K7[N] w - - 0 1"),
    named("pawns dropped on their starting rank may advance two squares", "4k3/8/8/8/2p1p3/8/8/4K3[PPpp] w - - 0 1"),
    named("men in both reserves in the opening", "rnbqkb1r/pppp1ppp/8/8/8/8/PPPP1PPP/RNBQKB1R[PNpn] b KQkq - 0 5"),
    named("many drops", "4k3/8/8/8/8/8/8/4K3[QQRRBBNNPPPPPPPP] w - - 0 1"),
];

/// Positions in which the game can end because three pawn captures were refused in one turn.
#[rustfmt::skip]
pub const NAMED_EXHAUSTIBLE: &[NamedStart] = &[
    named("only pawn captures are legal, more pawn captures are imaginable", "4k3/8/8/5p1p/5P1P/pp6/PPb5/K7 w - - 0 1"),
    named("only pawn captures are legal, more pawn captures are imaginable, in check", "4k3/8/8/5p1p/5P1P/pn6/PPb5/K7 w - - 0 1"),
    named("only pawn captures are legal, more pawn captures are imaginable, Black", "k7/ppB5/PP6/5p1p/5P1P/8/8/4K3 b - - 0 1"),
    named("only pawn captures are legal, more pawn captures are imaginable, Black in check", "k7/ppB5/PN6/5p1p/5P1P/8/8/4K3 b - - 0 1"),
    named("only pawn captures are legal, many more pawn captures are imaginable", "4k3/8/8/1p1p1p1p/1P1P1P1P/pp6/PPb5/K7 w - - 0 1"),
];
