//! Writes every legal move of many positions in each notation and reads it again. Also reads forms
//! of printed scores that can be understood only with the true position.

use notation::{BoardNames, MoveText, Notation, ks_text, read_typed, umpire_text};
use position::{Position, StartPosition};
use proptest::prelude::*;
use rules::{
    Attempt, Own, Reserve, Try, TurnState, Wings,
    chess::Role,
    rulesets::{CRAZYKRIEG, KS, RAND},
};
use scores::score::{descriptive, named_moves, san};

fn position(fen: &str) -> Position {
    *StartPosition::from_fen(fen, &RAND.choices)
        .unwrap()
        .position()
}

fn named(position: &Position, text: &str, notation: Notation) -> Vec<Try> {
    let read = MoveText::read(text, notation, position.turn(), BoardNames::Usual);
    read.map_or(Vec::new(), |read| named_moves(position, &read))
}

/// Writes a move in long algebraic notation: `Nb1-d2`, `e4xd5`.
fn long(position: &Position, t: Try) -> String {
    let Try::Step {
        from,
        to,
        promotion,
    } = t
    else {
        return t.to_string();
    };
    let man = match position.role_at(from) {
        Some(Role::Pawn) | None => String::new(),
        Some(role) => role.upper_char().to_string(),
    };
    let link = if position.captured_by(t).is_some() {
        "x"
    } else {
        "-"
    };
    let end = promotion.map_or(String::new(), |man| format!("({})", man.upper_char()));
    format!("{man}{from}{link}{to}{end}")
}

fn round_trip(position: &Position, t: Try) {
    let san = san(position, t);
    assert_eq!(named(position, &san, Notation::Algebraic), [t], "{san}");
    let long = long(position, t);
    assert_eq!(named(position, &long, Notation::Algebraic), [t], "{long}");
    let uci = t.to_string();
    assert_eq!(named(position, &uci, Notation::Algebraic), [t], "{uci}");
    let old = descriptive(position, t);
    assert_eq!(named(position, &old, Notation::Descriptive), [t], "{old}");
    // The next texts are read with the own men only, without the true position.
    let own = position.own(position.turn());
    let typed = |text: &str| {
        let read = read_typed(
            text,
            &own,
            &TurnState::default(),
            &KS.choices,
            BoardNames::Usual,
        );
        read.unwrap_or_else(|e| panic!("{text}: {e}"))
    };
    assert_eq!(typed(&uci), Attempt::Try(t));
    assert_eq!(
        typed(&ks_text(t, &own)),
        Attempt::Try(t),
        "{}",
        ks_text(t, &own)
    );
    let queen_or_none = |promotion: Option<Role>| promotion.is_none_or(|man| man == Role::Queen);
    if let Try::Step {
        from,
        to,
        promotion,
    } = t
        && queen_or_none(promotion)
    {
        let read = typed(&umpire_text(t, &own));
        assert_eq!(
            read,
            Attempt::Try(Try::step(from, to)),
            "{}",
            umpire_text(t, &own)
        );
    }
}

