//! Tests of permissions, with a table of routes and roles. Every route of the OpenAPI
//! document must be in the table, so a new route must be added.

use std::collections::BTreeSet;

use crate::open::{Answer, Open, Person, open, terms};
use serde_json::{Value, json};

/// Roles, in the order of the table's columns.
const ROLES: [&str; 6] = [
    "visitor",
    "guest",
    "guest who is not in the game",
    "player to move",
    "other player",
    "player after the end",
];

/// Kind of object that an address names.
#[derive(Copy, Clone)]
pub(crate) enum Named {
    /// The account `Known`.
    Known,
    Nothing,
    Rules,
    /// A running game; for the last role, a finished game.
    Game,
    Seek,
    Challenge,
    Invitation,
}

/// A route, and the status that each role gets.
pub(crate) struct Row {
    method: &'static str,
    path: &'static str,
    named: Named,
    body: fn() -> Value,
    statuses: [u16; 6],
}

pub(crate) const fn row(
    method: &'static str,
    path: &'static str,
    named: Named,
    body: fn() -> Value,
    statuses: [u16; 6],
) -> Row {
    Row {
        method,
        path,
        named,
        body,
        statuses,
    }
}

pub(crate) fn none() -> Value {
    Value::Null
}

/// A request that reads something of a game.
const fn of_game(path: &'static str, statuses: [u16; 6]) -> Row {
    row("get", path, Named::Game, none, statuses)
}

/// Returns an unused name with a password.
fn credentials() -> Value {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let n = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    json!({"name": format!("person-{n}"), "password": "one-day-64"})
}

fn known() -> Value {
    json!({"name": "Known", "password": "one-day-64"})
}

fn wild16() -> Value {
    terms("wild16", "any")
}

fn challenge() -> Value {
    json!({"to": "Known", "terms": wild16()})
}

fn own_rules() -> Value {
    json!({"text": "from = \"wild16\"\n[choices]\nno_heard = \"both\"\n"})
}

fn try_e4() -> Value {
    json!({"id": "t1", "after": 1, "text": "e2e4"})
}

fn decline_adjournment() -> Value {
    json!({"id": "a1", "act": "decline-adjourn"})
}

fn in_advance() -> Value {
    json!({"id": "c1", "text": ""})
}

fn short_password() -> Value {
    json!({"name": "Known", "code": "none", "password": "short"})
}

fn new_password() -> Value {
    json!({"old": "12345678", "new": "battery-staple-9"})
}

fn password() -> Value {
    json!({"password": "one-day-64"})
}

fn token() -> Value {
    json!({"label": "my bot"})
}

fn hello() -> Value {
    json!({"text": "hello"})
}

fn hello_known() -> Value {
    json!({"to": "Known", "text": "hello"})
}

fn about() -> Value {
    json!({"text": "plays on Sundays"})
}

fn subscription() -> Value {
    crate::push::subscription("https://push.example/a")
}

fn delete_account() -> Value {
    json!({"games": "resign"})
}

/// Everybody who is signed in may ask.
const SIGNED: [u16; 6] = [401, 200, 200, 200, 200, 200];

