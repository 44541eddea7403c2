//! Tests that the comparison detects every planted leak of the club and the
//! server. A planted leak is a leak that is put into the code on purpose.

use club::leak;
use testkit::{pairs::Pair, planted};

use crate::{
    SEED,
    line::Piece,
    on_every_processor, played,
    transcript::{Difference, Entry, Transcript, first_difference},
};

/// Every leak must be detected within this many pairs.
const CAUGHT_WITHIN: u64 = 600;

/// Names of the planted leaks, each with a text. The first difference between the two games must
/// contain this text in at least one of the games.
const TELLS: &[(&str, &str)] = &[
    ("clock_touched", r#"clocks\":{"#),
    ("empty_message", r#"heard\":[]"#),
    ("facts_again", r#"type\":\"game"#),
    ("ids_shared", "id-reused"),
    ("lobby_by_activity", r#"{\"seeks\":"#),
    ("lobby_tick", r#"type\":\"lobby"#),
    ("log_line", "INFO a try"),
    ("numbered_answers", "x-request-id"),
    // This leak changes only times, so no text is expected.
    ("one_queue", ""),
    ("private_number", r#"hearing\":{\"n\":"#),
    ("refusal_by_rows", "(at row "),
    ("room_hears_no", r#"kind\":\"no"#),
    // The refused attempt is sent over HTTP, but the player's socket is compared first. In one game
    // the socket gets a message about a move, in the other game it gets nothing more.
    ("stale_by_rows", "nothing more"),
    ("why_by_truth", " moves."),
    // The first difference is in the head of the response, which contains the
    // length of the text.
    ("words_by_truth", "content-length: 59"),
];

/// Returns received bytes without the numbers after `"now":`, which are times of the club.
fn without_club_times(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let mut parts = text.split("\"now\":");
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        all.push_str(part.trim_start_matches(|digit: char| digit.is_ascii_digit()));
    }
    all.into_bytes()
}

/// Returns the transcript without times. All bytes that came on one connection in one part of a
/// step become one piece.
fn timeless(transcript: &Transcript) -> Transcript {
    let entries = transcript.entries.iter().map(|entry| {
        let bytes = entry.pieces.iter().flat_map(|piece| &piece.bytes);
        let bytes: Vec<u8> = bytes.copied().collect();
        let bytes = without_club_times(&bytes);
        Entry {
            pieces: vec![Piece { at: 0, bytes }],
            ..entry.clone()
        }
    });
    Transcript {
        entries: entries.collect(),
        ..Transcript::default()
    }
}

/// Returns the difference in the first pair that reveals the leak. The flag is true if the bytes
/// differ, and false if only the times differ.
fn caught(name: &'static str) -> Option<(Difference, bool)> {
    (0..CAUGHT_WITHIN).find_map(|n| {
        // The order mixes all rulesets and all listeners.
        let pair = Pair::make(SEED, n * 7 % CAUGHT_WITHIN);
        let [one, other] = [0, 1].map(|which| {
            leak::open(Some(name));
            played(&pair, which).0
        });
        leak::open(None);
        let difference = first_difference(&pair, [&one, &other])?;
        let timeless = [&timeless(&one), &timeless(&other)];
        Some((difference, first_difference(&pair, timeless).is_some()))
    })
}

#[test]
fn every_planted_leak_is_caught() {
    let names: Vec<&str> = TELLS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, planted::caught_by("server::pairs_wire"));
    let found = on_every_processor(TELLS.len() as u64, |next| {
        let one = |n: u64| (n, caught(TELLS[n as usize].0));
        std::iter::from_fn(|| next().map(one)).collect::<Vec<_>>()
    });
    let mut found: Vec<_> = found.into_iter().flatten().collect();
    found.sort_by_key(|(n, _)| *n);
    let mut wrong = Vec::new();
    for ((name, tells), (_, caught)) in TELLS.iter().zip(found) {
        let Some((d, by_bytes)) = caught else {
            wrong.push(format!("{name} is not caught"));
            continue;
        };
        println!(
            "{name:<18} | pair {:>3} | {:<12} | {:<5} | step {:>3} | {} {}",
            d.index, d.rules, d.listener, d.step, d.way, d.part
        );
        if d.is.iter().all(|is| !is.contains(tells)) {
            wrong.push(format!("{name} is caught by something else: {d}"));
        }
        if by_bytes == (*name == "one_queue") {
            wrong.push(format!(
                "{name}: wrong kind of difference (bytes or only times): {d}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(TELLS.len() >= 10);
    println!("figure: planted leaks caught {}", TELLS.len());
}
