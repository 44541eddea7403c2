//! A bad game costs only itself, in every command that reads files of games.

use std::fs;

use tempfile::TempDir;

use crate::program::run;

/// Three games; the second is damaged.
const THREE: &str = "\
[Event \"ICC w16 5 0\"]\n[White \"One\"]\n\n1. e4 d5 2. exd5 1-0\n
[Event \"two\"]\n[Rules \"wild16\"]\n[Annotator O Neil]\n[White \"Two\"]\n\n1. d4 d5 1-0\n
[Event \"three\"]\n[Rules \"wild16\"]\n[White \"Three\"]\n\n1. c4 c5 2. Nc3 1-0\n";

/// Runs a command; returns its exit code and what it printed.
fn said(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let output = run(args, input.as_bytes());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn damaged_game_is_named_by_its_number_and_skipped() {
    let skipped = "standard input: game 2: line 8, column 1: a line of the header";
    let (code, out, err) = said(&["convert", "-", "--to", "pgn"], THREE);
    assert!(code == Some(1) && err.contains(skipped), "{err}");
    assert!(err.ends_with("1 game could not be converted\n"), "{err}");
    assert_eq!(out.matches("[Event ").count(), 2, "{out}");
    assert!(out.contains("One") && out.contains("Three"), "{out}");
    let (code, out, err) = said(&["audit", "-"], THREE);
    assert!(code == Some(1) && err.contains(skipped), "{err}");
    assert!(out.contains("game 3, three"), "{out}");
    assert!(
        out.contains("games 2,") && out.contains("could not be read 1"),
        "{out}"
    );
    let (code, out, _) = said(&["audit", "-", "--guess-rules"], THREE);
    assert!(code == Some(1) && out.contains("wild16"), "{out}");
    for args in [
        &["belief", "fit", "-"][..],
        &["review", "-", "--calibrate", "3", "--nodes", "100"],
    ] {
        let (code, _, err) = said(args, THREE);
        assert!(code == Some(1) && err.contains(skipped), "{err}");
        assert!(err.ends_with("kriegspiel: 1 game skipped\n"), "{err}");
    }
    let (code, out, _) = said(&["belief", "-", "--all", "--json"], THREE);
    assert!(code == Some(1) && out.contains("\"game\":3,"), "{out}");
    // A ruleset given by hand does not make a game of the damaged one.
    let args = ["convert", "-", "--to", "pgn", "--rules", "rand"];
    assert_eq!(said(&args, THREE).1.matches("[Event ").count(), 2);
}

#[test]
fn game_without_a_ruleset_does_not_end_the_reading() {
    let text = THREE.replacen("[Event \"ICC w16 5 0\"]", "[Event \"one\"]", 1);
    let text = text.replace("[Annotator O Neil]\n", "");
    let folder = TempDir::new().expect("a folder can be made");
    for name in ["a.pgn", "b.pgn"] {
        fs::write(folder.path().join(name), &text).expect("the file can be written");
    }
    let path = folder.path().to_str().expect("the path is UTF-8");
    let why = "game 1: line 1: the game does not name its ruleset";
    for (files, good, bad) in [("-", 2, 1), (path, 4, 2)] {
        let (code, out, err) = said(&["audit", files], &text);
        assert!(code == Some(1) && err.matches(why).count() == bad, "{err}");
        let totals = format!("games {good}, ");
        let rest = format!("games that could not be read {bad}\n");
        assert!(out.contains(&totals) && out.contains(&rest), "{out}");
        let (code, _, err) = said(&["belief", "fit", files], &text);
        assert!(files != "-" || code == Some(1), "{err}");
        let (code, out, err) = said(&["convert", files, "--to", "pgn"], &text);
        assert!(code == Some(1) && err.contains(why), "{err}");
        assert_eq!(out.matches("[Event ").count(), good, "{out}");
    }
}

#[test]
fn option_game_counts_the_games_of_the_file() {
    let seat = ["--seat", "white"];
    let mate = ["--moves", "1", "--seat", "white"];
    for (command, options) in [("belief", &seat[..]), ("solve", &mate), ("view", &[])] {
        let with = |number: &'static str| [&[command, "-", "--game", number], options].concat();
        let (code, _, err) = said(&with("2"), THREE);
        assert!(
            code == Some(1) && err.contains("game 2: line 8"),
            "{command}: {err}"
        );
        let (code, _, err) = said(&with("4"), THREE);
        assert!(
            code == Some(2) && err.ends_with("only 3 games\n"),
            "{command}: {err}"
        );
    }
    let belief = |number, text: &str| {
        let args = ["belief", "-", "--seat", "white", "--game", number, "--json"];
        let (code, out, err) = said(&args, text);
        assert_eq!(code, Some(0), "{err}");
        out
    };
    let (_, third) = THREE
        .split_once("[Event \"three\"]")
        .expect("there are three games");
    assert_eq!(
        belief("3", THREE),
        belief("1", &format!("[Event \"three\"]{third}"))
    );
    // The part of a game before its fault is used, wherever the game stands in the file.
    let text = THREE
        .replace("[Annotator O Neil]\n", "")
        .replace("d4 d5 1-0", "d4 d5 2. Ke3 1-0");
    let (code, out, err) = said(&["belief", "-", "--seat", "white", "--game", "2"], &text);
    assert!(code == Some(1) && !out.is_empty(), "{err}");
    assert!(
        err.contains("game 2: line 10") && err.contains("after 2 half-moves"),
        "{err}"
    );
}

#[test]
fn file_without_a_game_has_code_2() {
    for text in [
        "",
        "\n \n",
        "% nothing\n",
        "Dear reader,\nthis is a letter.\n",
    ] {
        for args in [
            &["audit", "-"][..],
            &["convert", "-", "--to", "pgn"],
            &["belief", "-", "--seat", "white"],
            &["view", "-"],
            &["solve", "-", "--seat", "white", "--moves", "1"],
        ] {
            let (code, _, err) = said(args, text);
            assert_eq!(code, Some(2), "{args:?} {text}: {err}");
        }
    }
}
