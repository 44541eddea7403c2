//! A player's own file, in which the opponent's moves are hidden.

use crate::program::run;

/// What White heard of a game.
const WHITES: &str = "\
[Event \"A pawn is taken\"]\n[Result \"*\"]\n[Variant \"Kriegspiel\"]\n[Rules \"wild16\"]\n[View \"white\"]\n
1. e4 {(:)}\n1... ?? {(P1:)}\n2. exd5 {(Xd5:d1h6,exf5)}\n2... ?? {(Xd5:)}\n3. Nc3 {(:)}\n3... ??+ {(CF:)}\n*\n";

/// A game as xboard keeps it, with signs of captures, of checks and of the end.
const XBOARD: &str = "\
[Event \"ICS rated game\"]\n[Result \"0-1\"]\n[Variant \"kriegspiel\"]\n
1. f3 ? 2. g4 ?# {White checkmated} 0-1\n";

/// Black's men in the middle of a game; the FEN has no white king.
const MIDDLE: &str = "\
[Variant \"kriegspiel\"]\n[SetUp \"1\"]\n[FEN \"4k2r/8/8/8/8/8/8/8 b k - 0 1\"]\n[Rules \"wild16\"]\n
1... O-O 2. ?+ Kg7 *\n";

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

fn belief(args: &[&str], input: &str) -> serde_json::Value {
    let (code, out, err) = said(&[&["belief", "-", "--json"], args].concat(), input);
    assert_eq!((code, &*err), (Some(0), ""), "{out}");
    serde_json::from_str(&out).unwrap()
}

#[test]
fn belief_follows_what_an_own_file_holds() {
    // The pawn try is d5 or f5, and f5 is refused.
    let refused = WHITES.replace(
        "2. exd5 {(Xd5:d1h6,exf5)}\n2... ?? {(Xd5:)}\n3. Nc3 {(:)}\n3... ??+ {(CF:)}\n",
        "{answered no at the end: exf5}\n",
    );
    let untried = WHITES.replace("Xd5:d1h6,exf5", "Xd5:");
    assert_eq!(belief(&["--at", "2"], &untried)["positions"], 2);
    assert_eq!(belief(&["--at", "2"], WHITES)["positions"], 1);
    assert_eq!(belief(&[], &refused)["positions"], 1);
    let all = belief(&["--seat", "white"], WHITES);
    assert_eq!((&all["seat"], &all["moves"]), (&"white".into(), &6.into()));
    assert!(all["positions"].as_u64() > Some(0), "{all}");
    // Without remarks, less is known.
    let bare = WHITES
        .replace(" {(P1:)}", "")
        .replace("?? {(Xd5:)}", "?xd5");
    // Black has 20 moves; exf5 was refused.
    assert_eq!(belief(&["--at", "2"], &bare)["positions"], 19);
    // Only d8h4 mates.
    let mated = belief(&["--rules", "wild16"], XBOARD);
    let queen = mated["heat"]["queen"].as_object().unwrap();
    assert!(queen.len() == 1 && queen.contains_key("h4"), "{mated}");
    // `?+` is used.
    let checked = belief(&["--men", "KR", "--at", "2"], MIDDLE);
    let quiet = belief(&["--men", "KR", "--at", "2"], &MIDDLE.replace("?+", "?"));
    assert!(checked["positions"].as_u64() < quiet["positions"].as_u64());
}

#[test]
fn what_an_own_file_does_not_hold_is_named() {
    for (args, input, why) in [
        (
            &["belief", "-", "--seat", "black"][..],
            WHITES,
            "use --seat white",
        ),
        (&["belief", "-"], XBOARD, "--rules names the ruleset"),
        (&["belief", "-"], MIDDLE, "--men KQRRPPP"),
        (&["belief", "-", "--men", "x"], MIDDLE, "letters of men"),
        (
            &["belief", "-", "--rules", "crazykrieg"],
            WHITES,
            "needs the umpire's view",
        ),
        (
            &["belief", "-", "--rules", "wild16"],
            "[Variant \"kriegspiel\"]\n\n1. e4 ?x 2. d4 *\n",
            "line 3: the file does not say which man",
        ),
        (
            &["score", "read", "-", "--to", "uci"],
            WHITES,
            "only --to pgn and --to san",
        ),
        (&["view", "-"], XBOARD, "--rules names the ruleset"),
    ] {
        let (code, _, err) = said(args, input);
        assert!(code != Some(0) && err.contains(why), "{args:?}: {err}");
    }
    let (code, out, err) = said(&["convert", "-", "--to", "json"], WHITES);
    assert_eq!((code, &*out), (Some(1), ""));
    assert!(
        err.contains("only --to pgn --view white can hold it"),
        "{err}"
    );
}

#[test]
fn an_own_file_is_rewritten_without_loss() {
    let noted = XBOARD.replace("f3 ?", "f3 {a\nnote} {another} ?");
    for input in [WHITES, XBOARD, MIDDLE, &noted] {
        let whose = if input == MIDDLE { "black" } else { "white" };
        let (code, once, err) = said(&["convert", "-", "--to", "pgn", "--view", whose], input);
        assert_eq!((code, &*err), (Some(0), ""), "{once}");
        let again = said(&["convert", "-", "--to", "pgn", "--view", whose], &once);
        assert_eq!(again.1, once);
        assert_eq!(said(&["score", "read", "-", "--to", "pgn"], input).1, once);
        for kept in ["Xd5:d1h6,exf5", "??#", "O-O"] {
            let held = input.contains(kept.trim_start_matches('?'));
            assert_eq!(once.contains(kept), held, "{kept}: {once}");
        }
    }
    let (_, out, _) = said(&["score", "read", "-"], WHITES);
    assert!(
        out.starts_with("standard input: White's own file: 3 moves, 3 hidden, 2 refused tries\n"),
        "{out}"
    );
    let (_, out, _) = said(&["score", "read", "-", "--to", "san"], XBOARD);
    assert!(
        out.starts_with("1. f3\n1... ??\n2. g4\n2... ??#\n"),
        "{out}"
    );
}
