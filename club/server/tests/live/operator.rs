//! The operator's page.

use std::sync::Arc;

use serde_json::json;
use store::{MemoryStore, MessageStore, Store};

use crate::{
    open::{open_over, usual},
    studies::person,
};

#[tokio::test]
async fn only_an_operator_runs_commands() {
    let store = Arc::new(MemoryStore::default());
    let mut config = usual();
    // It prints its arguments.
    config.program = Some("/bin/echo".into());
    let club = open_over(store.clone(), config).await;
    let (anna, bert) = (person(&club, "Anna").await, person(&club, "Bert").await);
    let asks = |command: &str, name: &str, what: &str| json!({"command": command, "name": name, "what": what, "because": "--data x"});
    let own = store.account_named("Anna").await.unwrap().id;
    let set = |name| store.keep_settings(own, name, club::SET);
    let nothing = anna.post("/api/nothing", json!({})).await.text;
    let reports = asks("reports", "", "");
    let early = anna.post("/api/operator", reports.clone()).await;
    let has_link = async || anna.get("/api/account").await.text.contains("operator");
    assert!(!has_link().await);
    set(club::OPERATOR).await.unwrap();
    assert!(has_link().await);
    let token = anna.post("/api/tokens", json!({"label": "bot"})).await;
    let bot = crate::open::Person::at(&club, "Anna", &token.get("token"));
    let others = [
        early,
        bert.post("/api/operator", reports.clone()).await,
        bot.post("/api/operator", reports).await,
    ];
    for other in others {
        assert_eq!((other.status.as_u16(), other.text), (404, nothing.clone()));
    }
    for (command, name, what, words) in [
        ("reports", "", "", "accounts notes"),
        ("days", "", "", "accounts days"),
        ("notes", "Bert", "", "accounts notes Bert"),
        ("figures", "Bert", "", "accounts figures --games=3 Bert"),
        ("note", "Bert", "", "accounts note Bert -- --data x (Anna)"),
        (
            "disable",
            "Bert",
            "",
            "accounts disable --because=--data x (Anna) Bert",
        ),
        (
            "unmute",
            "Bert",
            "",
            "accounts mute --undo --because=--data x (Anna) Bert",
        ),
        (
            "rate",
            "Bert",
            "ks people --data",
            "accounts rate Bert -- ks people --data",
        ),
        ("end", "Bert", "--data", "games end -- --data"),
    ] {
        let said = anna.post("/api/operator", asks(command, name, what)).await;
        assert_eq!(said.json(), json!(format!("{words}\n")), "{said:?}");
    }
    for (command, name) in [("delete", "Bert"), ("notes", "--data"), ("disable", "")] {
        let refused = anna.post("/api/operator", asks(command, name, "")).await;
        assert_eq!(refused.get("reason"), "operator-command", "{command}");
    }
    let hello = json!({"to": "Bert", "text": "hello"});
    assert_eq!(anna.post("/api/messages", hello.clone()).await.status, 201);
    set(club::MUTED).await.unwrap();
    let muted = anna.post("/api/messages", hello).await;
    assert_eq!(muted.get("reason"), "operator-mute");
    club.close().await;
}