/// The offers in this table belong to a third person. The roles may accept seeks and invitations,
/// but not withdraw them.
const TABLE: &[Row] = &[
    row(
        "post",
        "/api/accounts",
        Named::Nothing,
        credentials,
        [201; 6],
    ),
    row("post", "/api/guests", Named::Nothing, none, [201; 6]),
    row("post", "/api/sessions", Named::Nothing, known, [201; 6]),
    row("get", "/api/me", Named::Nothing, none, [200; 6]),
    row("get", "/api/people", Named::Nothing, none, [200; 6]),
    row("get", "/api/people/{name}", Named::Known, none, [200; 6]),
    row("get", "/api/leaderboard", Named::Nothing, none, [200; 6]),
    // All roles except the visitor are guests, who write nothing in their profiles.
    row(
        "put",
        "/api/account/about",
        Named::Nothing,
        about,
        [401, 409, 409, 409, 409, 409],
    ),
    row("get", "/api/push", Named::Nothing, none, SIGNED),
    // Guests get no notices.
    row(
        "put",
        "/api/push",
        Named::Nothing,
        subscription,
        [401, 403, 403, 403, 403, 403],
    ),
    row(
        "delete",
        "/api/push",
        Named::Nothing,
        none,
        [401, 204, 204, 204, 204, 204],
    ),
    row("get", "/api/rules", Named::Nothing, none, [200; 6]),
    row("get", "/api/rules/compare", Named::Nothing, none, [200; 6]),
    row("get", "/api/rules/{id}", Named::Rules, none, [200; 6]),
    row(
        "get",
        "/api/rules/{id}/file.toml",
        Named::Rules,
        none,
        [200; 6],
    ),
    row(
        "post",
        "/api/rules/check",
        Named::Nothing,
        own_rules,
        [200; 6],
    ),
    row("get", "/api/lobby", Named::Nothing, none, [200; 6]),
    row(
        "post",
        "/api/seeks",
        Named::Nothing,
        wild16,
        [401, 201, 201, 201, 201, 201],
    ),
    row(
        "delete",
        "/api/seeks/{id}",
        Named::Seek,
        none,
        [401, 403, 403, 403, 403, 403],
    ),
    row("post", "/api/seeks/{id}/accept", Named::Seek, none, SIGNED),
    row(
        "post",
        "/api/challenges",
        Named::Nothing,
        challenge,
        [401, 201, 201, 201, 201, 201],
    ),
    // Only the challenger and the opponent can see a challenge.
    row(
        "delete",
        "/api/challenges/{id}",
        Named::Challenge,
        none,
        [401, 404, 404, 404, 404, 404],
    ),
    row(
        "post",
        "/api/challenges/{id}/accept",
        Named::Challenge,
        none,
        [401, 404, 404, 404, 404, 404],
    ),
    row(
        "post",
        "/api/invitations",
        Named::Nothing,
        wild16,
        [401, 201, 201, 201, 201, 201],
    ),
    row(
        "get",
        "/api/invitations/{code}",
        Named::Invitation,
        none,
        [200; 6],
    ),
    row(
        "delete",
        "/api/invitations/{code}",
        Named::Invitation,
        none,
        [401, 403, 403, 403, 403, 403],
    ),
    row(
        "post",
        "/api/invitations/{code}/accept",
        Named::Invitation,
        none,
        SIGNED,
    ),
    row("get", "/api/games", Named::Nothing, none, [200; 6]),
    of_game("/api/games/{id}", [200; 6]),
    row("post", "/api/operator", Named::Nothing, none, [404; 6]),
    // Without a link.
    row("post", "/api/games/{id}/hall", Named::Game, none, [400; 6]),
    of_game("/api/games/{id}/view", [401, 403, 403, 200, 200, 200]),
    of_game("/api/games/{id}/heard", [200; 6]),
    row(
        "post",
        "/api/games/{id}/tries",
        Named::Game,
        try_e4,
        [401, 403, 403, 200, 409, 409],
    ),
    row(
        "post",
        "/api/games/{id}/acts",
        Named::Game,
        decline_adjournment,
        [401, 403, 403, 409, 409, 409],
    ),
    row(
        "put",
        "/api/games/{id}/conditional",
        Named::Game,
        in_advance,
        [401, 403, 403, 200, 200, 409],
    ),
    // By default, a player reads and writes the players' messages. Everybody else reads and writes
    // the spectators' messages.
    of_game("/api/games/{id}/messages", [200; 6]),
    row(
        "post",
        "/api/games/{id}/messages",
        Named::Game,
        hello,
        [401, 201, 201, 201, 201, 201],
    ),
    row("get", "/api/messages", Named::Nothing, none, SIGNED),
    row(
        "post",
        "/api/messages",
        Named::Nothing,
        hello_known,
        [401, 201, 201, 201, 201, 201],
    ),
    // Without a text.
    row(
        "post",
        "/api/reports",
        Named::Nothing,
        none,
        [401, 400, 400, 400, 400, 400],
    ),
    // The request is refused, because it does not contain the number of the last message.
    row(
        "delete",
        "/api/messages",
        Named::Nothing,
        none,
        [401, 422, 422, 422, 422, 422],
    ),
    row("get", "/api/mutes", Named::Nothing, none, SIGNED),
    row(
        "put",
        "/api/mutes/{name}",
        Named::Known,
        none,
        [401, 204, 204, 204, 204, 204],
    ),
    row(
        "delete",
        "/api/mutes/{name}",
        Named::Known,
        none,
        [401, 204, 204, 204, 204, 204],
    ),
    of_game(
        "/api/games/{id}/finished.json",
        [409, 409, 409, 409, 409, 200],
    ),
    of_game(
        "/api/games/{id}/finished.pgn",
        [409, 409, 409, 409, 409, 200],
    ),
    of_game(
        "/api/games/{id}/finished.txt",
        [409, 409, 409, 409, 409, 200],
    ),
    of_game("/api/games/{id}/steps", [409, 409, 409, 409, 409, 200]),
    of_game(
        "/api/games/{id}/moments/{moment}",
        [409, 409, 409, 409, 409, 200],
    ),
    // The answer for a running game is the same as the answer for a game that does not exist.
    of_game(
        "/api/games/{id}/belief/{seat}",
        [404, 404, 404, 404, 404, 200],
    ),
    of_game("/api/games/{id}/belief/{seat}/progress", [200; 6]),
    // Without the number of moves.
    of_game("/api/games/{id}/mate/{seat}/{moment}", [422; 6]),
    row("get", "/api/lessons", Named::Nothing, none, [200; 6]),
    of_game("/api/lessons/{id}", [404; 6]),
    of_game(
        "/api/games/{id}/turns/{seat}",
        [404, 404, 404, 404, 404, 200],
    ),
    of_game("/api/games/{id}/turns/{seat}/progress", [200; 6]),
    // The finished game has no such turn.
    of_game("/api/games/{id}/turns/{seat}/{turn}", [404; 6]),
    row("get", "/api/problems", Named::Nothing, none, [200; 6]),
    // No problem has the name of a game.
    of_game("/api/problems/{id}", [404; 6]),
    of_game("/api/problems/{id}/solution", [404; 6]),
    of_game("/api/problems/{id}/rating", [404; 6]),
    row(
        "post",
        "/api/problems/{id}/rating",
        Named::Game,
        || json!({"solved": true}),
        [401, 404, 404, 404, 404, 404],
    ),
    // Without the header `upgrade` the request is refused. Another test of this file opens sockets:
    // `everybody_may_open_a_socket_but_only_players_may_act`.
    row("get", "/api/socket", Named::Nothing, none, [400; 6]),
    row("get", "/api/openapi.json", Named::Nothing, none, [200; 6]),
    row("get", "/api", Named::Nothing, none, [200; 6]),
    row("get", "/healthz", Named::Nothing, none, [200; 6]),
    row("get", "/api/limits", Named::Nothing, none, [200; 6]),
    // All roles except the visitor are guests, who have no password.
    row(
        "post",
        "/api/password",
        Named::Nothing,
        new_password,
        [401, 409, 409, 409, 409, 409],
    ),
    row(
        "post",
        "/api/recovery",
        Named::Nothing,
        short_password,
        [422; 6],
    ),
    row(
        "post",
        "/api/recovery-codes",
        Named::Nothing,
        password,
        [401, 409, 409, 409, 409, 409],
    ),
    row("get", "/api/sessions", Named::Nothing, none, SIGNED),
    row(
        "post",
        "/api/tokens",
        Named::Nothing,
        token,
        [401, 403, 403, 403, 403, 403],
    ),
    // The id in the address is not the id of a session of the person who asks.
    row(
        "delete",
        "/api/sessions/{id}",
        Named::Game,
        none,
        [401, 404, 404, 404, 404, 404],
    ),
    row(
        "delete",
        "/api/sessions",
        Named::Nothing,
        none,
        [401, 204, 204, 204, 204, 204],
    ),
    row("get", "/api/account", Named::Nothing, none, SIGNED),
    row("get", "/api/account/export", Named::Nothing, none, SIGNED),
    row(
        "post",
        "/api/account/keep",
        Named::Nothing,
        none,
        [401, 409, 409, 409, 409, 409],
    ),
    row(
        "post",
        "/api/account/delete",
        Named::Nothing,
        delete_account,
        [401, 200, 200, 200, 200, 200],
    ),
    // This row must be the last one, because it ends the sessions.
    row("delete", "/api/session", Named::Nothing, none, [204; 6]),
];

