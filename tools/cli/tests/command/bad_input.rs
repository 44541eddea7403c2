//! Every command refuses bad words and bad files in the same way: a message that names the place
//! and the remedy, and exit code 2. If a file can be read, but its content is wrong, the exit code
//! is 1.

use std::{
    fs,
    io::{Read, Write},
    path::{Path, PathBuf},
    process::Stdio,
};

use crate::program::{kriegspiel, run};

const CASTLING: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/castling.txt");

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    // The error is ignored, because the folder may not exist.
    let _absent = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns the exit code and the messages of a command without input.
fn said(args: &[&str]) -> (Option<i32>, String) {
    let output = run(args, b"");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), stderr)
}

/// Returns the names of all commands.
fn commands() -> Vec<String> {
    let help = String::from_utf8(run(&["--help"], b"").stdout).unwrap();
    let (_, list) = help.split_once("Commands:").unwrap();
    list.lines()
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| !line.starts_with("    "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn help_has_code_0_and_an_unknown_option_code_2() {
    let commands = commands();
    assert!(commands.len() >= 20, "{commands:?}");
    for command in &commands {
        let (code, text) = said(&[command, "--help"]);
        assert_eq!((code, text.as_str()), (Some(0), ""), "{command}");
        let (code, text) = said(&[command, "--no-such-option"]);
        assert_eq!(code, Some(2), "{command}: {text}");
        assert!(text.contains("no-such-option"), "{command}: {text}");
    }
    assert_eq!(said(&["no-such-command"]).0, Some(2));
}

#[test]
fn each_command_has_code_2_for_bad_input() {
    let folder = folder("bad-codes");
    let path = |name: &str| folder.join(name).display().to_string();
    let (absent, prose, empty) = (path("absent"), path("prose.txt"), path("empty.txt"));
    fs::write(&prose, "Dear reader,\nthis is a letter.\n").unwrap();
    fs::write(&empty, " \n").unwrap();
    let damaged = path("damaged.zst");
    fs::write(&damaged, b"\x28\xb5\x2f\xfdgarbage").unwrap();
    #[rustfmt::skip]
    let cases: &[(&str, &[&str], &str)] = &[
        ("rules", &["wild61"], "did you mean `wild16`?"),
        ("referee", &["--rules", "wild61"], "did you mean `wild16`?"),
        ("referee", &["--data", &prose], "prose.txt: "),
        ("arena", &["--rules", "wild61"], "did you mean `wild16`?"),
        ("arena", &["merge", &prose], "prose.txt, line 1"),
        ("arena", &["merge", &absent], "absent"),
        (
            "arena",
            &[
                "tune",
                "--rules",
                "wild16",
                "--nodes",
                "9",
                "--out",
                &absent,
                "--weights",
                &prose,
            ],
            "prose.txt`, line 1 is not `kriegspiel-weights 1`",
        ),
        (
            "arena",
            &[
                "factors", &prose, "--rules", "wild16", "--nodes", "9", "--out", &absent,
            ],
            "prose.txt`, line 1 is not `kriegspiel-factors 1`",
        ),
        ("ksref", &["--fen", "x"], "FEN"),
        ("audit", &[&absent], "absent: "),
        ("audit", &[&prose], "prose.txt: "),
        ("audit", &[&empty], "empty.txt: there is nothing in it"),
        ("audit", &["-"], "standard input: there is nothing in it"),
        ("audit", &[CASTLING, "--rules", "rnd"], "did you mean `rand`?"),
        ("review", &[&absent], "absent: "),
        ("review", &[&empty], "empty.txt: there is nothing in it"),
        ("belief", &[&absent], "absent: "),
        ("belief", &[&empty], "empty.txt: there is nothing in it"),
        ("belief", &[CASTLING, "--game", "0"], "games are counted from 1"),
        ("belief", &[CASTLING, "--game", "2"], "only 1 game"),
        ("convert", &[&absent, "--to", "pgn"], "absent: "),
        ("convert", &[&empty, "--to", "pgn"], "there is nothing in it"),
        ("convert", &[CASTLING, "--to", "pgm"], "pgn"),
        ("endgame", &["query", "Kc3"], "Kc3"),
        ("score", &["read", &absent], "absent: "),
        ("score", &["read", &empty], "empty.txt: "),
        ("problems", &["show", "andreson-1"], "anderson-1"),
        ("solve", &[CASTLING, "--seat", "white", "--moves", "1", "--game", "0"], "games are counted from 1"),
        ("solve", &[CASTLING, "--seat", "white", "--moves", "1", "--game", "18446744073709551615"], "only 1 game"),
        ("solve", &["--check", &absent], "absent: "),
        ("solve", &["--check", &empty], "there is no certificate in it"),
        ("solve", &["--problems", &absent], "absent: "),
        ("play", &["sparing"], "did you mean `sparring`?"),
        ("play", &["--rules", "wild61"], "did you mean `wild16`?"),
        ("view", &[&absent], "absent: "),
        ("view", &[&empty], "empty.txt: there is nothing in it"),
        ("view", &[CASTLING, "--game", "0"], "games are counted from 1"),
        ("view", &[CASTLING, CASTLING, "--game", "3"], "the 2 files have only 2 games"),
        ("bot", &["sparing"], "did you mean `sparring`?"),
        ("bot", &["cmd:x", "--stdio"], "name a built-in bot"),
        ("ks", &["+x", "friend"], "x"),
        ("xks", &["+x", "friend"], "x"),
        // A display and a geometry of the X window system are ignored.
        ("xks", &["mars:0.0", "=80x24+0+0", ".friend"], "`.friend` is not a name"),
        ("load", &["--url", "nonsense"], "`nonsense` is not an address of a club"),
        ("serve", &["--config", &absent], "absent"),
        ("store", &["check", "--data", &absent], "absent"),
        ("audit", &[&damaged], "the compressed data are damaged"),
        ("accounts", &["list", "--data", &absent], "absent"),
        ("accounts", &["rate", "anna", "wild17", "people", "1500"], "wild16"),
        ("accounts", &["rate", "anna", "wild16", "people", "99"], "100..=4000"),
        ("accounts", &["figures", "anna", "--data", &absent], "absent"),
        ("accounts", &["mute", "anna", "--data", &absent], "absent"),
        ("accounts", &["operator", "anna", "--data", &absent], "absent"),
        ("games", &["list", "--data", &absent], "absent"),
        ("games", &["hall", "222222222222", "--data", &absent], "absent"),
        ("games", &["cancel", "0123456789ab", "--data", &absent], "absent"),
        ("teletype", &[&absent], "is not a console"),
        ("completions", &["bsh"], "bash"),
        ("man", &["refere"], "did you mean `referee`?"),
    ];
    for (command, args, named) in cases {
        let (code, text) = said(&[&[*command], *args].concat());
        assert_eq!(code, Some(2), "{command} {args:?}: {text}");
        assert!(text.contains(named), "{command} {args:?}: {text}");
        assert!(!text.contains("panicked"), "{command} {args:?}: {text}");
    }
    let named = |command: &String| cases.iter().any(|(name, ..)| name == command);
    let missing: Vec<_> = commands().into_iter().filter(|name| !named(name)).collect();
    assert!(
        missing.is_empty(),
        "this test has no bad input for {missing:?}"
    );
}

#[test]
fn fault_in_the_content_of_a_file_has_code_1() {
    let folder = folder("answer-no");
    let bad = folder.join("bad.jsonl").display().to_string();
    fs::write(&bad, "{\"id\":\"x\"}\n").unwrap();
    for (args, input) in [
        (&["audit", CASTLING, "--rules", "rand"][..], ""),
        (&["convert", CASTLING, "--rules", "rand", "--to", "pgn"], ""),
        (&["solve", "--check", &bad], ""),
        (&["score", "read", "-"], "1. e4 e5 2. Ke3 Nc6\n"),
        // A program that ends at once loses every game by a fault.
        (
            &[
                "arena",
                "--players",
                "cmd:false,random",
                "--rules",
                "rand",
                "--games",
                "2",
            ],
            "",
        ),
    ] {
        let output = run(args, input.as_bytes());
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {text}");
    }
}

/// Every command ends with an error if a file has no end.
#[cfg(unix)]
#[test]
fn endless_input_is_an_error() {
    let cases: &[&[&str]] = &[
        &["audit", "/dev/zero"],
        &["convert", "/dev/zero", "--to", "pgn"],
        &["view", "/dev/zero"],
        &["belief", "/dev/zero"],
        &["belief", "--problems", "/dev/zero"],
        &["belief", "fit", "/dev/zero", "--out", "/dev/null"],
        &["belief", CASTLING, "--model", "/dev/zero"],
        &["solve", "/dev/zero", "--seat", "white", "--moves", "1"],
        &["solve", "--problems", "/dev/zero"],
        &["solve", "--check", "/dev/zero"],
        &["score", "read", "/dev/zero"],
        &["referee", "--rules", "/dev/zero"],
        &["referee", "--rules", "rand", "--data", "/dev/zero"],
        &["arena", "merge", "/dev/zero"],
        &[
            "arena",
            "--players",
            "master@/dev/zero,random",
            "--rules",
            "rand",
        ],
    ];
    for args in cases {
        let (code, text) = said(args);
        assert_eq!(code, Some(2), "{args:?}: {text}");
        assert!(text.contains("/dev/zero"), "{args:?}: {text}");
    }
}

/// A pipe whose first line never ends is read up to a limit.
#[test]
fn a_line_without_end_is_an_error() {
    let cases: &[&[&str]] = &[
        &["audit", "-"],
        &["convert", "-", "--to", "pgn"],
        &["belief", "-"],
        &["belief", "--problems", "-"],
        &["solve", "--check", "-"],
        &["score", "read", "-"],
        &["referee", "--rules", "rand"],
        &["referee", "--rules", "rand", "--json"],
        &["ksref"],
        &["ksref", "--raw"],
        &["ksref", "--paper"],
    ];
    for args in cases {
        let mut child = kriegspiel(args);
        let mut stdin = child.stdin.take().unwrap();
        // The writer ends when the program closes the pipe.
        let writer = std::thread::spawn(move || {
            let piece = [b'x'; 1 << 16];
            while stdin.write_all(&piece).is_ok() {}
        });
        let mut errors = child.stderr.take().unwrap();
        let mut text = String::new();
        errors.read_to_string(&mut text).unwrap();
        let code = child.wait().unwrap().code();
        writer.join().unwrap();
        assert_eq!(code, Some(2), "{args:?}: {text}");
        assert!(
            text.contains("standard input") || text.contains("line 1"),
            "{args:?}: {text}"
        );
        let endless = match *args {
            ["ksref", "--raw"] => "a number has more than 32 MiB",
            ["ksref", ..] => "a line has more than 32 MiB",
            _ => "",
        };
        assert!(text.contains(endless), "{args:?}: {text}");
    }
}

/// `audit` and `convert` read the games that `arena --out` writes. `audit` also reads a folder of
/// such files.
#[test]
fn arena_games_are_read_plain_or_compressed() {
    let folder = folder("arena-files");
    let path = |name: &str| folder.join(name).display().to_string();
    let arena = ["arena", "--rules", "wild16", "--games", "3", "--out"];
    for name in ["games.jsonl", "games.jsonl.zst"] {
        let output = run(&[&arena[..], &[&path(name)]].concat(), b"");
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    let texts = ["games.jsonl", "games.jsonl.zst"].map(|name| {
        let audit = run(&["audit", &path(name)], b"");
        let said = String::from_utf8_lossy(&audit.stdout).into_owned();
        assert!(
            said.contains("games 3,") && said.contains("findings 0"),
            "{said}"
        );
        run(&["convert", &path(name), "--to", "pgn"], b"").stdout
    });
    assert!(texts[0] == texts[1] && !texts[0].is_empty());
    let audit = run(&["audit", &folder.display().to_string()], b"");
    let said = String::from_utf8_lossy(&audit.stdout).into_owned();
    assert!(said.contains("games 6,"), "{said}");
    // The error names the file that was cut off.
    let packed = fs::read(path("games.jsonl.zst")).unwrap();
    fs::write(path("cut.jsonl.zst"), &packed[..packed.len() / 2]).unwrap();
    let cut = run(&["audit", &path("cut.jsonl.zst")], b"");
    let text = String::from_utf8_lossy(&cut.stderr);
    assert!(
        cut.status.code() == Some(2) && text.contains("cut.jsonl.zst"),
        "{text}"
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_an_arena_run_and_prints_its_figures() {
    use rustix::process::{Pid, Signal, kill_process};

    let folder = folder("arena-interrupted");
    let games = folder.join("games.jsonl").display().to_string();
    let args = [
        "arena", "--rules", "wild16", "--games", "1000000", "--json", "--out", &games,
    ];
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_kriegspiel"))
        .args(args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // When the program has written its first game, it already catches the signal.
    while fs::metadata(&games).map_or(0, |data| data.len()) == 0 {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::yield_now();
    }
    let pid = Pid::from_raw(i32::try_from(child.id()).unwrap());
    kill_process(pid.unwrap(), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{text}");
    let figures: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let played = figures["games"].as_u64().unwrap();
    assert!(0 < played && played < 1_000_000);
    assert!(
        text.contains(&format!("stopped after {played} of 1000000 games")),
        "{text}"
    );
    let kept = fs::read_to_string(&games).unwrap();
    let begun = kept.lines().filter(|line| line.starts_with("{\"n\":0,"));
    assert_eq!(begun.count() as u64, played);
}