fn walk(start: Position, drops: bool, choices: &[u16]) {
    let mut position = start;
    for choice in choices {
        let mut legal = position.legal_tries();
        if legal.is_empty() {
            return;
        }
        legal.sort_unstable();
        for t in &legal {
            round_trip(&position, *t);
        }
        position.play(legal[usize::from(*choice) % legal.len()], drops);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn legal_moves_round_trip(
        start in prop::sample::select(vec![
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "7k/8/2R1R3/8/2R1R3/1N3N2/8/N3KN2 w - - 0 1",
            "6k1/8/8/8/Q2N3Q/4B3/1RB1K2R/4B3 w - - 0 1",
        ]),
        choices in prop::collection::vec(any::<u16>(), 12),
    ) {
        walk(position(start), false, &choices);
    }

    #[test]
    fn drops_round_trip(choices in prop::collection::vec(any::<u16>(), 12)) {
        let fen = "r1bqk2r/pppp1ppp/2n2n2/4p3/4P3/5N2/1PPP1PPP/R1BQKB1R[NPb] w KQkq - 0 1";
        let start = StartPosition::from_fen(fen, &CRAZYKRIEG.choices).unwrap();
        walk(*start.position(), true, &choices);
    }

    /// What a player types is read from own men only: if the opponent's men change, the
    /// result is the same.
    #[test]
    fn reading_from_own_men_ignores_the_opponent(
        fens in prop::sample::select(vec![
            ("4k3/8/8/3p4/4P3/8/8/4K1N1 w - - 0 1", "4k3/5p2/3q4/5n2/4P3/8/7r/4K1N1 w - - 0 1"),
            ("3rk3/2P5/8/8/8/2N3N1/8/4K3 w - - 0 1", "1q2k3/2P5/8/8/8/2N3N1/8/4K3 w - - 0 1"),
        ]),
        text in prop::sample::select(vec![
            "PxP", "exd", "NxP", "Ne4", "N-K4", "c8", "cxd8=Q", "PxR=Q", "N-B3", "exf", "P-K5", "Nf3",
        ]),
    ) {
        let read = |fen: &str| {
            let own = position(fen).own(rules::chess::Color::White);
            read_typed(text, &own, &TurnState::default(), &RAND.choices, BoardNames::Usual)
        };
        prop_assert_eq!(read(fens.0), read(fens.1));
    }
}

#[test]
fn printed_forms_are_read_with_the_true_position() {
    let d = Notation::Descriptive;
    let a = Notation::Algebraic;
    for (fen, text, notation, expected) in [
        // A pinned knight is not a candidate.
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Ne2", a, "g1e2"),
        ("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "N-K2", d, "g1e2"),
        // The text names the role of the captured man. So it means only captures of this role.
        ("4k3/8/8/2n1p3/3P4/8/8/4K3 w - - 0 1", "PxP", d, "d4e5"),
        ("4k3/8/8/2n1p3/3P4/8/8/4K3 w - - 0 1", "PxN", d, "d4c5"),
        ("4k3/8/3n4/8/4PN2/8/8/4K3 b - - 0 1", "NxP", d, "d6e4"),
        // `N/4` is the knight on the mover's fourth rank.
        ("4k3/8/8/2n5/3P2n1/5P2/8/4K3 w - - 0 1", "PxN/4", d, "f3g4"),
        ("4k3/8/8/2n5/3P2n1/5P2/8/4K3 w - - 0 1", "KBPxN", d, "f3g4"),
        (
            "4k3/8/8/2n5/3P2n1/5P2/8/4K3 w - - 0 1",
            "PxN(B5)",
            d,
            "d4c5",
        ),
        // `Q1` means the queen on the mover's first rank or on the mover's square Q1.
        ("2QR4/1b4k1/8/8/8/8/8/4K3 b - - 0 1", "BxQ1", d, "b7c8"),
        // The check mark can decide which man moved.
        ("3k4/8/8/8/8/8/R6R/3K4 w - - 0 1", "R-Q2ch", d, ""),
        ("4k3/8/8/8/8/8/R3K2R/8 w - - 0 1", "R-R8ch", d, ""),
        ("4k3/8/5n2/8/8/8/R3K2R/8 w - - 0 1", "R-R7", d, ""),
        ("3k4/8/8/8/8/2R5/8/4K2R w - - 0 1", "R-QB8+", d, "c3c8"),
        ("7k/8/8/8/8/N7/8/4K1N1 w - - 0 1", "N-B4", d, "a3c4"),
        ("4k3/8/8/8/2p5/8/1P1P4/4K3 b - - 0 1", "PxP e.p.", d, ""),
        ("4k3/8/8/8/2pP4/8/8/4K3 b - d3 0 1", "PxP e.p.", d, "c4d3"),
        ("4k3/8/8/8/2pP4/8/8/4K3 b - d3 0 1", "PxP", d, "c4d3"),
        ("4k3/8/8/8/2pP4/8/8/4K3 b - d3 0 1", "cxd3 e.p.", a, "c4d3"),
        ("4k3/8/8/8/2pP4/8/8/4K3 b - d3 0 1", "cxd", a, "c4d3"),
        ("4k3/8/8/8/2p5/3P4/8/4K3 b - - 0 1", "cxd3 ep", a, ""),
        // If the text names no piece, the pawn becomes a queen.
        ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "P-R8", d, "a7a8q"),
        ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "P-R8(N)", d, "a7a8n"),
        ("1r5k/P7/8/8/8/8/8/4K3 w - - 0 1", "PxR(Q)", d, "a7b8q"),
        ("7k/P7/8/8/8/8/8/4K3 w - - 0 1", "a8R", a, "a7a8r"),
        // An `x` requires a capture. A capture may be written without an `x` only in algebraic
        // notation.
        ("7k/8/8/8/8/8/8/R3K3 w - - 0 1", "Rxa5", a, ""),
        ("7k/8/8/p7/8/8/8/R3K3 w - - 0 1", "Ra5", a, "a1a5"),
        ("7k/8/8/p7/8/8/8/R3K3 w - - 0 1", "R-R5", d, ""),
        ("r3k3/8/8/8/8/8/8/4K2R w K - 0 1", "Castles", d, "e1g1"),
        ("r3k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", a, "e1g1"),
    ] {
        let position = position(fen);
        let moves: Vec<String> = named(&position, text, notation)
            .iter()
            .map(ToString::to_string)
            .collect();
        let expected: &[&str] = if expected.is_empty() {
            &[]
        } else {
            &[expected]
        };
        if expected.is_empty() {
            assert_ne!(moves.len(), 1, "{text} {moves:?} in {fen}");
        } else {
            assert_eq!(moves, expected, "{text} in {fen}");
        }
    }
}

