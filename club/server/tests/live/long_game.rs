//! A finished game with very many tries, for several tests.

use std::{sync::Arc, time::Duration};

use club::GameId;
use referee::{Game, Opened, StartPosition};
use rules::{
    Attempt,
    chess::{ByColor, Color},
    rulesets::WILD16,
};
use store::{AccountKind, Act, MemoryStore, NewAccount, NewRow, Store};

use crate::stored::new_game;

/// Returns a store with one game. In this game White makes `tries` refused tries, which only White
/// hears; then White resigns.
pub async fn store_with_tries(tries: u32) -> (Arc<dyn Store>, GameId) {
    let store = MemoryStore::default();
    let id = add_long_game(&store, tries).await;
    (Arc::new(store), id)
}

/// Adds a game to a store. In this game White makes `tries` refused tries, which only White hears;
/// then White resigns.
pub async fn add_long_game(store: &dyn Store, tries: u32) -> GameId {
    let account = |name: &str| NewAccount {
        name: name.to_owned(),
        kind: AccountKind::Guest,
        password: None,
        at: 0,
    };
    let players = ByColor {
        white: store.create_account(&account("Anna")).await.unwrap(),
        black: store.create_account(&account("Bert")).await.unwrap(),
    };
    let mut game = Game::open(Opened::new(
        &WILD16,
        WILD16.choices,
        StartPosition::initial(),
    ));
    let row = |event| NewRow {
        at: 0,
        act: Act::Game(event),
        request: None,
    };
    let id = GameId::from_chance(1);
    let new = new_game(id, players, 0);
    store.create_game(0, &new).await.unwrap();
    let mut rows = Vec::new();
    let all = ["e2d3", "e2f3", "d2c3", "d2e3"].map(|text| text.parse().unwrap());
    for n in 0..tries {
        let event = game
            .judge(Color::White, all[n as usize % all.len()])
            .unwrap()
            .event;
        game.apply(&event);
        rows.push(row(event));
    }
    let event = game.judge(Color::White, Attempt::Resign).unwrap().event;
    game.apply(&event);
    rows.push(row(event));
    store
        .append(id, 1.into(), &rows, game.over())
        .await
        .unwrap();
    id
}

/// Returns the paths of a finished game: its files, its steps and its facts.
pub fn paths(game: GameId) -> [String; 5] {
    ["finished.json", "finished.pgn", "finished.txt", "steps", ""].map(|file| {
        format!("/api/games/{game}/{file}")
            .trim_end_matches('/')
            .to_owned()
    })
}

/// Polls `work` until it ends. After each poll, the other tasks of this thread run. Returns two
/// times: the longest time that one poll and the tasks after it took, and the total time.
pub async fn longest_wait(work: impl Future<Output = ()>) -> (Duration, Duration) {
    let begun = std::time::Instant::now();
    let mut last = begun;
    let mut longest = Duration::ZERO;
    tokio::pin!(work);
    loop {
        let over = tokio::select! {
            biased;
            () = &mut work => true,
            () = tokio::task::yield_now() => false,
        };
        longest = longest.max(last.elapsed());
        last = std::time::Instant::now();
        if over {
            return (longest, begun.elapsed());
        }
    }
}
