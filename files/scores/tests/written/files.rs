//! Scores as people and programs write them, and files that are not scores.

use notation::Notation;
use proptest::prelude::*;
use referee::StartPosition;
use rules::{
    Choices,
    rulesets::{CRAZYKRIEG, RAND},
};
use scores::score::{Ending, Score, ScoreFile, ScoreForm, Stop, TextError, Why};

fn choices() -> Choices {
    RAND.choices
}

fn file(text: &str) -> ScoreFile {
    ScoreFile::read(text.as_bytes()).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn play(text: &str) -> Result<Score, Box<Stop>> {
    file(text).play(StartPosition::initial(), &choices())
}

fn uci(text: &str) -> String {
    let score = play(text).unwrap_or_else(|stop| panic!("{text}: {stop}"));
    score.texts(ScoreForm::Uci).join(" ")
}

const OPENING: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1";

#[test]
fn one_game_is_read_in_many_forms() {
    for text in [
        "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1",
        "e2-e4 e7-e5 g1-f3 b8-c6 f1-b5 g8-f6 o-o",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O",
        "1.e4 e5 2.Nf3 Nc6 3.Bb5 Nf6 4.0-0 *",
        "1. e4 e5\r\n2. Nf3 Nc6\r\n3. Bb5 Nf6\r\n4. O-O\r\n",
        "1. e4 e5\r2. Nf3 Nc6\r3. Bb5 Nf6\r4. O-O",
        "\u{feff}1 e4 e5\n2 Nf3 Nc6\n3 Bb5 Nf6\n4 O-O\n",
        "1. e4! e5?! 2. Nf3 $1 {the knight (at last)} Nc6 (2... d6 3. d4 (3. Bc4)) 3. Bb5 Nf6 4. O-O 1/2-1/2",
        "1. e4 {a\ncomment} 1... e5 2. Nf3 2... Nc6 3. Bb5 3. ... Nf6 ; to the end\n4. O-O",
        "[Event \"?\"]\n[White \"A \\\"B\\\" C\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O *\n",
        "# a remark\n% an escape\n1. e2-e4 e7-e5\n2. Ng1-f3 Nb8-c6\n3. Bf1-b5 Ng8-f6\n4. O-O",
        "1 P-K4 P-K4 2 N-KB3 N-QB3 3 B-N5 N-B3 4 O-O",
        "1 P-K4 P-K4 2 Kt-KB3 Kt-QB3 3 B-Kt5 Kt-B3 4 Castles K",
        "p-k4 p/k2-k4 n-kb3 n-qb3 b-n5 n-b3 o-o",
        "K2 K4\nK2 K4\nKN1 KB3\nQN1 QB3\nKB1 QN5\nKN1 KB3\nCK",
        "1 K2 K4 K2 K4\n2 KN1 KB3 QN1 QB3\n3 KB1 QN5 KN1 KB3\n4 CK",
        "1  P-K4   P-K4    e4   e5\n2  N-KB3  N-QB3   Nf3  Nc6\n3  B-N5   N-B3    Bb5  Nf6\n4  O-O            O-O\n",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O\u{2013}O",
        "= e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1\n1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O",
    ] {
        assert_eq!(uci(text), OPENING, "{text}");
    }
}

#[test]
fn words_for_mate_and_en_passant_are_part_of_the_move() {
    let text = "1 P-K4 P-K4 2 Q-R5 N-QB3 3 B-B4 N-B3 4 QxBP mate 1-0";
    let score = play(text).unwrap();
    assert_eq!(score.ending, Ending::Won(rules::chess::Color::White));
    assert_eq!(score.remarks, []);
    assert!(score.written(ScoreForm::San).ends_with("4. Qxf7# 1-0\n"));
    let text = "1. e4 d5 2. e5 f5 3. exf6 e.p. exf6 4. Bb5+ c6 5. Bxc6+ Nxc6 Resigns";
    let score = play(text).unwrap();
    assert_eq!((score.ending, score.result()), (Ending::Resigns, "0-1"));
}

#[test]
fn wrong_marks_get_a_remark() {
    let said = |text: &str| -> Vec<String> {
        let score = play(text).unwrap();
        score.remarks.iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        said("1. e4+ e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7+"),
        ["line 1, column 4: 1.e4+ has a check mark, but gives no check"]
    );
    assert_eq!(
        said("1. e4 d5 2. Bb5# c6 3. Bxc6 bxc6"),
        [
            "line 1, column 13: 2.Bb5# is not mate",
            "line 1, column 24: 3.Bxc6 gives check, but has no check mark"
        ]
    );
    assert_eq!(
        said("1. e4 d5 2. Bb5 c6"),
        ["line 1, column 4: this column has no check mark; number of checks in the game: 1"]
    );
    assert_eq!(
        said("1. e4 e5 4. Nf3"),
        ["line 1, column 10: the move number is 4., but the next move is 2."]
    );
    assert_eq!(
        said("= e2e4 e7e6\n1. e4 e5"),
        ["line 1, column 8: the corrected copy has 1...e7e6, but the score has e7e5"]
    );
}

#[test]
fn score_can_begin_from_another_position() {
    let text = "[FEN \"4k3/8/8/8/8/8/4p3/K7 b - - 0 30\"]\n\n30... e1=Q+ 31. Ka2";
    let read = file(text);
    let start = StartPosition::from_fen(read.tag("FEN").unwrap(), &choices()).unwrap();
    let score = read.play(start, &choices()).unwrap();
    assert_eq!(score.written(ScoreForm::San), "30... e1=Q+ 31. Ka2\n");
    assert_eq!(
        score.written(ScoreForm::Descriptive),
        " 30. ...      P-K8=Q+\n 31. K-R2\n"
    );
    assert!(score.remarks.is_empty());
    let pgn = score.pgn(&read.tags);
    assert!(
        pgn.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4p3/K7 b - - 0 30\"]"),
        "{pgn}"
    );

    let fen = "4k3/8/8/8/8/8/8/4K3[Pq] w - - 0 1";
    let start = StartPosition::from_fen(fen, &CRAZYKRIEG.choices).unwrap();
    let score = file("1. P@e6 Q@a1+")
        .play(start, &CRAZYKRIEG.choices)
        .unwrap();
    assert_eq!(score.texts(ScoreForm::Descriptive), ["P@K6", "Q@QR8+"]);
}

