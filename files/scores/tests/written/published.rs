//! Games as books, magazines and web pages print them.

use referee::StartPosition;
use rules::rulesets::RAND;
use scores::score::{Letters, Score, ScoreFile, ScoreForm, TextError};

fn read(text: &str, letters: &str) -> Result<(ScoreFile, Score), String> {
    read_bytes(text.as_bytes(), letters)
}

fn read_bytes(bytes: &[u8], letters: &str) -> Result<(ScoreFile, Score), String> {
    let letters = Letters::named(letters).unwrap();
    let file = ScoreFile::read_with(bytes, &letters).map_err(|error| error.to_string())?;
    let score = file.play(StartPosition::initial(), &RAND.choices);
    let score = score.map_err(|stop| stop.to_string())?;
    Ok((file, score))
}

/// Reads a game, and writes it in standard algebraic notation with its result.
fn game(text: &str) -> String {
    match read(text, "en") {
        Ok((_, score)) => score
            .written(ScoreForm::San)
            .replace('\n', " ")
            .trim_end()
            .to_owned(),
        Err(error) => error.lines().next().unwrap_or_default().to_owned(),
    }
}

const KNIGHTS: &str = "1. e4 e5 2. Nf3 Nc6";

#[test]
fn prose_between_the_moves_is_skipped() {
    for text in [
        "1. e4 A good move. 1... e5 2. Nf3 Nc6",
        "1. e4 A good move. 1. ... e5 2. Nf3 Nc6",
        "1. e4 A good move. ...e5 2. Nf3 and so on 2\u{2026} Nc6",
        "1. e4 A good move\n1\u{2026}e5 Also good\n2.Nf3 Why not?\n2...Nc6 The end of the theory.",
        "A short game\n\n1. e4 e5 2. Nf3 Nc6",
        "A short game\n1 e4 e5\n2 Nf3 Nc6\nBoth were tired.",
        "My best game (1999)\n\n1. e4\nThe king's pawn.\n1... e5\nThe same.\n2. Nf3\nA knight.\n2... Nc6\nAnother.\n",
        "My best game\n\n1. e4\n\nThe king's pawn.\n\ne5\n\nThe same.\n\n2. Nf3\n\nA knight.\n\nNc6\n",
        "My best game\n\ne4\n\nThe king's pawn.\n\ne5\n\nThe same as Nf6 here.\n\nNf3\nNc6\n",
        "White: e4\nnot d4\nBlack: e5\nWhite: Nf3\nBlack: Nc6\nwith a good game for everybody",
        "1. White e4, Black e5\n2. White Nf3, Black Nc6\nas they said",
        "1. e4 - e5 2. Nf3 - Nc6",
        "1. e4 -- e5; 2. Nf3 -- Nc6",
        "1. e2 - e4 e7 - e5 2. N g1 - f3 N b8 - c6",
        "1. e4 e5, a solid reply; 2. Nf3, and now 2... Nc6",
        "1. e4 e5 (Black might try 1... c5\nor 1... c6 instead) 2. Nf3 Nc6",
        "1. e4 e5 Others play 1... c5 here. 2. Nf3 Nc6 Not 2... f6.",
        "After 1. e4 e5 the usual move came.\n1. e4 e5\n2. Nf3 Nc6\n",
        "1. e4 e5\nThe rules: 1. Be silent. 2. Be quick.\n2. Nf3 Nc6",
        "The game began at 8.00 and was lost at 10:30, in 1971.\n1. e4 e5\n2. Nf3 Nc6",
    ] {
        assert_eq!(game(text), KNIGHTS, "{text}");
    }
}

