//! Tests of many requests of one player: which requests a limit rejects, which requests must wait,
//! and which other requests the limit does not affect.

use futures_util::future::join_all;
use serde_json::{Value, json};

use crate::open::{Person, open_as, terms, usual};

/// All pawn captures that White can imagine at the beginning. All of them are illegal.
const TRIES: [&str; 14] = [
    "a2b3", "b2a3", "b2c3", "c2b3", "c2d3", "d2c3", "d2e3", "e2d3", "e2f3", "f2e3", "f2g3", "g2f3",
    "g2h3", "h2g3",
];

#[tokio::test]
async fn message_limit_rejects_no_new_try_on_a_socket() {
    let mut config = usual();
    config.limits.messages = 4;
    let club = open_as(config).await;
    let (white, _black, game) = club.game("wild16").await;
    let mut socket = white.socket().await;
    socket.next_of("welcome").await;
    let say = |id: &str, text: &str| json!({"type": "try", "id": id, "game": game, "after": 1, "text": text});
    for text in TRIES {
        socket.say(say(text, text)).await;
    }
    for text in TRIES {
        let answer = socket.next().await;
        assert_eq!(answer["answer"], "no", "{text}: {answer}");
    }
    // The limit rejects repeated tries, but not the resignation.
    for n in 0..50 {
        socket.say(say(&format!("again{n}"), "e2d3")).await;
    }
    socket.say(say("end", "resign")).await;
    let mut last = Value::Null;
    let mut refused = 0;
    while last["answer"] != "resigned" {
        last = socket.next().await;
        refused += u32::from(last["code"] == "too-many");
        assert!(!last.is_null(), "the socket ended");
    }
    assert!(refused > 0);
    club.close().await;
}

#[tokio::test]
async fn request_limit_rejects_no_new_try_by_http() {
    let mut config = usual();
    config.limits.requests = 2;
    let club = open_as(config).await;
    let (white, _black, game) = club.game("wild16").await;
    let path = format!("/api/games/{game}/tries");
    let asked = TRIES.iter().map(|text| {
        let body = json!({"id": text, "after": 1, "text": text});
        white.post(&path, body)
    });
    for answer in join_all(asked).await {
        assert_eq!(answer.get("answer"), "no", "{answer:?}");
    }
    club.close().await;
}

#[tokio::test]
async fn limit_at_one_table_by_http_has_no_effect_at_another() {
    let mut config = usual();
    config.limits.requests = 3;
    let club = open_as(config).await;
    let (white, black, game) = club.game("wild16").await;
    let seek = white.post("/api/seeks", terms("wild16", "white")).await;
    let path = format!("/api/seeks/{}/accept", seek.get("id"));
    let other = black.post(&path, Value::Null).await.get("game");
    let view = |game: &str| format!("/api/games/{game}/view");
    let mut refused = 0;
    for _ in 0..40 {
        refused += u32::from(white.get(&view(&game)).await.status == 429);
    }
    assert!(refused > 0, "there is a limit");
    assert_eq!(white.get(&view(&other)).await.status, 200);
    assert_eq!(black.get(&view(&game)).await.status, 200);
    assert_eq!(white.get("/api/me").await.status, 200);
    club.close().await;
}

/// The limit of all tables together is ten times the limit of one table. Tries that wait at one
/// table do not use up this larger limit.
#[tokio::test]
async fn waiting_tries_at_one_table_do_not_delay_another() {
    let mut config = usual();
    config.limits.requests = 1;
    config.limits.connections = 200;
    let club = open_as(config).await;
    let (white, black, game) = club.game("wild16").await;
    let seek = white.post("/api/seeks", terms("wild16", "white")).await;
    let accept = format!("/api/seeks/{}/accept", seek.get("id"));
    let other = black.post(&accept, Value::Null).await.get("game");
    let view = |game: &str| format!("/api/games/{game}/view");
    let path = format!("/api/games/{game}/tries");
    // At one table, 4 requests are allowed at once; at all tables together, 40.
    let tries = (0..100).map(|n| {
        let body = json!({"id": format!("t{n}"), "after": 1, "text": TRIES[n % TRIES.len()]});
        white.post(&path, body)
    });
    let plays = async {
        // At one request per second, the header `retry-after` of a refused request at the same
        // table is about the number of tries that wait there.
        let is_full = async || {
            let refused = white.get(&view(&game)).await;
            refused.header("retry-after").parse().unwrap_or(0) > 80
        };
        while !is_full().await {}
        assert_eq!(white.get(&view(&other)).await.status, 200);
    };
    tokio::select! {
        _ = join_all(tries) => panic!("the tries must wait"),
        () = plays => {}
    }
    club.close().await;
}

/// A club evening or a class behind one address: with the default limits, thirty people register,
/// ten games are played over sockets, and ten people watch.
#[tokio::test]
async fn thirty_people_behind_one_address_play() {
    let mut config = usual();
    config.limits = server::Limits::default();
    let club = open_as(config).await;
    let mut people = Vec::new();
    for n in 0..30 {
        let asked =
            json!({"name": format!("Player{n}"), "password": "correct horse", "token": true});
        let made = club
            .ask_as("POST", "/api/accounts", &[], Some(asked.to_string()))
            .await;
        assert_eq!(made.status, 201, "{made:?}");
        people.push((format!("Player{n}"), made.get("token")));
    }
    let people: Vec<Person<'_>> = people
        .iter()
        .map(|(name, token)| Person::at(&club, name, token))
        .collect();
    let mut sockets = Vec::new();
    for person in &people {
        sockets.push(person.socket().await);
    }
    for (n, table) in people.chunks(3).enumerate() {
        let [white, black, watcher] = table else {
            unreachable!("thirty is ten times three")
        };
        let game = club.game_between(white, black, "wild16").await;
        assert_eq!(white.say(&game, "a1", "e2e4").await.status, 200);
        assert_eq!(black.say(&game, "a1", "e7e5").await.status, 200);
        assert!(watcher.heard(&game, 0).await.len() >= 3);
        let socket = &mut sockets[3 * n + 2];
        socket
            .say(json!({"type": "watch", "game": game, "after": 0}))
            .await;
        socket.next_of("heard").await;
    }
    club.close().await;
}

/// Idle sockets of visitors and guests fill the club. Everybody else can still come, and a player of a
/// running game stays.
#[tokio::test]
async fn idle_sockets_give_way_in_a_full_club() {
    let mut config = usual();
    config.limits.connections_in_all = 8;
    let club = open_as(config).await;
    let (white, black, game) = club.game("wild16").await;
    let mut playing = white.socket().await;
    playing
        .say(json!({"type": "watch", "game": game, "after": 0}))
        .await;
    playing.next_of("game").await;
    let mut idle = Vec::new();
    for n in 0..20 {
        let by = if n % 2 == 0 {
            black.socket().await
        } else {
            club.socket().await
        };
        idle.push(by);
    }
    idle[0].next_of("bye").await;
    assert_eq!(club.get("/healthz").await.status, 200);
    assert_eq!(white.say(&game, "a", "e4").await.get("answer"), "moved");
    playing.next_of("heard").await;
    club.close().await;
}