#[test]
fn rest_of_a_score_resolves_an_ambiguous_move() {
    // `1 R-QN1` fits both rooks. Both rooks could play `2 R-N7` afterwards, but only one of them
    // could play `2 R-B8+`.
    let fen = "4k3/p7/8/8/8/8/P7/R4R1K w - - 0 1";
    let start = || StartPosition::from_fen(fen, &choices()).unwrap();
    let read = file("1 R-QN1 P-R3 2 R-N7").play(start(), &choices());
    assert!(matches!(read.unwrap_err().why, Why::Ambiguous(_)));
    let score = file("1 R-QN1 P-R3 2 R-B8+")
        .play(start(), &choices())
        .unwrap();
    assert_eq!(score.moves[0].to_string(), "a1b1");
    assert!(
        score.remarks[0]
            .to_string()
            .contains("1.R-QN1 fits several moves; only a1b1")
    );
    // The second column shows which rook moved.
    let both = file("1 R-QN1 P-R3 Rfb1 a6\n2 R-N7 Rb7");
    let score = both.play(start(), &choices()).unwrap();
    assert_eq!(score.moves[0].to_string(), "f1b1");
}

#[test]
fn reason_for_an_unplayable_move_is_named() {
    #[rustfmt::skip]
    let rows = [
        (
            "1. e4 e5 2. Nf6",
            "line 1, column 13: 2.Nf6 cannot be played\nrnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n8  r n b q k b n r\n",
        ),
        ("1. e4 e5 2. N-B3", "line 1, column 13: 2.N-B3 may be Nc3 or Nf3\n"),
        ("1. e4 e5 2. Frog", "line 1, column 13: 2.Frog is not a move in a known notation (put # before lines without moves)\n"),
        ("1. e4 ?? 2. d4", "line 1, column 7: 1...?? does not say which move was played"),
        ("1. e4 -- 2. d4", "line 1, column 7: 1...-- does not say which move was played"),
        ("1. e4 Z0", "line 1, column 7: 1...Z0 does not say which move was played"),
        ("1. e4 e5 2. Qh5 Ke7 3. Qxe5 Kd6", "line 1, column 29: 3...Kd6 cannot be played\n"),
    ];
    for (text, expected) in rows {
        let stop = play(text).unwrap_err().to_string();
        assert!(stop.starts_with(expected), "{stop}");
        let over = stop.ends_with("\nthere is no legal move: the game was already over");
        assert!(stop.contains("closest: ") != over, "{stop}");
    }
    let mated = play("1. f3 e5 2. g4 Qh4# 3. a3").unwrap_err();
    assert!(mated.closest.is_empty());
}

