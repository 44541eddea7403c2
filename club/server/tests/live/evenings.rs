//! Evenings by HTTP: their routes, an evening before it begins, and bad requests.

use serde_json::{Value, json};

use crate::{
    open::{Person, open, terms},
    roles::{Named, Row, none, row},
};

fn new() -> Value {
    evening(now() + 3_600_000)
}

fn now() -> i64 {
    club::Clock::now(&club::SystemClock)
}

fn evening(begins: i64) -> Value {
    let mut terms: Value = terms("wild16", "any");
    terms["time"] = json!({"kind": "fischer", "initial": 300, "increment": 3});
    json!({"name": "Tea; and chess", "begins": begins, "minutes": 60, "terms": terms})
}

/// Rows for the table of routes and roles. No evening has the name of a game. All roles except the
/// visitor are guests, who make no evening.
#[rustfmt::skip]
pub(crate) const ROUTES: &[Row] = &[
    row("get", "/api/evenings", Named::Nothing, none, [200; 6]),
    row("post", "/api/evenings", Named::Nothing, new, [401, 409, 409, 409, 409, 409]),
    row("get", "/api/evenings/{id}", Named::Game, none, [404; 6]),
    row("delete", "/api/evenings/{id}", Named::Game, none, [401, 404, 404, 404, 404, 404]),
    row("post", "/api/evenings/{id}/join", Named::Game, none, [401, 404, 404, 404, 404, 404]),
    row("post", "/api/evenings/{id}/leave", Named::Game, none, [401, 404, 404, 404, 404, 404]),
    row("get", "/api/evenings/{id}/evening.ics", Named::Game, none, [404; 6]),
];

#[tokio::test]
async fn an_evening_is_made_joined_left_and_cancelled() {
    let club = open().await;
    let account = json!({"name": "Anna", "password": "one-day-64", "token": true});
    let account = Some(account.to_string());
    let signed = club.ask_as("POST", "/api/accounts", &[], account).await;
    let token = signed.get("token");
    let (anna, guest) = (Person::at(&club, "Anna", &token), club.guest().await);
    let made = anna.post("/api/evenings", new()).await;
    assert_eq!(made.status, 201, "{made:?}");
    let path = format!("/api/evenings/{}", made.get("id"));
    for (action, joined) in [
        ("join", true),
        ("join", true),
        ("leave", false),
        ("join", true),
    ] {
        let done = guest.post(&format!("{path}/{action}"), Value::Null).await;
        assert_eq!(done.status, 204, "{done:?}");
        let list = guest.get("/api/evenings").await.json();
        let row = &list["open"][0];
        assert_eq!(
            (&row["joined"], &row["players"]),
            (&json!(joined), &json!(i64::from(joined)))
        );
        assert_eq!(
            (&row["name"], &row["status"]),
            (&json!("Tea; and chess"), &json!("planned"))
        );
        let one = guest.get(&path).await.json();
        let you = if joined {
            json!("waiting")
        } else {
            Value::Null
        };
        assert_eq!((&one["you"], &one["games"]), (&you, &json!([])));
        assert_eq!(
            one["table"].as_array().map(Vec::len),
            Some(usize::from(joined))
        );
        let of_other = anna.get(&path).await.json();
        assert_eq!(of_other["you"], Value::Null);
    }
    let file = guest.get(&format!("{path}/evening.ics")).await;
    assert!(
        file.text.contains("\r\nSUMMARY:Tea\\; and chess\r\n"),
        "{}",
        file.text
    );
    let export = anna.get("/api/account/export").await.text;
    assert!(export.contains("\"kind\":\"evening\""), "{export}");
    assert_eq!(guest.ask("DELETE", &path, Value::Null).await.status, 403);
    assert_eq!(anna.ask("DELETE", &path, Value::Null).await.status, 204);
    assert_eq!(guest.get(&path).await.status, 404);
    for (key, value, status) in [
        ("begins", json!("tomorrow"), 400),
        ("begins", json!(now() - 60_000), 422),
        ("minutes", json!(-1), 400),
        ("minutes", json!(61), 422),
        ("name", json!(""), 422),
        ("rounds", json!(3), 400),
        (
            "terms",
            json!({"rules": "wild16", "time": {"kind": "unlimited"}}),
            422,
        ),
    ] {
        let mut body = new();
        body[key] = value;
        let refused = anna.post("/api/evenings", body).await;
        assert_eq!(refused.status, status, "{key}: {refused:?}");
    }
    club.close().await;
}
