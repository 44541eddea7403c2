//! Tests that the server tells what a player of a finished game could know. It must tell nothing of
//! this kind about a running game.

use serde_json::{Value, json};

use crate::open::{Answer, Open, open};

/// Formats a response without the header `date`, which differs between
/// requests.
fn fixed(mut answer: Answer) -> String {
    answer.headers.remove("date");
    format!("{answer:?}")
}

async fn belief(club: &Open, game: &str, seat: &str) -> Answer {
    club.get(&format!("/api/games/{game}/belief/{seat}")).await
}

#[tokio::test]
async fn each_player_of_a_finished_game_has_a_belief() {
    let club = open().await;
    let (white, black, game) = club.game("wild16").await;
    for (player, id, text) in [
        (&white, "1", "d1d8"),
        (&white, "2", "e2e4"),
        (&black, "3", "d7d5"),
        (&white, "4", "resign"),
    ] {
        assert_eq!(player.say(&game, id, text).await.status, 200);
    }
    let answer = belief(&club, &game, "white").await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("cache-control"), "public, no-cache");
    let json = answer.json();
    assert_eq!(
        (&json["seat"], &json["ended"]),
        (&json!("white"), &Value::Null)
    );
    let moments = json["moments"].as_array().unwrap();
    let sizes: Vec<_> = moments.iter().map(|m| m["positions"].clone()).collect();
    // The five moments are: the start, the refused try, the move e4, Black's reply (one pawn try is
    // announced), and the end.
    assert_eq!(sizes, [1, 1, 1, 2, 2]);
    assert_eq!(moments[3]["heat"]["pawn"]["d5"], 50);
    assert_eq!(moments[3]["regime"], "exact");
    assert_eq!(moments[0]["facts"][0], "The king is on e8.");
    // Black did not hear the refused try.
    let black = belief(&club, &game, "black").await.json();
    assert_eq!(black["moments"].as_array().unwrap().len(), 4);
    let numbers: Vec<_> = moments.iter().map(|m| (&m["step"], &m["moves"])).collect();
    assert_eq!(numbers[4], (&json!(4), &json!(2)), "{numbers:?}");
    // The second response comes from the cache and has the same bytes.
    assert_eq!(belief(&club, &game, "white").await.text, answer.text);
    club.close().await;
}

#[tokio::test]
async fn running_game_is_answered_like_an_unknown_game() {
    let club = open().await;
    let (white, black, game) = club.game("wild16").await;
    assert_eq!(white.say(&game, "1", "e2e4").await.status, 200);
    let guest = club.guest().await;
    for state in ["running", "adjourned"] {
        for seat in ["white", "black", "grey"] {
            for unknown in ["222222222222", "zzzz"] {
                let unknown = format!("/api/games/{unknown}/belief/{seat}");
                let path = format!("/api/games/{game}/belief/{seat}");
                for (nobody, real) in [
                    (club.get(&unknown).await, club.get(&path).await),
                    (guest.get(&unknown).await, guest.get(&path).await),
                    (white.get(&unknown).await, white.get(&path).await),
                    (black.get(&unknown).await, black.get(&path).await),
                ] {
                    assert_eq!(real.status, 404, "{state} {seat}");
                    assert_eq!(fixed(nobody), fixed(real), "{state} {seat}");
                }
            }
        }
        for (player, id) in [(&white, "a1"), (&black, "a2")] {
            let act = json!({"id": id, "act": "adjourn"});
            player.post(&format!("/api/games/{game}/acts"), act).await;
        }
        let facts = club.get(&format!("/api/games/{game}")).await.json();
        assert_eq!(facts["status"], "adjourned", "{facts}");
    }
    club.close().await;
}

