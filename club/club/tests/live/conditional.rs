//! Tries that a player makes in advance.

use std::time::Duration;

use club::{ClubError, RequestAnswer, TimeControl, request_id};
use referee::Event;
use rules::{
    Listener,
    chess::Color::{self, Black, White},
};
use store::{Act, NewRow};
use tokio::time::sleep;
use wire::RefusalCode;

use crate::common::{BLITZ, Scene, drain, terms};

/// Sets the tries of a seat, by a request with this id.
async fn set(scene: &Scene, seat: Color, id: &str, text: &str) -> Result<RequestAnswer, ClubError> {
    let id = request_id(id).unwrap();
    let who = scene.who(seat);
    scene.club.set_conditional(scene.game, who, id, text).await
}

/// Returns the tries of the game so far; a refused try ends with `-`.
async fn tries(scene: &Scene) -> String {
    let rows = scene.store.rows(scene.game, 0).await.unwrap();
    let tries = rows.iter().filter_map(|row| match &row.act {
        Act::Game(Event::Moved { what, .. }) => Some(what.to_string()),
        Act::Game(Event::Rebuffed { what, .. }) => Some(format!("{what}-")),
        Act::Game(_) | Act::Table(_) => None,
    });
    tries.collect::<Vec<_>>().join(" ")
}

async fn left(scene: &Scene, listener: Listener) -> String {
    let facts = scene.facts(listener).await;
    facts.standing.conditional.to_string()
}

/// Tries of Black, moves of White, all tries of the game, and what is left.
#[rustfmt::skip]
const LISTS: [(&str, &[&str], &str, &str); 12] = [
    ("e7e5; d7d5", &["e2e4", "a2a3"], "e2e4 e7e5 a2a3 d7d5", ""),
    ("e7e5; Nf6; d7d5", &["e2e4"], "e2e4 e7e5", "g8f6; d7d5"),
    ("e8e1; or e7e5; g8f6", &["e2e4"], "e2e4 e8e1- e7e5", "g8f6"),
    ("e7e5; or d7d5", &["e2e4"], "e2e4 e7e5", ""),
    ("N@f6; or e7e5; d7d5", &["e2e4"], "e2e4 e7e5", "d7d5"),
    ("e8e1; d7d5", &["e2e4"], "e2e4 e8e1-", ""),
    ("d7d5; g8f6; a7a6", &["e2e4", "e4d5"], "e2e4 d7d5 e4d5", ""),
    ("d7d5; d8d5 if capture d5; a7a6", &["e2e4", "e4d5"], "e2e4 d7d5 e4d5 d8d5", "a7a6"),
    ("d7d5; d8d5 if capture e5; or g8f6 if any; a7a6", &["e2e4", "e4d5"], "e2e4 d7d5 e4d5 g8f6", "a7a6"),
    ("f7f6; a7a6", &["e2e4", "d1h5"], "e2e4 f7f6 d1h5", ""),
    ("f7f6; a7a6; b7b6", &["e2e4", "a2a3"], "e2e4 f7f6 a2a3 a7a6", "b7b6"),
    ("f7f6; g7g6 if check; a7a6", &["e2e4", "d1h5"], "e2e4 f7f6 d1h5 g7g6", "a7a6"),
];

#[tokio::test(start_paused = true)]
async fn tries_are_made_in_order_until_none_fits() {
    for restarts in [false, true] {
        for (text, moves, all, rest) in LISTS {
            let mut scene = Scene::new(terms("wild16", TimeControl::Unlimited)).await;
            let answer = set(&scene, Black, "list", text).await.expect(text);
            assert_eq!((answer.answer, answer.n), ("done", None));
            let mut ear = scene.listen(Listener::Black).await;
            for one in moves {
                if restarts {
                    scene.reopen().await;
                    ear = scene.listen(Listener::Black).await;
                }
                assert_eq!(scene.say(White, one).await.answer, "moved");
                sleep(Duration::from_millis(20)).await;
            }
            assert_eq!(tries(&scene).await, all, "{text}");
            assert_eq!(left(&scene, Listener::Black).await, rest, "{text}");
            assert!(!drain(&mut ear).is_empty());
            // The player hears every answer, and a repeated request does not set the tries again.
            let own = all.split(' ').filter(|one| one.ends_with('-')).count();
            let heard = scene.heard(Listener::Black).await;
            assert_eq!(crate::common::noes(&heard), own, "{text}");
            let again = set(&scene, Black, "list", text).await;
            assert_eq!(again.map(|again| again.answer), Ok("done"));
            assert_eq!(left(&scene, Listener::Black).await, rest, "{text}");
        }
    }
}

/// Another process stores Black's move and dies: the next club makes White's tries.
#[tokio::test(start_paused = true)]
async fn tries_are_made_when_the_club_opens() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    scene.moves(&["e2e4", "e7e5", "d2d4"]).await;
    set(&scene, White, "list", "e4d5; or b1c3; a2a3")
        .await
        .unwrap();
    scene.stop().await;
    // White has one pawn try now: d4e5.
    let moved = "b a7a6 moved ?1".parse().unwrap();
    let new = NewRow {
        at: scene.club.now(),
        act: moved,
        request: None,
    };
    scene.append_elsewhere(&[new]).await;
    scene.reopen().await;
    // The club serves after its next renewal.
    sleep(Duration::from_secs(1)).await;
    let all = "e2e4 e7e5 d2d4 a7a6 e4d5- b1c3";
    assert_eq!(tries(&scene).await, all);
    assert_eq!(left(&scene, Listener::White).await, "a2a3");
}

