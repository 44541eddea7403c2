//! Texts as people type them: capitals, spaces, numbers, words.

use super::*;

/// Texts in no printed notation. Each has one meaning, or the meanings are listed.
#[test]
fn attempts_are_read_as_people_type_them() {
    check(
        Ranks::Whites,
        START,
        &[
            ("NF3", "g1f3"),
            ("nF3", "g1f3"),
            ("N g1 f3", "g1f3"),
            ("n g1-f3", "g1f3"),
            ("N-f3", "g1f3"),
            ("n/g1-f3", "g1f3"),
            ("kt f3", "g1f3"),
            ("knight g one to f three", "g1f3"),
            ("knight from g1 to f3", "g1f3"),
            ("I play knight f3", "g1f3"),
            ("e four", "e2e4"),
            ("E Four", "e2e4"),
            ("echo four", "e2e4"),
            ("a four", "a2a4"),
            ("e 4", "e2e4"),
            ("e 2 e 4", "e2e4"),
            ("e two to e four", "e2e4"),
            ("pawn e two e four", "e2e4"),
            ("p-e4", "e2e4"),
            ("P-e4", "e2e4"),
            ("p e4", "e2e4"),
            ("p-e2-e4", "e2e4"),
            ("p/e2-e4", "e2e4"),
            ("1. e4", "e2e4"),
            ("1.e4", "e2e4"),
            ("1 e4", "e2e4"),
            ("12) Nf3", "g1f3"),
            ("1... e4", "e2e4"),
            ("1\u{2026}e4", "e2e4"),
            ("...e4", "e2e4"),
            ("1. 0-0", "e1g1"),
            ("E X D3", "e2d3"),
            ("EXD3", "e2d3"),
            ("e takes d3", "e2d3"),
            ("takes d3", "c2d3 or e2d3"),
            (
                "pawn takes a pawn",
                "a2b3 or b2a3 or b2c3 or c2b3 or c2d3 or d2c3 or d2e3 or e2d3 or e2f3 or f2e3 or f2g3 or g2f3 or g2h3 or h2g3",
            ),
            ("O - O", "e1g1"),
            ("o o", "e1g1"),
            ("0 - 0 - 0", "e1c1"),
            ("castle short", "e1g1"),
            ("short castle", "e1g1"),
            ("castles queenside", "e1c1"),
            ("resign now", "not notation"),
            ("knight please", "not notation"),
            ("e5 e", "not notation"),
            ("1.", "not notation"),
            ("4", "not notation"),
        ],
    );
    check(
        Ranks::Whites,
        "8/2P5/8/8/8/4B3/1PPP4/R3K2R",
        &[
            // A small b is a bishop where it cannot be the pawn.
            ("bf4", "e3f4"),
            ("b-f4", "e3f4"),
            ("BF4", "e3f4"),
            ("b-c3", "not possible"),
            ("d-c3", "not notation"),
            ("bxc3", "b2c3"),
            ("BA3", "b2a3"),
            ("BXA7", "e3a7"),
            ("c8 queen", "c7c8q"),
            ("c7 c8 knight", "c7c8n"),
            ("pawn to c8 promotes to a rook", "c7c8r"),
            ("c takes b8 = Q", "c7b8q"),
            ("C8", "c7c8b or c7c8n or c7c8q or c7c8r"),
            // The king's step of two squares, with its target only.
            ("Kc1", "e1c1"),
        ],
    );
    check(
        Ranks::Movers,
        "8/2P5/8/8/8/4B3/1PPP1P2/R3K2R",
        &[
            ("q2-q4", "d2d4"),
            ("Q2-Q4", "d2d4"),
            ("q2q4", "d2d4"),
            ("b2-kb4", "f2f4"),
            ("qb7-qb8", "c7c8b or c7c8n or c7c8q or c7c8r"),
            ("k1-kn1", "e1g1"),
            ("K-KN1", "e1g1"),
            ("pawn to queen four", "d2d4"),
            ("pawn to king's bishop four", "f2f4"),
        ],
    );
    // Small and capital letters together are algebraic notation alone.
    check(
        Ranks::Whites,
        "8/8/8/8/8/1B2N3/1PP5/4K1N1",
        &[
            ("Nxb5", "not possible"),
            ("N1b3", "not possible"),
            ("Bxc3", "not possible"),
            ("Bxa3", "not possible"),
            ("bxa3", "b2a3"),
            ("Nxf5", "e3f5"),
        ],
    );
    // A queen on the second rank, or the square of a pawn.
    check(
        Ranks::Movers,
        "8/8/8/8/8/8/3P1Q2/4K3",
        &[("q2-q4", "d2d4 or f2d4")],
    );
}

