//! Tests of `kriegspiel endgame`.

use serde_json::Value;

use crate::program::run;

fn said(words: &[&str]) -> String {
    let output = run(&[&["endgame"], words].concat(), b"");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {stderr}");
    assert_eq!(stderr, "");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn endgame_query_says_mate_and_tries() {
    let text = said(&["query", "Kg6,Ra1", "--kings", "h8"]);
    assert_eq!(text, "forced mate with the next move\ntry a1a8\n");
    let json = said(&["query", "Kg6 Ra1", "--kings", "h8,g8", "--json"]);
    let line: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(line["kings"], serde_json::json!(["g8", "h8"]));
    assert!(
        line["mate_in"].as_u64().is_some_and(|moves| moves >= 1),
        "{line}"
    );
    assert!(!line["tries"].as_array().unwrap().is_empty());
    // The fifty-move rule leaves fewer moves than the mate takes.
    let late = said(&["query", "Kc3,Rd4", "--half-moves", "90"]);
    assert!(late.starts_with("no forced mate is known"), "{late}");
}

#[test]
fn endgame_errors_name_the_place_and_the_remedy() {
    for (words, part) in [
        (
            &["query", "Kc3"][..],
            "one or two men in addition to the king",
        ),
        (&["query", "Rd4"], "there is no king"),
        (&["query", "Kc3,Kd5,Rd4"], "there are two kings"),
        (&["query", "Kc3,Xd4"], "`Xd4` is not a man on a square"),
        (&["query", "Kc3,Pd8"], "no pawn on the first or last rank"),
        (&["query", "Kc3,Nd5"], "no mate is possible with Kc3,Nd5"),
        (
            &["query", "Kc3,Rd4", "--kings", "z9"],
            "`z9` is not a square",
        ),
        (&["query", "Kc3,Rd4", "--kings", "d8"], "cannot be on d8"),
        (&["curve", "KNNK"], "unknown ending `KNNK`"),
        (&["curve", "KRK", "--games", "0"], "--games"),
        (&["verify", "--rules", "nothing"], "nothing"),
        (&["verify", "--every", "0"], "--every"),
    ] {
        let output = run(&[&["endgame"], words].concat(), b"");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {stderr}");
        assert!(stderr.contains(part), "{words:?}: {stderr}");
        assert!(output.stdout.is_empty(), "{words:?}");
    }
}

#[test]
fn endgame_build_prints_the_worst_cases() {
    let text = said(&["build", "KRK"]);
    for line in [
        "forced mate from 424 of 518 placements, at most 34 moves",
        "KRK, the king is anywhere: forced mate from 315 of 518 placements, at most 33 moves",
    ] {
        assert!(text.contains(line), "{text}");
    }
}
