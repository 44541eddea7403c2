//! Studies by HTTP: files, their reviews, what a player of a running game gets, kept studies.

use serde_json::{Value, json};

use crate::{
    open::{Answer, Open, Person, open},
    roles::{Named, Row, none, row},
};

fn new() -> Value {
    json!({"title": "x", "chapters": {"1": {"title": "y", "game": "222222222222"}}})
}

/// Rows for the table of routes and roles. A finished game is read as a study; nobody keeps one.
pub(crate) const ROUTES: &[Row] = &[
    // Without a file.
    row("post", "/api/studies/open", Named::Nothing, none, [422; 6]),
    row("get", "/api/studies", Named::Nothing, none, [200; 6]),
    row(
        "post",
        "/api/studies",
        Named::Nothing,
        new,
        [401, 404, 404, 404, 404, 404],
    ),
    row(
        "get",
        "/api/studies/{id}",
        Named::Game,
        none,
        [404, 404, 404, 404, 404, 200],
    ),
    row(
        "put",
        "/api/studies/{id}",
        Named::Game,
        new,
        [401, 404, 404, 404, 404, 404],
    ),
];

const FILE: &str =
    "[White \"A\"]\n[Black \"B\"]\n[Rules \"wild16\"]\n\n1. e4 d5 2. exd5 Qxd5 *\n\n";
/// A file of one player of a game.
const OWN_FILE: &str = "[View \"white\"]\n[Rules \"wild16\"]\n\n1. e4 ?? *\n";
/// Black's own file in the middle of a game; the FEN has no white king.
const MIDDLE: &str = "[Variant \"kriegspiel\"]\n[SetUp \"1\"]\n[FEN \"4k2r/8/8/8/8/8/8/8 b k - 0 1\"]\n[Rules \"wild16\"]\n\n1... O-O 2. ?+ Kg7 *\n";

async fn opens(club: &Open, query: &str, file: &str) -> Answer {
    let path = format!("/api/studies/open{query}");
    club.ask_as("POST", &path, &[], Some(file.to_owned())).await
}

pub(crate) async fn person<'a>(club: &'a Open, name: &str) -> Person<'a> {
    let body = json!({"name": name, "password": "one-day-64", "token": true}).to_string();
    let made = club.ask_as("POST", "/api/accounts", &[], Some(body)).await;
    Person::at(club, name, &made.get("token"))
}

#[tokio::test]
async fn a_file_is_reviewed_like_a_finished_game() {
    let club = open().await;
    let two = opens(&club, "", &FILE.repeat(2)).await.json();
    let titles: Vec<_> = two["games"].as_array().unwrap().iter().collect();
    assert_eq!((titles.len(), &two["game"]), (2, &Value::Null));
    assert_eq!(titles[1]["title"], "A – B");
    let second = opens(&club, "?game=2", &FILE.repeat(2)).await.get("game");
    let game = opens(&club, "", FILE).await.get("game");
    assert_eq!(second, game, "the same game has the same id");
    let path = |part: &str| format!("/api/games/{game}/{part}");
    let finished = club.get(&path("finished.json")).await.json();
    let told = (&finished["white"], &finished["over"]);
    assert_eq!(told, (&json!("A"), &Value::Null));
    assert_eq!(finished["lines"].as_array().unwrap().len(), 5);
    for (part, word) in [
        ("belief/white", "\"moments\""),
        ("turns/black", "\"turns\""),
        ("turns/white/2", "\"hearings\""),
        ("turns/white/2?try=e4e5", "\"found\""),
        ("steps", "\"steps\""),
        ("moments/2.svg", "A – B"),
        ("finished.pgn", "[White \"A\"]"),
        ("finished.txt", "white e2e4 moved"),
    ] {
        let answer = club.get(&path(part)).await;
        assert_eq!(answer.status, 200, "{part}: {answer:?}");
        assert!(answer.text.contains(word), "{part}: {answer:?}");
    }
    let score = "1. e4 e5 2. Nf3 *";
    let under = opens(&club, "?rules=cincinnati", score).await.get("game");
    let steps = club.get(&format!("/api/games/{under}/steps")).await;
    assert_eq!(steps.status, 200, "{steps:?}");
    let damaged = FILE.replace("exd5", "exd6");
    for (query, file, reason) in [
        ("", score, "study-no-rules"),
        ("?rules=x", FILE, "study-no-rules"),
        ("", &*damaged, "study-fault"),
        ("", "hello", "study-no-game"),
    ] {
        let answer = opens(&club, query, file).await;
        let refused = (answer.status.as_u16(), answer.get("reason"));
        assert_eq!(refused, (422, reason.to_owned()), "{answer:?}");
    }
    let long = "x".repeat((1 << 20) + 1);
    assert_eq!(opens(&club, "", &long).await.status, 413);
    let example = club.get("/api/studies/1971").await.json();
    assert_eq!(example["title"], "Rea B. Hayes – Mike Juhasz");
    club.close().await;
}

