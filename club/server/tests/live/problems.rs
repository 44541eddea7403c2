//! Tests of the problems: lists, attempts, refutations, and what is refused.

use serde_json::{Value, json};

use crate::{open::open, profiles::sign_up};

#[tokio::test]
async fn problems_are_listed_by_their_properties() {
    let club = open().await;
    let all = club.get("/api/problems").await.json();
    assert_eq!(all["problems"].as_array().unwrap().len(), 60);
    assert_eq!(all["problems"][0]["id"], "anderson-1");
    assert_eq!(all["problems"][0]["author"], "Gerald Frank Anderson");
    assert!(all["total"].as_u64() > Some(3000), "{}", all["total"]);
    for (query, ids) in [
        ("moves=4&theme=composed", Some(json!(3))),
        ("author=T.%20R.%20Dawson", Some(json!(3))),
        ("rules=wild16&theme=lone-king&moves=2", None),
        ("rules=nobody", Some(json!(0))),
    ] {
        let found = club.get(&format!("/api/problems?{query}")).await.json();
        if let Some(ids) = ids {
            assert_eq!(found["total"], ids, "{query}");
        } else {
            assert_eq!(found["problems"][0]["moves"], 2, "{query}");
            assert_eq!(found["problems"][0]["theme"], "lone-king", "{query}");
        }
    }
    let last = all["total"].as_u64().unwrap() - 1;
    let page = club.get(&format!("/api/problems?from={last}")).await.json();
    assert_eq!(page["problems"].as_array().unwrap().len(), 1);
    club.close().await;
}

