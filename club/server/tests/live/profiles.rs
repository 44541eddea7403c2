//! Tests of profiles, leaderboards and searches of finished games, over a store that the test fills.

use std::sync::Arc;

use club::{Clock, SystemClock};
use referee::Event;
use rules::{
    Over, Reason, Winner,
    chess::{ByColor, Color},
};
use serde_json::{Value, json};
use store::{
    AccountId, AccountKind, Act, Against, GameId, MemoryStore, NewAccount, NewRow, RatingStore,
    Store, StoredRating,
};

use crate::{
    open::{Open, Person, open, open_over, usual},
    stored::new_game,
    studies::person,
};

/// Account numbers: Anna, Bert, and a program.
const ANNA: AccountId = AccountId(1);
const BERT: AccountId = AccountId(2);
const PROGRAM: AccountId = AccountId(3);

fn rating(account: AccountId, n: u32, points: i64, game: Option<u64>) -> StoredRating {
    StoredRating {
        account,
        family: "wild16".to_owned(),
        against: Against::People,
        n,
        rating: points,
        deviation: 100_400,
        volatility: 60_000,
        at: 7,
        game: game.map(GameId::from_chance),
    }
}

/// Stores a finished game; a draw is agreed.
async fn played(store: &MemoryStore, n: u64, [white, black]: [AccountId; 2], winner: Winner) {
    let (id, at) = (GameId::from_chance(n), n as i64);
    let game = new_game(id, ByColor { white, black }, at);
    store.create_game(0, &game).await.unwrap();
    let (event, reason) = match winner {
        Winner::White => (Event::Resigned { by: Color::Black }, Reason::Resignation),
        Winner::Black | Winner::Draw | Winner::Unfinished => {
            (Event::Agreed { by: Color::Black }, Reason::Agreement)
        }
    };
    let act = Act::Game(event);
    let rows = [NewRow {
        at,
        act,
        request: None,
    }];
    let over = Over { winner, reason };
    store.append(id, 1.into(), &rows, Some(over)).await.unwrap();
}

async fn filled() -> Arc<MemoryStore> {
    let store = Arc::new(MemoryStore::default());
    for (name, kind) in [
        ("Anna", AccountKind::Person),
        ("Bert", AccountKind::Person),
        ("engine", AccountKind::Program),
    ] {
        let password = Some("$argon2id$none".to_owned());
        let name = name.to_owned();
        let new = NewAccount {
            name,
            kind,
            password,
            at: 5,
        };
        store.create_account(&new).await.unwrap();
    }
    for (n, players, winner) in [
        (1, [ANNA, BERT], Winner::White),
        (2, [BERT, ANNA], Winner::White),
        (3, [ANNA, BERT], Winner::White),
        (4, [PROGRAM, ANNA], Winner::Draw),
    ] {
        played(&store, n, players, winner).await;
    }
    // A running game tells nothing.
    let running = new_game(
        GameId::from_chance(5),
        ByColor {
            white: ANNA,
            black: BERT,
        },
        SystemClock.now(),
    );
    store.create_game(0, &running).await.unwrap();
    let mut uncertain = rating(PROGRAM, 1, 1_900_000, Some(4));
    uncertain.deviation = 350_000;
    let ratings = [
        rating(ANNA, 1, 1_662_400, Some(1)),
        rating(ANNA, 2, 1_600_000, None),
        rating(BERT, 1, 1_700_600, Some(2)),
        uncertain,
    ];
    store.rate(None, &ratings).await.unwrap();
    store
}

async fn filled_club() -> Open {
    open_over(filled().await, usual()).await
}

fn score(won: u32, drawn: u32, lost: u32) -> Value {
    json!({"won": won, "drawn": drawn, "lost": lost})
}

#[tokio::test]
async fn a_profile_has_ratings_results_and_a_text() {
    let club = filled_club().await;
    let game = GameId::from_chance(1).to_string();
    let row = |seat, won| json!({"rules": "wild16", "seat": seat, "score": won});
    let against = |name, kind, won| json!({"player": {"name": name, "kind": kind}, "score": won});
    let anna = json!({
        "name": "Anna",
        "kind": "person",
        "since": 5,
        "about": "",
        "ratings": [{
            "family": "wild16",
            "against": "people",
            "points": 1600,
            "deviation": 100,
            "provisional": false,
            "changes": [
                {"at": 7, "points": 1662, "game": game},
                {"at": 7, "points": 1600, "game": null},
            ],
        }],
        "record": [row("white", score(2, 0, 0)), row("black", score(0, 1, 1))],
        "opponents": [
            against("Bert", "person", score(2, 0, 1)),
            against("engine", "program", score(0, 1, 0)),
        ],
        "muted": false,
    });
    assert_eq!(club.get("/api/people/anna").await.json(), anna);
    let engine = club.get("/api/people/engine").await.json();
    assert_eq!(engine["ratings"][0]["provisional"], true);
    for name in ["nobody", "deleted-account", "%00", "*"] {
        let answer = club.get(&format!("/api/people/{name}")).await;
        assert_eq!(answer.status, 404, "{name}: {answer:?}");
    }
}

pub async fn sign_up<'a>(club: &'a Open, name: &str) -> Person<'a> {
    let body = json!({"name": name, "password": "one-day-64", "token": true});
    let answer = club.ask_as("POST", "/api/accounts", &[], Some(body.to_string()));
    Person::at(club, name, &answer.await.get("token"))
}