#[tokio::test]
async fn what_one_player_heard_has_one_board_and_its_belief() {
    let club = open().await;
    let get = async |game: &str, part: &str| club.get(&format!("/api/games/{game}/{part}")).await;
    let own = opens(&club, "", OWN_FILE).await.get("game");
    let finished = get(&own, "finished.json").await;
    let json = finished.json();
    assert_eq!(json["player"], "white", "{finished:?}");
    let lines = json["lines"].as_array().unwrap();
    let told: Vec<_> = lines.iter().map(|line| &line["attempt"]).collect();
    assert_eq!(told, ["new", "e2e4", "?"]);
    assert!(
        lines.iter().all(|line| line["black"] == json!([])),
        "{json}"
    );
    assert_eq!(opens(&club, "", &finished.text).await.status, 422);
    let white = get(&own, "belief/white").await.json();
    assert_eq!(white["moments"][2]["positions"], 20);
    let steps = get(&own, "steps").await.json();
    assert_eq!(steps["steps"].as_array().unwrap().len(), 3);
    for part in [
        "belief/black",
        "turns/white",
        "turns/white/1",
        "finished.txt",
    ] {
        assert_eq!(get(&own, part).await.status, 404, "{part}");
    }
    let middle = opens(&club, "", MIDDLE).await.get("game");
    assert_eq!(
        get(&middle, "belief/black").await.get("reason"),
        "study-men"
    );
    let middle = opens(&club, "?men=KR", MIDDLE).await.get("game");
    assert_eq!(get(&middle, "belief/black").await.status, 200);

    // A position with what was heard.
    let line = |start: &str, more: &str| {
        format!(
            r#"{{"id":"x","rules":"wild16","seat":"white","mate_in":0,"start":"{start}",{more}}}"#
        )
    };
    let at = |fens: &str| {
        line(
            fens,
            r#""heard":["moved w a1b1","tries 0","turn b","moved b","tries 0","turn w"]"#,
        )
    };
    let rooks = opens(&club, "", &at("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")).await;
    let rooks = rooks.get("game");
    let belief = get(&rooks, "belief/white").await.json();
    assert_eq!(belief["moments"][2]["positions"], 8, "{belief}");
    for (moment, moves, decided, mate) in [
        (0, 1, true, json!({"moves": 1, "line": ["a1a8"]})),
        // It is not White's turn.
        (1, 1, false, json!(null)),
        // Black may have made room for the king.
        (2, 1, true, json!(null)),
    ] {
        let answer = get(&rooks, &format!("mate/white/{moment}?moves={moves}")).await;
        let told = answer.json();
        assert_eq!((&told["decided"], &told["mate"]), (&json!(decided), &mate));
        let refuting = told["refuting"].as_array().unwrap().len();
        assert_eq!(refuting > 0, decided && mate.is_null(), "{answer:?}");
    }
    for (part, status) in [
        ("mate/white/3?moves=1", 404),
        ("mate/black/0?moves=1", 404),
        ("mate/white/0?moves=7", 422),
    ] {
        assert_eq!(get(&rooks, part).await.status, status, "{part}");
    }
    let unknown = line("8/8/8/8/8/8/8/K6Q w - - 0 1", r#""men":"k","heard":[]"#);
    let unknown = opens(&club, "", &unknown).await.get("game");
    let belief = get(&unknown, "belief/white").await.json();
    assert!(belief["moments"][0]["positions"].as_u64() > Some(30));
    for wrong in [
        line("8/8/8/8/8/8/8/8 w - - 0 1", r#""heard":[]"#),
        line("4k3/8/8/8/8/8/8/4K3 w - - 0 1", r#""heard":["e4"]"#),
        r#"{"id":"x","rules":"wild16","mate_in":1,"positions":["4k3/8/8/8/8/8/8/4K3 w - - 0 1","3k4/8/8/8/8/8/8/4K3 w - - 0 1"]}"#.to_owned(),
    ] {
        let answer = opens(&club, "", &wrong).await;
        assert_eq!(answer.get("reason"), "study-fault", "{answer:?}");
    }
    let kept = person(&club, "Owner").await;
    let one = json!({"title": "One", "game": rooks});
    let made = kept.post(
        "/api/studies",
        json!({"title": "x", "chapters": {"1": one}}),
    );
    let made = made.await.json();
    assert_eq!(made["chapters"]["1"]["game"], *rooks);
    club.close().await;
}

#[tokio::test]
async fn nobody_near_a_running_game_gets_a_review_of_a_file() {
    const ASKED: [&str; 5] = [
        "belief/white",
        "mate/white/0?moves=1",
        "turns/white",
        "turns/white/2",
        "turns/white/2?try=e4e5",
    ];
    let club = open().await;
    let study = opens(&club, "", FILE).await.get("game");
    let path = |part: &str| format!("/api/games/{study}/{part}");
    // What was computed before is refused too.
    assert_eq!(club.get(&path(ASKED[0])).await.status, 200);
    let (white, black, game) = club.game("wild16").await;
    for part in ASKED {
        let answer = white.get(&path(part)).await;
        assert_eq!(answer.get("reason"), "study-playing", "{part}: {answer:?}");
        let nobody = club.get(&path(part)).await;
        assert_eq!(nobody.status, 200, "no player has a socket");
    }
    let mut socket = black.socket().await;
    socket.say(json!({"type": "watch", "game": game})).await;
    socket.all().await;
    for part in ASKED {
        let answer = club.get(&path(part)).await;
        assert_eq!(answer.get("reason"), "study-playing", "{part}: {answer:?}");
    }
    // The boards, and what was heard, stay open.
    assert_eq!(white.get(&path("finished.json")).await.status, 200);
    assert_eq!(white.say(&game, "1", "resign").await.status, 200);
    for part in ASKED {
        assert_eq!(white.get(&path(part)).await.status, 200, "{part}");
    }
    club.close().await;
}

#[tokio::test]
async fn a_study_is_kept_and_read_as_its_access_says() {
    let club = open().await;
    let game = opens(&club, "", FILE).await.get("game");
    let (owner, other) = (person(&club, "Owner").await, person(&club, "Other").await);
    let guest = club.guest().await;
    let one =
        json!({"title": "One", "game": game, "comments": {"2": "ü"}, "drawings": {"2": "e4"}});
    let body = |title: &str, access: &str, chapters: Value| json!({"title": title, "access": access, "chapters": chapters});
    let two = json!({"1": one, "2": one});
    let of_guest = guest
        .post("/api/studies", body("x", "link", two.clone()))
        .await;
    assert_eq!(of_guest.status, 409);
    let made = owner
        .post("/api/studies", body("x", "private", two.clone()))
        .await;
    assert_eq!(made.status, 201, "{made:?}");
    let id = made.get("id");
    let path = format!("/api/studies/{id}");
    for (access, others) in [("private", 404), ("link", 200), ("public", 200)] {
        let kept = owner
            .ask("PUT", &path, body(access, access, two.clone()))
            .await;
        assert_eq!(kept.status, 204, "{kept:?}");
        assert_eq!(other.get(&path).await.status, others, "{access}");
        assert_eq!(club.get(&path).await.status, others, "{access}");
        let listed = club.get("/api/studies").await.text.contains(&id);
        assert_eq!(listed, access == "public");
        let own = owner.get("/api/studies").await.json();
        assert_eq!(own["own"][0]["title"], access);
    }
    let read = other.get(&path).await.json();
    let of = (&read["by"], &read["yours"], &read["chapters"]["2"]);
    assert_eq!(of, (&json!("Owner"), &json!(false), &one));
    for chapters in [two.clone(), json!({})] {
        let refused = other.ask("PUT", &path, body("x", "link", chapters)).await;
        assert_eq!(refused.status, 404, "{refused:?}");
    }
    let untitled = owner.ask("PUT", &path, body("a\nb", "link", two)).await;
    assert_eq!(untitled.status, 422, "{untitled:?}");
    let export = owner.get("/api/account/export").await;
    assert!(export.text.contains("\"kind\":\"study\""), "{export:?}");
    let deleted = owner.ask("PUT", &path, body("x", "link", json!({}))).await;
    assert_eq!(deleted.status, 204, "{deleted:?}");
    assert_eq!(owner.get(&path).await.status, 404);
    club.close().await;
}