#[test]
fn numbers_of_moves_have_many_shapes() {
    for text in [
        "1.e4 e5 2.Nf3 Nc6",
        "1) e4 e5 2) Nf3 Nc6",
        "1.) e4 e5 2.) Nf3 Nc6",
        "(1) e4 e5 (2) Nf3 Nc6",
        "1: e4 e5 2: Nf3 Nc6",
        "1:e4 e5 2:Nf3 Nc6",
        "1)e4 1...e5 2)Nf3 2...Nc6",
        "1. e4, e5; 2. Nf3, Nc6;",
        "1.e4,e5;2.Nf3,Nc6",
        "1.-e4 e5 2.-Nf3 Nc6",
        "1-e4 e5 2-Nf3 Nc6",
        "1. e4 / e5 2. Nf3 / Nc6",
        "1e4 e5 2Nf3 Nc6",
        "1. e4\u{b9} e5\u{b2} 2. Nf3 Nc6",
        "1.  e4    10:00   e5   0:09:58\n2.  Nf3    9:50   Nc6    9:44",
        "1. P to K4 P to K4 2. Kt to KB3 Kt to QB3",
        "1.e4/e5 2.Nf3/Nc6",
        "1\u{ff0e}e4 e5 2\u{ff0e}Nf3 Nc6",
        "1 e4 1\u{2026} e5 2 Nf3 2\u{2026} Nc6",
        "1. e4 1. \u{2026} e5 2. Nf3 2. ... Nc6",
        "1. e4 1..e5 2. Nf3 2..Nc6",
        "| 1. | e4 | e5 |\n| 2. | Nf3 | Nc6 |",
        "- 1. e4 e5\n- 2. Nf3 Nc6",
        "* 1. e4 e5\n* 2. Nf3 Nc6",
        "> 1\\. e4 e5\n> 2\\. Nf3 Nc6",
    ] {
        assert_eq!(game(text), KNIGHTS, "{text}");
    }
}

#[test]
fn doubtful_words_are_named_and_not_taken_for_moves() {
    #[rustfmt::skip]
    let rows = [
        // The reply is the only move that the prose names.
        ("1. e4 A good move. Then e5 came. 2. Nf3 Nc6", "line 1, column 25: 1...e5 is taken from the prose"),
        // Only one move of the prose can be played.
        ("1. e4 Better than Nf3. Then e5 came. 2. Nf3 Nc6 3. Bb5 a6", "line 1, column 29: 1...e5 is taken from the prose"),
        ("1. e4 Neither e5 nor c5 is bad. 2. Nf3 Nc6", "line 1, column 15: in doubt about 1...: the prose names e5 and c5"),
        ("1. e4 It is good. 2. Nf3 Nc6", "line 1, column 22: 2.Nf3 is given, but 1... is missing before it"),
        ("1. e4 e5 Instead 1... c5 was a habit. 2. Nf3 Nc6", "line 1, column 23: 1...c5 is not part of the game, and is skipped as prose"),
        (
            "1. e4 e5 2. Nf3 Nc6 In the last round 12. Qxd5 came.",
            "line 1, column 43: 12.Qxd5 is not part of the game, and is skipped as prose",
        ),
        ("A title\n1. e4 e5 2. Frog", "line 2, column 13: 2.Frog is not a move in a known notation"),
        ("A title\n1. e4 e5 2. Nf3 N6c", "line 2, column 17: 2...N6c is not a move in a known notation"),
        ("A title\n1. e4 e5 2. Bxq6 and so on", "line 2, column 13: 2.Bxq6 is not a move in a known notation"),
        ("A title\n1. e4 e5 2. Nf3 Nq6 and so on", "line 2, column 17: 2...Nq6 is not a move in a known notation"),
        (
            "1. e4 no, no, e5 2. Nf3 no Nc6",
            "line 1, column 15: 1...e5 is taken from the prose\nline 1, column 28: 2...Nc6 is not part of the game",
        ),
        ("1. e4 e5 and now 2. d4 is not forced. 2. Nf3 Nc6", "line 1, column 21: 2.d4 is not part of the game"),
        (
            "A game\n1. e4 e5\nBlack, who was tired, resigned here.",
            "line 2, column 7: in doubt about the result: the prose after this move may name it",
        ),
        ("A title\n1. e4 e5 1-0\n2. Nf3 Nc6", "line 3, column 4: `Nf3` follows the end of the game"),
        ("One:\n1. e4 e5 2. Nf3 Nc6\nTwo:\n1. d4 d5 2. c4 e6", "line 4, column 4: a second game begins here"),
        ("A text without a game.", "line 1, column 1: 1.A is not a move in a known notation"),
    ];
    for (text, expected) in rows {
        let found = match read(text, "en") {
            Ok((_, score)) => {
                let remarks: Vec<String> = score.remarks.iter().map(ToString::to_string).collect();
                remarks.join("\n")
            }
            Err(error) => error,
        };
        assert!(found.starts_with(expected), "{text}\n{found}");
    }
}