#[tokio::test]
async fn the_text_of_a_profile_is_one_line_of_the_owner() {
    let club = filled_club().await;
    let carl = sign_up(&club, "Carl").await;
    for (text, status, about) in [
        (" plays on Sundays ", 204, "plays on Sundays"),
        ("two\nlines", 422, "plays on Sundays"),
        (&"x".repeat(401), 413, "plays on Sundays"),
        ("", 204, ""),
    ] {
        let answer = carl
            .ask("PUT", "/api/account/about", json!({"text": text}))
            .await;
        assert_eq!(answer.status, status, "{text:?}: {answer:?}");
        assert_eq!(club.get("/api/people/Carl").await.get("about"), about);
    }
    let mute = carl.ask("PUT", "/api/mutes/Anna", Value::Null).await;
    assert_eq!(mute.status, 204);
    assert_eq!(carl.get("/api/people/Anna").await.get("muted"), "true");
    let export = carl.get("/api/account/export").await.text;
    assert!(export.contains("\"kind\":\"profile\""), "{export}");
}

#[tokio::test]
async fn a_leaderboard_lists_ratings_that_are_not_provisional() {
    let club = filled_club().await;
    let names = |answer: &Value| {
        let rows = answer["rows"].as_array().unwrap().clone();
        let shown = |row: &Value| format!("{} {}", row["player"]["name"], row["points"]);
        rows.iter().map(shown).collect::<Vec<_>>().join(", ")
    };
    for (query, expected) in [
        ("", "\"Bert\" 1701, \"Anna\" 1600"),
        (
            "?family=wild16&kind=people&against=people",
            "\"Bert\" 1701, \"Anna\" 1600",
        ),
        ("?against=programs", ""),
        ("?kind=programs", ""),
        ("?family=ks", ""),
    ] {
        let answer = club.get(&format!("/api/leaderboard{query}")).await;
        assert_eq!(names(&answer.json()), expected, "{query}");
    }
    for query in ["?family=wild17", "?kind=guests", "?against=", "?page=2"] {
        let answer = club.get(&format!("/api/leaderboard{query}")).await;
        assert_eq!(answer.status, 422, "{query}: {answer:?}");
    }
}

#[tokio::test]
async fn programs_among_programs_have_a_cross_table() {
    let store = filled().await;
    let rival = NewAccount {
        name: "rival".to_owned(),
        kind: AccountKind::Program,
        password: Some("$argon2id$none".to_owned()),
        at: 5,
    };
    let rival = store.create_account(&rival).await.unwrap();
    for (n, players) in [
        (6, [PROGRAM, rival]),
        (7, [rival, PROGRAM]),
        (8, [rival, ANNA]),
    ] {
        played(&store, n, players, Winner::White).await;
    }
    played(&store, 9, [PROGRAM, rival], Winner::Draw).await;
    for (account, points) in [(PROGRAM, 1_800_000), (rival, 1_700_000)] {
        let mut rating = rating(account, 1, points, None);
        rating.against = Against::Programs;
        store.rate(None, &[rating]).await.unwrap();
    }
    let club = open_over(store, usual()).await;
    let asked = club.get("/api/leaderboard?kind=programs&against=programs");
    let row = |name, points, other| {
        let player = |name| json!({"name": name, "kind": "program"});
        let scores = json!([{"player": player(other), "score": score(1, 1, 1)}]);
        json!({"player": player(name), "points": points, "deviation": 100, "scores": scores})
    };
    assert_eq!(
        asked.await.json()["rows"],
        json!([row("engine", 1800, "rival"), row("rival", 1700, "engine")])
    );
    club.close().await;
}

#[tokio::test]
async fn finished_games_are_searched_by_everybody() {
    let club = filled_club().await;
    let ids = [1, 2, 3, 4].map(|n| GameId::from_chance(n).to_string());
    let found = async |query: &str| {
        let answer = club.get(&format!("/api/games?{query}")).await;
        let json = answer.json();
        let games = json["games"]
            .as_array()
            .unwrap_or_else(|| panic!("{query}: {json}"));
        let number = |game: &Value| ids.iter().position(|id| game["id"] == **id).unwrap() + 1;
        games.iter().map(number).collect::<Vec<_>>()
    };
    for (query, numbers) in [
        ("", &[4, 3, 2, 1][..]),
        ("player=*", &[4, 3, 2, 1]),
        ("player=anna", &[4, 3, 2, 1]),
        ("player=engine", &[4]),
        ("player=Anna&opponent=Bert&result=won", &[3, 1]),
        ("player=Anna&result=lost", &[2]),
        ("player=*&result=1/2-1/2", &[4]),
        ("player=*&ruleset=wild16&since=2&until=4", &[3, 2]),
        ("player=*&until=4&before=3", &[2, 1]),
        ("player=*&ruleset=rand", &[]),
    ] {
        assert_eq!(found(query).await, numbers, "{query}");
    }
    for (query, status) in [
        ("result=won", 422),
        ("player=nobody", 404),
        ("player=Anna&opponent=nobody", 404),
        ("player=*&opponent=Anna", 422),
        ("player=*&result=won", 422),
        ("player=Anna&result=2-0", 422),
        ("player=Anna&since=yesterday", 422),
        ("player=Anna&seat=white", 422),
    ] {
        let answer = club.get(&format!("/api/games?{query}")).await;
        assert_eq!(answer.status, status, "{query}: {answer:?}");
    }
}

#[tokio::test]
async fn people_with_a_socket_are_here() {
    let club = open().await;
    let (anna, guest) = (person(&club, "Anna").await, club.guest().await);
    let here = async || club.get("/api/people").await.json()["people"].clone();
    assert_eq!(here().await, json!([]));
    let mut sockets = [guest.socket().await, anna.socket().await];
    for socket in &mut sockets {
        socket.next().await;
    }
    let people = here().await;
    assert_eq!(people[0]["name"], "Anna");
    assert_eq!(people.as_array().map(Vec::len), Some(1), "{people}");
    club.close().await;
}
