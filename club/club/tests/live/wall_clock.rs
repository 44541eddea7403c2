//! Tests that no player loses time on the game's clock if a wall clock is wrong, or is set while
//! the club runs.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use club::{Code, ListenerItem, TableAct, TimeControl};
use rules::{Listener, chess::Color::White};
use store::{
    AppendError, MemoryStore, NewRow, Store, StoreError,
    testing::{Around, Tapped},
};
use tokio::{
    sync::watch,
    time::{advance, sleep},
};

use crate::{
    common::{BLITZ, Scene, drain, open, terms},
    outages::{stand_in, white_left},
    tables::running,
};

const SECOND: i64 = 1_000;
const HOUR: i64 = 3_600 * SECOND;

/// Returns the times of a log's rows.
async fn times(scene: &Scene) -> Vec<i64> {
    let rows = scene
        .store
        .rows(scene.game, 0)
        .await
        .expect("the log can be read");
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
        scene.club.now() - shown.expect("the game has clocks").at,
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

/// A heartbeat with a time in the future was written by a club that ran while the
/// wall clock was ahead.
#[tokio::test(start_paused = true)]
async fn heartbeats_from_the_future_cost_no_time() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let now = crate::common::TEST_START;
    store
        .alive(7, now + HOUR)
        .await
        .expect("the heartbeat is written");
    let mut scene = Scene::over(store, terms("wild16", BLITZ)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    sleep(Duration::from_secs(20)).await;
    for away in [8, 3_600] {
        kill_and_reopen(&mut scene, Duration::from_secs(away)).await;
        let left = white_left(&scene).await;
        assert!((279_000..=281_000).contains(&left), "{away} s: {left}");
    }
    // The heartbeat from the future does not show that another club is alive. So the clocks are
    // paused when this club closes.
    sleep(Duration::from_secs(5)).await;
    let before = white_left(&scene).await;
    scene.club.close().await;
    sleep(Duration::from_secs(8)).await;
    scene.reopen().await;
    assert_eq!(white_left(&scene).await, before - 5 * SECOND);
}

#[tokio::test(start_paused = true)]
async fn a_claim_is_allowed_if_the_other_heartbeat_has_stopped() {
    for ahead in [0, SECOND, HOUR] {
        let mut scene = running().await;
        let _white = scene.listen(Listener::White).await;
        let sign = scene.club.now() + ahead;
        scene
            .store
            .alive(7, sign)
            .await
            .expect("the heartbeat is written");
        sleep(Duration::from_secs(40)).await;
        scene.act(White, TableAct::ClaimWin).await;
    }
}

#[tokio::test(start_paused = true)]
async fn claims_are_refused_while_another_heartbeat_advances() {
    for ahead in [-HOUR, 0, HOUR] {
        let mut scene = running().await;
        let _white = scene.listen(Listener::White).await;
        let store = scene.store.clone();
        let first = scene.club.now() + ahead;
        let other = tokio::spawn(async move {
            for step in 0..90 {
                store
                    .alive(7, first + step * 500)
                    .await
                    .expect("the heartbeat is written");
                sleep(Duration::from_millis(500)).await;
            }
        });
        sleep(Duration::from_secs(40)).await;
        let claim = scene.try_act(White, TableAct::ClaimWin).await;
        let why = claim.expect_err("another club serves").why;
        assert!(why.contains("another server"), "{why}");
        other.await.expect("the task ends");
        sleep(Duration::from_secs(5)).await;
        scene.act(White, TableAct::ClaimWin).await;
    }
}

/// If this club's process was stopped, the clocks do not count the time of the stop. This is also
/// true if the store has a heartbeat from the future, which another club wrote before it crashed.
#[tokio::test(start_paused = true)]
async fn a_stop_is_credited_despite_a_heartbeat_from_the_future() {
    let scene = running().await;
    let sign = scene.club.now() + HOUR;
    scene
        .store
        .alive(7, sign)
        .await
        .expect("the heartbeat is written");
    sleep(Duration::from_millis(20_250)).await;
    advance(Duration::from_secs(600)).await;
    sleep(Duration::from_secs(1)).await;
    let left = white_left(&scene).await;
    assert!((278_000..=280_500).contains(&left), "{left}");
}

/// Store whose writes of heartbeats fail while the flag is true.
struct Failing(watch::Sender<bool>);

#[async_trait]
impl Around for Failing {
    async fn before(&self, _: &[NewRow]) {}

    async fn after(&self, _: &[NewRow], _: &Result<(), AppendError>) {}

    async fn alive(&self) -> Result<(), StoreError> {
        if *self.0.borrow() {
            return Err(StoreError::Full);
        }
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn health_check_considers_only_this_clubs_heartbeats() {
    let failing = watch::Sender::new(false);
    let store = Arc::new(Tapped {
        store: MemoryStore::default(),
        around: Failing(failing.clone()),
    });
    let future = crate::common::TEST_START + HOUR;
    store
        .store
        .alive(7, future)
        .await
        .expect("the heartbeat is written");
    let scene = Scene::over(store.clone(), terms("wild16", BLITZ)).await;
    sleep(Duration::from_secs(30)).await;
    assert_eq!(scene.club.check_file(), Ok(()));
    failing.send_replace(true);
    for step in 0..24 {
        // Meanwhile another club writes heartbeats, some of them with a
        // wrong time.
        let sign = scene.club.now() + step % 2 * HOUR;
        store
            .store
            .alive(8, sign)
            .await
            .expect("the heartbeat is written");
        sleep(Duration::from_millis(500)).await;
    }
    let refused = scene
        .club
        .check_file()
        .expect_err("the club cannot write heartbeats");
    assert_eq!(refused.code, Code::Unavailable);
    failing.send_replace(false);
    sleep(Duration::from_secs(1)).await;
    assert_eq!(scene.club.check_file(), Ok(()));
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
    let token = scene
        .club
        .begin_session(scene.white.id)
        .await
        .expect("the session is created");
    assert!(scene.club.session(token.secret()).await.is_ok());
    scene.clock.set_ahead(0);
    kill_and_reopen(&mut scene, Duration::from_secs(1)).await;
    let seek = seek.expect("the seek is made").id;
    let accepted = scene.club.accept(&seek, scene.black.id).await;
    assert_eq!(
        accepted.expect_err("the time has expired").code,
        Code::NotFound
    );
    let session = scene.club.session(token.secret()).await;
    assert_eq!(
        session.expect_err("the time has expired").code,
        Code::SignIn
    );
}
