//! Runs of many games.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering},
};

use arena::{ResultsError, RunError, Summary, file_name};
use common::{directory, files, run, run_from};
use rules::{
    Reason, Winner,
    chess::Color,
    rulesets::{CINCINNATI, ENGLISH, UMPIRE, WILD16},
};

#[test]
fn equal_seeds_give_equal_games_on_any_number_of_threads() {
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
fn recording_games_does_not_change_them() {
    let mut run = run(&WILD16);
    let plain = run.play(|_| {}).games;
    run.out = Some(directory("unchanged"));
    assert_eq!(run.play(|_| {}).games, plain);
}

#[test]
fn longer_run_begins_with_the_games_of_a_shorter_run() {
    let mut run = run(&CINCINNATI);
    run.games = 5;
    let few = run.play(|_| {}).games;
    run.games = 9;
    assert_eq!(run.play(|_| {}).games[..5], few);
}

/// A position in which Black is mated.
const WHITE_HAS_WON: &str = "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1";

#[test]
fn with_swap_the_first_player_is_black_in_every_second_game() {
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
        assert!(last.contains(r#""answer":"moved""#) && last.contains(r#""over":null"#));
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
fn json_of_the_summary_has_its_keys_in_a_fixed_order() {
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
fn unwritable_game_stops_the_run_and_keeps_earlier_games() {
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
fn progress_is_reported_and_never_decreases() {
    let mut run = run(&WILD16);
    run.games = 2000;
    run.threads = 2;
    let mut last = 0;
    run.play(|finished| {
        assert!(last <= finished && finished <= 2000);
        last = finished;
    });
}

#[test]
fn one_file_gets_all_games_in_order_plain_or_compressed() {
    let mut run = run(&ENGLISH);
    run.players[1] = "random+any".parse().unwrap();
    run.games = 12;
    let folder = directory("one-file");
    run.out = Some(folder.join("folder"));
    assert!(run.play(|_| {}).fault.is_none());
    let all: String = files(&folder.join("folder"))
        .into_iter()
        .map(|(_, text)| text)
        .collect();
    for (threads, name) in [
        (1, "one.jsonl"),
        (3, "three.jsonl"),
        (2, "packed.jsonl.zst"),
    ] {
        let path = folder.join(name);
        run.threads = threads;
        run.out = Some(path.clone());
        assert!(run.play(|_| {}).fault.is_none());
        let bytes = fs::read(&path).unwrap();
        let text = if name.ends_with(".zst") {
            assert!(bytes.len() < all.len() / 5, "{}", bytes.len());
            zstd::stream::decode_all(&bytes[..]).unwrap()
        } else {
            bytes.clone()
        };
        assert!(text == all.as_bytes(), "{name}");
        // The file is not written a second time.
        let fault = run.play(|_| {}).fault.unwrap().to_string();
        assert!(fault.contains("exists; choose another --out"), "{fault}");
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
    // Part 2 of 3 does not begin with game 1 of the run.
    run.shard = "2/3".parse().unwrap();
    run.out = Some(folder.join("part.jsonl"));
    let games = run.play(|_| {}).games.len();
    let text = fs::read_to_string(folder.join("part.jsonl")).unwrap();
    let begun = text.lines().filter(|line| line.starts_with("{\"n\":0,"));
    assert!(games > 0 && begun.count() == games);
}

#[test]
fn an_interrupted_run_has_the_games_that_are_over() {
    let folder = directory("interrupted");
    for name in ["folder", "file.jsonl.zst"] {
        let mut run = run(&WILD16);
        run.games = 100_000;
        run.threads = 2;
        run.out = Some(folder.join(name));
        let interrupt = AtomicBool::new(false);
        let outcome = run.play_until(&interrupt, |finished| {
            interrupt.store(finished > 0, Ordering::Relaxed);
        });
        assert!(outcome.fault.is_none());
        let played = outcome.games.len();
        assert!(0 < played && played < 100_000);
        assert!(outcome.games.iter().all(|game| game.played.over.is_some()));
        let path = folder.join(name);
        if path.is_dir() {
            assert_eq!(files(&path).len(), played);
            run.games = played as u64;
            let again = run.play(|_| {});
            assert!(again.resumed > 0 && again.games.len() == played);
        } else {
            let text = zstd::stream::decode_all(&fs::read(&path).unwrap()[..]).unwrap();
            let text = String::from_utf8(text).unwrap();
            let begun = text.lines().filter(|line| line.starts_with("{\"n\":0,"));
            assert_eq!(begun.count(), played);
        }
    }
}
