//! Tests of the limit on requests that bring nothing new. Each seat has its own limit, and only the
//! player who reaches the limit notices it.

use std::time::Duration;

use club::{RequestAnswer, TimeControl, request_id};
use rules::{
    Listener,
    chess::Color::{Black, White},
};
use tokio::time::sleep;
use wire::{RefusalCode, TableAct};

use crate::common::{BLITZ, Scene, drain, noes, terms};

/// Says the same text `times` times. Returns the number of answers, and the wait that the last
/// refusal named.
async fn repeat(scene: &mut Scene, text: &str, times: u32) -> (u32, Option<Duration>) {
    let (mut answered, mut wait) = (0, None);
    for _ in 0..times {
        match scene.try_say(White, text).await {
            Ok(_) => answered += 1,
            Err(error) => {
                assert_eq!(error.code, RefusalCode::TooMany, "{text}: {error}");
                wait = error.wait;
            }
        }
    }
    (answered, wait)
}

#[tokio::test(start_paused = true)]
async fn repeats_and_nonsense_are_limited_per_seat() {
    for (text, times) in [("e2e5", 40), ("e2d3", 41)] {
        // The limit counts every try that the own men cannot make. It counts a refused try only when
        // the try is repeated.
        let mut scene = Scene::new(terms("wild16", TimeControl::Unlimited)).await;
        let rows = scene.store.rows(scene.game, 0).await.unwrap().len();
        let (answered, wait) = repeat(&mut scene, text, 500).await;
        assert_eq!(answered, times, "{text}");
        assert!(wait.is_some_and(|wait| wait <= Duration::from_secs(5)));
        let stored = scene.store.rows(scene.game, 0).await.unwrap().len() - rows;
        assert_eq!(stored, times as usize, "a refusal stores no row");
        sleep(Duration::from_secs(10)).await;
        assert_eq!(
            repeat(&mut scene, text, 100).await.0,
            2,
            "one request is allowed every 5 s"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn repeats_that_both_hear_are_limited_after_200_hearings() {
    for (ruleset, text) in [("rand", "e2e5"), ("rand", "e2d3")] {
        let mut scene = Scene::new(terms(ruleset, TimeControl::Unlimited)).await;
        let (answered, wait) = repeat(&mut scene, text, 500).await;
        assert_eq!(answered, 201 + 40, "{text}");
        assert!(wait.is_some_and(|wait| wait <= Duration::from_secs(5)));
        // A new try is answered at once.
        assert!(scene.try_say(White, "e2e4").await.is_ok(), "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn connections_of_one_seat_share_one_limit() {
    let scene = Scene::new(terms("wild16", TimeControl::Unlimited)).await;
    let asks = (0..400).map(|n| {
        let (club, game, who) = (scene.club.clone(), scene.game, scene.white.id);
        tokio::spawn(async move {
            let id = request_id(&format!("m{n}")).unwrap();
            club.say(game, who, id, 1, "e2d3").await.is_ok()
        })
    });
    let mut answered = 0;
    for asked in asks.collect::<Vec<_>>() {
        answered += u32::from(asked.await.unwrap());
    }
    assert_eq!(answered, 41);
}

#[tokio::test(start_paused = true)]
async fn new_tries_and_resignation_are_never_limited() {
    let mut scene = Scene::new(terms("wild16", TimeControl::Unlimited)).await;
    repeat(&mut scene, "e2e5", 60).await;
    assert_eq!(scene.refused(White, "e2e5").await, RefusalCode::TooMany);
    // Fourteen tries that the own men allow come at the same moment. Each of them is answered.
    let tries = [
        "a2b3", "b2a3", "b2c3", "c2b3", "c2d3", "d2c3", "d2e3", "e2d3", "e2f3", "f2e3", "f2g3",
        "g2f3", "g2h3", "h2g3",
    ];
    let n = scene.n(White).await;
    let asks = tries.map(|text| {
        let (club, game, who) = (scene.club.clone(), scene.game, scene.white.id);
        tokio::spawn(async move {
            let id = request_id(text).unwrap();
            club.say(game, who, id, n, text).await
        })
    });
    for asked in asks {
        let said: RequestAnswer = asked.await.unwrap().unwrap();
        assert_eq!(said.answer, "no");
    }
    // A repeated try is limited.
    assert_eq!(repeat(&mut scene, "e2d3", 60).await.0, 40);
    // In a new turn, the same tries are new tries.
    assert_eq!(scene.say(White, "e2e4").await.answer, "moved");
    assert_eq!(scene.say(Black, "e7e5").await.answer, "moved");
    assert_eq!(scene.say(White, "c2d3").await.answer, "no");
    assert_eq!(scene.refused(White, "c2d3").await, RefusalCode::TooMany);
    assert_eq!(scene.say(White, "resign").await.answer, "resigned");
}

#[tokio::test(start_paused = true)]
async fn a_question_is_limited_from_the_second_time_in_a_turn() {
    let mut scene = Scene::new(terms("english", TimeControl::Unlimited)).await;
    repeat(&mut scene, "e2e5", 60).await;
    assert_eq!(scene.refused(White, "e2e5").await, RefusalCode::TooMany);
    // What only White hears does not take the place of what everybody hears.
    assert_eq!(scene.say(White, "any").await.answer, "none");
    for act in [TableAct::Adjourn, TableAct::DeclineAdjourn].repeat(20) {
        assert!(scene.try_act(White, act).await.is_ok(), "{act:?}");
    }
    let refused = scene.try_act(White, TableAct::Adjourn).await;
    let refused = refused.expect_err("the act is limited");
    assert_eq!(refused.code, RefusalCode::TooMany);
    scene.say(White, "e2e4").await;
    scene.say(Black, "e7e5").await;
    assert_eq!(scene.say(White, "any").await.answer, "none");
    // The opponent's seat has a separate limit.
    scene.act(Black, TableAct::Adjourn).await;
}

#[tokio::test(start_paused = true)]
async fn attempts_that_everybody_hears_are_not_limited() {
    for text in ["e2e5", "e2d3"] {
        let mut scene = Scene::new(terms("rand", TimeControl::Unlimited)).await;
        assert_eq!(repeat(&mut scene, text, 100).await.0, 100, "{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn limit_at_one_table_has_no_effect_at_another() {
    let mut scene = Scene::new(terms("wild16", TimeControl::Unlimited)).await;
    let unlimited = terms("wild16", TimeControl::Unlimited);
    let other = scene
        .club
        .pair(scene.white.id, scene.black.id, unlimited)
        .await;
    let other = other.unwrap();
    assert_eq!(repeat(&mut scene, "e2e5", 200).await.0, 40);
    let first = std::mem::replace(&mut scene.game, other);
    assert_eq!(repeat(&mut scene, "e2e5", 30).await.0, 30);
    scene.game = first;
    assert_eq!(scene.refused(White, "e2e5").await, RefusalCode::TooMany);
}

/// Checks that nobody else notices a reached limit. Black and the spectators get the same items
/// with the same numbers at the same times. The lobby does not change.
#[tokio::test(start_paused = true)]
async fn only_the_limited_player_notices_the_limit() {
    let mut heard = Vec::new();
    for times in [0, 39, 41, 400] {
        let mut scene = Scene::new(terms("wild16", BLITZ)).await;
        let mut black = scene.listen(Listener::Black).await;
        let mut room = scene.listen(Listener::Room).await;
        sleep(Duration::from_secs(1)).await;
        drop((drain(&mut black), drain(&mut room)));
        let lobby = *scene.club.lobby().borrow();
        repeat(&mut scene, "e2d3", times).await;
        assert_eq!(drain(&mut black), []);
        assert_eq!(drain(&mut room), []);
        assert_eq!(scene.refused(Black, "e7e5").await, RefusalCode::NotYourTurn);
        assert_eq!(*scene.club.lobby().borrow(), lobby);
        scene.say(White, "e2e4").await;
        let begun = scene.club.now();
        scene.say(Black, "e7e5").await;
        let seen = (
            drain(&mut black),
            drain(&mut room),
            scene.club.now() - begun,
        );
        assert!(noes(&scene.heard(Listener::White).await) >= times.min(40) as usize);
        let facts = scene.facts(Listener::Black).await.standing;
        heard.push((
            seen.2,
            format!("{:?}", facts.here),
            names(&seen.0),
            names(&seen.1),
        ));
    }
    assert!(heard.iter().all(|one| *one == heard[0]), "{heard:?}");
}

/// Returns the hearings with their numbers, without times.
fn names(items: &[club::ListenerItem]) -> Vec<String> {
    let shown = items.iter().filter_map(|item| match item {
        club::ListenerItem::Hearing(hearing) => Some(format!("{} {:?}", hearing.n, hearing.heard)),
        club::ListenerItem::Facts(_) => None,
    });
    shown.collect()
}
