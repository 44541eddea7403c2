//! Tests of `kriegspiel referee` as a program: errors in the command line, pipes, and
//! output in words.

use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    path::PathBuf,
};

use tempfile::TempDir;

use crate::program::{CAPTURE, kriegspiel, lines, run};

fn fault(args: &[&str]) -> String {
    let output = run(args, b"e2e4\n");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
    assert!(output.stdout.is_empty(), "{args:?}");
    stderr
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn toml(folder: &TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    path
}

/// A device or a pipe is rejected as a ruleset file, because reading from it may
/// never end.
#[cfg(unix)]
#[test]
fn device_as_a_ruleset_file_is_refused() {
    let folder = folder();
    let path = folder.path().join("endless.toml");
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    let named = path.display().to_string();
    assert!(fault(&["referee", "--rules", &named]).contains("endless.toml: not a file"));
}

#[test]
fn faults_on_the_command_line_are_named_in_one_line() {
    let folder = folder();
    let broken = toml(&folder, "broken.toml", b"from = \"wild16\n");
    let key = toml(
        &folder,
        "key.toml",
        b"from = \"wild16\"\n[choices]\nno_herd = \"both\"\n",
    );
    let start = toml(
        &folder,
        "start.toml",
        b"from = \"wild16\"\nstart = \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"\n",
    );
    let bytes = toml(&folder, "bytes.toml", b"from = \"wild16\"\n\xff\n");
    let path = |p: PathBuf| p.display().to_string();
    let [broken, key, start, bytes] = [broken, key, start, bytes].map(path);
    #[rustfmt::skip]
    let rows = [
        (vec!["--rules", "wild61"], "did you mean `wild16`?"),
        (vec!["--rules", ""], "there is no ruleset"),
        (vec!["--rules", "no-such.toml"], "no-such.toml: "),
        (vec!["--rules", &broken], "broken.toml: line 1, column 15: not TOML"),
        (vec!["--rules", &key], "key.toml: line 3, column 1: there is no choice `no_herd`"),
        (vec!["--rules", &start], "start.toml: `start` is for games of a club; here remove it and use --fen"),
        (vec!["--rules", &bytes], "bytes.toml: byte 16: not UTF-8"),
        (vec!["--rules", "rand", "--fen", "x"], "--fen: not a FEN"),
        (vec!["--rules", "rand", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "--fen: not a legal position"),
        (vec!["--rules", "rand", "--game", "4"], "--game: there is no game switch `4`"),
        (vec!["--rules", "rand", "--game", "mate"], "--game: `mate` is only for rulesets"),
    ];
    for (args, named) in rows {
        let stderr = fault(&[&["referee"], args.as_slice()].concat());
        assert!(stderr.starts_with("kriegspiel: "), "{stderr}");
        assert!(stderr.contains(named), "{stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
    fault(&["referee"]);
    fault(&["referee", "--rules", "rand", "--json", "--show", "white"]);
    fault(&["rules", "nonesuch"]);
    fault(&["rules", "--toml"]);
    fault(&["arena", "--rules", "nonesuch"]);
}

#[test]
fn game_under_a_custom_ruleset_is_refereed() {
    let folder = folder();
    let file = toml(
        &folder,
        "aloud.toml",
        b"id = \"aloud\"\nfrom = \"wild16\"\n[choices]\nno_heard = \"both\"\n",
    );
    let file = file.display().to_string();
    let input = format!("new {CAPTURE}\ne4f5\n");
    let all = lines(&[&file], input.as_bytes());
    assert!(all[0].contains(r#""rules":"aloud""#));
    assert!(all[1].contains(r#""room":[{"kind":"no","by":"white"}]"#));
}

#[test]
fn printed_ruleset_file_has_a_new_id_and_title() {
    let output = run(&["rules", "--toml", "wild16"], b"");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("id = \"my-wild16\"\n"), "{text}");
    assert!(
        text.contains("title = \"Wild 16, Internet Chess Club, changed\"\n"),
        "{text}"
    );
    // A custom ruleset keeps its own name and title.
    let folder = folder();
    let file = toml(&folder, "my-wild16.toml", text.as_bytes());
    let again = run(&["rules", "--toml", &file.display().to_string()], b"");
    assert_eq!(again.stdout, text.as_bytes());
}

#[test]
fn each_line_is_answered_at_once() {
    let mut child = kriegspiel(&["referee", "--rules", "rand", "--json"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for (n, word) in ["e2e4", "e7e5", "g1f3"].iter().enumerate() {
        writeln!(stdin, "{word}").unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert!(line.starts_with(&format!("{{\"n\":{},", n + 1)), "{line}");
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn closed_pipe_ends_the_program_without_a_message() {
    let mut child = kriegspiel(&["referee", "--rules", "rand"]);
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    for _ in 0..1000 {
        if stdin.write_all(b"help\n").is_err() {
            break;
        }
    }
    drop(stdin);
    let mut stderr = String::new();
    let mut pipe = child.stderr.take().unwrap();
    pipe.read_to_string(&mut stderr).unwrap();
    assert_eq!(stderr, "");
    assert!(child.wait().unwrap().success());
}

#[test]
fn referee_prints_words_for_people() {
    let input = format!("new {CAPTURE}\ne4e6\ne4f5\nany\n\x1b[2J\ne4d5\n");
    let output = run(
        &["referee", "--rules", "rand", "--show", "black"],
        input.as_bytes(),
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.contains('\x1b'), "{text}");
    for said in [
        "White         A new game, rand. You play White. Pawn try: d5. White to move.",
        "White         Hell no: e4e6 (your own men cannot do that).",
        "Black, room   White is told hell no.",
        "White         Hell no: e4f5 (no such pawn try was announced).",
        "White any: refused: Any? cannot be asked under this ruleset.",
        "\\u{1b}[2J: not understood: ",
        "Black         White has moved. Your pawn on d5 is gone. Pawn gone on d5. No pawn tries. Black to move.",
        "8  . . . k . . . .",
        "1  . . . . . . . .",
    ] {
        assert!(text.contains(said), "{said}\n{text}");
    }
    let mut ranks = text.lines().filter(|line| line.contains(". . ."));
    let white = |c: char| c.is_ascii_uppercase();
    assert!(ranks.all(|rank| !rank.contains(white)), "{text}");
}

/// If the server at a club's address is not a club, the message says so.
#[test]
fn server_that_is_not_a_club_is_reported() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let host = listener.local_addr().unwrap().to_string();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let _gone = stream.and_then(|mut s| s.write_all(b"SSH-2.0-Somebody_9\r\n"));
        }
    });
    let output = run(&["play", "--url", &format!("http://{host}")], b"");
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(&host), "{said}");
    assert!(said.contains("is the port right?"), "{said}");
}
