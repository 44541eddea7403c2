//! Messages between people over HTTP and the socket: who gets them, and what players get while
//! spectators write.

use serde_json::{Value, json};

use crate::open::{Person, Socket, open};

async fn talks(person: &Person<'_>, game: &str) -> Socket {
    let mut socket = person.socket().await;
    socket
        .say(json!({"type": "watch", "game": game, "after": 0}))
        .await;
    socket
        .say(json!({"type": "talk", "game": game, "after": 0}))
        .await;
    socket
}

fn text(says: &Value) -> (&str, &str, u64) {
    let message = &says["message"];
    (
        says["group"].as_str().unwrap(),
        message["text"].as_str().unwrap(),
        message["n"].as_u64().unwrap(),
    )
}

#[tokio::test]
async fn each_socket_gets_the_messages_of_its_group() {
    let club = open().await;
    let (white, black, game) = club.game("wild16").await;
    let (carl, dora) = (club.guest().await, club.guest().await);
    let path = format!("/api/games/{game}/messages");
    let mut players = [talks(&white, &game).await, talks(&black, &game).await];
    let mut spectators = [talks(&carl, &game).await, talks(&dora, &game).await];
    let said = carl.post(&path, json!({"text": "the queen hangs"})).await;
    assert_eq!((said.status.as_u16(), said.get("n").as_str()), (201, "1"));
    players[0]
        .say(json!({"type": "write", "id": "w1", "game": game, "text": "hello"}))
        .await;
    let answer = players[0].next_of("answer").await;
    assert_eq!(
        (&answer["answer"], &answer["n"]),
        (&json!("written"), &Value::Null)
    );
    for socket in &mut players {
        let says = socket.next_of("message").await;
        assert_eq!(text(&says), ("players", "hello", 1));
        assert_eq!(says["message"]["from"]["name"], white.name);
    }
    for socket in &mut spectators {
        let says = socket.next_of("message").await;
        assert_eq!(text(&says), ("spectators", "the queen hangs", 1));
    }
    // A player cannot read the spectators' messages, and a spectator cannot read the players'
    // messages.
    for (socket, group) in [
        (&mut players[1], "spectators"),
        (&mut spectators[0], "players"),
    ] {
        socket
            .say(json!({"type": "talk", "game": game, "group": group, "after": 0}))
            .await;
        let refused = socket.next_of("refused").await;
        assert_eq!(
            (&refused["code"], &refused["game"]),
            (&json!("forbidden"), &json!(game))
        );
        socket
            .say(json!({"type": "write", "id": "x", "game": game, "group": group, "text": "x"}))
            .await;
        let refused = socket.next_of("refused").await;
        assert_eq!(
            (&refused["code"], &refused["id"]),
            (&json!("forbidden"), &json!("x"))
        );
    }
    let visitor = club.get(&path).await.json();
    assert_eq!(visitor["messages"].as_array().unwrap().len(), 1);
    assert_eq!(visitor["messages"][0]["text"], "the queen hangs");
    let later = club.get(&format!("{path}?after=1")).await.json();
    assert_eq!(later, json!({"messages": []}));
    for query in ["?group=all", "?after=x", "?what=1"] {
        let refused = club.get(&format!("{path}{query}")).await;
        assert_eq!(refused.status, 422, "{query}: {}", refused.text);
    }
    // A player who mutes the opponent reads nothing from the opponent, and neither player can write
    // to the other.
    let muted = format!("/api/mutes/{}", white.name);
    assert_eq!(black.ask("PUT", &muted, Value::Null).await.status, 204);
    let list = black.get("/api/mutes").await.json();
    assert_eq!(list["muted"][0]["name"], white.name);
    for person in [&white, &black] {
        let refused = person.post(&path, json!({"text": "x"})).await;
        assert_eq!(
            (refused.status.as_u16(), refused.get("refused").as_str()),
            (409, "not-possible")
        );
    }
    assert_eq!(black.get(&path).await.json(), json!({"messages": []}));
    assert_eq!(black.ask("DELETE", &muted, Value::Null).await.status, 204);
    assert_eq!(
        black.post(&path, json!({"text": "again"})).await.status,
        201
    );
    // After `leave`, a client can subscribe again with `talk`. The new subscription begins after
    // the number in this `talk`.
    players[0].say(json!({"type": "leave", "game": game})).await;
    players[0]
        .say(json!({"type": "talk", "game": game, "after": 1}))
        .await;
    let says = players[0].next_of("message").await;
    assert_eq!(text(&says), ("players", "again", 2));
    club.close().await;
}

/// Returns the numbers of the messages that a socket gets before the answer to a ping.
async fn numbers_until_pong(socket: &mut Socket) -> Vec<u64> {
    socket.say(json!({"type": "ping"})).await;
    let mut numbers = Vec::new();
    loop {
        let says = socket.next().await;
        match says["type"].as_str() {
            Some("message") => numbers.push(text(&says).2),
            Some("pong") => return numbers,
            _ => {}
        }
    }
}

