//! Runs of many games.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use std::fs;

use arena::{ResultsError, RunError, Summary, file_name};
use common::{directory, files, run, run_from};
use rules::{
    Reason, Winner,
    chess::Color,
    rulesets::{CINCINNATI, ENGLISH, UMPIRE, WILD16},
};

#[test]
fn a_seed_plays_the_same_games_on_any_number_of_threads() {
    let mut told = Vec::new();
    for threads in [1, 2, 3] {
        let out = directory(&format!("threads-{threads}"));
        let mut run = run(&ENGLISH);
        run.players[1] = "random+any".parse().unwrap();
        run.games = 12;
        run.threads = threads;
        run.out = Some(out.clone());
        let outcome = run.play(|_| {});
        assert!(outcome.fault.is_none());
        let numbers: Vec<u64> = outcome.games.iter().map(|g| g.number).collect();
        assert_eq!(numbers, (0..12).collect::<Vec<_>>());
        told.push((outcome.games, files(&out)));
    }
    assert!(told[0] == told[1] && told[0] == told[2]);
    assert_eq!(told[0].1.len(), 12);
    assert_eq!(told[0].1[11].0, file_name(11));

    let mut other = run(&ENGLISH);
    other.players[1] = "random+any".parse().unwrap();
    other.games = 12;
    other.seed = 2;
    assert_ne!(other.play(|_| {}).games, told[0].0);
}

#[test]
fn writing_games_down_does_not_change_them() {
    let mut run = run(&WILD16);
    let plain = run.play(|_| {}).games;
    run.out = Some(directory("unchanged"));
    assert_eq!(run.play(|_| {}).games, plain);
}

#[test]
fn more_games_begin_with_the_same_games() {
    let mut run = run(&CINCINNATI);
    run.games = 5;
    let few = run.play(|_| {}).games;
    run.games = 9;
    assert_eq!(run.play(|_| {}).games[..5], few);
}

/// A position in which Black is mated.
const WHITE_HAS_WON: &str = "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1";

#[test]
fn a_swap_gives_every_second_game_the_other_colour() {
    let mut run = run_from(&UMPIRE, Some(WHITE_HAS_WON));
    run.games = 40;
    let plain = run.play(|_| {});
    assert!(plain.games.iter().all(|g| g.first == Color::White));
    run.swap = true;
    let swapped = run.play(|_| {});
    for game in &swapped.games {
        let first = if game.number % 2 == 0 {
            Color::White
        } else {
            Color::Black
        };
        assert_eq!(game.first, first);
    }

    // `umpire` does not announce mate, so a bot without a try resigns.
    let resigned = |reason| reason == Some(Reason::Resignation);
    for game in plain.games.iter().chain(&swapped.games) {
        assert!(resigned(game.played.over.map(|o| o.reason)), "{game:?}");
    }
    // The side without a try, Black, resigns; swapping the contestants does not change this.
    assert!(
        swapped
            .games
            .iter()
            .all(|g| g.played.over.unwrap().winner == Winner::White)
    );
    let (plain, swapped) = (Summary::from(&plain), Summary::from(&swapped));
    assert_eq!((plain.white, plain.black), (40, 0));
    assert_eq!((swapped.white, swapped.black), (20, 20));
}

#[test]
fn a_long_game_is_stopped_and_counted_as_unfinished() {
    let mut run = run(&WILD16);
    run.max_plies = 7;
    run.out = Some(directory("max-plies"));
    let outcome = run.play(|_| {});
    assert!(outcome.games.iter().all(|g| g.played.plies == 7));
    assert!(outcome.games.iter().all(|g| g.played.over.is_none()));
    let figures = Summary::from(&outcome);
    assert_eq!((figures.unfinished, figures.plies), (10, 70));
    for (_, text) in files(run.out.as_ref().unwrap()) {
        let last = text.lines().last().unwrap();
        assert!(last.contains(r#""answer":"moved""#) && last.ends_with(r#""over":null}"#));
    }
}

#[test]
fn a_game_that_is_over_at_the_start_has_no_plies() {
    let run = run_from(&WILD16, Some("8/8/4k3/8/8/4K3/8/8 w - - 0 1"));
    for game in run.play(|_| {}).games {
        assert_eq!((game.played.plies, game.played.attempts), (0, 0));
        assert_eq!(game.played.over.unwrap().reason, Reason::Insufficient);
    }
}

#[test]
fn the_figures_have_the_keys_of_the_contract() {
    let figures = Summary::from(&run(&WILD16).play(|_| {}));
    let text = serde_json::to_string(&figures).unwrap();
    let keys: Vec<&str> = text
        .split(['{', ',', '}'])
        .filter_map(|pair| pair.split_once(':'))
        .map(|(key, _)| key.trim_matches('"'))
        .collect();
    assert_eq!(
        keys,
        [
            "games",
            "attempts",
            "plies",
            "white",
            "black",
            "draws",
            "unfinished",
            "seconds",
            "attempts_per_second",
            "attempts_per_cpu_second"
        ]
    );
    assert_eq!(
        figures.games,
        figures.white + figures.black + figures.draws + figures.unfinished
    );
    assert!(figures.plies <= figures.attempts);
}

#[test]
fn unwritable_game_stops_the_run_and_loses_no_other() {
    let out = directory("blocked");
    // A directory blocks the name of the third game's file.
    fs::create_dir(out.join(file_name(2))).unwrap();
    fs::write(out.join(file_name(2)).join("x"), "").unwrap();
    let mut run = run(&WILD16);
    run.out = Some(out.clone());
    let outcome = run.play(|_| {});
    assert_eq!(outcome.games.len(), 2);
    let Some(RunError::Results(ResultsError::Write { path, .. })) = &outcome.fault else {
        panic!("{:?}", outcome.fault);
    };
    assert_eq!(*path, out.join(file_name(2)));
    assert!(outcome.fault.unwrap().to_string().contains("game-000003"));
    assert!(out.join(file_name(1)).is_file());
    assert!(!out.join("game-000003.part").exists());

    // A file blocks the name of the output directory.
    fs::write(out.join("file"), "").unwrap();
    run.out = Some(out.join("file"));
    let outcome = run.play(|_| {});
    assert!(outcome.games.is_empty());
    assert!(matches!(
        outcome.fault,
        Some(RunError::Results(ResultsError::Directory { .. }))
    ));
}

#[test]
fn progress_is_told_and_never_goes_back() {
    let mut run = run(&WILD16);
    run.games = 2000;
    run.threads = 2;
    let mut last = 0;
    run.play(|finished| {
        assert!(last <= finished && finished <= 2000);
        last = finished;
    });
}
