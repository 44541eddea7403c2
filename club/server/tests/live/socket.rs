//! Tests of the socket: hearings, reconnecting, several sockets of one player,
//! and closing.

use std::sync::Arc;

use crate::open::{open, open_as, open_over, terms, usual};
use serde_json::{Value, json};
use store::{MemoryStore, Store};

fn watch(game: &str, after: u32) -> Value {
    json!({"type": "watch", "game": game, "after": after})
}

fn try_it(game: &str, id: &str, after: u32, text: &str) -> Value {
    json!({"type": "try", "id": id, "game": game, "after": after, "text": text})
}

fn heard_numbers(all: &[Value]) -> Vec<u64> {
    all.iter()
        .filter(|says| says["type"] == "heard")
        .map(|says| says["hearing"]["n"].as_u64().unwrap())
        .collect()
}

#[tokio::test]
async fn hearings_of_a_try_come_before_its_answer() {
    let club = open().await;
    let (white, _black, game) = club.game("wild16").await;
    let mut socket = white.socket().await;
    socket.next_of("welcome").await;
    socket.say(watch(&game, 0)).await;
    for kind in ["heard", "view", "game"] {
        assert_eq!(socket.next().await["type"], kind);
    }
    socket.say(try_it(&game, "z", 1, "e9")).await;
    let refused = socket.next().await;
    assert_eq!(
        (&refused["id"], &refused["code"]),
        (&json!("z"), &json!("not-understood"))
    );
    for (id, after, text, answer) in [("a", 1, "e2e5", "no"), ("b", 2, "e4", "moved")] {
        socket.say(try_it(&game, id, after, text)).await;
        let heard = socket.next().await;
        assert_eq!(heard["type"], "heard", "{heard}");
        assert_eq!(socket.next().await["type"], "view");
        let said = socket.next_of("answer").await;
        assert_eq!(said["n"], heard["hearing"]["n"]);
        assert_eq!((&said["id"], &said["answer"]), (&json!(id), &json!(answer)));
    }
    club.close().await;
}

#[tokio::test]
async fn a_socket_resumes_after_the_last_heard_number() {
    let club = open().await;
    let (white, black, game) = club.game("wild16").await;
    white.say(&game, "1", "e4").await;
    black.say(&game, "1", "d5").await;
    white.say(&game, "2", "exf5").await;
    white.say(&game, "3", "exd5").await;
    let whole = white.heard(&game, 0).await;
    assert_eq!(heard_numbers(&whole), [1, 2, 3, 4, 5]);
    for after in 0..6 {
        let mut socket = white.socket().await;
        socket.next_of("welcome").await;
        socket.say(watch(&game, after)).await;
        let view = socket.next_of("view").await;
        assert_eq!(view["view"]["n"], 5, "after {after}");
        drop(socket);
        let mut socket = white.socket().await;
        socket.next_of("welcome").await;
        socket.say(watch(&game, after)).await;
        let mut all = Vec::new();
        loop {
            let says = socket.next().await;
            let done = says["type"] == "game";
            all.push(says);
            if done {
                break;
            }
        }
        let numbers: Vec<u64> = (u64::from(after) + 1..=5).collect();
        assert_eq!(heard_numbers(&all), numbers, "after {after}");
        let lines: Vec<Value> = white.heard(&game, after).await;
        assert_eq!(heard_numbers(&lines), numbers, "after {after}");
    }
    club.close().await;
}

#[tokio::test]
async fn two_sockets_of_one_player_share_the_seat() {
    let club = open().await;
    let (white, black, game) = club.game("wild16").await;
    let mut one = white.socket().await;
    let mut two = white.socket().await;
    for socket in [&mut one, &mut two] {
        socket.say(watch(&game, 0)).await;
        socket.next_of("game").await;
    }
    one.say(try_it(&game, "same", 1, "e4")).await;
    let first = one.next_of("answer").await;
    // The same request on the other socket gets the same answer and changes nothing.
    two.say(try_it(&game, "same", 1, "e4")).await;
    let second = two.next_of("answer").await;
    assert_eq!(first, second);
    two.say(try_it(&game, "same", 1, "d4")).await;
    assert_eq!(two.next_of("refused").await["code"], "id-reused");
    assert_eq!(heard_numbers(&white.heard(&game, 0).await), [1, 2]);
    // Both sockets get the next hearing.
    black.say(&game, "1", "e5").await;
    for socket in [&mut one, &mut two] {
        loop {
            let says = socket.next_of("heard").await;
            if says["hearing"]["n"] == 3 {
                break;
            }
        }
    }
    // After one socket is closed, the player is still present.
    drop(two);
    let facts = black.get(&format!("/api/games/{game}")).await.json();
    assert_eq!(facts["white_here"], true);
    club.close().await;
}