#[test]
fn shortest_unambiguous_descriptive_text_is_written() {
    #[rustfmt::skip]
    let rows = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "P-K4"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "a2a3", "P-QR3"),
        ("rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 1", "e5d4", "PxP"),
        ("rnbqkbnr/pp3ppp/8/2p1p3/3P1P2/8/PPP3PP/RNBQKBNR w KQkq - 0 1", "d4c5", "PxBP"),
        ("rnbqkbnr/pp3ppp/8/2p1p3/3P1P2/8/PPP3PP/RNBQKBNR w KQkq - 0 1", "d4e5", "QPxKP"),
        ("4k3/8/8/8/3R4/8/8/3R1K2 w - - 0 1", "d1d3", "R1-Q3"),
        ("4k3/8/8/8/R6R/8/8/5K2 w - - 0 1", "a4d4", "QR-Q4"),
        ("7k/1P6/8/8/8/8/8/5K2 w - - 0 1", "b7b8r", "P-N8=R+"),
        ("4k3/8/8/8/2pP4/8/8/4K3 b - d3 0 1", "c4d3", "PxP e.p."),
        ("r3k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O"),
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "R-R8#"),
    ];
    for (fen, uci, text) in rows {
        let t: Try = uci.parse().unwrap();
        assert_eq!(descriptive(&position(fen), t), text);
    }
}

#[test]
fn wing_of_a_bishop_follows_the_colour_of_its_square() {
    let own = |fen: &str| -> Own { position(fen).own(position(fen).turn()) };
    let read = |text: &str, fen: &str| {
        read_typed(
            text,
            &own(fen),
            &TurnState::default(),
            &RAND.choices,
            BoardNames::Usual,
        )
        .map(|attempt| attempt.to_string())
        .unwrap_or_default()
    };
    // The king's bishop is on the queen's side.
    let fen = "7k/8/8/8/B7/8/8/4K1B1 w - - 0 1";
    assert_eq!(read("KB-N3", fen), "a4b3");
    assert_eq!(read("QB-R2", fen), "g1h2");
    let fen = "4k1b1/8/8/b7/8/8/8/5K2 b - - 0 1";
    assert_eq!(read("KB-N3", fen), "a5b6");
    let own = Own {
        castling: Wings::NONE,
        reserve: Reserve::EMPTY,
        ..own(fen)
    };
    assert_eq!(own.all().count(), 3);
}