#[test]
fn results_are_read_and_never_taken_for_moves() {
    for (end, result) in [
        ("1-0", "1-0"),
        ("0 - 1", "0-1"),
        ("1 : 0", "1-0"),
        ("1\u{2013}0", "1-0"),
        ("(0-1)", "0-1"),
        ("\u{bd}\u{2013}\u{bd}", "1/2-1/2"),
        ("\u{bd} : \u{bd}", "1/2-1/2"),
        ("\u{bd}", "1/2-1/2"),
        ("1/2 - 1/2", "1/2-1/2"),
        ("+--", "1-0"),
        ("--+", "0-1"),
        ("&frac12;&ndash;&frac12;", "1/2-1/2"),
        ("**1-0**", "1-0"),
        ("Resigns", "0-1"),
        ("Resigns.", "0-1"),
        ("3. Resigns", "0-1"),
        ("White resigned", "0-1"),
        ("White resigned.", "0-1"),
        ("and here White resigned.", "0-1"),
        ("3. White resigns", "0-1"),
        ("Black resigns!", "1-0"),
        ("(Black resigned)", "1-0"),
        ("{Black resigned}", "1-0"),
        ("Black wins", "0-1"),
        ("\nBlack wins.\n", "0-1"),
        ("White won on time.", "1-0"),
        ("Black lost on time.", "1-0"),
        ("Draw", "1/2-1/2"),
        ("Draw agreed.", "1/2-1/2"),
        ("Drawn by agreement", "1/2-1/2"),
        ("The game was drawn.", "1/2-1/2"),
        ("Remis", "1/2-1/2"),
        ("1\u{2044}2", "1/2-1/2"),
        ("3. Black wins", "0-1"),
        ("3. White lost on time", "0-1"),
        ("B. resigns", "1-0"),
        ("W resigns.", "0-1"),
        ("Black's flag fell.", "1-0"),
        ("*", "*"),
        ("", "*"),
        ("White wins a pawn.", "*"),
        ("Black offered a draw. White refused.", "*"),
        ("White wins if Black plays badly.", "*"),
        ("Black gives check.", "*"),
        ("White wins material.", "*"),
    ] {
        for before in ["1. e4 e5 2. Nf3 Nc6", "A game\n\n1. e4 e5\n2. Nf3 Nc6"] {
            let expected = match result {
                "*" => KNIGHTS.to_owned(),
                result => format!("{KNIGHTS} {result}"),
            };
            assert_eq!(game(&format!("{before} {end}")), expected, "{before} {end}");
        }
    }
    assert_eq!(
        game("Hayes - Juhasz 1-0\n1. e4 e5 2. Nf3"),
        "1. e4 e5 2. Nf3 1-0"
    );
    assert_eq!(
        game("Hayes - Juhasz\n1. e4 e5 2. Nf3\nJuhasz resigned."),
        "1. e4 e5 2. Nf3 1-0"
    );
}

#[test]
fn mate_and_stalemate_decide_the_result() {
    for text in [
        "1. f3 e5 2. g4 Qh4",
        "1. f3 e5 2. g4 Qh4 mate",
        "1. f3 e5 2. g4 Qh4 mate. *",
        "1. f3 e5 2. g4 Qh4 and mate",
        "1. f3 e5 2. g4 ?? Qh4++ Black wins",
        "[Result \"*\"]\n\n1. f3 e5 2. g4 Qh4# *",
        "1 P-KB3 P-K4 2 P-KN4 Q-R5 mate",
    ] {
        let (file, score) = read(text, "en").unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(
            score.written(ScoreForm::San),
            "1. f3 e5 2. g4 Qh4# 0-1\n",
            "{text}"
        );
        let table = score.written(ScoreForm::Descriptive);
        assert!(table.contains("0-1"), "{table}");
        let pgn = score.pgn(&file.tags);
        assert!(
            pgn.contains("[Result \"0-1\"]") && pgn.ends_with(" 0-1\n"),
            "{pgn}"
        );
    }
    let (_, score) = read("1. f3 e5 2. g4 Qh4# 1-0", "en").unwrap();
    assert_eq!(score.result(), "0-1");
    let remark = "the result 1-0 contradicts the last position; the result is 0-1";
    assert!(
        score
            .remarks
            .iter()
            .any(|r| r.to_string().ends_with(remark))
    );
    let stalemate = "1. e3 a5 2. Qh5 Ra6 3. Qxa5 h5 4. Qxc7 Rah6 5. h4 f6 6. Qxd7+ Kf7 7. Qxb7 Qd3 8. Qxb8 Qh7 9. Qxc8 Kg6 10. Qe6";
    assert_eq!(game(stalemate), format!("{stalemate} 1/2-1/2"));
}