#[tokio::test]
async fn spectators_hear_nothing_of_a_private_try() {
    let club = open().await;
    let (white, black, game) = club.game("wild16").await;
    let mut watching = club.socket().await;
    watching.next_of("welcome").await;
    watching.say(watch(&game, 0)).await;
    watching.next_of("game").await;
    let mut other = black.socket().await;
    other.next_of("welcome").await;
    other.say(watch(&game, 0)).await;
    other.next_of("game").await;
    // This message says that Black is connected now. Spectators may know this.
    watching.next_of("game").await;
    let before = (
        black.get(&format!("/api/games/{game}")).await.text,
        black.get(&format!("/api/games/{game}/view")).await.text,
        club.get(&format!("/api/games/{game}")).await.text,
        club.get("/api/lobby").await.text,
    );
    for (n, text) in ["e2d3", "e2f3", "e1e2", "a1a5"].iter().enumerate() {
        let answer = white.say(&game, &format!("{n}"), text).await;
        assert_eq!(answer.get("answer"), "no", "{text}");
    }
    assert_eq!(watching.all().await, Vec::<Value>::new());
    assert_eq!(other.all().await, Vec::<Value>::new());
    let after = (
        black.get(&format!("/api/games/{game}")).await.text,
        black.get(&format!("/api/games/{game}/view")).await.text,
        club.get(&format!("/api/games/{game}")).await.text,
        club.get("/api/lobby").await.text,
    );
    assert_eq!(before, after);
    white.say(&game, "e4", "e4").await;
    let room = watching.next_of("heard").await;
    assert_eq!(room["hearing"]["n"], 2);
    assert!(!room.to_string().contains("e2e4"), "{room}");
    // Spectators get no view.
    let all = watching.all().await;
    assert!(all.iter().all(|says| says["type"] != "view"), "{all:?}");
    club.close().await;
}

#[tokio::test]
async fn closed_club_says_goodbye_and_a_new_club_goes_on() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let mut club = open_over(Arc::clone(&store), usual()).await;
    let (white, _black, game) = club.game("wild16").await;
    let (name, bearer) = (white.name.clone(), white.bearer.clone());
    white.say(&game, "w1", "e4").await;
    let mut socket = white.socket().await;
    socket.next_of("welcome").await;
    socket.say(watch(&game, 0)).await;
    socket.next_of("game").await;
    let heard = club
        .begin(
            "GET",
            &format!("/api/games/{game}/heard?after=0"),
            &[],
            None,
        )
        .await;
    club.begin_to_close();
    let bye = socket.next_of("bye").await;
    assert!(
        bye["why"].as_str().unwrap().contains("connect again"),
        "{bye}"
    );
    assert_eq!(socket.next().await, Value::Null);
    let rest = http_body_util::BodyExt::collect(heard.2)
        .await
        .unwrap()
        .to_bytes();
    assert!(!rest.is_empty());
    club.close().await;

    let club = open_over(store, usual()).await;
    let headers = [("authorization", bearer.as_str())];
    let me = club.ask_as("GET", "/api/me", &headers, None).await.json();
    assert_eq!(me["you"]["name"], name);
    let path = format!("/api/games/{game}/tries");
    let again = json!({"id": "w1", "after": 1, "text": "e4"}).to_string();
    let answer = club.ask_as("POST", &path, &headers, Some(again)).await;
    assert_eq!(
        (answer.get("answer"), answer.get("n")),
        ("moved".into(), "2".into())
    );
    club.close().await;
}

#[tokio::test]
async fn socket_gets_the_whole_lobby_and_then_its_changes() {
    let club = open().await;
    let mut socket = club.socket().await;
    socket.next_of("welcome").await;
    socket.say(json!({"type": "lobby", "on": true})).await;
    let first = socket.next_of("lobby").await;
    assert_eq!(first["lobby"]["seeks"], json!([]));
    let guest = club.guest().await;
    let seek = guest.post("/api/seeks", terms("ks", "any")).await.get("id");
    let second = socket.next_of("lobby-changes").await;
    let changes = &second["changes"];
    assert_eq!((&changes["n"], &changes["gone"]), (&json!(1), &json!([])));
    assert_eq!(changes["seeks"][0]["by"]["name"], guest.name);
    assert_eq!(changes["seeks"][0]["yours"], false);
    guest
        .ask("DELETE", &format!("/api/seeks/{seek}"), Value::Null)
        .await;
    let third = socket.next_of("lobby-changes").await;
    let changes = &third["changes"];
    assert_eq!(
        (&changes["n"], &changes["gone"]),
        (&json!(2), &json!([seek]))
    );
    // A client that asks again gets the whole lobby, and the changes are numbered from the
    // beginning again.
    guest.post("/api/seeks", terms("rand", "any")).await;
    socket.next_of("lobby-changes").await;
    socket.say(json!({"type": "lobby", "on": true})).await;
    let whole = socket.next_of("lobby").await;
    assert_eq!(whole["lobby"]["seeks"].as_array().unwrap().len(), 1);
    guest.post("/api/seeks", terms("wild16", "any")).await;
    assert_eq!(socket.next_of("lobby-changes").await["changes"]["n"], 1);
    socket.say(json!({"type": "lobby", "on": false})).await;
    guest.post("/api/seeks", terms("rand", "any")).await;
    assert_eq!(socket.all().await, Vec::<Value>::new());
    club.close().await;
}

/// A client that opens and closes many games is slowed down, not refused.
#[tokio::test]
async fn watch_and_leave_beyond_the_limit_wait() {
    let mut config = usual();
    config.limits.messages = 20;
    let club = open_as(config).await;
    let (white, _, game) = club.game("wild16").await;
    let mut socket = white.socket().await;
    socket.next_of("welcome").await;
    for _ in 0..30 {
        socket
            .say(json!({"type": "watch", "game": game, "after": 0}))
            .await;
        socket.say(json!({"type": "leave", "game": game})).await;
    }
    socket
        .say(json!({"type": "watch", "game": "nothing", "after": 0}))
        .await;
    let refused = socket.next_of("refused").await;
    assert_eq!(
        (&refused["code"], &refused["request"]),
        (&json!("not-found"), &json!("watch"))
    );
    assert_eq!(refused["reason"], "game-unknown");
    assert_eq!(refused["retry_after_ms"], Value::Null);
    club.close().await;
}