#[tokio::test]
async fn no_route_tells_the_belief_of_a_running_game() {
    let club = open().await;
    let (white, black, game) = club.game("wild16").await;
    assert_eq!(white.say(&game, "1", "e2e4").await.status, 200);
    assert_eq!(black.say(&game, "2", "d7d5").await.status, 200);
    let guest = club.guest().await;
    // Words that every belief contains. No response about a running game may contain them.
    let words = ["\"moments\"", "\"heat\"", "\"regime\"", "\"positions\""];
    let word_of_turns = "\"best_value\"";
    let document = server::described();
    let mut asked = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        if item.get("get").is_none() || path.starts_with("/api/openapi") || path == "/api" {
            continue;
        }
        let path = path.replace("{id}", &game).replace("{seat}", "white");
        let path = path.replace("{turn}", "1");
        let path = if path.ends_with("/heard") {
            format!("{path}?wait=0")
        } else {
            path
        };
        for answer in [
            club.get(&path).await,
            guest.get(&path).await,
            white.get(&path).await,
            black.get(&path).await,
        ] {
            asked += 1;
            for word in words.into_iter().chain([word_of_turns]) {
                assert!(!answer.text.contains(word), "{path}: {}", answer.text);
            }
        }
    }
    assert!(asked > 60, "{asked}");
    let mut socket = white.socket().await;
    socket.say(json!({"type": "watch", "game": game})).await;
    for says in socket.all().await {
        let text = says.to_string();
        for word in words {
            assert!(!text.contains(word), "{text}");
        }
    }
    assert_eq!(white.say(&game, "3", "resign").await.status, 200);
    let over = belief(&club, &game, "white").await.text;
    for word in words {
        assert!(over.contains(word), "{over}");
    }
    let turns = club.get(&format!("/api/games/{game}/turns/white")).await;
    let told = turns.json();
    assert_eq!(told["turns"][0]["made"], "e2e4", "{told}");
    assert_eq!(
        (told["turns"].as_array().map(Vec::len), &told["complete"]),
        (Some(1), &json!(true))
    );
    assert!(turns.text.contains(word_of_turns), "{told}");
    club.close().await;
}

#[tokio::test]
async fn a_turn_is_tried_again_after_the_game_only() {
    let club = open().await;
    let (white, black, game) = club.game("wild16").await;
    let retry = |turn: &str, text: &str| format!("/api/games/{game}/turns/white/{turn}{text}");
    for (player, id, text) in [
        (&white, "1", "e2e4"),
        (&black, "2", "d7d5"),
        (&white, "3", "e4f5"),
        (&white, "4", "d1h5"),
        (&black, "5", "d5e4"),
    ] {
        assert_eq!(player.say(&game, id, text).await.status, 200);
    }
    for text in ["", "?try=exd5"] {
        let unknown = format!("/api/games/222222222222/turns/white/2{text}");
        let unknown = club.get(&unknown).await;
        let running = white.get(&retry("2", text)).await;
        assert_eq!(running.status, 404);
        assert_eq!(fixed(unknown), fixed(running));
    }
    assert_eq!(white.say(&game, "6", "resign").await.status, 200);

    let before = club.get(&retry("2", "")).await.json();
    assert_eq!(
        (&before["outcome"], &before["found"]),
        (&json!("open"), &Value::Null)
    );
    let heard = before["hearings"].to_string();
    assert!(heard.contains("e2e4") && !heard.contains("e4f5"), "{heard}");
    // What was played is worth the same as in the review of all turns.
    let turns = club
        .get(&format!("/api/games/{game}/turns/white"))
        .await
        .json();
    let again = club.get(&retry("2", "?try=e4f5")).await.json();
    assert_eq!(again["found"]["worth"], turns["turns"][1], "{again}");
    // A pawn try is announced: Black has played d5 or f5.
    let legal = &again["found"]["worth"]["legal"];
    assert_eq!(&again["found"]["odds"]["played"], legal, "{again}");
    assert!((30..=70).contains(&legal.as_u64().unwrap()), "{again}");
    let queen = club.get(&retry("2", "?try=Qh5")).await.json();
    assert_eq!(queen["found"]["odds"]["played"], 100, "{queen}");
    assert_eq!(queen["attempts"], json!(["d1h5"]));
    for (turn, text, status, reason) in [
        ("2", "?try=e4e6", 409, json!("retry-impossible")),
        ("2", "?try=any", 409, json!("retry-impossible")),
        ("2", "?try=px", 422, json!("problem-words")),
        ("2", "?move=e4", 422, Value::Null),
        ("3", "", 404, json!("game-not-over")),
        ("x", "", 404, json!("game-not-over")),
    ] {
        let answer = club.get(&retry(turn, text)).await;
        let told = answer.json();
        assert_eq!(answer.status.as_u16(), status, "{turn} {text}");
        assert_eq!(told["reason"], reason, "{turn} {text}");
    }
    club.close().await;
}

#[tokio::test]
async fn invalid_token_is_refused() {
    let club = open().await;
    let (white, _, game) = club.game("wild16").await;
    assert_eq!(white.say(&game, "1", "resign").await.status, 200);
    let wrong = [("authorization", "Bearer wrong")];
    let path = format!("/api/games/{game}/belief/white");
    let answer = club.ask_as("GET", &path, &wrong, None).await;
    assert_eq!(answer.status, 401, "{answer:?}");
    let other = format!("/api/games/{game}");
    assert_eq!(
        club.ask_as("GET", &other, &wrong, None).await.text,
        answer.text
    );
    assert_eq!(belief(&club, &game, "white").await.status, 200);
    club.close().await;
}