/// A repeated `talk` sends nothing twice, unless the mutes of the reader have changed. The number of
/// a message that does not exist is refused.
#[tokio::test]
async fn a_repeated_talk_request_sends_only_new_messages() {
    let club = open().await;
    let (white, black, game) = club.game("wild16").await;
    let path = format!("/api/games/{game}/messages");
    for text in ["one", "two", "three"] {
        let written = white.post(&path, json!({"text": text})).await;
        assert_eq!(written.status, 201);
    }
    let mut socket = black.socket().await;
    let talk = |after: u32| json!({"type": "talk", "game": game, "after": after});
    socket.say(talk(1)).await;
    for n in [2, 3] {
        assert_eq!(text(&socket.next_of("message").await).2, n);
    }
    for after in [0, 1, 2, 3, 0] {
        socket.say(talk(after)).await;
        let numbers = numbers_until_pong(&mut socket).await;
        assert_eq!(numbers, [0; 0], "after {after}");
    }
    for after in [4, u32::MAX] {
        socket.say(talk(after)).await;
        let refused = socket.next_of("refused").await;
        assert_eq!(
            (&refused["code"], &refused["game"]),
            (&json!("invalid"), &json!(game))
        );
        let why = refused["why"].as_str().unwrap();
        assert!(why.contains("0 for all kept messages"), "{why}");
        let refused = black.get(&format!("{path}?after={after}")).await;
        assert_eq!(
            (refused.status.as_u16(), refused.get("refused").as_str()),
            (422, "invalid")
        );
    }
    // The subscription continues after a refusal.
    white.post(&path, json!({"text": "four"})).await;
    assert_eq!(text(&socket.next_of("message").await).2, 4);
    // After a change of the mutes, a repeated `talk` sends all messages again.
    let muted = format!("/api/mutes/{}", white.name);
    for (method, expected) in [("PUT", vec![]), ("DELETE", vec![1, 2, 3, 4])] {
        assert_eq!(black.ask(method, &muted, Value::Null).await.status, 204);
        socket.say(talk(0)).await;
        for n in &expected {
            assert_eq!(text(&socket.next_of("message").await).2, *n);
        }
        assert_eq!(numbers_until_pong(&mut socket).await, [0; 0]);
    }
    club.close().await;
}

/// Until the game is over, no route lets a spectator write to a player of the game.
#[tokio::test]
async fn spectator_cannot_leave_messages_for_the_players() {
    let club = open().await;
    let account = async |name: &str| {
        let account = json!({"name": name, "password": "correct horse", "token": true});
        let made = club.ask_as("POST", "/api/accounts", &[], Some(account.to_string()));
        let token = made.await.get("token");
        Person::at(&club, name, &token)
    };
    let anna = account("Anna").await;
    let (white, carl, dora, emil) = (
        club.guest().await,
        account("Carl").await,
        account("Dora").await,
        account("Emil").await,
    );
    let game = club.game_between(&white, &anna, "wild16").await;
    // Carl watches by a socket, Dora by requests.
    let mut socket = talks(&carl, &game).await;
    socket.next_of("heard").await;
    let heard = dora.get(&format!("/api/games/{game}/heard?wait=0")).await;
    assert_eq!(heard.status, 200);
    let leave = json!({"to": "Anna", "text": "her queen hangs"});
    for watcher in [&carl, &dora] {
        let refused = watcher.post("/api/messages", leave.clone()).await;
        assert_eq!(
            (refused.status.as_u16(), refused.get("refused").as_str()),
            (409, "not-possible"),
            "{}",
            refused.text
        );
    }
    assert_eq!(emil.post("/api/messages", leave.clone()).await.status, 201);
    let answer = white.say(&game, "r", "resign").await;
    assert_eq!(answer.status, 200);
    assert_eq!(carl.post("/api/messages", leave).await.status, 201);
    club.close().await;
}

