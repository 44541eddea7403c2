//! For every input, `kriegspiel referee` answers line by line and never panics.

use proptest::prelude::*;
use rules::rulesets;
use stream::{self, Form, Settings, Show};
use wire::LineJson;

use crate::program::run;

fn word() -> impl Strategy<Value = Vec<u8>> {
    const WORDS: &[&str] = &[
        "e2e4",
        "e7e5",
        "d7d5",
        "e4d5",
        "g1f3",
        "e1g1",
        "O-O",
        "0-0-0",
        "e1e2",
        "N@f5",
        "P@e4",
        "px",
        "px=q",
        "any",
        "count",
        "recap",
        "resign",
        "offer-draw",
        "accept-draw",
        "decline-draw",
        "withdraw-draw",
        "flag",
        "new",
        "help",
        "quit",
        "#",
        "\u{feff}",
        "\u{feff}# no",
        "",
        "white",
        "black",
        "white any",
        "black offer-draw",
        "white flag",
        "a7a8q",
        "e7e8k",
        "K@e4",
        "new 4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
        "new r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "new 8/P6k/8/8/8/8/8/K7 w - - 0 1",
        "new 4k3/8/8/8/8/8/8/4K3[QQqp] b - - 99 9999",
        "new 4k3/8/8/8/8/8/8/4K3 w KQkq e6 0 1",
        "new 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "new kkkkkkkk/8/8/8/8/8/8/8 w - - 4294967296 0",
        "new 8/8/8/8 w",
    ];
    prop_oneof![
        6 => (0..WORDS.len()).prop_map(|i| WORDS[i].as_bytes().to_vec()),
        2 => "[a-h][1-8][a-h][1-8]".prop_map(String::into_bytes),
        1 => "(white |black |new )?.{0,40}".prop_map(String::into_bytes),
        1 => proptest::collection::vec(any::<u8>(), 0..60),
        1 => (4090usize..4100).prop_map(|n| vec![b'e'; n]),
    ]
}

fn input() -> impl Strategy<Value = Vec<u8>> {
    let end = prop_oneof![Just(&b"\n"[..]), Just(&b"\r\n"[..])];
    proptest::collection::vec((word(), end), 0..60).prop_map(|lines| {
        lines
            .into_iter()
            .flat_map(|(mut line, end)| {
                line.retain(|b| *b != b'\n');
                line.extend_from_slice(end);
                line
            })
            .collect()
    })
}

/// Returns the number of input lines that must get an answer.
fn to_answer(input: &[u8]) -> usize {
    let mut lines: Vec<_> = input.split(|b| *b == b'\n').collect();
    lines.pop();
    let silent = |line: &[u8]| {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        line.starts_with(b"#") || std::str::from_utf8(line).is_ok_and(|text| text.trim().is_empty())
    };
    lines.into_iter().filter(|line| !silent(line)).count()
}

/// Characters that must never reach a terminal from a file.
const HOSTILE: &str = "\u{1b}[2J\u{9b}31m\u{7}\u{202e}\u{2066}\u{200b}\r";

/// Whether a text for the terminal is safe. If the output is not a terminal, the program strips
/// styles, so the text must contain no escapes at all.
fn is_safe(output: &[u8]) -> bool {
    let text = String::from_utf8_lossy(output);
    !text.contains(|c| notation::is_unprintable(c) && c != '\n' && c != '\t')
}

