//! Tests of the routes of one's own account, with attempts to abuse them.

use serde_json::{Value, json};

use crate::open::{Answer, Open, Person, lines, open, open_as, terms, usual};

/// Creates an account by HTTP. Returns the account and its recovery codes.
async fn register<'a>(club: &'a Open, name: &str) -> (Person<'a>, Vec<String>) {
    let asked = json!({"name": name, "password": "correct horse", "token": true});
    let made = club
        .ask_as("POST", "/api/accounts", &[], Some(asked.to_string()))
        .await;
    assert_eq!(made.status, 201, "{made:?}");
    let person = Person::at(club, name, &made.get("token"));
    (person, codes(&made))
}

fn codes(answer: &Answer) -> Vec<String> {
    let json = answer.json();
    let codes = json["recovery_codes"].as_array().unwrap();
    let code = |code: &Value| code.as_str().unwrap().to_owned();
    codes.iter().map(code).collect()
}

async fn recover(club: &Open, name: &str, code: &str, password: &str) -> Answer {
    let asked = json!({"name": name, "code": code, "password": password, "token": true});
    club.ask_as("POST", "/api/recovery", &[], Some(asked.to_string()))
        .await
}

/// A browser in which somebody has signed in keeps a second cookie. With it the owner signs in while
/// strangers have used up the guesses for the name.
#[tokio::test]
async fn a_known_browser_signs_in_while_strangers_guess() {
    let mut config = usual();
    config.limits.sign_ins = 1000;
    let club = open_as(config).await;
    let sign_in = async |password: &str, cookies: &str| {
        let asked = json!({"name": "Anna", "password": password}).to_string();
        let headers = [("cookie", cookies)];
        club.ask_as("POST", "/api/sessions", &headers, Some(asked))
            .await
    };
    let asked = json!({"name": "Anna", "password": "correct horse"}).to_string();
    let made = club.ask_as("POST", "/api/accounts", &[], Some(asked)).await;
    let given: Vec<&str> = made
        .headers
        .get_all("set-cookie")
        .iter()
        .flat_map(|v| v.to_str())
        .collect();
    let [_, device] = given[..] else {
        panic!("{given:?}")
    };
    assert!(
        device.starts_with("device=") && device.contains("HttpOnly; SameSite=Lax"),
        "{device}"
    );
    let device = device.split(';').next().unwrap();
    for _ in 0..12 {
        sign_in("wrong horse", "").await;
    }
    let stranger = sign_in("correct horse", "").await;
    assert_eq!(stranger.status, 429, "{stranger:?}");
    assert!(
        stranger.get("why").contains("recovery code"),
        "{stranger:?}"
    );
    assert_eq!(sign_in("correct horse", device).await.status, 201);
    assert_eq!(sign_in("correct horse", "device=00").await.status, 429);
    club.close().await;
}

