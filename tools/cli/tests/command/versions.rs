//! A built-in bot plays in the arena of another version, as a program.

use std::fs;

use tempfile::TempDir;

use crate::program::run;

#[test]
fn a_bot_over_pipes_plays_as_in_the_arena() {
    let folder = TempDir::new().expect("a folder can be made");
    let piped = format!(
        "cmd:'{}' bot master --stdio",
        env!("CARGO_BIN_EXE_kriegspiel")
    );
    for (seed, rules) in [("1", "wild16"), ("2", "berkeley-any"), ("3", "crazykrieg")] {
        let [own, other] = [("own", "master"), ("piped", &piped)].map(|(name, white)| {
            let file = folder.path().join(format!("{name}{seed}.jsonl"));
            let out = file.to_str().expect("the path is UTF-8");
            let args = [
                "arena", "--white", white, "--black", "simple", "--rules", rules, "--game", "no-50",
            ];
            let games = [
                "--games",
                "1",
                "--max-plies",
                "60",
                "--openings",
                "random:2",
            ];
            let rest = ["--nodes", "10", "--seed", seed, "--out", out];
            let output = run(&[&args[..], &games, &rest].concat(), b"");
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{errors}");
            let text = fs::read_to_string(file).expect("the games are stored");
            // The first line names the players.
            text.split_once('\n')
                .expect("a game has lines")
                .1
                .to_owned()
        });
        assert!(own.lines().count() > 30, "{own}");
        assert_eq!(own, other, "{rules}");
    }
}

#[test]
fn a_line_that_is_not_of_the_arena_is_named() {
    let said = |input: &str| {
        let output = run(&["bot", "random", "--stdio"], input.as_bytes());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        text
    };
    let new = |protocol| {
        format!(
            r#"{{"new_game":{{"protocol":{protocol},"game":"7","seed":1,"color":"white","choices":{{}}}}}}"#
        )
    };
    let turn = r#"{"game":"7","your_turn":true}"#;
    for (input, why) in [
        ("e2e4".to_owned(), "line 1: expected value"),
        (turn.to_owned(), "line 1: game `7` has not begun"),
        (new(3), "line 1: protocol 3 instead of 2"),
        (
            format!("{}\n{turn}", new(2)),
            "line 2: the start of the game",
        ),
    ] {
        let text = said(&input);
        assert!(
            text.contains(why) && text.contains("arena --help"),
            "{text}"
        );
    }
}
