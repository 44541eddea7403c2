//! Tests that the time until an answer does not reveal the opponent's private tries.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use club::{Clock, Club, Settings, SystemClock};
use rules::chess::ByColor;
use serde_json::json;
use server::Server;
use store::{
    AccountKind, GameId, MemoryStore, NewAccount, Store, testing::game_with_private_tries,
};
use tokio::{net::TcpListener, sync::oneshot};

use crate::open::{Open, Person};

/// Number of private tries of the opponent in each of the two games that are compared.
const TRIES: [u32; 2] = [0, 2000];

/// Tries of White that are refused in both games.
const ASKED: [&str; 14] = [
    "a2b3", "b2a3", "b2c3", "c2b3", "c2d3", "d2c3", "d2e3", "f2e3", "f2g3", "g2f3", "g2h3", "h2g3",
    "e4d5", "e4f5",
];

/// Returns the shortest time. The other times are longer only because the machine was busy.
fn shortest(all: Vec<Duration>) -> Duration {
    all.into_iter().min().unwrap()
}

/// In one game the opponent has made no private try, in the other game 2,000 private tries. The
/// requests go to both games alternately. If each private try delayed an answer by 50 microseconds,
/// each answer of the second game would take 100 ms longer.
#[tokio::test]
async fn private_tries_of_the_opponent_delay_no_answer() {
    let store = MemoryStore::default();
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
    let games = [1, 2].map(GameId::from_chance);
    for (game, tries) in games.into_iter().zip(TRIES) {
        game_with_private_tries(&store, game, players, tries, SystemClock.now())
            .await
            .unwrap();
    }
    let club = Club::open(Arc::new(store), Arc::new(SystemClock), Settings::cheap())
        .await
        .unwrap();
    let token = club.begin_session(players.white).await.unwrap();
    let server = Server::open(club, crate::open::usual()).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopping) = oneshot::channel();
    let served = tokio::spawn(async move {
        let stop = async { drop(stopping.await) };
        server.serve(listener, stop).await.unwrap();
    });
    let club = Open::at(address, stop, served);
    let anna = Person::at(&club, "Anna", token.secret());
    let mut sockets = Vec::new();
    for game in games {
        let mut socket = anna.socket().await;
        socket.next_of("welcome").await;
        let watch = json!({"type": "watch", "game": game.to_string(), "after": 0});
        socket.say(watch).await;
        socket.next_of("game").await;
        sockets.push(socket);
    }
    let kinds = ["view", "facts", "hearings", "tries", "tries on a socket"];
    let mut took = kinds.map(|_| [Vec::new(), Vec::new()]);
    for (round, text) in ASKED.iter().enumerate() {
        for side in [round % 2, 1 - round % 2] {
            let game = games[side];
            let path = format!("/api/games/{game}");
            for (kind, path) in [
                format!("{path}/view"),
                path.clone(),
                format!("{path}/heard?after=1&wait=0"),
            ]
            .iter()
            .enumerate()
            {
                let begun = Instant::now();
                assert_eq!(anna.get(path).await.status, 200);
                took[kind][side].push(begun.elapsed());
            }
            let after = anna.get(&format!("{path}/view")).await.json()["n"].clone();
            let id = format!("t{round}");
            let begun = Instant::now();
            if round.is_multiple_of(2) {
                let body = json!({"id": id, "after": after, "text": text});
                let answer = anna.post(&format!("{path}/tries"), body).await;
                took[3][side].push(begun.elapsed());
                assert_eq!(answer.get("answer"), "no", "{text}: {answer:?}");
            } else {
                let says = json!({"type": "try", "id": id, "game": game.to_string(),
                    "after": after, "text": text});
                sockets[side].say(says).await;
                let answer = sockets[side].next_of("answer").await;
                took[4][side].push(begun.elapsed());
                assert_eq!(answer["answer"], "no", "{text}");
            }
        }
    }
    for (kind, sides) in kinds.iter().zip(took) {
        let [without, with] = sides.map(shortest);
        assert!(
            with < without * 5 + Duration::from_millis(5),
            "{kind}: {without:?} after no private try, {with:?} after 2,000"
        );
    }
    club.close().await;
}