#[tokio::test]
async fn account_can_be_changed_recovered_and_deleted_by_http() {
    let club = open().await;
    let (anna, codes) = register(&club, "Anna").await;
    assert_eq!(codes.len(), 6);
    let mut socket = anna.socket().await;
    assert_eq!(socket.next().await["you"]["name"], "Anna");
    let changed = json!({"old": "wrong horse", "new": "battery staple", "token": true});
    let wrong = anna.post("/api/password", changed).await;
    assert_eq!(
        (wrong.status.as_u16(), wrong.get("refused")),
        (401, "wrong-password".to_owned())
    );
    let changed = json!({"old": "correct horse", "new": "battery staple", "token": true});
    let changed = anna.post("/api/password", changed).await;
    assert_eq!(changed.status, 201, "{changed:?}");
    let bye = socket.next_of("bye").await;
    assert!(bye["why"].as_str().unwrap().contains("session"), "{bye}");
    assert_eq!(anna.get("/api/account").await.status, 401);
    let anna = Person::at(&club, "Anna", &changed.get("token"));
    assert_eq!(anna.get("/api/account").await.get("recovery_codes"), "6");

    let recovered = recover(&club, "anna", &codes[5], "third password").await;
    assert_eq!(recovered.status, 201, "{recovered:?}");
    assert_eq!(anna.get("/api/account").await.status, 401);
    let anna = Person::at(&club, "Anna", &recovered.get("token"));
    let password = json!({"password": "third password"});
    let renewed = anna.post("/api/recovery-codes", password.clone()).await;
    assert_eq!(renewed.status, 201, "{renewed:?}");
    let old_code = recover(&club, "Anna", &codes[0], "fourth password").await;
    assert_eq!(old_code.status, 401);

    let credentials = json!({"name": "Anna", "password": "third password", "token": true});
    let second = anna.post("/api/sessions", credentials).await;
    let second = Person::at(&club, "Anna", &second.get("token"));
    let listed = second.get("/api/sessions").await.json();
    let sessions = listed["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 2);
    assert_eq!(sessions[1]["current"], true, "{listed}");
    let path = format!("/api/sessions/{}", sessions[0]["id"].as_str().unwrap());
    assert_eq!(second.ask("DELETE", &path, Value::Null).await.status, 204);
    assert_eq!(anna.get("/api/account").await.status, 401);
    assert_eq!(second.get("/api/account").await.status, 200);

    let delete = |password: &str| json!({"password": password, "games": "resign"});
    let wrong = second
        .post("/api/account/delete", delete("wrong horse"))
        .await;
    assert_eq!(wrong.status, 401);
    let deleted = second
        .post("/api/account/delete", delete("third password"))
        .await;
    assert_eq!(deleted.json(), json!({"deleted": true}));
    assert_eq!(second.get("/api/account").await.status, 401);
    let code = &self::codes(&renewed)[0];
    let gone = recover(&club, "Anna", code, "fifth password").await;
    assert_eq!(gone.status, 401);
    club.close().await;
}

/// A token for a program plays, and changes nothing of the account.
#[tokio::test]
async fn a_token_for_a_program_only_plays() {
    let club = open().await;
    let (anna, _) = register(&club, "Anna").await;
    let asked = |label: &str, days: u32| json!({"label": label, "days": days});
    for (wrong, why) in [
        (asked(" ", 1), "1 to 60 characters"),
        (asked("two\nlines", 1), "one line"),
        (asked("bot", 0), "1 to 366 days"),
        (asked("bot", 367), "1 to 366 days"),
    ] {
        let refused = anna.post("/api/tokens", wrong).await;
        assert_eq!(refused.status, 422, "{refused:?}");
        assert!(refused.get("why").contains(why), "{refused:?}");
    }
    let made = anna.post("/api/tokens", json!({"label": "my bot"})).await;
    assert_eq!(made.status, 201, "{made:?}");
    let bot = Person::at(&club, "Anna", &made.get("token"));
    let offer = bot.post("/api/seeks", terms("wild16", "any")).await;
    assert_eq!(offer.status, 201, "{offer:?}");
    assert_eq!(bot.socket().await.next().await["you"]["name"], "Anna");
    let password = json!({"old": "correct horse", "new": "battery staple"});
    let delete = json!({"password": "correct horse", "games": "resign"});
    for (method, path, body) in [
        ("POST", "/api/password", password),
        (
            "POST",
            "/api/recovery-codes",
            json!({"password": "correct horse"}),
        ),
        ("POST", "/api/tokens", asked("another", 1)),
        ("GET", "/api/sessions", Value::Null),
        ("DELETE", "/api/sessions", Value::Null),
        ("GET", "/api/account", Value::Null),
        ("GET", "/api/account/export", Value::Null),
        ("POST", "/api/account/delete", delete),
        ("POST", "/api/account/keep", Value::Null),
        ("PUT", "/api/account/about", json!({"text": "a bot"})),
    ] {
        let refused = bot.ask(method, path, body).await;
        assert_eq!(refused.status, 403, "{method} {path} {refused:?}");
    }
    // The owner sees it by its name and ends it.
    let listed = anna.get("/api/sessions").await.json();
    let token = &listed["sessions"][1];
    assert_eq!(
        (&token["label"], &token["only_plays"]),
        (&json!("my bot"), &json!(true))
    );
    let days = token["until"].as_i64().unwrap() - token["begun"].as_i64().unwrap();
    assert_eq!(days, 366 * 24 * 3600 * 1000);
    let path = format!("/api/sessions/{}", token["id"].as_str().unwrap());
    assert_eq!(anna.ask("DELETE", &path, Value::Null).await.status, 204);
    assert_eq!(bot.get("/api/games").await.status, 401);
    for n in 0..20 {
        let made = anna.post("/api/tokens", asked(&n.to_string(), 1)).await;
        assert_eq!(made.status, 201, "{made:?}");
    }
    let full = anna.post("/api/tokens", asked("one more", 1)).await;
    assert_eq!(full.status, 409, "{full:?}");
    club.close().await;
}

/// An export has what its owner heard, and nothing that only the opponent heard.
#[tokio::test]
async fn export_of_a_running_game_has_only_what_was_heard() {
    let club = open().await;
    let (white, black, game) = club.game("wild16").await;
    white.say(&game, "a", "e2e4").await;
    for (n, text) in ["d7e6", "d7c6", "e7d6"].into_iter().enumerate() {
        black.say(&game, &format!("b{n}"), text).await;
    }
    let third = club.guest().await;
    let offer = white.post("/api/seeks", terms("rand", "any")).await;
    assert_eq!(offer.status, 201);
    for (player, other) in [(&white, &black), (&black, &white)] {
        let export = player.get("/api/account/export").await;
        assert_eq!(export.status, 200);
        assert_eq!(export.header("cache-control"), "no-store");
        assert!(export.header("content-disposition").contains("attachment"));
        let told = lines(&export.text);
        let heard: Vec<&Value> = told
            .iter()
            .filter(|line| line["kind"] == "running-game" && line["says"]["type"] == "heard")
            .map(|line| &line["says"])
            .collect();
        let own = player.heard(&game, 0).await;
        let own: Vec<&Value> = own.iter().filter(|says| says["type"] == "heard").collect();
        assert_eq!(heard, own);
        assert_eq!(told.last().unwrap()["kind"], "end");
        assert!(!export.text.contains(&other.bearer["Bearer ".len()..]));
        assert!(!export.text.contains(&player.bearer["Bearer ".len()..]));
        assert!(!export.text.contains("argon2"));
    }
    let whites = white.get("/api/account/export").await.text;
    for secret in ["d7", "e7d6"] {
        assert!(
            !whites.contains(&format!("\"attempt\":\"{secret}")),
            "{whites}"
        );
    }
    assert_eq!(whites.matches("\"kind\":\"offer\"").count(), 1);
    let thirds = third.get("/api/account/export").await.text;
    assert!(!thirds.contains(&game), "{thirds}");
    // After the end of the game, the export may contain everything.
    white.say(&game, "z", "resign").await;
    let finished = lines(&black.get("/api/account/export").await.text);
    let of_game = finished.iter().find(|line| line["kind"] == "finished-game");
    assert_eq!(of_game.unwrap()["game"]["game"], game.as_str());
    club.close().await;
}

/// An export that is made while moves are played contains the owner's hearings from the first one up
/// to some later one, without gaps.
#[tokio::test]
async fn an_export_during_moves_has_what_was_heard_so_far() {
    let club = open().await;
    let (white, black, game) = club.game("wild16").await;
    let moves = async {
        for n in 0..16_u8 {
            let file = char::from(b'a' + n / 2);
            let (who, text) = match n % 2 {
                0 => (&white, format!("{file}2{file}3")),
                _ => (&black, format!("{file}7{file}6")),
            };
            let said = who.say(&game, &format!("m{n}"), &text).await;
            assert_eq!(said.get("answer"), "moved", "{said:?}");
        }
    };
    let exports = async {
        let mut files = Vec::new();
        for _ in 0..3 {
            files.push(white.get("/api/account/export").await);
        }
        files
    };
    let ((), files) = tokio::join!(moves, exports);
    let heard_in = |told: &[Value]| -> Vec<Value> {
        let says = told.iter().map(|line| &line["says"]);
        let heard = says.filter(|says| says["type"] == "heard");
        heard.map(|says| says["hearing"].clone()).collect()
    };
    let all = white.heard(&game, 0).await;
    let all = all.iter().filter(|says| says["type"] == "heard");
    let all: Vec<Value> = all.map(|says| says["hearing"].clone()).collect();
    for file in files {
        assert_eq!(file.status, 200);
        let told = lines(&file.text);
        assert_eq!(told.last().unwrap()["kind"], "end");
        let heard = heard_in(&told);
        assert!(!heard.is_empty() && all.starts_with(&heard), "{heard:?}");
    }
    club.close().await;
}

#[tokio::test]
async fn new_account_of_a_guest_keeps_the_guests_games() {
    let club = open().await;
    let (white, black, game) = club.game("wild16").await;
    let mut watching = black.socket().await;
    watching
        .say(json!({"type": "watch", "game": game, "after": 0}))
        .await;
    let asked = json!({"name": "Anna", "password": "correct horse", "token": true});
    let made = white.post("/api/accounts", asked).await;
    assert_eq!(made.status, 201, "{made:?}");
    assert_eq!(
        white.get("/api/account").await.status,
        401,
        "the guest's token is no longer valid"
    );
    let anna = Person::at(&club, "Anna", &made.get("token"));
    assert_eq!(anna.say(&game, "a", "e2e4").await.status, 200);
    let facts = black.get(&format!("/api/games/{game}")).await.json();
    assert_eq!(facts["white"]["name"], "Anna", "{facts}");
    // If a guest creates an account for a program, the guest's session and games stay unchanged.
    let program = json!({"name": "Robot", "password": "correct horse", "program": true});
    assert_eq!(black.post("/api/accounts", program).await.status, 201);
    assert_eq!(black.get("/api/account").await.status, 200);
    let facts = black.get(&format!("/api/games/{game}")).await.json();
    assert_eq!(facts["black"]["name"], black.name.as_str());
    black.say(&game, "r", "resign").await;
    let pgn = club.get(&format!("/api/games/{game}/finished.pgn")).await;
    assert!(pgn.text.contains("[White \"Anna\"]"), "{}", pgn.text);
    let delete = json!({"password": "correct horse", "games": "wait"});
    let deleted = anna.post("/api/account/delete", delete).await;
    assert_eq!(deleted.json(), json!({"deleted": true}), "no game runs");
    for file in ["finished.pgn", "finished.json", "finished.txt"] {
        let text = club.get(&format!("/api/games/{game}/{file}")).await.text;
        assert!(!text.contains("Anna"), "{file}: {text}");
    }
    club.close().await;
}

/// A client that guesses codes is slowed down like a client that guesses passwords. A page of
/// another site can change nothing.
#[tokio::test]
async fn strangers_cannot_recover_change_or_delete_an_account() {
    let mut config = usual();
    config.limits.sign_ins = 3;
    let club = open_as(config).await;
    let (anna, codes) = register(&club, "Anna").await;
    let evil = [
        ("origin", "https://evil.example"),
        ("sec-fetch-site", "cross-site"),
    ];
    let body = json!({"games": "resign"}).to_string();
    for path in ["/api/account/delete", "/api/password", "/api/recovery"] {
        let refused = club.ask_as("POST", path, &evil, Some(body.clone())).await;
        assert_eq!(refused.status, 403, "{path}");
    }
    let mut statuses = Vec::new();
    for _ in 0..4 {
        let guess = recover(&club, "Anna", "aaaa-aaaa-aaaa-aaaa", "battery staple").await;
        statuses.push(guess.status.as_u16());
    }
    assert_eq!(statuses, [401, 401, 401, 429]);
    let right = recover(&club, "Anna", &codes[0], "battery staple").await;
    assert_eq!(right.status, 429, "the limit of the address is reached");
    assert_eq!(anna.get("/api/account").await.status, 200);
    club.close().await;
}