fn rows() -> impl Iterator<Item = &'static Row> {
    crate::evenings::ROUTES
        .iter()
        .chain(crate::mail::ROUTES)
        .chain(crate::studies::ROUTES)
        .chain(TABLE)
}

#[tokio::test]
async fn every_route_answers_every_role_as_the_table_says() {
    let club = open().await;
    let third = club.guest().await;
    let known = known().to_string();
    let made = club.ask_as("POST", "/api/accounts", &[], Some(known)).await;
    assert_eq!(made.status, 201, "{made:?}");
    for row in rows() {
        for (role, status) in ROLES.iter().zip(row.statuses) {
            let (white, black, game) = club.game("wild16").await;
            let asker = match *role {
                "visitor" => None,
                "player to move" => Some(white),
                "other player" => Some(black),
                "player after the end" => {
                    assert_eq!(black.say(&game, "r", "resign").await.status, 200);
                    Some(black)
                }
                _ => Some(club.guest().await),
            };
            let mut path = address(&third, row, &game).await;
            if row.path.ends_with("/heard") {
                path += "?wait=0";
            }
            let answer = ask(&club, asker.as_ref(), row, &path).await;
            let what = format!("{} {} as {role}: {}", row.method, row.path, answer.text);
            assert_eq!(answer.status.as_u16(), status, "{what}");
            if status >= 400 {
                let json = answer.json();
                assert!(
                    json["refused"].is_string() && json["why"].is_string(),
                    "{json}"
                );
            }
        }
    }
    club.close().await;
}