/// A game with every man, a capture, castling, a check and a promotion.
const WHOLE: &str = "1. e4 d5 2. exd5 Nf6 3. Nf3 Nxd5 4. Be2 Nc6 5. O-O Bg4 6. h3 Bxf3 7. Bxf3 e6 8. Bxd5 Qxd5 9. Qe2 O-O-O 10. Re1 Rd7 11. Kh1 Qxg2+";

#[test]
fn typography_of_books_is_read() {
    let figurines = |white: [char; 5], space: &str| {
        let mut text = WHOLE.to_owned();
        for (letter, figurine) in ['K', 'Q', 'R', 'B', 'N'].into_iter().zip(white) {
            text = text.replace(letter, &format!("{figurine}{space}"));
        }
        text
    };
    let white = ['\u{2654}', '\u{2655}', '\u{2656}', '\u{2657}', '\u{2658}'];
    let black = ['\u{265a}', '\u{265b}', '\u{265c}', '\u{265d}', '\u{265e}'];
    let html = |text: &str| {
        text.replace(' ', "&nbsp;")
            .replace('x', "&times;")
            .replace('-', "&ndash;")
    };
    let entities: String = figurines(white, "")
        .chars()
        .map(|c| {
            if c.is_ascii() {
                c.to_string()
            } else {
                format!("&#{};", u32::from(c))
            }
        })
        .collect();
    let mut texts = vec![
        figurines(white, ""),
        figurines(black, ""),
        figurines(white, "\u{fe0e}"),
        figurines(black, "\u{fe0f}"),
        figurines(white, " "),
        figurines(white, "\u{a0}"),
        figurines(white, "\u{2009}"),
        entities,
        html(WHOLE),
        format!("<html><body><p>{}</p></body></html>", html(WHOLE)),
        format!(
            "<script>1. d4 d5</script><b>{}</b>",
            WHOLE.replace(' ', "</b> <b>")
        ),
        format!(
            "<table><tr><td>{}</td></tr></table>",
            WHOLE.replace(' ', "</td><td>")
        ),
        WHOLE.replace('x', " x "),
        WHOLE.replace('x', ":"),
        WHOLE
            .replace("O-O-O", "O - O - O")
            .replace("O-O ", "0 - 0 "),
        WHOLE.replace('N', "S"),
        WHOLE.replace("Nf3", "N-f3").replace("Nf6", "Kt-f6"),
        WHOLE.replace("Qxg2+", "Qxg2+ X").replace("Nf6", "Nf6x"),
        WHOLE.replace("Nf6", "[b]Nf6[/b]"),
        format!("[b]{WHOLE}[/b]"),
        WHOLE.replace("Nf6", "'''Nf6'''"),
        format!("\u{feff}{WHOLE}"),
        WHOLE.replace(". ", ".\u{200b}").replace(' ', "\u{3000}"),
        WHOLE.replace("Qxg2+", "Q\u{ad}xg2+"),
        WHOLE.replace("Nf6", "Nf6="),
        WHOLE.replace("Nf6", "Nf6 (=)"),
        WHOLE.replace("Nf6", "Nf6 ="),
        WHOLE.replace("Nf6", "Nf6(=)"),
        WHOLE.replace("Nf6", "Nf6\u{b1}"),
        WHOLE.replace("Nf6", "Nf6 +/-"),
        WHOLE.replace("Nf6", "\u{201c}Nf6\u{201d}"),
        WHOLE
            .replace("Nf6", "Nf6\u{203c}")
            .replace("Nc6", "Nc6\u{2049}"),
        format!(
            "**{}**",
            WHOLE.replace("Nf6", "*Nf6*").replace("Be2", "__Be2__")
        ),
        WHOLE.replace(". ", ".**").replace("Nf6", "`Nf6`"),
        format!("_{WHOLE}_"),
        WHOLE.replace("Qxg2+", "Qxg2\u{2020}"),
        WHOLE.replace("Qxg2+", "Qxg2\u{2021}"),
        WHOLE.replace("Qxg2+", "Qxg2 ++"),
        WHOLE.replace("Qxg2+", "Qxg2 check!"),
        WHOLE.replace("Qxg2+", "Qxg2\u{2260}"),
    ];
    for capture in "\u{d7}\u{2297}\u{2715}\u{2716}\u{2a2f}".chars() {
        texts.push(WHOLE.replace('x', &capture.to_string()));
    }
    for dash in "\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{ff0d}".chars() {
        texts.push(WHOLE.replace('-', &dash.to_string()));
        texts.push(
            WHOLE
                .replace("O-O-O", "0-0-0")
                .replace('-', &dash.to_string()),
        );
    }
    for space in "\u{a0}\u{2002}\u{2003}\u{2007}\u{2009}\u{200a}\u{202f}\u{205f}".chars() {
        texts.push(WHOLE.replace(' ', &space.to_string()));
    }
    for text in texts {
        for text in [
            text.clone(),
            format!("A game\n\n{text}\n\nBlack was happy."),
        ] {
            assert_eq!(game(&text), WHOLE, "{text}");
        }
    }
    // Pawns as figurines, and promotions.
    let promotion = "1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 h5 5. bxa8=N";
    for text in [
        "1. \u{2659}a4 \u{265f}b5 2. \u{2659}axb5 \u{265f}a6 3. \u{2659}bxa6 \u{265d}b7 4. axb7 h5 5. bxa8\u{2658}",
        "1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 h5 5. bxa8 = \u{265e}",
        "1. a4 b5 2. ab a6 3. ba: Bb7 4. ab: h5 5. ba8S",
        "1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 h5 5. bxa8(N)",
        "1 P-QR4 P-QN4 2 PxP P-QR3 3 PxP B-N2 4 PxB P-R4 5 PxR(N)",
        "1 P-QR4 P-QS4 2 PxP P-QR3 3 PxP B-S2 4 PxB P-R4 5 PxR=S",
        "1 P \u{2013} QR4 P \u{2013} QKt4 2 P \u{d7} P P \u{2013} QR3 3 P \u{d7} P B \u{2013} Kt2 4 P \u{d7} B P \u{2013} R4 5 P \u{d7} R = Kt",
    ] {
        assert_eq!(game(text), promotion, "{text}");
    }
    // Both letters for a knight: neither is guessed.
    let error = game("1. Nf3 Sf6");
    assert!(
        error.starts_with("line 1, column 8: 1...Sf6 is not a move"),
        "{error}"
    );
}

