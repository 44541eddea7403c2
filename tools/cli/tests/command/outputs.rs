//! Messages about bad input are bounded, and no output is lost in silence.

use std::{
    fs::{self, OpenOptions},
    process::Command,
};

use tempfile::TempDir;

use crate::program::run;

fn stderr(args: &[&str], input: &str) -> (Option<i32>, String) {
    let output = run(args, input.as_bytes());
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), text)
}

#[test]
fn many_bad_games_are_counted_and_only_some_named() {
    let text = "[Event \"x\"]\n\n1. e4 *\n\n".repeat(1000);
    for args in [&["audit", "-"][..], &["convert", "-", "--to", "pgn"]] {
        let (code, err) = stderr(args, &text);
        assert_eq!(code, Some(1));
        assert!(err.lines().count() < 30, "{err}");
        assert!(
            err.contains("game 20: line") && !err.contains("game 21: line"),
            "{err}"
        );
        assert!(err.contains("more games are skipped"), "{err}");
    }
    // Twenty bad games are all named.
    let text = "[Event \"x\"]\n\n1. e4 *\n\n".repeat(20);
    let (_, err) = stderr(&["audit", "-"], &text);
    assert!(
        err.contains("game 20: line") && !err.contains("more games"),
        "{err}"
    );
}

#[test]
fn message_about_a_long_line_is_short() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("big.toml");
    let name = path.to_str().unwrap();
    for text in [
        "x".repeat(8 << 20),
        format!("listen = \"{}\"", "x".repeat(8 << 20)),
    ] {
        fs::write(&path, text).unwrap();
        for args in [
            &["serve", "--config", name][..],
            &["rules", name],
            &["belief", "-", "--model", name],
        ] {
            let (code, err) = stderr(args, "");
            assert_ne!(code, Some(0));
            assert!(
                err.len() < 20_000 && err.contains("big.toml"),
                "{args:?}: {}",
                err.len()
            );
        }
    }
}

#[test]
fn empty_file_of_problems_is_named() {
    for args in [
        &["solve", "--problems", "-"][..],
        &["belief", "--problems", "-", "--json"],
        &["solve", "--check", "-"],
    ] {
        for empty in ["", "\n\n"] {
            let (code, err) = stderr(args, empty);
            assert!(code == Some(2) && err.contains("in it"), "{args:?}: {err}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn text_into_a_full_device_is_an_error() {
    for args in [
        &["--help"][..],
        &["--version"],
        &["audit", "--help"],
        &["rules"],
        &["completions", "bash"],
        &["man"],
        &[],
    ] {
        let full = OpenOptions::new().write(true).open("/dev/full");
        let output = Command::new(env!("CARGO_BIN_EXE_kriegspiel"))
            .args(args)
            .stdout(full.unwrap())
            .output()
            .unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(1) && err.contains("No space left"),
            "{args:?}: {err}"
        );
    }
    let help = run(&["--help"], b"");
    assert!(help.status.success() && help.stdout.starts_with(b"The referee"));
}

#[test]
fn totals_are_printed_before_the_fault_of_a_cut_file() {
    use std::io::Write;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    let game = "[Event \"ICC w16 5 0\"]\n\n1. e4 e5 1-0\n\n";
    gzip.write_all(game.repeat(5000).as_bytes()).unwrap();
    let whole = gzip.finish().unwrap();
    for (options, totals) in [
        (&[][..], "announcements judged"),
        (&["--guess-rules"], "not contradicted:"),
    ] {
        let output = run(
            &[&["audit", "-"], options].concat(),
            &whole[..whole.len() - 100],
        );
        let out = String::from_utf8_lossy(&output.stdout);
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && err.contains("cut off"), "{err}");
        assert!(out.contains(totals), "{out}");
    }
}

#[test]
fn figurines_of_a_pgn_are_read() {
    let text = "[Event \"x\"]\n[Rules \"rand\"]\n\n1.\u{a0}e4 e5 2\u{2026} \u{bd}\u{2013}\u{bd}\n";
    let text = text.replace(
        "2\u{2026}",
        "2. \u{2658}f3 \u{265e}c6 3. \u{2657}b5 a6 4. \u{2657}\u{d7}c6 d\u{d7}c6 5. 0\u{2013}0",
    );
    let output = run(&["convert", "-", "--to", "pgn"], text.as_bytes());
    let out = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(
        out.contains("4. Bxc6") && out.contains("5. O-O") && out.contains("1/2-1/2"),
        "{out}"
    );
}
