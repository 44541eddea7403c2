//! Tests of the check of custom rulesets, and of the steps of a finished game.

use crate::open::open;
use serde_json::{Value, json};

#[tokio::test]
async fn the_list_of_rulesets_can_leave_out_its_texts() {
    let club = open().await;
    let texts = ["summary", "sections", "sources"];
    let all = club.get("/api/rules").await.json();
    let bare = club.get("/api/rules?texts=false").await.json();
    assert!(texts.iter().all(|text| all[0][text] != bare[0][text]));
    assert_eq!(all[0]["choices"], bare[0]["choices"]);
    let wrong = club.get("/api/rules?texts=some").await;
    assert_eq!(wrong.status, 422);
    assert_eq!(wrong.get("refused"), "invalid");
    club.close().await;
}

#[tokio::test]
async fn a_ruleset_file_is_checked_and_compared_with_its_base() {
    let club = open().await;
    let file = club.get("/api/rules/wild16/file.toml").await;
    assert_eq!(file.status, 200);
    let guest = club.guest().await;
    let check = async |text: &str| guest.post("/api/rules/check", json!({"text": text})).await;

    let same = check(&file.text).await.json();
    assert_eq!(
        (&same["base"], &same["changes"]),
        (&json!("wild16"), &json!([]))
    );

    let own = file.text.replace("id = \"wild16\"", "id = \"night\"");
    let own = own.replace("no_heard = \"mover\"", "no_heard = \"both\"");
    let changed = check(&own).await.json();
    assert_eq!(changed["ruleset"]["id"], "night");
    assert_eq!(changed["ruleset"]["refusals_heard_by"], "all");
    assert_eq!(changed["base"], "wild16");
    let changes = changed["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert_eq!(changes[0]["choice"], "no_heard");
    assert_ne!(changes[0]["here"], changes[0]["there"]);

    let wrong = check("from = \"wild16\"\n[choices]\nno_heard = \"all\"\n").await;
    assert_eq!(wrong.status, 422, "{wrong:?}");
    let why = wrong.get("why");
    assert_eq!(
        why,
        "line 3, column 12: `no_heard` cannot be `all`; the possible values are mover, both"
    );
    let long = check(&"#".repeat(9000)).await;
    assert_eq!(long.get("refused"), "too-large", "{long:?}");
    club.close().await;
}

#[tokio::test]
async fn steps_of_a_finished_game_show_what_each_listener_heard() {
    let club = open().await;
    let (white, black, game) = club.game("wild16").await;
    for (player, id, text) in [
        (&white, "1", "e1e3"),
        (&white, "2", "e2e4"),
        (&black, "3", "resign"),
    ] {
        assert_eq!(player.say(&game, id, text).await.status, 200);
    }
    let steps = club.get(&format!("/api/games/{game}/steps")).await.json();
    let steps = steps["steps"].as_array().unwrap();
    let attempts: Vec<_> = steps
        .iter()
        .map(|s| s["attempt"].as_str().unwrap())
        .collect();
    assert_eq!(attempts[1..], ["e1e3", "e2e4", "resign"]);
    assert_eq!(
        steps[1]["black"],
        json!([]),
        "only White hears that the try was refused"
    );
    for (reader, column) in [
        (Some(&white), "white"),
        (Some(&black), "black"),
        (None, "room"),
    ] {
        let path = format!("/api/games/{game}/heard?wait=0");
        let text = match reader {
            Some(reader) => reader.ask("GET", &path, Value::Null).await.text,
            None => club.get(&path).await.text,
        };
        let heard: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .filter(|line| line["type"] == "heard")
            .flat_map(|line| line["hearing"]["words"].as_array().unwrap().clone())
            .collect();
        let stepped: Vec<Value> = steps
            .iter()
            .flat_map(|step| step[column].as_array().unwrap().clone())
            .collect();
        assert_eq!(stepped, heard, "{column}");
    }
    club.close().await;
}

#[tokio::test]
async fn moment_of_a_finished_game_is_drawn_from_the_chosen_seat() {
    let club = open().await;
    let (white, _, game) = club.game("wild16").await;
    let path = format!("/api/games/{game}/moments");
    assert_eq!(white.say(&game, "1", "e1e3").await.status, 200);
    assert_eq!(club.get(&format!("{path}/0.svg")).await.status, 409);
    assert_eq!(white.say(&game, "2", "resign").await.status, 200);
    for (query, status, men, text) in [
        ("/1.svg?seat=white", 200, 16, "e1e3"),
        ("/1.svg?seat=black", 200, 16, ""),
        ("/1.svg", 200, 32, ""),
        ("/3.svg", 404, 0, "0.svg to 2.svg"),
        ("/1", 404, 0, "0.svg"),
        ("/1.svg?seat=room", 422, 0, "white, black, umpire"),
    ] {
        let answer = club.get(&format!("{path}{query}")).await;
        assert_eq!(answer.status, status, "{query}: {answer:?}");
        let drawn = answer.text.matches(['♚', '♛', '♜', '♝', '♞', '♟']);
        assert_eq!(drawn.count(), men, "{query}");
        assert!(answer.text.contains(text), "{query}: {answer:?}");
        // Only White heard of the refused try.
        assert_eq!(answer.text.contains("e1e3"), text == "e1e3", "{query}");
    }
    club.close().await;
}