#[test]
fn utf_16_and_windows_1252_are_read_and_utf_32_is_refused() {
    let text = "1. e4 e5 2. \u{2658}f3 \u{2658}c6 \u{bd}\u{2013}\u{bd}";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    let windows = b"1. e4 e5 2. Nf3 Nc6 \xbd\x96\xbd\x1a".to_vec();
    for bytes in [
        [b"\xff\xfe".to_vec(), little.clone()].concat(),
        [b"\xfe\xff".to_vec(), big.clone()].concat(),
        little,
        big,
        windows,
    ] {
        let (_, score) = read_bytes(&bytes, "en").unwrap();
        assert_eq!(
            score.written(ScoreForm::San),
            format!("{KNIGHTS} 1/2-1/2\n")
        );
    }
    let error = read_bytes(b"\xff\xfe\0\0e\0\0\0", "en").expect_err("UTF-32 is not read");
    assert_eq!(
        error,
        "the file is in UTF-32, which is not read: save it in UTF-8"
    );
}

#[test]
fn letters_of_other_languages_are_read_by_option() {
    let letters = |to: [&str; 5]| {
        let mut text = String::new();
        for c in WHOLE.chars() {
            match "KQRBN".find(c) {
                Some(at) => text.push_str(to[at]),
                None => text.push(c),
            }
        }
        text
    };
    for (language, to) in [
        ("en", ["K", "Q", "R", "B", "N"]),
        ("de", ["K", "D", "T", "L", "S"]),
        ("fr", ["R", "D", "T", "F", "C"]),
        ("es", ["R", "D", "T", "A", "C"]),
        ("it", ["R", "D", "T", "A", "C"]),
        ("nl", ["K", "D", "T", "L", "P"]),
        ("pl", ["K", "H", "W", "G", "S"]),
        ("hu", ["K", "V", "B", "F", "H"]),
        ("cs", ["K", "D", "V", "S", "J"]),
        (
            "ru",
            ["\u{41a}\u{440}", "\u{424}", "\u{41b}", "\u{421}", "\u{41a}"],
        ),
        ("KDTLS", ["K", "D", "T", "L", "S"]),
    ] {
        let text = letters(to);
        let (_, score) = read(&text, language).unwrap_or_else(|e| panic!("{language}: {e}"));
        assert_eq!(
            score.written(ScoreForm::San).replace('\n', " ").trim_end(),
            WHOLE,
            "{text}"
        );
        let page = format!("Ein Spiel\n{text}\nEnde.");
        assert!(read(&page, language).is_ok(), "{page}");
    }
    for unknown in ["", "xx", "english", "KQRB", "KKRBN", "kqrbn"] {
        assert_eq!(Letters::named(unknown), None, "{unknown}");
    }
}