async fn ask(club: &Open, asker: Option<&Person<'_>>, row: &Row, path: &str) -> Answer {
    let method = row.method.to_uppercase();
    match asker {
        Some(person) => person.ask(&method, path, (row.body)()).await,
        None => {
            let body = (row.body)();
            let body = (!body.is_null()).then(|| body.to_string());
            club.ask_as(&method, path, &[], body).await
        }
    }
}

/// Returns the path of a row, with the id or the name of an existing object. If the object is an
/// offer, it belongs to a third person.
async fn address(third: &Person<'_>, row: &Row, game: &str) -> String {
    match row.named {
        Named::Nothing => row.path.to_owned(),
        Named::Known => row.path.replace("{name}", "Known"),
        Named::Rules => row.path.replace("{id}", "wild16"),
        Named::Game => row
            .path
            .replace("{id}", game)
            .replace("{seat}", "white")
            .replace("{turn}", "9")
            .replace("{moment}", "0.svg"),
        Named::Seek => {
            let seek = third.post("/api/seeks", wild16()).await.get("id");
            let path = row.path.replace("{id}", &seek);
            withdrawn_later(third, &format!("/api/seeks/{seek}"), path).await
        }
        Named::Challenge => {
            let id = third.post("/api/challenges", challenge()).await.get("id");
            let path = row.path.replace("{id}", &id);
            withdrawn_later(third, &format!("/api/challenges/{id}"), path).await
        }
        Named::Invitation => {
            let code = third.post("/api/invitations", wild16()).await.get("code");
            let path = row.path.replace("{code}", &code);
            withdrawn_later(third, &format!("/api/invitations/{code}"), path).await
        }
    }
}

