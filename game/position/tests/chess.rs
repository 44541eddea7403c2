//! Counts move sequences (perft), and compares the counts with known counts. In every position that
//! these sequences visit, compares the position with shakmaty: legal moves, checks, pawn captures, en
//! passant and the board.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

use position::{Position, StartPosition};
use rules::{
    Choices, Directions, Try,
    chess::{
        CastlingMode, Chess, Color, EnPassantMode, Move, Role, Square, fen::Fen,
        variant::Crazyhouse,
    },
    rulesets,
};

/// Converts a move of shakmaty. Castling becomes the king's step of two
/// squares.
fn as_try(m: Move, turn: Color) -> Try {
    match m {
        Move::Normal {
            from,
            to,
            promotion,
            ..
        } => Try::Step {
            from,
            to,
            promotion,
        },
        Move::EnPassant { from, to } => Try::step(from, to),
        Move::Castle { king, rook } => {
            let to = if rook > king { Square::G1 } else { Square::C1 };
            Try::step(king, turn.fold_wb(to, to.flip_vertical()))
        }
        Move::Put { role, to } => Try::Drop { role, to },
    }
}

fn sorted(mut tries: Vec<Try>) -> Vec<Try> {
    tries.sort();
    tries
}

/// Returns the number of move sequences of length `depth`. Compares `ours` with `theirs` in every
/// position that these sequences visit.
fn compare<P: rules::chess::Position + Clone>(
    theirs: &P,
    ours: &Position,
    drops: bool,
    depth: u32,
) -> u64 {
    let moves = theirs.legal_moves();
    let expected: Vec<Try> = moves.iter().map(|m| as_try(*m, theirs.turn())).collect();
    assert_eq!(
        sorted(ours.legal_tries()),
        sorted(expected.clone()),
        "{ours:?}"
    );
    assert_eq!(ours.any_legal(), !moves.is_empty());
    assert_eq!(ours.checkers(), theirs.checkers());
    assert_eq!(
        ours.check_directions() == Directions::NONE,
        !theirs.is_check()
    );
    let mut captures: Vec<(Square, Square)> = expected
        .iter()
        .zip(&moves)
        .filter(|(_, m)| m.role() == Role::Pawn && m.is_capture())
        .filter_map(|(t, _)| Some((t.from()?, t.to())))
        .collect();
    captures.sort();
    captures.dedup();
    let tries = ours.pawn_tries();
    assert_eq!(usize::from(tries.count), captures.len(), "{ours:?}");
    assert_eq!(tries.landings, captures.iter().map(|c| c.1).collect());
    assert_eq!(tries.origins, captures.iter().map(|c| c.0).collect());
    assert_eq!(
        ours.legal_en_passant(),
        theirs.ep_square(EnPassantMode::Legal)
    );
    assert_eq!(&ours.board(), theirs.board());
    if depth == 0 {
        return 1;
    }
    let mut leaves = 0;
    for (m, t) in moves.iter().zip(expected) {
        let mut next = theirs.clone();
        next.play_unchecked(*m);
        let mut mine = *ours;
        let captured = mine.play(t, drops);
        assert_eq!(captured.map(|c| c.role), m.capture());
        leaves += compare(&next, &mine, drops, depth - 1);
    }
    leaves
}

fn choices(id: &str) -> Choices {
    rulesets::by_id(id).unwrap().choices
}

#[test]
fn perft_counts_equal_the_known_counts() {
    #[rustfmt::skip]
    let rows = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 3, 8902),
        ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 4, 43_238),
        ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 3, 9467),
        ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 3, 62_379),
    ];
    for (fen, depth, leaves) in rows {
        let theirs: Chess = fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        let start = StartPosition::from_fen(fen, &choices("rand")).unwrap();
        assert_eq!(*start.position(), Position::from(&theirs));
        assert_eq!(compare(&theirs, start.position(), false, depth), leaves);
    }
}

#[test]
fn kernel_agrees_with_shakmaty_in_crazyhouse_positions() {
    for (fen, depth) in [
        ("2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1", 2),
        (
            "r1bqk2r/pppp1ppp/2n1p3/4P3/1b1Pn3/2NB1N2/PPP2PPP/R1BQK2R[] b KQkq - 0 1",
            3,
        ),
        ("4k3/1Q~6/8/8/4b3/8/Kpp5/8[] b - - 0 1", 3),
        (
            "r3k2r/p1p1P1pp/8/3pP3/8/6p1/P1P2P1P/R3K2R[Pp] w KQkq d6 0 1",
            2,
        ),
    ] {
        let theirs: Crazyhouse = fen
            .parse::<Fen>()
            .unwrap()
            .into_position(CastlingMode::Standard)
            .unwrap();
        let start = StartPosition::from_fen(fen, &choices("crazykrieg")).unwrap();
        assert!(
            compare(&theirs, start.position(), true, depth) > 1000,
            "{fen}"
        );
    }
}
