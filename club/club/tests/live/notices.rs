//! Notices for people who have no page open.

use std::{sync::Arc, time::Duration};

use club::{AwayKind, AwayNotice, Terms, TimeControl, request_id};
use rules::{
    Listener,
    chess::Color::{self, Black, White},
};
use store::{
    MemoryStore,
    testing::{Late, Tapped},
};
use tokio::time::{Instant, sleep_until, timeout, timeout_at};
use wire::TableAct;

use crate::common::{Scene, terms};

/// Time between the moves of a test.
const STEP: Duration = Duration::from_millis(100);

/// Plays moves, White first, one each 100 ms. Before each move of White come `private` tries that
/// only White hears. An append takes 10 ms. Returns the notices, each with its time in milliseconds.
async fn noticed(list: &str, moves: &[&str], private: usize) -> Vec<(Color, u128)> {
    let store = Tapped {
        store: MemoryStore::default(),
        around: Late(Duration::from_millis(5)),
    };
    let rated = Terms {
        rated: true,
        ..terms("wild16", TimeControl::Unlimited)
    };
    let mut scene = Scene::over(Arc::new(store), rated).await;
    let set = request_id("list").unwrap();
    let set = scene
        .club
        .set_conditional(scene.game, scene.black.id, set, list);
    set.await.unwrap();
    let mut notices = scene.club.notices();
    let begun = Instant::now();
    let step = |n: usize| begun + STEP * u32::try_from(n).unwrap();
    let end = step(moves.len() + 1);
    let collected = tokio::spawn(async move {
        let mut found = Vec::new();
        while let Ok(notice) = timeout_at(end, notices.next()).await {
            let notice = notice.unwrap();
            found.push((notice, begun.elapsed().as_millis()));
        }
        found
    });
    for (n, text) in moves.iter().enumerate() {
        let seat = Color::from_white(n % 2 == 0);
        let tries = ["e1e8", "d1d8", "a1a8"].iter().take(private);
        for one in tries.filter(|_| seat == White) {
            assert_eq!(scene.say(White, one).await.answer, "no");
        }
        sleep_until(step(n + 1)).await;
        assert_eq!(scene.say(seat, text).await.answer, "moved");
    }
    let found = collected.await.unwrap();
    let seats = found.into_iter().map(|(notice, at)| {
        let seat = Color::from_white(notice.to == scene.white.id);
        let (to, game) = (scene.who(seat), Some(scene.game));
        let kind = AwayKind::Turn;
        assert_eq!(notice, AwayNotice { to, kind, game });
        (seat, at)
    });
    seats.collect()
}

#[tokio::test(start_paused = true)]
async fn private_tries_change_no_notice_and_no_time() {
    for (list, moves, expected) in [
        (
            "",
            &["e2e4", "e7e5", "d2d4"][..],
            &[(Black, 110), (White, 210), (Black, 310)][..],
        ),
        // The list answers, so Black hears nothing; White hears of the answer.
        ("e7e5", &["e2e4"], &[(White, 120)]),
        // No try of the list is played.
        ("e8e1", &["e2e4"], &[(Black, 110)]),
    ] {
        for private in [0, 3] {
            assert_eq!(
                noticed(list, moves, private).await,
                expected,
                "{list} {private}"
            );
        }
    }
}

#[tokio::test(start_paused = true)]
async fn only_people_away_from_a_running_game_get_notices() {
    let rated = Terms {
        rated: true,
        ..terms("wild16", TimeControl::Unlimited)
    };
    let mut scene = Scene::new(rated).await;
    let mut notices = scene.club.notices();
    let mut next = async || timeout(STEP, notices.next()).await.ok().flatten();
    let here = scene.listen(Listener::Black).await;
    scene.moves(&["e2e4"]).await;
    assert_eq!(next().await, None);
    drop(here);
    // Nothing comes while the game is adjourned, and the turn when it is resumed.
    scene.act(White, TableAct::Adjourn).await;
    scene.act(Black, TableAct::Adjourn).await;
    assert_eq!(next().await, None);
    scene.act(White, TableAct::Resume).await;
    scene.act(Black, TableAct::Resume).await;
    let (white, black) = (scene.white.id, scene.black.id);
    let notice = |seat, kind, game| AwayNotice {
        to: if seat == White { white } else { black },
        kind,
        game,
    };
    let game = Some(scene.game);
    assert_eq!(next().await, Some(notice(Black, AwayKind::Turn, game)));

    let club = scene.club.clone();
    let offered = club
        .challenge(scene.white.id, "Bert", terms("ks", TimeControl::Unlimited))
        .await;
    assert!(offered.is_ok(), "{offered:?}");
    assert_eq!(next().await, Some(notice(Black, AwayKind::Challenge, None)));
    club.leave_message(scene.black.id, "Anna", "hello")
        .await
        .unwrap();
    assert_eq!(next().await, Some(notice(White, AwayKind::Message, None)));
    // The first turn of a new game.
    let offer = offered.unwrap().id;
    let begun = club.accept(&offer, scene.black.id).await.unwrap();
    assert_eq!(
        next().await,
        Some(notice(White, AwayKind::Turn, Some(begun)))
    );
    scene.say(Black, "resign").await;
    assert_eq!(next().await, None);
    club.write(scene.game, scene.black.id, None, "thanks")
        .await
        .unwrap();
    assert_eq!(next().await, Some(notice(White, AwayKind::Message, game)));

    // Guests get none.
    let mut guests = Scene::new(terms("wild16", TimeControl::Unlimited)).await;
    let mut notices = guests.club.notices();
    guests.moves(&["e2e4", "e7e5"]).await;
    assert!(timeout(STEP, notices.next()).await.is_err());
}
