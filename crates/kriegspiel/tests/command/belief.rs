//! `kriegspiel belief`, as it is called.

use std::{fs, path::PathBuf, process::Output};

use crate::program::run;

/// A short game in which Black takes on d5's file and White retakes.
const GAME: &str = "\
title   Two captures
rules   wild16
source  ICC

attempt          | white | black | room
white e2e4 moved
black d7d5 moved
white e4d5 moved
black d8d5 moved
white b1c3 moved
black d5a5 moved
";

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// A file of its own for a test.
fn temporary(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("belief");
    fs::create_dir_all(&folder).expect("a folder");
    folder.join(format!("{}-{name}", std::process::id()))
}

fn believe(args: &[&str], input: &str) -> Output {
    run(&[&["belief", "-"], args].concat(), input.as_bytes())
}

/// The JSON that a call ends with.
fn json(args: &[&str], input: &str) -> serde_json::Value {
    let output = believe(&[args, &["--json"]].concat(), input);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn belief_fit_writes_weights_that_belief_reads() {
    let weights = temporary("weights.txt");
    let path = weights.to_str().expect("a path");
    let fit = run(&["belief", "fit", "-", "--out", path], GAME.as_bytes());
    assert!(fit.status.success(), "{}", text(&fit.stderr));
    assert!(
        text(&fit.stderr).contains("6 moves"),
        "{}",
        text(&fit.stderr)
    );
    let written = fs::read_to_string(&weights).expect("the weights");
    assert!(written.starts_with("kriegspiel-opponent 1\nknight "));
    let again = run(&["belief", "fit", "-"], GAME.as_bytes());
    assert_eq!(text(&again.stdout), written);

    let uniform = json(&["--at", "4"], GAME);
    for model in ["fitted", path] {
        let other = json(&["--at", "4", "--model", model], GAME);
        assert_eq!(other["positions"], uniform["positions"]);
        assert_ne!(other["entropy"], uniform["entropy"], "{model}");
    }
    fs::remove_file(weights).expect("it can be removed");
}

#[test]
fn belief_refuses_wrong_models_and_fits_to_nothing() {
    let weights = temporary("wrong.txt");
    let path = weights.to_str().expect("a path");
    for (written, said) in [
        ("knight 1.0\n", "no file of an opponent's weights"),
        ("kriegspiel-opponent 1\nunicorn 1\n", "line 2: `unicorn 1`"),
        ("kriegspiel-opponent 1\nknight 99\n", "line 2: a weight"),
    ] {
        fs::write(&weights, written).expect("it can be written");
        let output = believe(&["--model", path], GAME);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            text(&output.stderr).contains(said),
            "{}",
            text(&output.stderr)
        );
    }
    fs::remove_file(weights).expect("it can be removed");
    let missing = believe(&["--model", "missing.txt"], GAME);
    assert_eq!(missing.status.code(), Some(2));
    let nothing = run(&["belief", "fit", "-"], b"");
    assert_eq!(nothing.status.code(), Some(2), "{}", text(&nothing.stderr));
}
