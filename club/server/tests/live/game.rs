//! Complete games over HTTP and the socket.

use std::{collections::BTreeSet, process::Stdio, time::Duration};

use crate::open::{LONG, open, open_as, terms, usual};
use serde_json::{Value, json};
use tokio::{process::Command, time::timeout};

const PAGE: &str = concat!(
    include_str!("../../../../docs/api.md"),
    include_str!("../../../../docs/api-club.md")
);

#[tokio::test]
async fn curl_alone_can_play_a_whole_game() {
    let club = open().await;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/curl-game.sh");
    let run = Command::new("sh")
        .args([script, &club.url()])
        .stdin(Stdio::null())
        .output();
    let output = timeout(LONG, run).await.unwrap().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}\n{text}");
    let answers: Vec<String> = text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|json| Some(json["answer"].as_str()?.to_owned()))
        .collect();
    assert_eq!(
        answers,
        ["moved", "moved", "none", "moved", "nonsense", "no", "moved"]
    );
    // Everybody hears White's `any?`; only Black hears Black's nonsense.
    assert!(text.contains(r#"{"kind":"any","by":"white","answer":false}"#));
    assert!(text.contains("Checkmate: Black wins, 0-1."));
    let nonsense = text.lines().find(|l| l.starts_with("black a6a3")).unwrap();
    assert_eq!(
        nonsense.split('|').map(str::trim).collect::<Vec<_>>(),
        ["black a6a3 nonsense 2", "-", "nonsense b a6a3", "-"]
    );
    club.close().await;
}

#[test]
fn the_api_page_names_every_refusal_and_game_address() {
    let document = server::described();
    let codes = &document["components"]["schemas"]["RefusalCode"]["enum"];
    for code in codes.as_array().unwrap() {
        let code = code.as_str().unwrap();
        assert!(PAGE.contains(&format!("`{code}`")), "{code}");
    }
    for name in [
        "finished.json",
        "finished.pgn",
        "finished.txt",
        "/api/socket",
        "/tries",
        "/acts",
    ] {
        assert!(PAGE.contains(name), "{name}");
    }
}

#[tokio::test]
async fn a_refused_challenge_to_a_bot_leaves_nothing() {
    let club = open().await;
    let person = club.guest().await;
    let mut reasons = Vec::new();
    for _ in 0..6 {
        let asked = json!({"to": "random", "terms": terms("wild16", "white")});
        let answer = person.post("/api/challenges", asked).await.json();
        reasons.push(answer["reason"].as_str().map(str::to_owned));
    }
    assert_eq!(reasons[..5], [const { None::<String> }; 5]);
    assert_eq!(reasons[5].as_deref(), Some("too-many-program-games"));
    let lobby = person.get("/api/lobby").await.json();
    assert_eq!(lobby["challenges"], json!([]));
    club.close().await;
}

#[tokio::test]
async fn built_in_bot_plays_a_game_to_the_end() {
    let club = open().await;
    let person = club.guest().await;
    let lobby = person.get("/api/lobby").await.json();
    assert_eq!(lobby["programs"][0]["name"], "random");
    let asked = json!({"to": "random", "terms": terms("wild16", "white")});
    let game = person.post("/api/challenges", asked).await.get("game");
    // The game keeps the colour for which the person asked.
    let facts = person.get(&format!("/api/games/{game}")).await.json();
    assert_eq!(facts["terms"]["color"], "white");
    assert_eq!(facts["seat"], "white");
    let mut socket = person.socket().await;
    socket
        .say(json!({"type": "watch", "game": game, "after": 0}))
        .await;
    // White always makes the first try of the list. At the sixtieth attempt White resigns.
    let mut tries = 0;
    loop {
        let says = socket.next().await;
        assert!(!says.is_null(), "the socket ended");
        if says["type"] == "game" && says["game"]["status"] == "over" {
            break;
        }
        let view = &says["view"];
        if says["type"] != "view" || view["to_move"] != "white" {
            continue;
        }
        tries += 1;
        let text = match view["tries"][0].as_str() {
            Some(first) if tries < 60 => first,
            _ => "resign",
        };
        socket
            .say(
                json!({"type": "try", "id": format!("t{tries}"), "game": game,
                "after": view["n"], "text": text}),
            )
            .await;
    }
    let finished = person
        .get(&format!("/api/games/{game}/finished.json"))
        .await
        .json();
    assert!(
        finished["lines"].as_array().unwrap().len() > 20,
        "{finished}"
    );
    let list = person.get("/api/games").await.json();
    assert_eq!(list["games"][0]["id"], game);

    // The bot accepts a rematch.
    let act = json!({"id": "again", "act": "rematch"});
    let answer = person.post(&format!("/api/games/{game}/acts"), act).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let next = loop {
        let says = socket.next_of("game").await;
        if let Some(next) = says["game"]["offers"]["next"].as_str() {
            break next.to_owned();
        }
    };
    let facts = person.get(&format!("/api/games/{next}")).await.json();
    assert_eq!(facts["seat"], "black");
    assert_eq!(facts["terms"]["color"], "any");
    club.close().await;
}

/// A visitor sees the umpire's board of a game that the club's bots begin, and of no other game.
#[tokio::test]
async fn two_bots_play_while_somebody_is_there() {
    let mut config = usual();
    config.bots = ["random", "sparring"]
        .map(|name| bots::by_name(name).unwrap())
        .into();
    config.exhibition = Some(Duration::from_millis(20));
    let club = open_as(config).await;
    let (white, _, game) = club.game("wild16").await;
    let facts = white.get(&format!("/api/games/{game}")).await.json();
    assert!(facts.get("umpire").is_none(), "{facts}");
    let mut socket = club.socket().await;
    socket.say(json!({"type": "lobby", "on": true})).await;
    let exhibition = loop {
        let says = socket.next().await;
        let rows = says["lobby"]["running"].as_array().into_iter();
        let rows = rows.chain(says["changes"]["running"].as_array()).flatten();
        if let Some(row) = rows
            .into_iter()
            .find(|row| row["white"]["kind"] == "program")
        {
            break row["id"].as_str().unwrap().to_owned();
        }
    };
    for (id, shows) in [(game, false), (exhibition, true)] {
        socket
            .say(json!({"type": "watch", "game": id, "after": 0}))
            .await;
        let mut boards = BTreeSet::new();
        loop {
            let says = socket.next_of("game").await;
            if says["game"]["id"] != *id {
                continue;
            }
            assert_eq!(says["game"]["umpire"].is_string(), shows, "{says}");
            boards.insert(says["game"]["umpire"].to_string());
            if boards.len() > 2 || !shows {
                break;
            }
        }
    }
    club.close().await;
}

#[tokio::test]
async fn downloads_show_a_game_under_a_custom_ruleset() {
    let club = open().await;
    let custom = notation::write_ruleset(&rules::Ruleset {
        id: "ours".into(),
        title: "Ours".into(),
        ..rules::rulesets::by_id("crazykrieg").unwrap().clone()
    });
    let (white, black) = (club.guest().await, club.guest().await);
    let mut own = terms("ours", "white");
    own["custom"] = json!(custom);
    let code = white.post("/api/invitations", own).await.get("code");
    let game = black
        .post(&format!("/api/invitations/{code}/accept"), Value::Null)
        .await
        .get("game");
    for (n, text) in ["e4", "d5", "exd5", "Qxd5", "Nc3", "P@e3", "resign"]
        .iter()
        .enumerate()
    {
        let by = if n % 2 == 0 { &white } else { &black };
        let answer = by.say(&game, &format!("m{n}"), text).await;
        assert_eq!(answer.status, 200, "{text}: {answer:?}");
    }
    let json = club
        .get(&format!("/api/games/{game}/finished.json"))
        .await
        .json();
    assert_eq!(json["choices"]["reserve"], "drops");
    assert_eq!(json["rules"], "ours");
    let pgn = club.get(&format!("/api/games/{game}/finished.pgn")).await;
    assert!(pgn.text.contains("[Rules \"ours\"]"), "{}", pgn.text);
    assert!(pgn.header("content-disposition").contains(&game));
    let text = club.get(&format!("/api/games/{game}/finished.txt")).await;
    assert!(text.text.contains("white e4d5 moved"), "{}", text.text);
    club.close().await;
}