/// Remembers the address `own` of a new offer, so that a later call withdraws this offer. The number
/// of open offers is limited. Returns `path`.
async fn withdrawn_later(third: &Person<'_>, own: &str, path: String) -> String {
    static BEFORE: std::sync::Mutex<Vec<String>> = std::sync::Mutex::new(Vec::new());
    let old = {
        let mut before = BEFORE.lock().unwrap();
        before.push(own.to_owned());
        (before.len() > 2).then(|| before.remove(0))
    };
    if let Some(old) = old {
        third.ask("DELETE", &old, Value::Null).await;
    }
    path
}

#[test]
fn every_route_of_the_document_is_in_the_table() {
    let document = server::described();
    let mut routes = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            routes.insert((method.as_str(), path.as_str()));
        }
    }
    let table: BTreeSet<_> = rows().map(|row| (row.method, row.path)).collect();
    assert_eq!(routes, table);
    assert_eq!(rows().count(), table.len(), "a route is in the table twice");
}

#[test]
fn api_document_says_which_routes_need_a_session() {
    let document = server::described();
    for row in rows() {
        let operation = &document["paths"][row.path][row.method];
        let signed = match operation["security"].as_array() {
            None => false,
            Some(ways) => !ways.contains(&json!({})),
        };
        assert_eq!(
            signed,
            row.statuses[0] == 401,
            "{} {}",
            row.method,
            row.path
        );
    }
}

#[tokio::test]
async fn api_page_has_every_schema_and_every_address() {
    let club = open().await;
    let document = club.get("/api/openapi.json").await;
    let text = &document.text;
    let json = document.json();
    let schemas = json["components"]["schemas"].as_object().unwrap();
    for (at, _) in text.match_indices("#/components/schemas/") {
        let name = text[at + 21..].split('"').next().unwrap();
        assert!(schemas.contains_key(name), "{name}");
    }
    for name in ["ClientSays", "ServerSays", "HeardJson", "RefusalCode"] {
        assert!(schemas.contains_key(name), "{name}");
    }
    let page = club.get("/api").await;
    for name in schemas.keys() {
        assert!(page.text.contains(&format!("id=\"{name}\"")), "{name}");
    }
    for path in json["paths"].as_object().unwrap().keys() {
        assert!(page.text.contains(path), "{path}");
    }
    for inline in ["<script", "<style", " style="] {
        assert!(!page.text.contains(inline), "{inline}");
    }
    club.close().await;
}

#[tokio::test]
async fn everybody_may_open_a_socket_but_only_players_may_act() {
    let club = open().await;
    let (white, _black, game) = club.game("wild16").await;
    let visitor = club.socket().await.next().await;
    assert_eq!(visitor["you"], Value::Null);
    let mut own = white.socket().await;
    assert_eq!(own.next().await["you"]["name"], white.name);

    // A spectator cannot speak to the referee.
    let mut visitor = club.socket().await;
    let outsider = club.guest().await;
    let mut outsider = outsider.socket().await;
    for (socket, code) in [(&mut visitor, "sign-in"), (&mut outsider, "forbidden")] {
        socket
            .say(json!({"type": "try", "id": "x", "game": game, "after": 1, "text": "e2e4"}))
            .await;
        let refused = socket.next_of("refused").await;
        assert_eq!(
            (&refused["id"], &refused["code"]),
            (&json!("x"), &json!(code))
        );
        socket
            .say(json!({"type": "act", "id": "y", "game": game, "act": "abort"}))
            .await;
        let refused = socket.next_of("refused").await;
        assert_eq!(
            (&refused["id"], &refused["code"]),
            (&json!("y"), &json!(code))
        );
    }
    club.close().await;
}
