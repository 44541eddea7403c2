//! Tests what a client's requests reveal to other clients, what ends with a session, and how
//! requests are limited and refused.

use std::{sync::Arc, time::Duration};

use crate::open::{LONG, open, open_as, open_over, usual};
use club::{Club, Settings, SystemClock};
use futures_util::SinkExt;
use serde_json::{Value, json};
use server::Given;
use store::{MemoryStore, Store};
use tokio::time::{sleep, timeout};
use tokio_tungstenite::tungstenite::Message;

#[tokio::test]
async fn reading_past_hearings_does_not_make_a_player_present() {
    let club = open().await;
    let (white, black, game) = club.game("wild16").await;
    let mut socket = black.socket().await;
    socket
        .say(json!({"type": "watch", "game": game, "after": 0}))
        .await;
    socket.next_of("game").await;
    let path = format!("/api/games/{game}/heard");
    for _ in 0..5 {
        assert!(!white.heard(&game, 0).await.is_empty());
        for query in ["", "?wait=0", "?after=0&wait=1"] {
            let head = white
                .ask("HEAD", &format!("{path}{query}"), Value::Null)
                .await;
            assert_eq!(head.status, 200, "{query}");
        }
    }
    sleep(Duration::from_millis(200)).await;
    let told = socket.all().await;
    assert!(
        told.iter()
            .all(|says| says["type"] != "game" || says["game"]["white_here"] == false)
    );
    assert!(told.len() <= 1, "{told:?}");
    club.close().await;
}

#[tokio::test]
async fn request_limit_is_per_account_not_per_address() {
    let mut config = usual();
    config.limits.requests = 5;
    let club = open_as(config).await;
    let (white, black, game) = club.game("wild16").await;
    let view = format!("/api/games/{game}/view");
    let mut refused = 0;
    for _ in 0..100 {
        let answer = white.get(&view).await;
        if answer.status == 429 {
            assert_eq!(answer.get("refused"), "too-many");
            refused += 1;
        }
    }
    assert!(refused > 20, "{refused}");
    // Black and a visitor are at the same address.
    assert_eq!(black.get(&view).await.status, 200);
    assert_eq!(club.get("/api/me").await.status, 200);
    club.close().await;
}

#[tokio::test]
async fn visitors_of_an_address_share_one_limit() {
    let mut config = usual();
    config.limits.requests = 1;
    let club = open_as(config).await;
    let mut refused = false;
    for _ in 0..30 {
        refused |= club.get("/api/me").await.status == 429;
    }
    assert!(refused, "the visitors of an address share one limit");
    club.close().await;
}

#[tokio::test]
async fn number_of_a_future_hearing_is_refused() {
    let club = open().await;
    let (white, _black, game) = club.game("wild16").await;
    let mut socket = white.socket().await;
    socket.next_of("welcome").await;
    socket
        .say(json!({"type": "watch", "game": game, "after": 2}))
        .await;
    assert_eq!(socket.next_of("refused").await["code"], "invalid");
    for query in ["after=2", "after=4294967295&wait=0"] {
        let answer = white.get(&format!("/api/games/{game}/heard?{query}")).await;
        assert_eq!(answer.get("refused"), "invalid", "{query}: {answer:?}");
    }
    assert!(white.heard(&game, 1).await.len() <= 2);
    club.close().await;
}

#[tokio::test]
async fn pings_count_towards_the_limit_of_messages() {
    let mut config = usual();
    config.limits.messages = 5;
    let club = open_as(config).await;
    let mut socket = club.socket().await;
    socket.next_of("welcome").await;
    let flood = async {
        for _ in 0..400 {
            if socket
                .0
                .send(Message::Ping(Vec::new().into()))
                .await
                .is_err()
            {
                return;
            }
        }
    };
    timeout(LONG, flood).await.unwrap();
    let bye = socket.next().await;
    assert!(bye.is_null() || bye["type"] == "bye", "{bye}");
    club.close().await;
}

#[tokio::test]
async fn a_list_is_refused_where_an_object_is_expected() {
    let club = open().await;
    let (white, _black, game) = club.game("wild16").await;
    let tries = format!("/api/games/{game}/tries");
    for (path, body) in [
        (tries.as_str(), json!(["a", 1, "e4"])),
        ("/api/seeks", json!(["wild16", null, {"kind": "unlimited"}])),
        (
            "/api/challenges",
            json!({"to": "random", "terms": ["wild16", null, {"kind": "unlimited"}, "any", false]}),
        ),
        ("/api/guests", json!([true])),
    ] {
        let answer = white.post(path, body).await;
        assert_eq!(answer.get("refused"), "malformed", "{path}: {answer:?}");
    }
    let mut socket = white.socket().await;
    socket.next_of("welcome").await;
    for says in [json!(["ping"]), json!(["ping", {}]), json!(["lobby", true])] {
        socket.say(says).await;
        assert_eq!(socket.next_of("refused").await["code"], "malformed");
    }
    // In a text, a bracket is a character like any other.
    assert_eq!(
        white.say(&game, "a", "[").await.get("refused"),
        "not-understood"
    );
    club.close().await;
}

#[tokio::test]
async fn refusals_of_the_router_have_the_form_of_all_others() {
    let club = open().await;
    let white = club.guest().await;
    for (method, path, status, code) in [
        ("PUT", "/api/me", 405, "not-possible"),
        ("DELETE", "/api/lobby", 405, "not-possible"),
        ("POST", "/api/rules/ks", 405, "not-possible"),
        ("PUT", "/", 405, "not-possible"),
        ("GET", "/api/nothing", 404, "not-found"),
        ("GET", "/api/games/%ff", 400, "malformed"),
        ("GET", "/api/rules/%ff/file.toml", 400, "malformed"),
    ] {
        let answer = white.ask(method, path, Value::Null).await;
        assert_eq!(answer.status, status, "{method} {path}: {answer:?}");
        assert_eq!(answer.get("refused"), code, "{method} {path}");
        assert!(!answer.get("why").is_empty());
        assert_eq!(
            answer.header("allow").is_empty(),
            status != 405,
            "{answer:?}"
        );
    }
    club.close().await;
}

#[tokio::test]
async fn bot_names_are_reserved_and_bots_with_taken_names_skipped() {
    let given = |bots: &str| {
        let mut config = usual();
        config.bots = Given {
            bots: Some(bots.split(',').map(str::to_owned).collect()),
            ..Given::default()
        }
        .settle()
        .unwrap()
        .bots;
        config
    };
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let club = open_over(Arc::clone(&store), given("none")).await;
    let body = json!({"name": "Sparring", "password": "one-day-64"}).to_string();
    let answer = club.ask_as("POST", "/api/accounts", &[], Some(body)).await;
    assert_eq!(answer.get("refused"), "taken");
    assert!(answer.get("why").contains("program"), "{answer:?}");
    club.close().await;
    // Before the server was started, a person's account had already taken the bot's name.
    let before = Club::open(Arc::clone(&store), Arc::new(SystemClock), Settings::cheap())
        .await
        .unwrap();
    before.register("Sparring", "one-day-64").await.unwrap();
    before.close().await;
    let club = open_over(store, given("random,sparring")).await;
    let lobby = club.get("/api/lobby").await.json();
    let programs = lobby["programs"].as_array().unwrap();
    assert_eq!(programs.len(), 1, "{programs:?}");
    assert_eq!(programs[0]["name"], "random");
    club.close().await;
}
