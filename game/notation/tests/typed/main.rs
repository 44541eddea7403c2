//! Texts that a player may type, for both colours. The meaning of a text never
//! depends on the opponent's men.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod spoken;

use notation::{BoardNames, TypedError, read_for_referee, read_typed};
use proptest::prelude::*;
use rules::{
    Attempt, Choices, Direction, Own, PromotionMan, Reserve, Tries, TurnState, Wings,
    chess::{Bitboard, Board, Color, Piece, Role, Square},
    rulesets::{self, KS, RAND, UMPIRE},
};

/// Takes White's men from a board. For Black, the board is mirrored first.
fn own(board: &str, color: Color) -> Own {
    own_with(board, color, Wings::BOTH)
}

fn own_with(board: &str, color: Color, castling: Wings) -> Own {
    let mut board: Board = board.parse().unwrap();
    if color.is_black() {
        board.flip_vertical();
        for (square, piece) in board.clone() {
            let color = piece.color.other();
            board.set_piece_at(square, Piece { color, ..piece });
        }
    }
    Own::of(&board, color, castling, Reserve::EMPTY)
}

/// A board with three rooks and two knights, and with pawns that can capture and promote.
const MEN: &str = "8/2P5/8/3PP3/6R1/1P1P4/P1P2PPP/RN2KN1R";
/// White's men at the start of a game.
const START: &str = "8/8/8/8/8/8/PPPPPPPP/RNBQKBNR";

fn read(text: &str, own: &Own, turn: &TurnState, choices: &Choices) -> String {
    match read_typed(text, own, turn, choices, BoardNames::Usual) {
        Ok(attempt) => attempt.to_string(),
        Err(TypedError::NotNotation(_)) => "not notation".to_owned(),
        Err(TypedError::NotPossible { .. }) => "not possible".to_owned(),
        Err(TypedError::Ambiguous { fits, .. }) => {
            let fits: Vec<String> = fits.iter().map(ToString::to_string).collect();
            fits.join(" or ")
        }
    }
}

