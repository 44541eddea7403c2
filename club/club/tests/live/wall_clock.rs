//! Tests that no player loses time on the game's clock if a wall clock is wrong, or is set while
//! the club runs.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use club::{ListenerItem, TimeControl};
use rules::{Listener, chess::Color::White};
use store::{
    Fence, MemoryStore, Store, StoreError,
    testing::{Around, Tapped},
};
use tokio::{
    sync::watch,
    time::{advance, sleep},
};
use wire::{RefusalCode, TableAct};

use crate::{
    common::{BLITZ, Scene, drain, open, terms},
    outages::{stand_in, white_left},
    tables::running,
};

const SECOND: i64 = 1_000;
const HOUR: i64 = 3_600 * SECOND;

/// Returns the times of a log's rows.
async fn times(scene: &Scene) -> Vec<i64> {
    let rows = scene.store.rows(scene.game, 0).await.unwrap();
    rows.iter().map(|row| row.at).collect()
}

/// Kills the club, and opens another club after the time `away`.
async fn kill_and_reopen(scene: &mut Scene, away: Duration) {
    let (store, clock) = (scene.store.clone(), scene.clock.clone());
    scene.club = stand_in(&clock).await;
    advance(away).await;
    scene.club = open(&store, &clock).await;
}

#[tokio::test(start_paused = true)]
async fn a_change_of_the_wall_clock_does_not_change_the_time_left() {
    for by in [-HOUR, -5 * SECOND, 5 * SECOND, HOUR] {
        let mut scene = running().await;
        sleep(Duration::from_secs(10)).await;
        scene.clock.set_ahead(by);
        sleep(Duration::from_secs(10)).await;
        scene.say(White, "d2d4").await;
        assert_eq!(white_left(&scene).await, 282_000, "{by}");
        assert!(times(&scene).await.is_sorted(), "{by}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_flag_falls_on_time_after_the_wall_clock_is_set_back() {
    let bullet = TimeControl::Clock {
        initial: 12 * SECOND,
        increment: 0,
    };
    let mut scene = Scene::new(terms("wild16", bullet)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    scene.clock.set_ahead(-30 * SECOND);
    sleep(Duration::from_millis(12_100)).await;
    assert!(scene.facts(Listener::Room).await.standing.over.is_some());
}

/// When the club is opened again, the time of the game's last row is in the
/// future.
#[tokio::test(start_paused = true)]
async fn row_times_do_not_go_back_after_reopening() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    scene.clock.set_ahead(HOUR);
    kill_and_reopen(&mut scene, Duration::from_secs(1)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    // The time of a private try does not matter.
    sleep(Duration::from_secs(5)).await;
    scene.say(White, "e4e5").await;
    scene.clock.set_ahead(0);
    kill_and_reopen(&mut scene, Duration::from_secs(8)).await;
    assert_eq!(white_left(&scene).await, 300_000);
    let mut ear = scene.listen(Listener::Room).await;
    sleep(Duration::from_secs(20)).await;
    // The facts contain the time at which the clocks were read. This time is the time of
    // `Club::now`, not the time of the wall clock.
    let shown = drain(&mut ear).into_iter().find_map(|item| match item {
        ListenerItem::Facts(facts) => facts.standing.clocks,
        ListenerItem::Hearing(_) => None,
    });
    assert_eq!(
        scene.club.now() - shown.unwrap().at,
        20 * SECOND,
        "{shown:?}"
    );
    scene.say(White, "d2d4").await;
    assert_eq!(white_left(&scene).await, 282_000);
    assert!(times(&scene).await.is_sorted());
    // The opponent is gone. A claim is possible when the grace has passed in real time, not by the
    // wrong clock.
    let _white = scene.listen(Listener::White).await;
    sleep(Duration::from_secs(31)).await;
    scene.act(White, TableAct::ClaimWin).await;
    assert!(times(&scene).await.is_sorted());
}

/// A renewal with a time in the future was written while the wall clock was ahead.
#[tokio::test(start_paused = true)]
async fn renewals_from_the_future_cost_no_time() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let now = crate::common::TEST_START;
    let claimed = store.claim(now + HOUR).await;
    assert!(claimed.unwrap().is_some());
    let mut scene = Scene::over(store, terms("wild16", BLITZ)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    sleep(Duration::from_secs(20)).await;
    for away in [8, 3_600] {
        kill_and_reopen(&mut scene, Duration::from_secs(away)).await;
        let left = white_left(&scene).await;
        assert!((279_000..=281_000).contains(&left), "{away} s: {left}");
    }
    sleep(Duration::from_secs(5)).await;
    let before = white_left(&scene).await;
    scene.club.close().await;
    sleep(Duration::from_secs(8)).await;
    scene.reopen().await;
    assert_eq!(white_left(&scene).await, before - 5 * SECOND);
}

/// Store whose renewals fail while the flag is true.
struct Failing(watch::Sender<bool>);

#[async_trait]
impl Around for Failing {
    async fn renewal(&self, _: Option<Fence>) -> Result<(), StoreError> {
        if *self.0.borrow() {
            return Err(StoreError::Full);
        }
        Ok(())
    }
}

/// Without renewals, nothing is judged and no time is counted. Requests get the store's error.
#[tokio::test(start_paused = true)]
async fn a_club_that_cannot_renew_judges_nothing() {
    let failing = watch::Sender::new(false);
    let store = Arc::new(Tapped {
        store: MemoryStore::default(),
        around: Failing(failing.clone()),
    });
    let mut scene = Scene::over(store, terms("wild16", BLITZ)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    sleep(Duration::from_secs(20)).await;
    assert_eq!(scene.club.check_file(), Ok(()));
    failing.send_replace(true);
    sleep(Duration::from_secs(12)).await;
    let refused = scene.club.check_file().expect_err("no renewal succeeds");
    assert_eq!(refused.code, RefusalCode::Unavailable);
    let refused = scene.try_say(White, "d2d4").await;
    let refused = refused.expect_err("nothing is judged");
    assert!(refused.why.contains("full"), "{refused}");
    sleep(Duration::from_secs(600)).await;
    failing.send_replace(false);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(scene.club.check_file(), Ok(()));
    assert_eq!(scene.say(White, "d2d4").await.answer, "moved");
    let left = white_left(&scene).await;
    assert!((280_000..=282_500).contains(&left), "{left}");
}

/// If an offer or a session was stored with a wrong time, it lasts at most twice as long as usual.
#[tokio::test(start_paused = true)]
async fn offers_and_sessions_with_a_future_time_expire() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    scene.clock.set_ahead(100 * 24 * HOUR);
    kill_and_reopen(&mut scene, Duration::from_secs(1)).await;
    let seek = scene
        .club
        .seek(scene.white.id, terms("wild16", BLITZ))
        .await;
    let token = scene.club.begin_session(scene.white.id).await.unwrap();
    assert!(scene.club.session(token.secret()).await.is_ok());
    scene.clock.set_ahead(0);
    kill_and_reopen(&mut scene, Duration::from_secs(1)).await;
    let seek = seek.unwrap().id;
    let accepted = scene.club.accept(&seek, scene.black.id).await;
    assert_eq!(
        accepted.expect_err("the time has expired").code,
        RefusalCode::NotFound
    );
    let session = scene.club.session(token.secret()).await;
    assert_eq!(
        session.expect_err("the time has expired").code,
        RefusalCode::SignIn
    );
}