/// The player is asked back, and the referee hears nothing.
#[test]
fn two_squares_of_a_promotion_ask_for_the_man() {
    let own = own("8/PP6/1K6/8/8/8/8/8", Color::White);
    let turn = TurnState::default();
    let four = "a7a8b or a7a8n or a7a8q or a7a8r";
    for ruleset in &rulesets::ALL {
        let choices = &ruleset.choices;
        let asks = choices.promotion_man == PromotionMan::Named;
        assert_eq!(
            asks,
            !ruleset.id.starts_with("ks") && ruleset.id != "umpire"
        );
        for text in ["a7a8", "a7-a8", "A7A8", "a7 a8", "Pa7-a8", "QR7-QR8"] {
            let read = read(text, &own, &turn, choices);
            match asks {
                true => assert_eq!(sorted(&read), sorted(four), "{text}"),
                false => assert!(["a7a8", "a7a8q"].contains(&read.as_str()), "{text}"),
            }
        }
        if asks {
            let taken = four.replace("a8", "b8");
            for text in ["a7xb8", "a7b8"] {
                let read = read(text, &own, &turn, choices);
                assert_eq!(sorted(&read), sorted(&taken), "{text}");
            }
        }
        // No own man can make these moves: the referee answers.
        for text in ["a7c8", "b6a7", "b7b9", "a6a8", "a7a8k"] {
            assert!(!read(text, &own, &turn, choices).contains(" or "), "{text}");
        }
    }
}

#[test]
fn king_onto_its_own_rook_asks_for_castling() {
    for castling in [Wings::BOTH, Wings::NONE] {
        for color in Color::ALL {
            let own = own_with("8/8/8/8/8/8/8/R3K2R", color, castling);
            let turn = TurnState::default();
            for (text, castles) in [
                ("e1h1", "e1g1"),
                ("e1-h1", "e1g1"),
                ("e1xh1", "e1g1"),
                ("Ke1-h1", "e1g1"),
                ("Kxh1", "e1g1"),
                ("KH1", "e1g1"),
                ("king takes a1", "e1c1"),
                ("e1 a1", "e1c1"),
            ] {
                let text = match color {
                    Color::White => text.to_owned(),
                    Color::Black => mirrored(text),
                };
                let castles = match color {
                    Color::White => castles.to_owned(),
                    Color::Black => mirrored(castles),
                };
                let error = read_for_referee(&text, &own, &turn, &RAND.choices, BoardNames::Usual)
                    .expect_err(&text);
                assert_eq!(
                    error.to_string(),
                    format!("`{text}` puts the king onto its own rook: to castle, write {castles}")
                );
            }
        }
    }
    // A rook elsewhere, or no rook: the referee answers.
    for men in [
        "8/8/8/8/8/8/8/3RKR2",
        "8/8/8/8/8/8/8/4K3",
        "8/8/8/8/8/8/7R/4K3",
    ] {
        let own = own(men, Color::White);
        for text in ["e1h1", "e1a1", "e1d1", "e1h2"] {
            assert_eq!(read(text, &own, &TurnState::default(), &RAND.choices), text);
        }
    }
}