#[test]
fn players_above_the_moves_are_read() {
    let moves = "1. e4 e5\n2. Nf3 Nc6\n";
    for title in [
        "REA B. HAYES (X) vs. MIKE JUHASZ (B), November 11, 1971.\n \n",
        "Rea B. Hayes - Mike Juhasz, Cincinnati 1971\n",
        "Rea B. Hayes \u{2013} Mike Juhasz\n",
        "Rea B. Hayes\u{2013}Mike Juhasz\n",
        "**Rea B. Hayes vs Mike Juhasz**\n\nA great fight.\n",
        "<h1>Rea B. Hayes v. Mike Juhasz</h1>\n",
        "# Rea B. Hayes - Mike Juhasz, Kriegspiel\n",
        "Game 3: Rea B. Hayes against Mike Juhasz (1971)\n",
        "White: Rea B. Hayes\nBlack: Mike Juhasz\n",
        "White: Rea B. Hayes   Black: Mike Juhasz\n",
        "White: Rea B. Hayes, Black: Mike Juhasz.\n",
        "   Rea B. Hayes      Mike Juhasz\n",
    ] {
        let text = format!("The Kriegspiel Page - A title\n\n{title}{moves}");
        let (file, _) = read(&text, "en").unwrap_or_else(|e| panic!("{text}: {e}"));
        let names = [file.tag("White"), file.tag("Black")];
        let names = names.map(|name| name.unwrap_or_default().to_lowercase());
        assert_eq!(names, ["rea b. hayes", "mike juhasz"], "{text}");
    }
    let (file, _) = read(&format!("A. Smith - B. Jones\n{moves}"), "en").unwrap();
    assert_eq!(
        (file.tag("White"), file.tag("Black")),
        (Some("A. Smith"), Some("B. Jones"))
    );
    for title in [
        "Kriegspiel - Cincinnati style\n",
        "The game - and the rules\n",
        "White against Black\n",
        "Kriegspiel vs. Chess\n",
        "In the old notation, W. (White) against B. (Black)\n",
        "White    Black\n",
        "[White \"A\"]\n[Black \"B\"]\n",
    ] {
        let (file, _) = read(&format!("{title}{moves}"), "en").unwrap();
        assert!(file.tag("White").is_none_or(|name| name == "A"), "{title}");
    }
}

#[test]
fn transcript_is_named_and_not_read_as_a_page() {
    for lines in ["white e2e4\n", "white e2e4\nblack e7e5\nwhite g1f3\n"] {
        for heading in ["", "attempt | white | black | room\n"] {
            let text = format!("title   A\nrules   rand\nsource  RAND\n\n{heading}{lines}");
            let read = ScoreFile::read(text.as_bytes());
            assert_eq!(read, Err(TextError::Transcript), "{text}");
        }
    }
    assert_eq!(game("title\n1. e4 e5 2. Nf3 Nc6"), KNIGHTS);
}
