//! python-chess reads the main lines of our PGN and reaches the same final positions.
//!
//! The package is fetched from PyPI once, into a folder under the target directory.
//! Without a network, set `KRIEGSPIEL_PYTHON` to a Python that has the package.
//!
//! The games have comments, and python-chess replays only about twenty thousand plies of such games
//! per second. To save time, every game is cut off after 24 plies. `KRIEGSPIEL_MAIN_LINES` is the
//! number of games per ruleset.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod common;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use common::{every, number, play};
use scores::{Tags, write_umpire_view};

/// Number of plies after which a game is cut off.
const MAX_PLIES: usize = 24;

const PACKAGE: &str = "chess==1.11.2";

fn run(program: &Path, args: &[&str]) -> String {
    let output = Command::new(program)
        .args(args)
        .output()
        .unwrap_or_else(|e| panic!("{}: {e}; install Python 3, or set KRIEGSPIEL_PYTHON to a Python that has the package `chess`", program.display()));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        output.status.success(),
        "{} {args:?}\n{said}{errors}\nwithout a network, set KRIEGSPIEL_PYTHON to a Python that has the package `chess`",
        program.display()
    );
    said
}

/// Returns the path of a Python that has the package.
fn python() -> PathBuf {
    if let Some(named) = env::var_os("KRIEGSPIEL_PYTHON") {
        return named.into();
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-chess");
    let python = folder.join("bin/python");
    let works = Command::new(&python)
        .args(["-c", "import chess.pgn"])
        .output();
    if !works.is_ok_and(|output| output.status.success()) {
        let folder = folder.to_str().unwrap();
        run(Path::new("python3"), &["-m", "venv", "--clear", folder]);
        run(
            &python,
            &[
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                PACKAGE,
            ],
        );
    }
    python
}

#[test]
fn python_chess_reads_the_main_lines() {
    let games = number("KRIEGSPIEL_MAIN_LINES", 100);
    let python = python();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (lines, ends) = (folder.join("main-lines.pgn"), folder.join("main-lines.txt"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/main_lines.py");
    let [script, lines, ends] = [&script, &lines, &ends].map(|path| path.to_str().unwrap());
    for (ruleset, salt) in every() {
        let (mut pgn, mut finals) = (String::new(), String::new());
        for seed in 0..games {
            let played = play(ruleset, salt + 70_000 + seed, MAX_PLIES);
            write_umpire_view(&mut pgn, &Tags::default(), &played.log, &[]);
            finals.push_str(&played.game.sheet().fen());
            finals.push('\n');
        }
        fs::write(lines, pgn).unwrap();
        fs::write(ends, finals).unwrap();
        print!("{}", run(&python, &[script, lines, ends, &ruleset.id]));
    }
}