#[test]
fn file_that_is_not_a_score_is_reported() {
    let long = vec![b' '; (4 << 20) + 1];
    #[rustfmt::skip]
    let cases: [(&[u8], &str); 14] = [
        (b"", "the file contains no moves"),
        (b"# only a remark\n", "the file contains no moves"),
        (b"1. 2. 3. *", "the file contains no moves"),
        (&long, "the file is longer than 4 megabytes"),
        (b"1. e4 \x00 e5", "line 1, column 7: byte 0x00 is not text"),
        (b"\xff\xfe1\x00.\x00", "the file contains no moves"),
        (b"1. e4\n\x1b[2J e5", "line 2, column 1: byte 0x1b is not text"),
        (b"1. e4 {never", "line 1, column 7: `{` opens a comment"),
        (b"1. e4 e5\n(1... c5", "line 2, column 1: `(` opens"),
        (b"[Event x]\n1. e4", "line 1, column 1: this is not a PGN tag"),
        (b"  [Event\n1. e4", "line 1, column 3: this is not a PGN tag"),
        (b"1. e4 *\n\n[Event \"two\"]\n\n1. d4 *", "line 3, column 1: a second game begins here"),
        (b"1. e4 1-0 d5", "line 1, column 11: `d5` follows the end"),
        (
            b"1 P-K4 P-K4 e4 e5\n2 N-KB3 N-QB3 Nf3\n3 P-Q4 PxP d4 exd",
            "line 2, column 1: this row has a wrong number of moves: 3. In a table with two columns",
        ),
    ];
    for (bytes, expected) in cases {
        let error = ScoreFile::read(bytes).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    assert_eq!(ScoreFile::read(b"  \n\n"), Err(TextError::NoMoves));
}

#[test]
fn latin_1_is_read_with_a_remark() {
    let read = ScoreFile::read(b"[White \"Gr\xfcnfeld\"]\n\n1. d4 Nf6").unwrap();
    assert_eq!(read.tag("White"), Some("Gr\u{fc}nfeld"));
    assert!(read.remarks[0].to_string().contains("read as Latin-1"));
}

#[test]
fn misprints_are_corrected() {
    #[rustfmt::skip]
    let rows = [
        // Misprints: a wrong file, wing, rank, man or sign.
        ("1. e4 e5 2. Nf3 Nc6 3. Bb4 a6 4. Ba4", "1 character: 3.Bb4 -> 3.Bb5"),
        ("1 P-K4 P-K4 2 N-KB3 N-KB3 3 B-N5 P-QR3 4 BxN", "1 character: 2...N-KB3 -> 2...N-QB3"),
        ("1. e4 e5 2. Nf3 Rc6 3. Bb5", "1 character: 2...Rc6 -> 2...Nc6"),
        ("1 P-K4 P-K3 2 P-Q4 P-Q4 3 N-QB3 PxB 4 NxP", "1 character: 3...PxB -> 3...PxP"),
        ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxa4", "1 character: 4.Bxa4 -> 4.Ba4"),
        ("1. e4 e5 2. Frog Nc6", ""),
    ];
    for (text, expected) in rows {
        let repairs = file(text).repairs(StartPosition::initial(), &choices(), &mut || false);
        let listed: Vec<String> = repairs.repairs.iter().map(ToString::to_string).collect();
        if expected.is_empty() {
            assert!(!listed.is_empty());
        } else {
            assert!(listed.contains(&expected.to_owned()), "{text}: {listed:?}");
        }
        for repair in &repairs.repairs {
            assert!(repair.changes.len() <= 3);
            assert_eq!(repair.score.moves.len(), file(text).columns[0].moves.len());
        }
        let again = file(text).repairs(StartPosition::initial(), &choices(), &mut || false);
        let again: Vec<String> = again.repairs.iter().map(ToString::to_string).collect();
        assert_eq!(again, listed);
    }
    let mut looks = 0;
    let mut soon = || {
        looks += 1;
        looks > 3
    };
    let repairs = file("1. e4 e5 2. Nf6").repairs(StartPosition::initial(), &choices(), &mut soon);
    assert!(!repairs.whole && repairs.repairs.is_empty());
}

#[test]
fn two_unplayable_columns_are_corrected_together() {
    let text = "1 P-K4 P-K4 e4 e5\n2 N-KB3 N-QB3 Nf4 Nc6\n3 B-N4 P-QR3 Bb5 a6\n";
    let read = file(text);
    assert_eq!(read.columns[0].notation, Notation::Descriptive);
    assert!(read.play(StartPosition::initial(), &choices()).is_err());
    let repairs = read.repairs(StartPosition::initial(), &choices(), &mut || false);
    assert_eq!(
        repairs.repairs[0].to_string(),
        "2 characters: 2.Nf4 -> 2.Nf3, 3.B-N4 -> 3.B-N5"
    );
}

proptest! {
    #[test]
    fn random_bytes_cause_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        if let Ok(read) = ScoreFile::read(&bytes) {
            let _ignored = read.play(StartPosition::initial(), &choices());
        }
    }

    #[test]
    fn words_like_moves_cause_no_panic(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "1.", "2.", "3...", "...", "e4", "e5", "Nf3", "P-K4", "PxP", "N-B3", "O-O", "ch", "e.p.",
                "{", "}", "(", ")", "1-0", "*", "Resigns", "\n", "K2", "K4", "Castles", "K", "$3", ";",
                "[", "=", "#", "dis", "mate", "Kt-KB3", "exd", "--",
            ]),
            0..30,
        ),
    ) {
        let text = words.join(" ");
        if let Ok(read) = ScoreFile::read(text.as_bytes()) {
            match read.play(StartPosition::initial(), &choices()) {
                Ok(score) => prop_assert!(score.pgn(&read.tags).contains("[Result")),
                Err(stop) => prop_assert!(stop.to_string().contains("line ")),
            }
            let mut looks = 0;
            let mut stop = || { looks += 1; looks > 200 };
            let _ignored = read.repairs(StartPosition::initial(), &choices(), &mut stop);
        }
    }
}
