//! Tests of `kriegspiel review` as a program.

use crate::program::run;

/// A game in which White overlooks that a pawn attacks the queen.
const OVERLOOKED: &str = "[Rules \"rand\"]\n[SetUp \"1\"]\n\
    [FEN \"4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1\"]\n[Result \"*\"]\n\n1. Ke2 Qxe4+ *\n";

#[test]
fn a_review_says_what_the_turns_were_worth() {
    let reviewed = |args: &[&str]| {
        let output = run(&[&["review", "-"], args].concat(), OVERLOOKED.as_bytes());
        assert!(output.status.success(), "{output:?}");
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        told
    };
    let white = reviewed(&["--seat", "white", "--json"]);
    let turn = &white["turns"][0];
    assert_eq!(
        (turn["made"].as_str(), turn["best"].as_str()),
        (Some("e1e2"), Some("e4d5"))
    );
    let cost = turn["best_value"].as_i64().unwrap() - turn["value"].as_i64().unwrap();
    assert!(cost > 500 && turn["marked"] == true, "{white}");
    let black = reviewed(&["--seat", "black", "--json"]);
    let turn = &black["turns"][0];
    // To step away is as good as to take the pawn.
    let cost = turn["best_value"].as_i64().unwrap() - turn["value"].as_i64().unwrap();
    assert!(cost < 5 && turn["moves"] == 1, "{black}");
    assert!(black["accuracy"].as_i64().unwrap() >= 99, "{black}");
}

/// The first attempt was refused: its value and the move that was played are different columns.
#[test]
fn review_names_the_first_attempt_and_the_move() {
    let game = "title x\nrules wild16\nsource x\n\nattempt | white | black | room\n\
        white b1c3\nblack a7a6\nwhite d2d3\nblack e7e6\nwhite g2g3\nblack f8b4\nwhite c3d5\n\
        white a2a3\n";
    let output = run(&["review", "-", "--nodes", "100"], game.as_bytes());
    let told = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Vec<&str>> = told
        .lines()
        .map(|row| row.split_whitespace().collect())
        .collect();
    let head = [
        "turn", "first", "value", "best", "best", "value", "cost", "played",
    ];
    assert_eq!(rows[0], head, "{told}");
    assert_eq!((rows[4][1], rows[4][6]), ("c3d5", "a2a3"), "{told}");
}

#[test]
fn values_are_compared_with_the_results() {
    let game = "title   x\nrules   wild16\nsource  x\n\nattempt | white | black | room\n\
        white e2e4\nblack e7e5\nwhite resign\n";
    let told = |args: &[&str]| {
        let args = [&["review", "-", "--calibrate", "1", "--nodes", "100"], args].concat();
        String::from_utf8(run(&args, game.as_bytes()).stdout).unwrap()
    };
    // White resigned.
    let row: serde_json::Value = serde_json::from_str(&told(&["--json"])).unwrap();
    assert_eq!((&row["turn"], &row["result"]), (&1.into(), &0.0.into()));
    let table = told(&["--confirm"]);
    assert!(table.contains("     0.000      1\n"), "{table}");
    assert!(
        table.contains("20 times the nodes: in 1 of 1 turns"),
        "{table}"
    );
}