/// Replaces each rank in a text by the rank counted from the other side: 1 becomes 8.
fn mirrored(text: &str) -> String {
    let other = |c: char| match c.to_digit(10) {
        Some(rank @ 1..=8) => char::from_digit(9 - rank, 10).unwrap(),
        Some(_) | None => c,
    };
    const NUMBERS: [&str; 8] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight",
    ];
    let word = |word: &str| match NUMBERS.iter().position(|n| word.eq_ignore_ascii_case(n)) {
        Some(at) => NUMBERS[7 - at].to_owned(),
        None => word.chars().map(other).collect(),
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// Splits a list of attempts and sorts it.
fn sorted(list: &str) -> Vec<&str> {
    let mut list: Vec<&str> = list.split(" or ").collect();
    list.sort_unstable();
    list
}

/// The side from which a notation counts the ranks.
#[derive(Copy, Clone, Eq, PartialEq)]
enum Ranks {
    Whites,
    Movers,
}

/// Checks the texts for White, and then for Black on the mirrored board.
fn check(ranks: Ranks, board: &str, table: &[(&str, &str)]) {
    let turn = TurnState::default();
    for (text, expected) in table {
        let white = read(text, &own(board, Color::White), &turn, &RAND.choices);
        assert_eq!(sorted(&white), sorted(expected), "white {text}");
        let text = match ranks {
            Ranks::Whites => mirrored(text),
            Ranks::Movers => (*text).to_owned(),
        };
        let black = read(&text, &own(board, Color::Black), &turn, &RAND.choices);
        let expected = mirrored(expected);
        assert_eq!(sorted(&black), sorted(&expected), "black {text}");
    }
}

#[test]
fn coordinates_are_read() {
    check(
        Ranks::Whites,
        START,
        &[
            ("e2e4", "e2e4"),
            ("e2-e4", "e2e4"),
            ("E2-E4", "e2e4"),
            ("e2 e4", "e2e4"),
            ("e4xd5", "e4d5"),
            ("f7g8=N", "f7g8n"),
            ("f7g8n", "f7g8n"),
            ("f7-g8(N)", "f7g8n"),
            // The pawn cannot move in this way, but the text names two squares: the referee judges
            // the move.
            ("e5e4", "e5e4"),
            ("o-o", "e1g1"),
            ("O-O-O", "e1c1"),
            ("0-0", "e1g1"),
            ("Ke1-g1", "not possible"),
        ],
    );
}

#[test]
fn algebraic_moves_are_read() {
    check(
        Ranks::Whites,
        START,
        &[
            ("e4", "e2e4"),
            ("pe4", "e2e4"),
            ("Pe4", "e2e4"),
            ("Pe2-e4", "e2e4"),
            ("Nf3", "g1f3"),
            ("nf3", "g1f3"),
            ("Nf3!?", "g1f3"),
            ("Ng1-f3+", "g1f3"),
            ("N1f3", "g1f3"),
            ("Ngf3", "g1f3"),
            ("Nd2", "not possible"),
            ("Bf4", "not possible"),
            ("bf4", "not possible"),
            ("exd3", "e2d3"),
            ("exd", "e2d3"),
            ("e:d3", "e2d3"),
            ("ed", "e2d3"),
            ("ed3", "e2d3"),
            ("xd3", "c2d3 or e2d3"),
            ("e5", "not possible"),
            ("exe3", "not notation"),
            ("exg3", "not notation"),
            ("j4", "not notation"),
            ("e9", "not notation"),
            ("??", "not notation"),
            ("--", "not notation"),
        ],
    );
    check(
        Ranks::Whites,
        MEN,
        &[
            ("Nd2", "b1d2 or f1d2"),
            ("Nbd2", "b1d2"),
            ("N1d2", "b1d2 or f1d2"),
            ("Nb1-d2", "b1d2"),
            ("Nb1d2", "b1d2"),
            ("Nd1-d2", "not possible"),
            ("exd6 e.p.", "e5d6"),
            ("dxe6 ep", "d5e6"),
            ("dxc4 e.p.", "not possible"),
            ("c8=Q", "c7c8q"),
            ("c8Q", "c7c8q"),
            ("c8(Q)", "c7c8q"),
            ("c8=n+", "c7c8n"),
            ("c8", "c7c8b or c7c8n or c7c8q or c7c8r"),
            ("cxd8=R", "c7d8r"),
            ("cd=R", "c7d8r"),
            // Castling is not possible, but the king is on its first square: the referee judges the
            // move.
            ("O-O", "e1g1"),
            ("R4g5", "g4g5"),
            ("Rxg8", "g4g8"),
            ("Rh4", "g4h4"),
            ("Kd2", "e1d2"),
            ("Kc1", "not possible"),
        ],
    );
}

#[test]
fn descriptive_moves_are_read() {
    check(
        Ranks::Movers,
        START,
        &[
            ("P-K4", "e2e4"),
            ("p-k4", "e2e4"),
            ("p/k2-k4", "e2e4"),
            ("P-QR3", "a2a3"),
            ("P-R3", "a2a3 or h2h3"),
            ("N-KB3", "g1f3"),
            ("Kt-KB3", "g1f3"),
            ("KN-B3", "g1f3"),
            ("QN-B3", "b1c3"),
            ("N-B3", "b1c3 or g1f3"),
            ("n-kb3", "g1f3"),
            ("N(N1)-KB3", "g1f3"),
            ("N/KN1-B3", "g1f3"),
            ("K2 K4", "e2e4"),
            ("k2 k4", "e2e4"),
            ("KN1 KB3", "g1f3"),
            ("CK", "e1g1"),
            ("P-K5", "not possible"),
            ("P-K9", "not notation"),
            ("P-K4ch.", "e2e4"),
            ("KBPxP", "f2e3 or f2g3"),
            ("KBPxKP", "f2e3"),
            ("KPxP/3", "e2d3 or e2f3"),
            ("PxKR3", "g2h3"),
        ],
    );
    check(
        Ranks::Movers,
        MEN,
        &[
            ("P-B8=Q+", "c7c8q"),
            ("P-B8(N)", "c7c8n"),
            ("P-QB8Q", "c7c8q"),
            ("P-B8", "c7c8b or c7c8n or c7c8q or c7c8r"),
            ("PxN=Q", "c7b8q or c7d8q"),
            ("PxN/N8=Q", "c7b8q"),
            ("PxR(Q)", "c7b8q or c7d8q or e5d6"),
            ("QPxP e.p.", "d5c6 or d5e6"),
            ("PxBP e.p.", "d5c6 or e5f6"),
            ("pxkb6", "e5f6"),
            // For White, `q6` is the square d6. It is not a queen on the sixth rank.
            ("pxq6", "e5d6"),
            ("p/k5xb6", "e5f6"),
            ("R4-N5", "g4g5"),
            ("R/N-N5", "g4g5"),
            ("R(N4)-N5", "g4g5"),
            ("KR-N1", "h1g1"),
            ("QN-Q2", "b1d2"),
            ("KN-Q2", "f1d2"),
            ("R-KN5", "g4g5"),
            ("BxQ1", "not possible"),
            (
                "R4xP",
                "g4a4 or g4b4 or g4c4 or g4d4 or g4e4 or g4f4 or g4g3 or g4g5 or g4g6 or g4g7 or g4g8 or g4h4",
            ),
            ("R4xBP/4", "g4c4 or g4f4"),
            ("CQ", "e1c1"),
        ],
    );
}

#[test]
fn words_for_castling_are_read() {
    let board = "8/8/8/8/8/8/PPPPPPPP/R3K2R";
    check(
        Ranks::Movers,
        board,
        &[
            ("Castles K", "e1g1"),
            ("castles k", "e1g1"),
            ("Castles QR", "e1c1"),
            ("CASTLES", "e1c1 or e1g1"),
            ("CQ", "e1c1"),
            ("OO", "e1g1"),
            ("K1 KN1", "e1g1"),
        ],
    );
}

/// A move that no own man can make is the same attempt in every notation. The referee answers this
/// attempt as if the two squares had been written.
#[test]
fn impossible_moves_are_attempts_in_every_notation() {
    let turn = TurnState::default();
    // Own men, text, the attempt; `-` if the text is no attempt.
    for (men, text, expected) in [
        (START, "Bf4", "c1f4"),
        (START, "bishop to f4", "c1f4"),
        (START, "B-KB4", "c1f4"),
        (START, "c1f4", "c1f4"),
        (START, "Qd4", "d1d4"),
        (START, "e5", "e2e5"),
        (START, "P-K5", "e2e5"),
        (START, "Nd2", "b1d2"),
        (START, "Ke1-g1", "e1g1"),
        (START, "e4=Q", "e2e4q"),
        (START, "N-B5", "b1c5"),
        // The player has no man of the named role.
        ("8/8/8/8/8/8/PPP5/K7", "Bf4", "e3f4"),
        ("8/8/8/8/8/8/PPP5/K7", "exf5", "e4f5"),
        ("8/8/8/8/4P3/8/8/K7", "Pxe5", "d4e5"),
        ("8/8/8/8/4P3/8/8/K7", "e4xe5", "e4e5"),
        // The king is not on its first square. The text becomes a try that neither the king nor
        // the rook could make.
        ("8/8/8/8/8/8/8/5K1R", "O-O", "e1g1"),
        ("8/8/8/8/8/8/8/4RK2", "O-O", "e1g1"),
        ("8/8/8/8/8/8/5K2/4R3", "O-O", "f2e1"),
        // These two texts name no target square.
        (START, "RxQ", "-"),
        ("8/8/8/8/8/8/8/K7", "exd", "-"),
        // A pawn on the fourth rank cannot capture en passant.
        ("8/8/8/8/4P3/8/8/K7", "exd5 e.p.", "-"),
        // This text is not a move.
        (START, "castle now", "-"),
    ] {
        for color in Color::ALL {
            let own = own_with(men, color, Wings::NONE);
            // The ranks of descriptive notation are counted from the mover's side.
            let is_same = color.is_white() || text.contains("-K") || text.contains("-B");
            let typed = match text {
                _ if is_same => text.to_owned(),
                _ => mirrored(text),
            };
            let read = read_for_referee(&typed, &own, &turn, &RAND.choices, BoardNames::Usual);
            let read = match read {
                Ok(Attempt::Try(t)) => {
                    let possible = own.imaginable(t, RAND.choices.promotion_man);
                    assert!(!possible || text == "e4xe5", "{text}");
                    t.to_string()
                }
                Ok(other) => other.to_string(),
                Err(TypedError::Ambiguous { fits, .. }) => {
                    let fits: Vec<String> = fits.iter().map(ToString::to_string).collect();
                    fits.join(" or ")
                }
                Err(TypedError::NotNotation(_) | TypedError::NotPossible { .. }) => "-".to_owned(),
            };
            let expected = match color {
                Color::White => expected.to_owned(),
                Color::Black => mirrored(expected),
            };
            assert_eq!(sorted(&read), sorted(&expected), "{color} {text}");
        }
    }
}

#[test]
fn reversed_names_let_black_write_as_white_does() {
    let own = own(START, Color::Black);
    let read = |text: &str| {
        read_typed(
            text,
            &own,
            &TurnState::default(),
            &KS.choices,
            BoardNames::Reversed,
        )
        .map(|attempt| attempt.to_string())
    };
    for (text, expected) in [
        ("e2-e4", "d7d5"),
        ("e2e4", "d7d5"),
        ("e4", "d7d5"),
        ("Nf3", "b8c6"),
        ("exd3", "d7e6"),
        ("Ng1-f3", "b8c6"),
        // Descriptive notation counts the ranks from Black's side anyway.
        ("P-K4", "e7e5"),
        ("any", "any"),
        ("resign", "resign"),
    ] {
        assert_eq!(read(text).as_deref(), Ok(expected), "{text}");
    }
}

#[test]
fn announcements_decide_the_meaning_and_refused_tries_do_not() {
    let own = own(START, Color::White);
    let mut turn = TurnState {
        tries: Tries::Squares(Bitboard::from_square(Square::D3)),
        ..TurnState::default()
    };
    assert_eq!(read("PxP", &own, &turn, &RAND.choices), "c2d3 or e2d3");
    assert_eq!(read("exf", &own, &turn, &RAND.choices), "e2f3");
    assert_eq!(read("KPxP", &own, &turn, &RAND.choices), "e2d3");
    turn.refused(&RAND.choices, true, "c2d3".parse().unwrap());
    assert_eq!(read("PxP", &own, &turn, &RAND.choices), "c2d3 or e2d3");

    let board = "8/8/8/8/8/8/4R3/R3K3";
    let own = self::own(board, Color::White);
    let mut turn = TurnState::default();
    assert!(read("R-R2", &own, &turn, &RAND.choices).contains(" or "));
    turn.check = Some([Direction::File].into_iter().collect());
    assert_eq!(read("R-K8", &own, &turn, &RAND.choices), "e2e8");
    assert_eq!(read("R2-K3", &own, &turn, &RAND.choices), "e2e3");
}

#[test]
fn unnamed_promotion_becomes_a_queen() {
    let own = own(MEN, Color::White);
    let turn = TurnState::default();
    assert_eq!(read("c8", &own, &turn, &UMPIRE.choices), "c7c8q");
    assert_eq!(read("P-B8", &own, &turn, &KS.choices), "c7c8q");
    assert_eq!(read("c7c8", &own, &turn, &UMPIRE.choices), "c7c8");
}

#[test]
fn spoken_moves_are_read_with_own_men_only() {
    let own = own(START, Color::White);
    let turn = TurnState::default();
    let read = |text: &str| {
        let read = read_typed(text, &own, &turn, &RAND.choices, BoardNames::Usual);
        read.map(|attempt| attempt.to_string())
    };
    for (said, attempt) in [
        ("knight f3", "g1f3"),
        ("Knight to c3", "b1c3"),
        ("pawn to e4", "e2e4"),
        ("pawn takes d3", "c2d3 e2d3"),
        ("castle kingside", "e1g1"),
        ("I resign", "resign"),
    ] {
        match read(said) {
            Ok(one) => assert_eq!(one, attempt, "{said}"),
            Err(TypedError::Ambiguous { fits, .. }) => {
                let fits: Vec<String> = fits.iter().map(ToString::to_string).collect();
                assert_eq!(fits.join(" "), attempt, "{said}");
            }
            Err(other) => panic!("{said}: {other}"),
        }
    }
    assert!(matches!(
        read("queen d4"),
        Err(TypedError::NotPossible { .. })
    ));
}

#[test]
fn errors_say_what_to_do() {
    let own = own(START, Color::White);
    let turn = TurnState::default();
    let said = |text: &str| {
        read_typed(text, &own, &turn, &RAND.choices, BoardNames::Usual)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        said("N-B3"),
        "`N-B3` may mean b1c3 or g1f3: write the one you mean"
    );
    assert_eq!(
        said("Qd4"),
        "`Qd4` is a move, but none of your men could make it: look at your own board, or name both squares, as e2e4"
    );
    let for_umpire = read_typed("Qd4", &own, &turn, &RAND.choices, BoardNames::Usual)
        .unwrap_err()
        .umpire_words();
    assert!(
        for_umpire.contains("the mover's men") && !for_umpire.contains("your"),
        "{for_umpire}"
    );
    assert!(said("castle now").starts_with("`castle now` is not an attempt: type a move as e2e4"));
    assert!(said("help").starts_with("type a move"));
    assert!(said("PxP").ends_with(" or 2 more: write the one you mean"));
    let long = "N".repeat(100_000);
    assert!(said(&long).len() < 400);
    assert!(said("\u{0}\u{1f980}").starts_with("`\\0\u{1f980}`"));
}

proptest! {
    #[test]
    fn no_typed_text_causes_a_panic(text in "\\PC{0,24}") {
        let own = own(MEN, Color::Black);
        let read = read_typed(&text, &own, &TurnState::default(), &RAND.choices, BoardNames::Reversed);
        prop_assert!(read.is_ok() || !read.unwrap_err().to_string().is_empty());
    }

    /// If a text names a move that no own man can make, the text is read as an attempt that is
    /// impossible for the own men.
    #[test]
    fn impossible_texts_become_impossible_attempts(
        text in "[KQRBNPe]?[a-h1-8]?[x-]?[a-hKQ][BN]?[1-8](=Q)?",
    ) {
        for (men, color) in [(MEN, Color::White), (START, Color::Black)] {
            let own = own(men, color);
            let read = read_typed(&text, &own, &TurnState::default(), &RAND.choices, BoardNames::Usual);
            if let Err(TypedError::NotPossible { attempt: Some(t), .. }) = read {
                prop_assert!(!own.imaginable(t, RAND.choices.promotion_man), "{}: {}", text, t);
            }
        }
    }

    #[test]
    fn no_text_like_a_move_causes_a_panic(text in "[KQRBNPkqrbnpxX:a-h1-8/()=+ .#@O-]{0,12}") {
        for color in Color::ALL {
            let own = own(MEN, color);
            let _ignored = read_typed(&text, &own, &TurnState::default(), &RAND.choices, BoardNames::Usual);
        }
    }

    /// The meaning of a text is the same with any men of the opponent.
    #[test]
    fn opponents_men_do_not_change_the_meaning(
        text in prop::sample::select(vec![
            "Nd2", "PxP", "QPxP", "exd", "R-N5", "NxQ", "c8", "P-B8", "R4xP", "xd3", "exd6 e.p.",
            "PxR(Q)", "KN-Q2", "Rxg8", "d4", "P-Q4", "RxB", "ND2", "e takes d", "c7c8", "e1h1",
            "K2-K4", "pawn takes queen", "bf4",
        ]),
        hidden in prop::collection::vec((0u32..64, 1u32..=5), 0..12),
    ) {
        let alone: Board = MEN.parse().unwrap();
        let mut board = alone.clone();
        for (square, role) in hidden {
            let square = Square::new(square);
            if board.piece_at(square).is_none() {
                let role = Role::ALL[role as usize - 1];
                board.set_piece_at(square, Piece { color: Color::Black, role });
            }
        }
        let own = |board: &Board| Own::of(board, Color::White, Wings::NONE, Reserve::EMPTY);
        let read = |own: &Own| read(text, own, &TurnState::default(), &RAND.choices);
        prop_assert_eq!(read(&own(&alone)), read(&own(&board)));
    }
}
