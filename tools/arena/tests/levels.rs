//! A level is a fixed opponent: its games change only with the number of the engine.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use bots::{Budget, ENGINE};
use common::{directory, files, run};
use rules::rulesets::WILD16;

/// Returns a hash (FNV-1a) of 20 short games of a level against itself.
fn hash(level: usize) -> u64 {
    let mut run = run(&WILD16);
    run.players = vec![format!("level-{level}").parse().unwrap(); 2];
    run.games = 20;
    run.random_moves = 1;
    run.max_plies = 16;
    // The limits of the strong levels cost too much time for a test.
    if level > 3 {
        run.budget = Budget::Nodes(20);
        run.max_plies = 8;
    }
    let out = directory(&format!("level-{level}"));
    run.out = Some(out.clone());
    assert!(run.play(|_| {}).fault.is_none());
    let text: String = files(&out).into_iter().map(|(_, text)| text).collect();
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// If this test fails after an intended change of play: raise `bots::ENGINE`, add a line to
/// docs/bots.md, and write the new hashes here.
#[test]
fn levels_play_the_recorded_games() {
    let hashes: Vec<String> = (1..=6).map(|n| format!("{:016x}", hash(n))).collect();
    let recorded = ["", "", "", "", "", ""];
    assert_eq!((ENGINE, &hashes[..]), (2, &recorded.map(String::from)[..]));
}
