//! The umpire's board of a game of people, for a screen in a hall.

use std::sync::Arc;

use axum::http::header::SET_COOKIE;
use club::hall_address;
use serde_json::{Value, json};
use store::MemoryStore;

use crate::open::{Answer, Open, Person, open_over, terms, usual};

async fn shown(club: &Open, headers: &[(&str, &str)], game: &str, link: &str) -> Answer {
    let path = format!("/api/games/{game}/hall");
    let body = json!({"link": link}).to_string();
    club.ask_as("POST", &path, headers, Some(body)).await
}

#[tokio::test]
async fn a_hall_sees_the_board_and_no_player_does() {
    let store = Arc::new(MemoryStore::default());
    let club = open_over(store.clone(), usual()).await;
    let anna = json!({"name": "Anna", "password": "one-day-64"});
    let made = club.ask_as("POST", "/api/accounts", &[], Some(anna.to_string()));
    let cookies = made.await.headers;
    let cookies = cookies.get_all(SET_COOKIE).iter();
    let cookies: Vec<&str> = cookies
        .map(|cookie| cookie.to_str().unwrap().split(';').next().unwrap())
        .collect();
    let [session, device] = cookies[..] else {
        panic!("a session and a device: {cookies:?}")
    };
    let white = Person::at(&club, "Anna", session.split_once('=').unwrap().1);
    let black = club.guest().await;
    let mut game = Vec::new();
    for hall in ["hall = true\n", ""] {
        let mut own = terms("wild16", "white");
        own["custom"] = json!(format!("from = \"wild16\"\n{hall}"));
        let code = white.post("/api/invitations", own).await.get("code");
        let path = format!("/api/invitations/{code}/accept");
        game.push(black.post(&path, Value::Null).await.get("game"));
        assert_eq!(
            white.say(&game[game.len() - 1], "1", "e4").await.status,
            200
        );
    }
    let [game, other] = &game[..] else { panic!() };
    let mut links = Vec::new();
    for (game, delay) in [(game, 0), (game, 5), (other, 0)] {
        let address = hall_address(&*store, game.parse().unwrap(), delay, false).await;
        links.extend(address.unwrap());
    }
    let prefix = format!("/hall/{game}#");
    let [now, late] = &links[..] else {
        panic!("who did not agree is not shown: {links:?}")
    };
    let now = now.strip_prefix(&prefix).unwrap();
    let late = late.strip_prefix(&prefix).unwrap();
    for (link, board, words) in [
        (now, "/4P3/", "White has moved."),
        (late, "/PPPPPPPP/", "A new game, wild16."),
    ] {
        let json = shown(&club, &[], game, link).await.json();
        let fen = json["game"]["umpire"].as_str().unwrap();
        assert!(fen.contains(board), "{json}");
        assert_eq!(json["hearing"]["words"][0], words);
    }
    let forged = now.replacen("0.", "1.", 1);
    for (game, link) in [(game, &*forged), (game, "0."), (game, ""), (other, now)] {
        let refused = shown(&club, &[], game, link).await;
        assert_eq!(refused.get("reason"), "hall-link", "{link}");
    }
    let facts = club.get(&format!("/api/games/{game}")).await;
    assert!(!facts.text.contains("umpire"), "{facts:?}");
    for own in [
        ("authorization", &*black.bearer),
        ("cookie", session),
        ("cookie", device),
    ] {
        let refused = shown(&club, &[own], game, late).await;
        assert_eq!(refused.get("reason"), "hall-playing", "{own:?}");
    }
    assert_eq!(shown(&club, &[], game, now).await.status, 200);
    let fresh = hall_address(&*store, game.parse().unwrap(), 0, true).await;
    let fresh = fresh.unwrap().unwrap();
    let fresh = fresh.strip_prefix(&prefix).unwrap();
    for revoked in [now, late] {
        let refused = shown(&club, &[], game, revoked).await;
        assert_eq!(refused.get("reason"), "hall-link", "{revoked}");
    }
    assert_eq!(shown(&club, &[], game, fresh).await.status, 200);
    let mut socket = black.socket().await;
    socket.next().await;
    let near = shown(&club, &[], game, fresh).await;
    assert_eq!(near.get("reason"), "hall-playing", "a player's network");
    assert_eq!(white.say(game, "2", "resign").await.status, 200);
    let over = shown(&club, &[("cookie", device)], game, fresh)
        .await
        .json();
    assert_eq!(
        (&over["delay"], &over["game"]["status"]),
        (&json!(0), &json!("over"))
    );
    assert!(over["game"]["umpire"].as_str().unwrap().contains("/4P3/"));
    club.close().await;
}