#[tokio::test(start_paused = true)]
async fn own_turn_own_hand_and_end_of_the_game() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    // In the own turn, the first try is made at once.
    let set_now = set(&scene, White, "a", "e1e8; or e2e4; d2d4").await;
    assert_eq!(set_now.map(|set| set.answer), Ok("done"));
    sleep(Duration::from_millis(20)).await;
    assert_eq!(tries(&scene).await, "e1e8- e2e4");
    assert_eq!(left(&scene, Listener::White).await, "d2d4");
    // The last text counts, and an empty one ends the tries.
    for (id, text, rest) in [("b", "a2a3", "a2a3"), ("c", " ; ", "")] {
        set(&scene, White, id, text).await.expect(text);
        assert_eq!(left(&scene, Listener::White).await, rest);
    }
    let answer = set(&scene, Black, "d", "").await.unwrap();
    assert_eq!(answer.why, "Nothing is tried in advance.");
    scene.say(Black, "e7e5").await;
    sleep(Duration::from_millis(20)).await;
    assert_eq!(tries(&scene).await, "e1e8- e2e4 e7e5");
    // While the game is adjourned, nothing is tried.
    set(&scene, Black, "e", "d7d6").await.unwrap();
    scene.say(White, "resign").await;
    assert_eq!(left(&scene, Listener::Black).await, "");
}

#[tokio::test(start_paused = true)]
async fn lists_that_cannot_be_read_are_refused() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    set(&scene, Black, "good", "e7e5").await.unwrap();
    let many = vec!["a7a6"; 21].join(";");
    let long = "a7a6; ".repeat(200);
    for (seat, id, text, code, reason) in [
        (Black, "1", "x9", RefusalCode::NotUnderstood, "not-notation"),
        (Black, "2", "e7e5;;d7d5", RefusalCode::NotUnderstood, ""),
        (
            Black,
            "3",
            "resign",
            RefusalCode::Invalid,
            "conditional-move",
        ),
        (Black, "4", "any", RefusalCode::Invalid, "conditional-move"),
        (
            Black,
            "5",
            "e7e5 if it rains",
            RefusalCode::Invalid,
            "conditional-condition",
        ),
        (
            Black,
            "6",
            "e7e5 if capture z9",
            RefusalCode::Invalid,
            "conditional-condition",
        ),
        (Black, "7", &many, RefusalCode::Invalid, "conditional-many"),
        (Black, "8", &long, RefusalCode::TooLarge, "attempt-long"),
        (Black, "good", "d7d5", RefusalCode::IdReused, "id-reused"),
    ] {
        let refused = set(&scene, seat, id, text).await.expect_err(text);
        assert_eq!(refused.code, code, "{text}: {refused}");
        if !reason.is_empty() {
            assert_eq!(refused.reason, reason, "{text}: {refused}");
        }
        assert_eq!(left(&scene, Listener::Black).await, "e7e5", "{text}");
    }
    let stranger = scene.club.guest().await.unwrap();
    let id = request_id("x").unwrap();
    let club = &scene.club;
    let refused = club.set_conditional(scene.game, stranger.id, id, "e7e5");
    let refused = refused.await.expect_err("a stranger has no seat");
    assert_eq!(refused.code, RefusalCode::Forbidden);
    scene.say(White, "resign").await;
    let refused = set(&scene, Black, "late", "e7e5").await;
    assert_eq!(
        refused.expect_err("the game is over").code,
        RefusalCode::GameOver
    );
}

/// Whatever White tries in advance, Black and the room hear the same at the same times.
#[tokio::test(start_paused = true)]
async fn nobody_else_notices_tries_in_advance() {
    let mut all = Vec::new();
    for text in ["d2d4", "e1e8; or e4e6; or a1a8; or d2d4; b2b3 if any; c2c3"] {
        let mut scene = Scene::new(terms("wild16", BLITZ)).await;
        scene.moves(&["e2e4"]).await;
        let mut ears = [
            scene.listen(Listener::Black).await,
            scene.listen(Listener::Room).await,
        ];
        // The presence of the listeners is published.
        sleep(Duration::from_millis(20)).await;
        drain(&mut ears[0]);
        drain(&mut ears[1]);
        let begun = scene.club.now();
        set(&scene, White, "list", text).await.unwrap();
        sleep(Duration::from_millis(20)).await;
        assert!(ears.iter().all(club::Listening::is_idle), "{text}");
        scene.say(Black, "e7e5").await;
        sleep(Duration::from_millis(20)).await;
        let heard = ears.each_mut().map(|ear| {
            let hearings = crate::common::hearings(ear);
            let told = hearings.into_iter();
            let told = told.map(|hearing| {
                let clocks = hearing.clocks.unwrap();
                (hearing.n, hearing.heard, clocks.left, clocks.at - begun)
            });
            told.collect::<Vec<_>>()
        });
        assert_eq!(heard[0].len(), 2, "{text}");
        for listener in [Listener::Black, Listener::Room] {
            assert_eq!(left(&scene, listener).await, "", "{text}");
        }
        all.push(heard);
    }
    assert_eq!(all[0], all[1]);
}
