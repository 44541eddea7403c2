//! Tests that nobody waits while a long finished game is replayed or rendered.

use std::time::{Duration, Instant};

use futures_util::future::join_all;

use crate::{
    long_game::{longest_wait, paths, store_with_tries},
    open::{open_over, usual},
};

/// Maximum number of runs of a test that depends on time. On an overloaded machine one run can fail.
const RUNS: u32 = 3;

/// Maximum number of responses that are timed.
const RESPONSES: u32 = 10;

/// One thread serves all tasks of this test. So work on this thread would delay all other
/// tasks.
#[tokio::test(flavor = "current_thread")]
async fn replays_and_files_of_long_games_block_no_thread() {
    for _ in 1..RUNS {
        let (longest, took) = wait_for_a_file().await;
        if longest * 4 < took {
            return;
        }
    }
    let (longest, took) = wait_for_a_file().await;
    assert!(longest * 4 < took, "{longest:?} of {took:?}");
}

/// Requests all paths of a new long game. Returns two times for the file `finished.json`: the
/// longest time that other tasks waited, and the total time.
async fn wait_for_a_file() -> (Duration, Duration) {
    let (store, game) = store_with_tries(6000).await;
    let club = open_over(store, usual()).await;
    let mut of_file = None;
    for path in paths(game) {
        let asks = async {
            let answers = join_all((0..8).map(|_| club.get(&path))).await;
            for answer in &answers {
                assert_eq!(answer.status, 200, "{path}");
                assert_eq!(answer.text, answers[0].text, "{path}");
            }
        };
        let (longest, took) = longest_wait(asks).await;
        // The first request of a path replays or renders the game. This work must not delay other
        // tasks.
        println!("{path}: {longest:?} of {took:?}");
        if path.ends_with("finished.json") {
            of_file = Some((longest, took));
        }
    }
    club.close().await;
    of_file.unwrap()
}

/// All responses after the first one come from the cache.
#[tokio::test]
async fn a_file_of_a_finished_game_is_rendered_only_once() {
    let (store, game) = store_with_tries(6000).await;
    let club = open_over(store, usual()).await;
    let path = format!("/api/games/{game}/finished.json");
    let timed = async || {
        let begun = Instant::now();
        let answer = club.get(&path).await;
        assert_eq!(answer.status, 200);
        (begun.elapsed(), answer.text)
    };
    let (first, text) = timed().await;
    let mut shortest = Duration::MAX;
    for _ in 0..RESPONSES {
        let (again, same) = timed().await;
        assert_eq!(text, same);
        shortest = shortest.min(again);
    }
    assert!(shortest * 3 < first, "{first:?}, then {shortest:?}");
    club.close().await;
}
