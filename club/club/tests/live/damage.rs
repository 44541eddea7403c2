//! Tests of damaged logs, to which the club can append no row.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use club::EndReason;
use rules::{Listener, chess::Color::White};
use store::{
    AppendError, GameId, MemoryStore, Row, Store, StoreError,
    testing::{Around, Tapped},
};
use tokio::time::{advance, sleep, timeout};
use wire::RefusalCode;

use crate::{
    common::{BLITZ, Scene, hearings, open, terms},
    outages::stand_in,
};

/// State of the hook of a store. While `is_damaged` is true, the store answers every append with a
/// conflict. While `is_replaced` is true, another row is in the place of the newest.
#[derive(Default)]
struct Damaged {
    is_damaged: AtomicBool,
    is_replaced: AtomicBool,
    appends: AtomicU32,
}

struct Hook(Arc<Damaged>);

#[async_trait]
impl Around for Hook {
    async fn refused(&self) -> Option<AppendError> {
        self.0.appends.fetch_add(1, Ordering::Relaxed);
        let damaged = self.0.is_damaged.load(Ordering::Relaxed);
        // Like a real store, this store lets other tasks run.
        tokio::task::yield_now().await;
        damaged.then_some(AppendError::Conflict)
    }

    async fn rows(
        &self,
        store: &dyn Store,
        game: GameId,
        from: u32,
    ) -> Result<Vec<Row>, StoreError> {
        let mut rows = store.rows(game, from).await?;
        if self.0.is_replaced.load(Ordering::Relaxed)
            && let Some(last) = rows.last_mut()
        {
            last.at += 1;
            last.request = None;
        }
        Ok(rows)
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
    assert_eq!(said.code, RefusalCode::Unavailable);
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
    scene.club = opened.unwrap();
    let named = scene.club.damaged();
    assert_eq!(named.len(), 1);
    assert_eq!(named[0].0, scene.game);
    assert!(damaged.appends.load(Ordering::Relaxed) <= 2);
}

/// The database lost a row, and another program wrote as many others.
#[tokio::test(start_paused = true)]
async fn a_replaced_row_is_no_row_of_this_game() {
    let (mut scene, damaged) = scene().await;
    let mut ear = scene.listen(Listener::Room).await;
    assert!(!hearings(&mut ear).is_empty());
    let rows = scene.rows().await;
    damaged.is_replaced.store(true, Ordering::Relaxed);
    let refused = scene.try_say(White, "d2d4").await.expect_err("a conflict");
    assert_eq!(refused.code, RefusalCode::Unavailable);
    assert_eq!(scene.club.end().await, EndReason::RowsLost);
    assert_eq!(hearings(&mut ear).len(), 0, "nobody hears of it");
    assert_eq!(scene.rows().await, rows);
}
