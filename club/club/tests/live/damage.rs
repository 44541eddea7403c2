//! Tests of logs to which this club can append no row, because every append fails with a conflict.
//! Either the log is damaged, or another club always appends a row first.

use std::{
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use club::Code;
use rules::{Listener, chess::Color::White};
use store::{
    Act, AppendError, GameId, MemoryStore, NewRow, Store, TableEvent,
    testing::{Around, Tapped},
};
use tokio::time::{advance, sleep, timeout};

use crate::{
    common::{BLITZ, Scene, open, terms},
    outages::stand_in,
};

/// State of the hook of a store. While `is_damaged` is true, the store answers every append with a
/// conflict.
#[derive(Default)]
struct Damaged {
    is_damaged: AtomicBool,
    appends: AtomicU32,
}

struct Hook(Arc<Damaged>);

#[async_trait]
impl Around for Hook {
    async fn before(&self, _: &[NewRow]) {}

    async fn after(&self, _: &[NewRow], _: &Result<(), AppendError>) {}

    async fn refused(&self) -> Option<AppendError> {
        self.0.appends.fetch_add(1, Ordering::Relaxed);
        let damaged = self.0.is_damaged.load(Ordering::Relaxed);
        // Like a real store, this store lets other tasks run.
        tokio::task::yield_now().await;
        damaged.then_some(AppendError::Conflict)
    }
}

async fn scene() -> (Scene, Arc<Damaged>) {
    let damaged = Arc::new(Damaged::default());
    let store = Tapped {
        store: MemoryStore::default(),
        around: Hook(Arc::clone(&damaged)),
    };
    let mut scene = Scene::over(Arc::new(store), terms("wild16", BLITZ)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    damaged.is_damaged.store(true, Ordering::Relaxed);
    damaged.appends.store(0, Ordering::Relaxed);
    (scene, damaged)
}

#[tokio::test(start_paused = true)]
async fn a_conflict_without_new_rows_is_reported_as_damage() {
    let (mut scene, damaged) = scene().await;
    let said = scene
        .try_say(White, "d2d4")
        .await
        .expect_err("the log is damaged");
    assert_eq!(said.code, Code::Unavailable);
    assert!(said.why.contains("operator"), "{said}");
    assert!(damaged.appends.load(Ordering::Relaxed) <= 2);
    // A player's time runs out, but the club cannot append the row that ends the game. The club
    // tries again about once per second.
    let _ear = scene.listen(Listener::Room).await;
    sleep(Duration::from_secs(310)).await;
    damaged.appends.store(0, Ordering::Relaxed);
    sleep(Duration::from_secs(10)).await;
    assert!(damaged.appends.load(Ordering::Relaxed) <= 20);
    // After the log is repaired, the club appends the row, and the game is over.
    damaged.is_damaged.store(false, Ordering::Relaxed);
    sleep(Duration::from_secs(3)).await;
    assert!(scene.facts(Listener::Room).await.standing.over.is_some());
}

#[tokio::test(start_paused = true)]
async fn a_club_opens_though_one_log_takes_no_row() {
    let (mut scene, damaged) = scene().await;
    let (store, clock) = (scene.store.clone(), scene.clock.clone());
    scene.club = stand_in(&clock).await;
    advance(Duration::from_secs(60)).await;
    let opened = timeout(Duration::from_secs(10), open(&store, &clock)).await;
    scene.club = opened.expect("the club opens in time");
    let named = scene.club.damaged();
    assert_eq!(named.len(), 1);
    assert_eq!(named[0].0, scene.game);
    assert!(damaged.appends.load(Ordering::Relaxed) <= 2);
}

/// State of the hook of a store. Before each append of this club, another club appends a row to the
/// same game.
#[derive(Default)]
struct Busy {
    /// The store, and the game to which the other club appends.
    target: OnceLock<(Weak<dyn Store>, GameId)>,
    /// Whether the other club appends rows at all.
    on: AtomicBool,
    /// Whether the other club is appending a row now.
    other_is_appending: AtomicBool,
    appends: AtomicU32,
}

struct BusyHook(Arc<Busy>);

#[async_trait]
impl Around for BusyHook {
    async fn before(&self, _: &[NewRow]) {}

    async fn after(&self, _: &[NewRow], _: &Result<(), AppendError>) {}

    async fn refused(&self) -> Option<AppendError> {
        let (store, game) = self.0.target.get()?;
        let busy = self.0.on.load(Ordering::Relaxed);
        if !busy || self.0.other_is_appending.swap(true, Ordering::Relaxed) {
            return None;
        }
        let n = self.0.appends.fetch_add(1, Ordering::Relaxed);
        let store = store.upgrade().expect("the store is in use");
        let rows = store.rows(*game, 0).await.expect("the log can be read");
        let row = [NewRow {
            at: rows.last().expect("the log has rows").at,
            act: Act::Table(match n % 2 {
                0 => TableEvent::AdjournOffered(White),
                _ => TableEvent::AdjournDeclined(White),
            }),
            request: None,
        }];
        let grown = store.append(*game, rows.len() as u32, &row, None);
        grown.await.expect("the other club appends its row");
        self.0.other_is_appending.store(false, Ordering::Relaxed);
        // Like a real store, this store lets other tasks run.
        tokio::task::yield_now().await;
        Some(AppendError::Conflict)
    }
}

/// A club opens after a limited number of steps. In this test, the log of a game grows each time
/// that the club tries to credit the outage.
#[tokio::test(start_paused = true)]
async fn a_club_opens_though_one_log_never_stops_growing() {
    let busy = Arc::new(Busy::default());
    let store: Arc<dyn Store> = Arc::new(Tapped {
        store: MemoryStore::default(),
        around: BusyHook(Arc::clone(&busy)),
    });
    let mut scene = Scene::over(Arc::clone(&store), terms("wild16", BLITZ)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    let set = busy.target.set((Arc::downgrade(&store), scene.game));
    assert!(set.is_ok());
    let clock = scene.clock.clone();
    scene.club = stand_in(&clock).await;
    advance(Duration::from_secs(60)).await;
    busy.on.store(true, Ordering::Relaxed);
    let opened = timeout(Duration::from_secs(10), open(&store, &clock)).await;
    scene.club = opened.expect("the club opens in time");
    let named = scene.club.damaged();
    assert_eq!(named.len(), 1);
    assert!(named[0].1.contains("not credited"), "{named:?}");
    assert!(busy.appends.load(Ordering::Relaxed) <= 50);
}
