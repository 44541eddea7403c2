//! A built-in bot plays in the arena of another version, as a program.

use std::fs;

use tempfile::TempDir;

use crate::program::run;

#[test]
fn a_bot_over_pipes_plays_as_in_the_arena() {
    let folder = TempDir::new().unwrap();
    let program = env!("CARGO_BIN_EXE_kriegspiel");
    let piped = format!("cmd:'{program}' bot master --stdio");
    for (seed, rules) in [("1", "wild16"), ("2", "berkeley-any"), ("3", "crazykrieg")] {
        let [own, other] = ["master", &piped].map(|white| {
            let file = folder.path().join(format!("{}{seed}.jsonl", white.len()));
            let players = format!("arena --black simple --games 1 --rules {rules} --game no-50");
            let rest = format!("--nodes 10 --seed {seed} --max-plies 60 --openings random:2");
            let words = players.split(' ').chain(rest.split(' '));
            let out = file.to_str().unwrap();
            let args: Vec<&str> = words.chain(["--white", white, "--out", out]).collect();
            assert!(run(&args, b"").status.success(), "{args:?}");
            let text = fs::read_to_string(file).unwrap();
            // The first line names the players.
            text.split_once('\n').unwrap().1.to_owned()
        });
        assert!(own.lines().count() > 30, "{own}");
        assert_eq!(own, other, "{rules}");
    }
    let output = run(
        &["bot", "random", "--stdio"],
        br#"{"game":"7","your_turn":true}"#,
    );
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("line 1: game `7` has not begun; "), "{text}");
}
