//! Hayes - Juhasz, Cincinnati 1971: checks that the program finds the misprints that the
//! comments in the file describe.

use notation::Notation;
use referee::StartPosition;
use rules::{Choices, rulesets::CINCINNATI};
use scores::score::{Ending, RemarkKind, Repairs, Score, ScoreFile, ScoreForm, Stop, Why};

const FILE: &str = include_str!("../../../../examples/hayes-juhasz-1971-score.txt");

fn choices() -> Choices {
    CINCINNATI.choices
}

fn both() -> ScoreFile {
    ScoreFile::read(FILE.as_bytes()).unwrap()
}

fn one(notation: Notation) -> ScoreFile {
    let mut file = both();
    let column = file
        .columns
        .iter()
        .position(|column| column.notation == notation)
        .unwrap();
    assert!(file.keep(column));
    file
}

fn play(file: &ScoreFile) -> Result<Score, Box<Stop>> {
    file.play(StartPosition::initial(), &choices())
}

fn repair(file: &ScoreFile) -> Repairs {
    file.repairs(StartPosition::initial(), &choices(), &mut || false)
}

/// Returns the corrected game at the end of the file.
fn coordinates() -> Vec<String> {
    FILE.lines()
        .filter_map(|line| line.strip_prefix("= "))
        .flat_map(str::split_whitespace)
        .map(str::to_owned)
        .collect()
}

#[test]
fn two_columns_and_their_notations_are_recognised() {
    let file = both();
    let [left, right] = file.columns.as_slice() else {
        panic!("the file must have two columns");
    };
    assert_eq!(left.notation, Notation::Descriptive);
    assert_eq!(right.notation, Notation::Algebraic);
    for column in [left, right] {
        assert_eq!(column.moves.len(), 111);
        assert_eq!(
            column.ending.map(|(ending, _)| ending),
            Some(Ending::Resigns)
        );
    }
    assert_eq!(file.corrected_copy.len(), 111);
    assert_eq!(file.remarks, []);
}

#[test]
fn descriptive_column_is_playable_to_the_end() {
    let score = play(&one(Notation::Descriptive)).unwrap();
    assert_eq!(score.moves.len(), 111);
    assert_eq!(score.texts(ScoreForm::Uci), coordinates());
    assert_eq!(score.result(), "1-0");
    assert_eq!(score.differences, []);
    let remarks: Vec<String> = score.remarks.iter().map(ToString::to_string).collect();
    assert_eq!(
        remarks,
        ["line 25, column 6: 18.NxP gives check, but has no check mark"]
    );
}

#[test]
fn algebraic_column_is_unplayable_from_25_bb2() {
    let stop = play(&one(Notation::Algebraic)).unwrap_err();
    assert_eq!(stop.ply, 49);
    assert_eq!(stop.written.text, "Bb2");
    assert_eq!((stop.written.at.line, stop.written.at.column), (32, 34));
    assert_eq!(stop.why, Why::NotLegal);
    assert_eq!(
        stop.fen,
        "b1r3n1/5k1r/p3R1pp/2p5/2P2P2/P5P1/3NQ2P/4R1K1 b - - 0 25"
    );
    let closest: Vec<&str> = stop.closest.iter().map(|c| c.text.as_str()).collect();
    assert!(
        closest.contains(&"Bg2") && closest.contains(&"Bb7"),
        "{closest:?}"
    );
}

#[test]
fn cheapest_correction_is_bg2_and_bh3() {
    let repairs = repair(&one(Notation::Algebraic));
    assert!(repairs.whole);
    let best = &repairs.repairs[0];
    assert_eq!(
        best.to_string(),
        "2 characters: 25...Bb2 -> 25...Bg2, 26...Ba3 -> 26...Bh3"
    );
    assert!(
        repairs.repairs[1..]
            .iter()
            .all(|repair| repair.cost > best.cost)
    );
    for repair in &repairs.repairs {
        println!("{repair}");
    }
    assert_eq!(best.score.moves.len(), 111);
    // The misprint 22...Ba8 is not corrected, because Ba8 is a legal move. Only the descriptive
    // column (22...B-R8) shows that the move was Bh1.
    assert_eq!(best.score.moves[43].to_string(), "b7a8");
}

#[test]
fn two_columns_propose_bh1_for_ba8() {
    let score = play(&both()).unwrap();
    assert_eq!(score.texts(ScoreForm::Uci), coordinates());
    let differences: Vec<String> = score.differences.iter().map(ToString::to_string).collect();
    assert_eq!(
        differences,
        [
            "line 29, column 34: 22...Ba8 (algebraic) differs from the other column and can also be played; proposed: 22...Bh1",
            "line 32, column 34: 25...Bb2 (algebraic) differs from the other column and cannot be played; proposed: 25...Bg2",
            "line 33, column 34: 26...Ba3 (algebraic) differs from the other column and cannot be played; proposed: 26...Bh3",
        ]
    );
    let unmarked: Vec<&str> = score
        .remarks
        .iter()
        .filter_map(|remark| match &remark.kind {
            RemarkKind::CheckUnmarked { text, .. } => Some(text.as_str()),
            RemarkKind::Latin1
            | RemarkKind::Number { .. }
            | RemarkKind::NoCheck { .. }
            | RemarkKind::NoMate { .. }
            | RemarkKind::NoCheckMarks { .. }
            | RemarkKind::Resolved { .. }
            | RemarkKind::CorrectedCopy { .. }
            | RemarkKind::FromProse { .. }
            | RemarkKind::Aside { .. }
            | RemarkKind::ResultInDoubt
            | RemarkKind::OtherResult { .. } => None,
        })
        .collect();
    assert_eq!(score.remarks.len(), 3);
    assert_eq!(unmarked, ["NxP", "Nxe5", "Rxg5"]);
}

#[test]
fn written_score_round_trips() {
    let score = play(&one(Notation::Descriptive)).unwrap();
    for form in [ScoreForm::Uci, ScoreForm::San, ScoreForm::Descriptive] {
        let text = score.written(form);
        let file = ScoreFile::read(text.as_bytes()).unwrap();
        let again = play(&file).unwrap();
        assert_eq!(again.moves, score.moves, "{text}");
        assert_eq!(
            again.remarks.len(),
            usize::from(form == ScoreForm::Uci),
            "{text}"
        );
    }
    let pgn = score.pgn(&[("White".to_owned(), "Hayes \"Rea\"".to_owned())]);
    assert!(
        pgn.contains("[White \"Hayes \\\"Rea\\\"\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\n1. f4 f6")
    );
    let file = ScoreFile::read(pgn.as_bytes()).unwrap();
    assert_eq!(file.tag("white"), Some("Hayes \"Rea\""));
    let again = play(&file).unwrap();
    assert_eq!(
        (again.moves, again.ending.result(rules::chess::Color::Black)),
        (score.moves, "1-0")
    );
}

#[test]
fn score_becomes_a_transcript() {
    let score = play(&both()).unwrap();
    let transcript = score
        .transcript(&CINCINNATI, "Hayes - Juhasz", "J'ADOUBE!", Vec::new())
        .unwrap();
    let text = transcript.to_string();
    assert_eq!(text.parse::<scores::Transcript>(), Ok(transcript));
    assert!(text.contains("white e6e4 moved"), "{text}");
}