/// Removes times and replaces names, because they differ between two runs.
fn plain(mut says: Value, names: &[(&str, &str)]) -> String {
    fn forget_times(value: &mut Value) {
        match value {
            Value::Object(map) => {
                for key in ["at", "now", "begun", "claim_from"] {
                    map.remove(key);
                }
                map.values_mut().for_each(forget_times);
            }
            Value::Array(list) => list.iter_mut().for_each(forget_times),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    forget_times(&mut says);
    let mut text = says.to_string();
    for (name, instead) in names {
        text = text.replace(name, instead);
    }
    text
}

/// Returns what Black gets in a game, with or without messages of spectators.
async fn black_gets(are_spectators_loud: bool) -> Vec<String> {
    let club = open().await;
    let (white, black, game) = club.game("wild16").await;
    let (carl, dora) = (club.guest().await, club.guest().await);
    let path = format!("/api/games/{game}/messages");
    let mut socket = talks(&black, &game).await;
    let mut got = Vec::new();
    for (n, attempt) in ["e2e4", "e7e5"].into_iter().enumerate() {
        for spectator in [&carl, &dora, &carl] {
            if are_spectators_loud {
                let said = spectator.post(&path, json!({"text": "what a move"})).await;
                assert_eq!(said.status, 201);
            }
        }
        let by = [&white, &black][n];
        assert_eq!(by.say(&game, &format!("m{n}"), attempt).await.status, 200);
        let said = white.post(&path, json!({"text": "mm"})).await;
        got.push(said.text);
        // The facts and the view come only when they have changed, so this loop skips them. The
        // facts and the view are requested below.
        let (mut has_heard, mut has_read) = (false, false);
        while !(has_heard && has_read) {
            let says = socket.next().await;
            let kind = says["type"].as_str().unwrap().to_owned();
            has_read |= kind == "message";
            has_heard |= kind == "heard" && says["hearing"]["n"] == n + 2;
            if kind != "game" && kind != "view" {
                got.push(plain(says, &[]));
            }
        }
        for path in [
            path.clone(),
            format!("{path}?group=spectators"),
            "/api/messages".to_owned(),
            "/api/mutes".to_owned(),
            format!("/api/games/{game}"),
            format!("/api/games/{game}/view"),
            format!("/api/games/{game}/heard?wait=0"),
        ] {
            let answer = black.get(&path).await;
            got.push(answer.status.to_string());
            let lines = answer.text.lines().filter(|line| !line.is_empty());
            got.extend(lines.map(|line| plain(serde_json::from_str(line).unwrap(), &[])));
        }
    }
    let names = [
        (white.name.as_str(), "WHITE"),
        (black.name.as_str(), "BLACK"),
        (game.as_str(), "GAME"),
    ];
    let mut got: Vec<String> = got
        .into_iter()
        .map(|text| {
            names
                .iter()
                .fold(text, |text, (name, by)| text.replace(name, by))
        })
        .collect();
    // One task sends hearings and another sends messages, so the order of both is not fixed.
    got.sort();
    club.close().await;
    got
}

#[tokio::test]
async fn players_get_the_same_bytes_whatever_spectators_write() {
    let (quiet, loud) = (black_gets(false).await, black_gets(true).await);
    assert!(quiet.len() > 20, "{quiet:?}");
    assert_eq!(quiet, loud);
}

#[tokio::test]
async fn a_message_waits_for_a_person_until_it_is_removed() {
    let club = open().await;
    let account = json!({"name": "Anna", "password": "correct horse", "token": true});
    let made = club.ask_as("POST", "/api/accounts", &[], Some(account.to_string()));
    let token = made.await.get("token");
    let anna = Person::at(&club, "Anna", &token);
    let guest = club.guest().await;
    for (body, status, code) in [
        (json!({"to": "anna", "text": ""}), 422, "invalid"),
        (json!({"to": "anna", "text": "a\nb"}), 422, "invalid"),
        (
            json!({"to": "anna", "text": "x".repeat(401)}),
            413,
            "too-large",
        ),
        (json!({"to": "nobody", "text": "x"}), 404, "not-found"),
        (json!({"to": guest.name, "text": "x"}), 404, "not-found"),
        (
            json!({"to": "anna", "text": "x", "key": 1}),
            400,
            "malformed",
        ),
    ] {
        let refused = guest.post("/api/messages", body.clone()).await;
        let told = (refused.status.as_u16(), refused.get("refused"));
        assert_eq!(told, (status, code.to_owned()), "{body}");
    }
    let left = guest
        .post("/api/messages", json!({"to": "anna", "text": " hi "}))
        .await;
    assert_eq!(left.status, 201, "{}", left.text);
    let waiting = anna.get("/api/messages").await.json();
    assert_eq!(waiting["messages"][0]["text"], "hi");
    assert_eq!(waiting["messages"][0]["from"]["name"], guest.name);
    let others = guest.get("/api/messages").await.json();
    assert_eq!(others, json!({"messages": []}));
    let export = anna.get("/api/account/export").await.text;
    assert!(export.contains(r#""kind":"waiting-message""#), "{export}");
    let own = guest.get("/api/account/export").await.text;
    assert!(
        own.contains(r#""kind":"message""#) && own.contains(r#""to":"Anna""#),
        "{own}"
    );
    // A report is heard by nobody but the operator.
    for (person, body, status) in [
        (&guest, json!({"name": "Anna", "text": "x"}), 403),
        (&anna, json!({"name": "nobody", "text": "x"}), 404),
        (&anna, json!({"name": "Anna", "text": "x"}), 422),
        (&anna, json!({"name": guest.name, "text": "x\ny"}), 422),
        (
            &anna,
            json!({"name": guest.name, "text": "x", "game": "AAAAAAAAAAAA"}),
            404,
        ),
        (&anna, json!({"name": guest.name, "text": "stalls"}), 204),
    ] {
        let answer = person.post("/api/reports", body.clone()).await;
        assert_eq!(answer.status, status, "{body}: {}", answer.text);
    }
    let own = anna.get("/api/account/export").await.text;
    assert!(own.contains(r#""text":"stalls""#), "{own}");
    let reported = guest.get("/api/account/export").await.text;
    assert!(!reported.contains("stalls"), "{reported}");
    let removed = anna
        .ask("DELETE", "/api/messages?last=1", Value::Null)
        .await;
    assert_eq!(removed.status, 204);
    let waiting = anna.get("/api/messages").await.json();
    assert_eq!(waiting, json!({"messages": []}));
    club.close().await;
}
