//! Tests of `kriegspiel solve` as a program.

use std::{fs, process::Output};

use tempfile::TempDir;

use crate::program::{run, text};

/// Returns an empty folder for one test.
fn folder() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap()
}

fn solve(args: &[&str], input: &str) -> Output {
    run(&[&["solve"], args].concat(), input.as_bytes())
}

fn problem(id: &str, fens: &[&str], moves: u32) -> String {
    let line =
        serde_json::json!({"id": id, "rules": "berkeley", "mate_in": moves, "positions": fens});
    format!("{line}\n")
}

/// White mates with a1a8, whether the black king is on g8 or on h8.
fn back_rank() -> String {
    problem(
        "back rank",
        &[
            "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
            "7k/6pp/8/8/8/8/8/R5K1 w - - 0 1",
        ],
        1,
    )
}

#[test]
fn problems_are_solved_in_the_order_of_the_file() {
    let lines = format!(
        "{}{}{}",
        back_rank(),
        problem("none", &["6k1/8/8/8/8/8/8/R5K1 w - - 0 1"], 2),
        problem("queen", &["7k/8/6K1/8/8/8/8/1Q6 w - - 0 1"], 1),
    );
    for threads in ["1", "3"] {
        let output = solve(&["--problems", "-", "--json", "--threads", threads], &lines);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let found: Vec<(String, u64, Option<bool>)> = text(&output.stdout)
            .lines()
            .map(|line| {
                let json: serde_json::Value = serde_json::from_str(line).unwrap();
                assert!(json["nodes"].is_u64() && json["seconds"].is_f64(), "{line}");
                (
                    json["id"].as_str().unwrap_or_default().to_owned(),
                    json["positions"].as_u64().unwrap_or_default(),
                    json["mate"].as_bool(),
                )
            })
            .collect();
        let expected = [
            ("back rank".to_owned(), 2, Some(true)),
            ("none".to_owned(), 1, Some(false)),
            ("queen".to_owned(), 1, Some(true)),
        ];
        assert_eq!(found, expected);
    }
}

#[test]
fn all_tries_that_begin_a_mate_are_listed() {
    // Two rooks can mate on the last rank; no move of the king mates.
    let lines = problem("rooks", &["6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1"], 1);
    let output = solve(&["--problems", "-", "--json", "--all"], &lines);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["first"], serde_json::json!(["a1a8", "b1b8"]));
}

#[test]
fn certificates_are_written_and_checked() {
    let folder = folder();
    let path = folder.path().join("proofs.jsonl");
    let file = path.to_str().unwrap();
    let lines = format!(
        "{}{}",
        back_rank(),
        problem("none", &["6k1/8/8/8/8/8/8/R5K1 w - - 0 1"], 2)
    );
    let output = solve(&["--problems", "-", "--certificates", file], &lines);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let output = solve(&["--check", file], "");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("back rank: mate in 1 own move is proved"));
    assert!(text(&output.stdout).contains("none: no mate in 2 own moves is proved"));

    let proofs = fs::read_to_string(&path).unwrap();
    let wrong = proofs.replace("\"mate\":false", "\"mate\":true");
    let output = solve(&["--check", "-"], &wrong);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("none: line 2: node 0"));
}

#[test]
fn best_policy_is_printed_with_its_share() {
    // The rook mates on a8, except in the two positions in which a bishop covers a8.
    let fens = [
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
        "7k/6pp/8/8/8/8/8/R5K1 w - - 0 1",
        "6k1/5ppp/8/8/4b3/8/8/R5K1 w - - 0 1",
        "6k1/5ppp/8/3b4/8/8/8/R5K1 w - - 0 1",
    ];
    let lines = problem("some", &fens[..], 1);
    let folder = folder();
    let path = folder.path().join("best.jsonl");
    let file = path.to_str().unwrap();
    let args = ["--problems", "-", "--best", "--weights", "equal"];
    let output = solve(
        &[&args[..], &["--json", "--certificates", file]].concat(),
        &lines,
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["mate"], false);
    let best = serde_json::json!({"lower": 0.5, "upper": 0.5, "positions": 2, "of": 4});
    assert_eq!(json["best"], best);
    let output = solve(&args, &lines);
    let said = "the best policy mates against 50.00 % of the weight (2 of 4 positions); no policy mates against more";
    assert!(
        text(&output.stdout).contains(said),
        "{}",
        text(&output.stdout)
    );
    let output = solve(&["--check", file], "");
    assert!(output.status.success(), "{}", text(&output.stdout));
    let said = "some, best: mate in 1 own move is proved";
    assert!(
        text(&output.stdout).contains(said),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn limits_leave_a_problem_undecided() {
    let lines = problem("deep", &["8/8/8/3k4/8/8/8/KR6 w - - 0 1"], 12);
    let output = solve(&["--problems", "-", "--json", "--nodes", "5000"], &lines);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        text(&output.stdout).contains("\"mate\":null"),
        "{}",
        text(&output.stdout)
    );
}

#[test]
fn recorded_game_is_solved_in_words() {
    let game = "\
title   The fool's mate
rules   berkeley
source  BERK

attempt          | white | black | room
white f2f3 moved
black e7e5 moved
white g2g4 moved
";
    let output = solve(&["-", "--seat", "black", "--moves", "1"], game);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.starts_with("No mate in 1 own move against "), "{said}");
    let output = solve(&["-", "--seat", "black", "--moves", "1", "--json"], game);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["mate"], false);
}

#[test]
fn bad_problems_and_certificates_are_named() {
    #[rustfmt::skip]
    let rows = [
        ("{", "line 1: not a problem"),
        (r#"{"id":"x","rules":"chess","mate_in":1,"positions":["8"]}"#, "there is no ruleset"),
        (r#"{"id":"x","rules":"ks","mate_in":1}"#, "exactly one of heard and positions"),
        (r#"{"id":"x","rules":"ks","mate_in":1,"positions":["8"]}"#, "x: 8: "),
        (r#"{"id":"x","rules":"ks","mate_in":0,"positions":["7k/8/6K1/8/8/8/8/1Q6 w - - 0 1"]}"#, "from 1 to 32"),
        (r#"{"id":"x","rules":"ks","mate_in":1,"positions":["7k/8/6K1/8/8/8/8/1Q6 b - - 0 1"]}"#, "the opponent is to move"),
        (r#"{"id":"x","rules":"ks","mate_in":1,"heard":["turn"]}"#, "heard 1: "),
    ];
    for (line, said) in rows {
        let output = solve(&["--problems", "-"], &format!("{line}\n"));
        assert_eq!(output.status.code(), Some(1), "{line}");
        let all = format!("{}{}", text(&output.stdout), text(&output.stderr));
        assert!(all.contains(said), "{all}");
    }
    for (args, said) in [
        (&["--check", "missing.jsonl"][..], "missing.jsonl"),
        (&["--problems", "missing.jsonl"], "missing.jsonl"),
        (&["--problems", "-", "--limit", "0"], "above 0"),
        (&["-"], "--moves N"),
        (&["--check", "-"], "there is no certificate"),
        (&[], "FILE"),
    ] {
        let output = solve(args, "");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(
            text(&output.stderr).contains(said),
            "{}",
            text(&output.stderr)
        );
    }
}
