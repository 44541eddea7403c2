//! Tests that nobody waits while a long finished game is replayed or rendered.

use futures_util::future::join_all;

use crate::{
    long_game::{longest_wait, paths, store_with_tries},
    open::{open_over, usual},
};

/// One thread serves all tasks of this test. So work on this thread would delay all other
/// tasks.
#[tokio::test(flavor = "current_thread")]
async fn replays_and_files_of_long_games_block_no_thread() {
    let (store, game) = store_with_tries(6000).await;
    let club = open_over(store, usual()).await;
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
            assert!(longest * 4 < took, "{path}: {longest:?} of {took:?}");
        }
    }
    club.close().await;
}

/// The second response comes from the cache.
#[tokio::test]
async fn a_file_of_a_finished_game_is_rendered_only_once() {
    let (store, game) = store_with_tries(6000).await;
    let club = open_over(store, usual()).await;
    let path = format!("/api/games/{game}/finished.json");
    let timed = async || {
        let begun = std::time::Instant::now();
        let answer = club.get(&path).await;
        assert_eq!(answer.status, 200);
        (begun.elapsed(), answer.text)
    };
    let (first, text) = timed().await;
    let (again, same) = timed().await;
    assert_eq!(text, same);
    assert!(again * 3 < first, "{first:?}, then {again:?}");
    club.close().await;
}
