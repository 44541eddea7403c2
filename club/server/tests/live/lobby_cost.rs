//! Measures the processor time that a change of the lobby needs, with few and with many running
//! games. The running games themselves do not change.

use std::{fs, sync::Arc, time::Duration};

use club::GameId;
use futures_util::StreamExt;
use rules::chess::ByColor;
use serde_json::{Value, json};
use store::{AccountKind, MemoryStore, NewAccount, Store};

use crate::{
    bots::setting,
    open::{Open, open_over, terms, usual},
    stored::new_game,
};

const FEW: u32 = 10;
const MANY: u32 = 1000;
const SOCKETS: usize = 40;
/// Interval between two changes: 3.3 changes per second.
const INTERVAL: Duration = Duration::from_millis(300);

/// Returns a store with `games` games that are being played.
async fn store_with_games(games: u32) -> Arc<dyn Store> {
    let store = MemoryStore::default();
    let mut players = ByColor::new_with(|_| None);
    for n in 0..games {
        if n % 40 == 0 {
            for (color, player) in players.as_mut().zip_color() {
                let new = NewAccount {
                    name: format!("{color}{n}"),
                    kind: AccountKind::Guest,
                    password: None,
                    at: 0,
                };
                *player = Some(store.create_account(&new).await.unwrap());
            }
        }
        let id = GameId::from_chance(u64::from(n));
        let game = new_game(id, players.map(Option::unwrap), i64::from(n));
        store.create_game(0, &game).await.unwrap();
    }
    Arc::new(store)
}

/// Returns the processor time of this process so far, in ticks (hundredths of a second).
fn ticks() -> u64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap();
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

/// Opens a club, and sockets that listen to its lobby.
async fn club(games: u32) -> Open {
    let mut config = usual();
    config.limits.connections = 200;
    config.limits.offers = 100_000;
    let club = open_over(store_with_games(games).await, config).await;
    for _ in 0..SOCKETS {
        let mut socket = club.socket().await;
        socket.say(json!({"type": "lobby", "on": true})).await;
        assert!(!socket.next_of("lobby").await.is_null());
        tokio::spawn(async move { while socket.0.next().await.is_some() {} });
    }
    club
}

/// Changes the lobby `changes` times. Returns the processor time of these changes, in ticks.
async fn cost(club: &Open, changes: u32) -> u64 {
    let guest = club.guest().await;
    tokio::time::sleep(INTERVAL).await;
    let begun = ticks();
    for _ in 0..changes / 2 {
        let seek = guest.post("/api/seeks", terms("wild16", "white")).await;
        assert_eq!(seek.status, 201, "{seek:?}");
        tokio::time::sleep(INTERVAL).await;
        let path = format!("/api/seeks/{}", seek.get("id"));
        assert_eq!(guest.ask("DELETE", &path, Value::Null).await.status, 204);
        tokio::time::sleep(INTERVAL).await;
    }
    ticks() - begun
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lobby_change_costs_the_same_with_many_running_games() {
    let changes = setting("KRIEGSPIEL_LOBBY_CHANGES", 16_u32);
    let rounds = setting("KRIEGSPIEL_LOBBY_ROUNDS", 1_u32);
    let mut sides = [0, 0];
    for _ in 0..rounds {
        for (side, games) in sides.iter_mut().zip([FEW, MANY]) {
            let club = club(games).await;
            *side += cost(&club, changes).await;
            club.close().await;
        }
    }
    let of = |ticks: u64| ticks * 10_000 / u64::from(changes * rounds);
    println!("figure: changes {}", changes * rounds);
    println!(
        "figure: microseconds for a change, {FEW} games {}",
        of(sides[0])
    );
    println!(
        "figure: microseconds for a change, {MANY} games {}",
        of(sides[1])
    );
    assert!(
        sides[1] <= sides[0] * 2 + 5,
        "{sides:?} hundredths of a second"
    );
}