/// A list, a problem and the first answer do not say whether there is a forced mate: the answers of
/// a mate and of a near miss have the same keys, and the opponent's men are not in them.
#[tokio::test]
async fn an_open_problem_says_nothing_of_its_answer() {
    let club = open().await;
    let keys = |value: &Value| {
        value
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    let shipped = problems::Collection::shipped();
    let mut seen = [None, None];
    for problem in shipped.problems.iter().filter(|one| one.rules == "wild16") {
        let mate = usize::from(problem.mate == Some(true));
        if seen[mate].is_some() || problem.own_moves != Some(2) {
            continue;
        }
        let answer = club.get(&format!("/api/problems/{}", problem.id)).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let json = answer.json();
        assert_eq!(json["outcome"], "open");
        assert!(json["possible"].as_u64() > Some(1), "{json}");
        assert_eq!(
            (&json["start"], &json["refutations"]),
            (&Value::Null, &json!([]))
        );
        let men = json["view"]["men"].as_str().unwrap();
        let theirs = |man: char| man.is_ascii_uppercase() == problem.seat.is_black();
        assert!(
            !men.chars().filter(char::is_ascii_alphabetic).any(theirs),
            "{men}"
        );
        seen[mate] = Some((keys(&json), keys(&json["problem"])));
    }
    assert!(seen[0].is_some());
    assert_eq!(seen[0], seen[1]);
    club.close().await;
}

/// Neither does an attempt that makes no move: the first two are near misses.
#[tokio::test]
async fn only_a_move_or_a_claim_tells_of_the_answer() {
    let club = open().await;
    for id in [
        "wild16-3-215",
        "cincinnati-5-224",
        "wild16-3-1",
        "cincinnati-7-7",
    ] {
        let answer = club.get(&format!("/api/problems/{id}?try=h1a2")).await;
        let json = answer.json();
        assert_eq!(json["outcome"], "open", "{id}: {json}");
        assert_eq!(json["refutations"], json!([]), "{id}");
    }
    club.close().await;
}

#[tokio::test]
async fn attempts_are_answered_refuted_and_solved() {
    let club = open().await;
    let get = async |query: &str| {
        let answer = club.get(&format!("/api/problems/anderson-3{query}")).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    };
    let begun = get("").await;
    // A single position is possible, so the opponent's men are told.
    assert!(begun["start"].as_str().unwrap().starts_with("8/B7/1r3r2/"));
    assert_eq!((&begun["left"], &begun["possible"]), (&json!(2), &json!(1)));

    // A wrong move: the position that refutes it, and the line.
    let wrong = get("?try=Bb8").await;
    assert_eq!(wrong["outcome"], "refuted", "{wrong}");
    let refutation = &wrong["refutations"][0];
    assert_eq!(refutation["start"], begun["start"]);
    assert_eq!(refutation["moves"][0], "a7b8");
    assert_eq!(refutation["moves"].as_array().unwrap().len(), 2);

    // The club's solution mates, move by move. Equal requests get equal answers.
    let mut attempts: Vec<String> = Vec::new();
    let outcome = loop {
        let so_far = attempts.join(",");
        let next = get(&format!("/solution?attempts={so_far}")).await;
        let next = next["attempt"]
            .as_str()
            .expect("there is a mate")
            .to_owned();
        let now = get(&format!("?attempts={so_far}&try={next}")).await;
        attempts.push(next);
        assert_eq!(now["attempts"], json!(attempts));
        assert_eq!(get(&format!("?attempts={}", attempts.join(","))).await, now);
        if now["outcome"] != "open" {
            break now["outcome"].clone();
        }
        assert!(attempts.len() < 20, "{attempts:?}");
    };
    assert_eq!(outcome, "solved");
    assert_eq!(get("?try=none").await["outcome"], "mate-exists");
    club.close().await;
}

#[tokio::test]
async fn near_miss_is_solved_by_saying_that_no_mate_exists() {
    let club = open().await;
    let shipped = problems::Collection::shipped();
    let is_miss = |one: &&scores::Problem| one.mate == Some(false) && one.own_moves == Some(2);
    let problem = shipped.problems.iter().find(is_miss).unwrap();
    let path = format!("/api/problems/{}", problem.id);
    let right = club.get(&format!("{path}?try=none")).await.json();
    assert_eq!(right["outcome"], "solved");
    assert_ne!(right["refutations"], json!([]));
    let solution = club.get(&format!("{path}/solution")).await.json();
    assert_eq!(solution["attempt"], Value::Null);
    let view = club.get(&path).await.json();
    let attempt = view["view"]["tries"][0].as_str().unwrap().to_owned();
    let wrong = club.get(&format!("{path}?try={attempt}")).await.json();
    assert_eq!(wrong["outcome"], "refuted", "{wrong}");
    club.close().await;
}

#[tokio::test]
async fn problem_of_the_day_is_named_with_its_day() {
    let club = open().await;
    let today = club.get("/api/problems/today").await.json();
    assert!(today["day"].as_u64().is_some(), "{today}");
    let id = today["problem"]["id"].as_str().unwrap();
    let named = club.get(&format!("/api/problems/{id}")).await.json();
    assert_eq!(
        (&named["problem"], &named["day"]),
        (&today["problem"], &Value::Null)
    );
    assert_eq!(named["hearings"], today["hearings"]);
    club.close().await;
}

#[tokio::test]
async fn bad_requests_about_problems_say_what_to_do() {
    let club = open().await;
    let many = ["any"; 101].join(",");
    // Impossible for the own men: the referee refuses it each time.
    let hundred = ["h1a2"; 100].join(",");
    for (path, status, text) in [
        ("?moves=x", 422, "`moves` and `from` must be numbers"),
        ("?theme=x", 422, "lone-king"),
        ("?color=x", 422, "other parameters"),
        ("/nobody-1", 404, "GET /api/problems lists"),
        ("/anderson-38", 404, "at most 4 moves"),
        (
            "/anderson-3?tries=x",
            422,
            "`attempts` (of an earlier answer",
        ),
        ("/anderson-3?try=xyzzy", 422, "xyzzy"),
        ("/anderson-3?try=resign", 422, "no forced mate"),
        (
            "/anderson-3?attempts=a7b8&try=c5c4",
            409,
            "take the last attempt back",
        ),
        (
            "/anderson-3?attempts=a7b8,c5c4",
            409,
            "`attempts`, number 2",
        ),
        ("/anderson-3?attempts=xyzzy", 422, "`attempts`, number 1"),
        (
            "/anderson-3/solution?try=none",
            409,
            "take the last attempt back",
        ),
    ] {
        let answer = club.get(&format!("/api/problems{path}")).await;
        assert_eq!(answer.status, status, "{path}: {answer:?}");
        let json = answer.json();
        assert!(
            json["why"].as_str().unwrap().contains(text),
            "{path}: {json}"
        );
    }
    for (path, status) in [
        (format!("/anderson-3?attempts={many}"), 413),
        (format!("/anderson-3?attempts={hundred}&try=any"), 413),
        // The attempts of an answer can be sent back.
        (format!("/anderson-3?attempts={hundred}"), 200),
    ] {
        let answer = club.get(&format!("/api/problems{path}")).await;
        assert_eq!(answer.status, status, "{answer:?}");
    }
    club.close().await;
}

/// The start of a game is known to both players; positions are given without earlier hearings.
#[tokio::test]
async fn given_positions_of_a_problem_are_told_in_sorted_order() {
    let club = open().await;
    let mut seen = [false; 2];
    for problem in problems::Collection::shipped().problems {
        let (kind, fens) = match &problem.start {
            scores::ProblemStart::Fen(fen) => (0, vec![fen.clone()]),
            scores::ProblemStart::Positions(fens) if fens.len() > 1 => (1, fens.clone()),
            scores::ProblemStart::Positions(_)
            | scores::ProblemStart::Usual
            | scores::ProblemStart::Unknown { .. } => continue,
        };
        if std::mem::replace(&mut seen[kind], true) {
            continue;
        }
        let mut fens = fens;
        fens.sort();
        let json = club.get(&format!("/api/problems/{}", problem.id)).await;
        assert_eq!(json.json()["given"], json!(fens), "{}", problem.id);
    }
    assert_eq!(seen, [true; 2]);
    club.close().await;
}

/// The bytes of an open lesson are those of a seat of a game: own men only.
#[tokio::test]
async fn lessons_hide_the_position_until_their_end() {
    let club = open().await;
    let all = club.get("/api/lessons").await.json();
    let shipped = problems::lesson::lessons();
    let ids: Vec<&String> = shipped.iter().map(|one| &one.id).collect();
    assert_eq!(all["lessons"], json!(ids));
    for (at, lesson) in shipped.iter().enumerate() {
        let path = format!("/api/lessons/{}", lesson.id);
        for (attempts, reached) in [(&lesson.solution, true), (&lesson.wrong, false)] {
            let mut so_far: Vec<String> = Vec::new();
            let mut now = club.get(&path).await.json();
            assert_eq!(now["next"], json!(ids.get(at + 1)));
            for text in attempts {
                assert_eq!(now["outcome"], "open", "{now}");
                assert_eq!(now["truth"], Value::Null);
                let men = now["view"]["men"].as_str().unwrap();
                let board = men.split(' ').next().unwrap();
                assert!(!board.chars().any(|man| man.is_ascii_lowercase()), "{men}");
                let query = format!("{path}?attempts={}&try={text}", so_far.join(","));
                now = club.get(&query).await.json();
                so_far.push(text.clone());
                assert_eq!(now["attempts"], json!(so_far), "{now}");
            }
            assert_eq!(now["outcome"] == "solved", reached, "{now}");
            assert_eq!(now["truth"].is_string(), now["outcome"] != "open");
        }
    }
    for (path, status, text) in [
        ("/nobody", 404, "GET /api/lessons lists"),
        ("/check?try=xyzzy", 422, "xyzzy"),
        ("/check?try=none", 422, "none"),
        ("/check?attempts=f1e2&try=e1d1", 409, "take the last"),
        ("/check?tries=x", 422, "`attempts`"),
    ] {
        let answer = club.get(&format!("/api/lessons{path}")).await;
        assert_eq!(answer.status, status, "{path}: {answer:?}");
        let json = answer.json();
        assert!(
            json["why"].as_str().unwrap().contains(text),
            "{path}: {json}"
        );
    }
    club.close().await;
}

#[tokio::test]
async fn the_first_result_at_a_problem_moves_both_ratings() {
    let club = open().await;
    let path = "/api/problems/anderson-3/rating";
    let fresh = json!({"points": null, "deviation": null, "problem": 1500, "counted": false});
    assert_eq!(club.get(path).await.json(), fresh);
    let (anna, bert) = (sign_up(&club, "Anna").await, sign_up(&club, "Bert").await);
    let lost = anna.post(path, json!({"solved": false})).await.json();
    let number = |of: &Value, key: &str| of[key].as_i64().unwrap();
    assert!(number(&lost, "points") < 1400, "{lost}");
    assert!(number(&lost, "deviation") < 350, "{lost}");
    assert!(number(&lost, "problem") > 1500, "{lost}");
    let again = anna.post(path, json!({"solved": true})).await.json();
    assert_eq!(again, lost, "only the first result counts");
    assert_eq!(anna.get(path).await.json(), lost);
    // Solving a harder problem is worth more; nobody hears who has results there.
    let seen = bert.get(path).await.json();
    assert_eq!(
        (&seen["points"], &seen["counted"]),
        (&json!(1500), &json!(false))
    );
    let won = bert.post(path, json!({"solved": true})).await.json();
    assert!(number(&won, "points") > 1650, "{won}");
    assert!(number(&won, "problem") < number(&lost, "problem"), "{won}");
    let guest = club.guest().await.post(path, json!({"solved": true})).await;
    let expected =
        json!({"points": null, "deviation": null, "problem": won["problem"], "counted": false});
    assert_eq!(guest.json(), expected);
    let export = anna.get("/api/account/export").await;
    assert!(
        export.text.contains(r#"{\"anderson-3\":false}"#),
        "{export:?}"
    );
    club.close().await;
}