/// Files of every format, damaged by hostile characters at a place that an error quotes.
fn damaged() -> Vec<(&'static str, String)> {
    let pgn = |tags: &str, moves: &str| {
        format!("[Event \"x{HOSTILE}\"]\n[Rules \"wild16\"]\n{tags}\n{moves}\n")
    };
    let line = r#"{"n":1,"by":"white","attempt":"e2e4","answer":"moved","white":[],"black":[],"room":[],"fen":"","to_move":"black","over":null}"#;
    vec![
        ("pgn", pgn("", &format!("1. e4{HOSTILE} *"))),
        (
            "pgn",
            pgn("", &format!("1. e4 {{(:Ne{HOSTILE})}} e5 * x{HOSTILE}")),
        ),
        ("pgn", pgn(&format!("[Variant \"{HOSTILE}\"]"), "1. e4 *")),
        ("pgn", pgn(&format!("[FEN \"{HOSTILE}\"]"), "1. e4 *")),
        (
            "pgn",
            pgn("", &format!("{{[%ks opened v1 {HOSTILE}]}} 1. e4 *")),
        ),
        ("pgn", pgn("", &format!("1. e4 {{(:Ng{HOSTILE}5)}} e5 *"))),
        (
            "pgn",
            format!("[Event \"x\"]\n[Rules \"{HOSTILE}\"]\n\n1. e4 *\n"),
        ),
        (
            "pgn",
            format!("[Event \"x\"]\n[Rules \"wild16\"]\n[View \"{HOSTILE}\"]\n\n1. e4 *\n"),
        ),
        (
            "transcript",
            format!("title t{HOSTILE}\nrules {HOSTILE}\nsource s\n\nwhite e2e4\n"),
        ),
        (
            "transcript",
            format!("title t\nrules rand\nsource s\n\nwhite {HOSTILE}\n"),
        ),
        (
            "transcript",
            format!("title t\nrules rand\nsource s\n\nwhite e2e4 | moved{HOSTILE} | x | y\n"),
        ),
        (
            "transcript",
            format!(
                "title t\nrules rand\nsource s\n\nwhite e2e4 | {HOSTILE} | {HOSTILE} | {HOSTILE}\n"
            ),
        ),
        ("json", line.replace("e2e4", &format!("e2e4{HOSTILE}"))),
        (
            "json",
            line.replace("\"moved\"", &format!("\"moved{HOSTILE}\"")),
        ),
        ("json", line.replace("\"n\"", &format!("\"n{HOSTILE}\""))),
        ("json", format!("{HOSTILE}{line}")),
    ]
}

#[test]
fn text_of_a_damaged_file_cannot_control_a_terminal() {
    for (form, text) in damaged() {
        for command in [
            &["audit", "-", "--from", form][..],
            &["audit", "-", "--from", form, "--rules", "rand"],
            &["audit", "-", "--from", form, "--guess-rules"],
            &["convert", "-", "--from", form, "--to", "json"],
            &["belief", "-", "--from", form, "--seat", "white"],
            &["score", "read", "-"],
            &["referee", "--rules", "wild16"],
            &["belief", "--problems", "-"],
        ] {
            let output = run(command, text.as_bytes());
            let (said, told) = (&output.stdout, &output.stderr);
            // The output of `convert` is a file, not a text for the terminal.
            let is_file = command[0] == "convert";
            assert!(is_file || is_safe(said), "{command:?} {text:?}: {output:?}");
            assert!(is_safe(told), "{command:?} {text:?}: {output:?}");
        }
    }
    let rules = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile.toml");
    for text in [
        format!("id = \"{HOSTILE}\"\nfrom = \"wild16\"\n"),
        format!("id = \"a\"\nfrom = \"{HOSTILE}\"\n"),
        format!("id = \"a\"\nfrom = \"wild16\"\n[choices]\n\"{HOSTILE}\" = \"{HOSTILE}\"\n"),
        HOSTILE.to_owned(),
    ] {
        std::fs::write(&rules, &text).unwrap();
        let path = rules.to_str().unwrap();
        let output = run(&["referee", "--rules", path], b"");
        assert!(is_safe(&output.stderr), "{text:?}: {output:?}");
        assert!(!output.status.success(), "{text:?}: {output:?}");
    }
    let output = run(&["audit", &format!("no{HOSTILE}file")], b"");
    assert!(is_safe(&output.stderr), "{output:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_line_is_answered_once(input in input(), which in 0..rulesets::ALL.len()) {
        let mut settings = Settings::new(rulesets::ALL[which].clone());
        settings.form = Form::Json;
        settings.tries = true;
        let mut output = Vec::new();
        stream::run(&input[..], &mut output, &settings).unwrap();
        let output = String::from_utf8(output).unwrap();
        prop_assert_eq!(output.lines().count(), to_answer(&input));
        let mut n = 0;
        for text in output.lines() {
            let line: LineJson = serde_json::from_str(text).unwrap();
            n = if line.n == 0 { 0 } else { n + 1 };
            prop_assert_eq!(line.n, n);
            prop_assert_eq!(serde_json::to_string(&line).unwrap(), text);
        }

        settings.form = Form::Words { show: Some(Show::Black), prompt: true };
        let mut output = Vec::new();
        stream::run(&input[..], &mut output, &settings).unwrap();
        prop_assert!(String::from_utf8(output).is_ok());
    }
}
