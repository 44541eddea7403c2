//! A level is a fixed opponent: its games change only with the number of the engine.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use bots::{Budget, ENGINE};
use common::{directory, files, run};
use rules::rulesets::WILD16;

/// Returns a hash (FNV-1a) of the attempts in short games of a level against itself.
fn hash(level: usize) -> u64 {
    let mut run = run(&WILD16);
    run.players = vec![format!("level-{level}").parse().unwrap(); 2];
    run.games = 20;
    run.random_moves = 1;
    run.max_plies = 16;
    // The usual limits of the strong levels cost too much time for a test. With a budget, a run of 20
    // games begins with the tables of endings.
    if level > 3 {
        run.games = 10;
        run.budget = Budget::Nodes(20);
        run.max_plies = 8;
    }
    let out = directory(&format!("level-{level}"));
    run.out = Some(out.clone());
    assert!(run.play(|_| {}).fault.is_none());
    let texts = files(&out).into_iter().map(|(_, text)| text);
    let attempts: String = texts.map(|text| attempts(&text)).collect();
    attempts.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Returns the attempts of a recorded game.
fn attempts(text: &str) -> String {
    let rest = text
        .lines()
        .filter_map(|line| line.split_once("\"attempt\":\""));
    let attempt = rest.filter_map(|(_, rest)| rest.split_once('"'));
    attempt.map(|(attempt, _)| format!("{attempt} ")).collect()
}

/// If this test fails after an intended change of play: raise `bots::ENGINE`, add a line to
/// docs/bots.md, and write the new hashes here.
#[test]
fn levels_play_the_recorded_games() {
    let hashes: Vec<String> = (1..=6).map(|n| format!("{:016x}", hash(n))).collect();
    let recorded = [
        "5361bd1f276a7c08",
        "dad8c319fe058860",
        "4a0f20b7f859d70a",
        "03cd883df017c544",
        "73d3765d360b88b8",
        "fc5b14f3790b95e7",
    ];
    assert_eq!((ENGINE, &hashes[..]), (4, &recorded.map(String::from)[..]));
}
