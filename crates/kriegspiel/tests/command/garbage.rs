//! For every input, the stream answers line by line and never panics.

use kriegspiel::{
    rules::rulesets,
    stream::{self, Form, Settings, Show},
};
use proptest::prelude::*;
use wire::LineJson;

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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_line_is_answered_once(input in input(), which in 0..rulesets::ALL.len()) {
        let mut settings = Settings::new(rulesets::ALL[which].clone());
        settings.form = Form::Json;
        settings.tries = true;
        let mut output = Vec::new();
        stream::run(&input[..], &mut output, &settings).expect("memory can be written");
        let output = String::from_utf8(output).expect("the output is UTF-8");
        prop_assert_eq!(output.lines().count(), to_answer(&input));
        let mut n = 0;
        for text in output.lines() {
            let line: LineJson = serde_json::from_str(text).expect("the line is valid JSON");
            n = if line.n == 0 { 0 } else { n + 1 };
            prop_assert_eq!(line.n, n);
            prop_assert_eq!(serde_json::to_string(&line).expect("the JSON is valid"), text);
        }

        settings.form = Form::Words { show: Some(Show::Black), prompt: true };
        let mut output = Vec::new();
        stream::run(&input[..], &mut output, &settings).expect("memory can be written");
        prop_assert!(String::from_utf8(output).is_ok());
    }
}
