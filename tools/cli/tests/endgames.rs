//! The long checks of the endings against the lone king, by the command `kriegspiel endgame`.
//!
//! `KRIEGSPIEL_ENDGAME_EVERY`: the referee verifies every n-th solved set of positions.
//! `KRIEGSPIEL_ENDGAME_GAMES`: number of games of each ending.
//! `KRIEGSPIEL_ENDGAME_MINOR_GAMES`: number of games of each ending with a pawn or with two minor
//! pieces.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

use std::process::Command;

use serde_json::Value;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .map_or(otherwise, |n| n.parse().unwrap())
}

fn endgame(words: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kriegspiel"))
        .arg("endgame")
        .args(words)
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{words:?}: {stdout}{stderr}");
    stdout
}

#[test]
fn referee_confirms_the_solved_sets() {
    let every = number("KRIEGSPIEL_ENDGAME_EVERY", 2_000).to_string();
    // A short run computes only the smallest table.
    let words: &[&str] = match every.as_str() {
        "1" => &["verify", "--every", "1"],
        _ => &["verify", "KRK", "--every", &every],
    };
    let text = endgame(words);
    print!("{text}");
    assert!(text.contains("figure: errors 0\n"), "{text}");
    let checked = text
        .lines()
        .find_map(|line| line.strip_prefix("figure: sets checked "))
        .unwrap();
    assert!(checked.parse::<u64>().unwrap() >= 100, "{text}");
}

/// Plays an ending. Returns the number of games and of mates within fifty moves: first for starts
/// with a forced mate, then for other starts.
fn played(ending: &str, games: u64) -> [(u64, u64); 2] {
    let text = endgame(&["curve", ending, "--games", &games.to_string(), "--json"]);
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let count = |at: usize| {
        let line = &lines[at];
        let mates = line["mates"].as_array().unwrap();
        let mated = |n: usize| -> u64 { mates.iter().take(n).filter_map(Value::as_u64).sum() };
        let title = line["starts"].as_str().unwrap();
        let games = line["games"].as_u64().unwrap();
        println!("figure: {ending}, starts with {title}: games {games}");
        for n in [10, 15, 20, 25, 30, 35, 40, 50] {
            println!(
                "figure: {ending}, starts with {title}: mated by move {n} {}",
                mated(n)
            );
        }
        (games, mated(50))
    };
    [count(0), count(1)]
}

#[test]
fn queen_and_rook_mate_the_best_evading_king() {
    let games = number("KRIEGSPIEL_ENDGAME_GAMES", 300);
    if games >= 1000 {
        let [(sure, mated), (open, _)] = played("KQK", games);
        assert_eq!((sure, mated, open), (games, games, 0));
    }
    let [(sure, mated), (open, mated_open)] = played("KRK", games);
    assert_eq!(mated, sure);
    // With few games the share varies more, so the bound is lower.
    let least = if open >= 5000 { 0.985 } else { 0.9 };
    assert!(
        mated_open as f64 >= least * open as f64,
        "{mated_open} of {open}"
    );
}

#[test]
fn games_with_pawn_and_minor_pieces_match_the_tables() {
    let games = number("KRIEGSPIEL_ENDGAME_MINOR_GAMES", 0);
    if games > 0 {
        let [(sure, mated), _] = played("KPK", games);
        assert_eq!(mated, sure);
        played("KBBK", games);
    }
    // The program has no table for KBNK, so it knows no start with a forced mate.
    let [(sure, _), (open, _)] = played("KBNK", games.max(1));
    assert_eq!((sure, open), (0, games.max(1)));
}
