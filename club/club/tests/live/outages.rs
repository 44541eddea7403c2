//! Tests of outages. No club runs for some time, and the tests check how much of this time the
//! clocks count. Usually a club credits the outage: it appends a row `credited` to the log of each
//! running game. Then the clocks do not count the outage.

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;

use crate::{
    common::{BLITZ, Scene, TestClock, drain, open, terms},
    tables::running,
};
use club::{Clock as _, Club, EndReason, ListenerItem, TimeControl};
use rules::{
    Listener, Reason,
    chess::Color::{Black, White},
};
use store::{
    Act, Fence, GameId, MemoryStore, NewRow, Row, Store, StoreError, TableEvent,
    testing::{Around, Tapped},
};
use tokio::time::{advance, sleep};
use wire::{GameStatus, RefusalCode, TableAct};

/// Opens a club over another, empty store. A test assigns this club to the variable of its first
/// club, so that the first club is dropped.
pub(crate) async fn stand_in(clock: &Arc<TestClock>) -> Club {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    open(&store, clock).await
}

/// Returns the time that White has left, in milliseconds.
pub(crate) async fn white_left(scene: &Scene) -> i64 {
    let clocks = scene.facts(Listener::Room).await.standing.clocks;
    clocks.unwrap().left.white
}

/// A club may die just after it has credited an outage. The next club credits only the time after
/// that credit.
#[tokio::test(start_paused = true)]
async fn time_between_a_credit_and_the_next_start_is_credited() {
    let mut scene = running().await;
    let from = scene.club.now();
    scene.stop().await;
    advance(Duration::from_secs(3_600)).await;
    let rows = [NewRow {
        at: scene.club.now(),
        act: Act::Table(TableEvent::Credited { from }),
        request: None,
    }];
    scene.append_elsewhere(&rows).await;
    let (store, clock) = (scene.store.clone(), scene.clock.clone());
    advance(Duration::from_secs(3_600)).await;
    scene.club = open(&store, &clock).await;
    let clocks = scene.facts(Listener::Room).await.standing.clocks.unwrap();
    assert_eq!(clocks.at, scene.club.now());
    assert!(
        (298_000..=302_000).contains(&clocks.left.white),
        "{clocks:?}"
    );
    assert_eq!(scene.say(White, "d2d4").await.answer, "moved");
}

#[tokio::test(start_paused = true)]
async fn an_outage_is_credited() {
    for dies_again in [false, true] {
        let mut scene = running().await;
        sleep(Duration::from_millis(20_500)).await;
        // The club is dropped, and no club runs for a day, as if the machine had stopped.
        let (store, clock) = (scene.store.clone(), scene.clock.clone());
        scene.club = stand_in(&clock).await;
        advance(Duration::from_secs(43_200)).await;
        if dies_again {
            // Another process claims the games, and dies before it has credited any clock.
            let claimed = store.claim(clock.now()).await;
            assert!(claimed.unwrap().is_some());
        }
        advance(Duration::from_secs(43_200)).await;
        scene.club = open(&store, &clock).await;
        let clocks = scene.facts(Listener::Room).await.standing.clocks.unwrap();
        assert_eq!(clocks.running, Some(White));
        assert_eq!(clocks.at, scene.club.now());
        assert!(
            (279_500..=280_500).contains(&clocks.left.white),
            "{dies_again}: {clocks:?}"
        );
        // The game continues.
        assert_eq!(scene.say(White, "d2d4").await.answer, "moved");
    }
}

#[tokio::test(start_paused = true)]
async fn an_orderly_close_pauses_the_clocks() {
    let mut scene = running().await;
    let mut ear = scene.listen(Listener::Room).await;
    sleep(Duration::from_secs(20)).await;
    drain(&mut ear);
    scene.club.close().await;
    let mut items = Vec::new();
    while let Some(more) = ear.next().await {
        items.push(more);
    }
    let Some(ListenerItem::Facts(facts)) = items.last() else {
        panic!("the last item must be facts with stopped clocks: {items:?}");
    };
    assert_eq!(facts.standing.clocks.unwrap().running, None);
    assert_eq!(scene.refused_closed().await, RefusalCode::Unavailable);
    drop(ear);
    sleep(Duration::from_secs(1)).await;
    scene.reopen().await;
    let clocks = scene.facts(Listener::Room).await.standing.clocks.unwrap();
    assert_eq!((clocks.left.white, clocks.running), (280_000, Some(White)));
}

/// The tasks of this club have not run yet when it closes. Closing must not wait for them.
#[tokio::test(start_paused = true)]
async fn a_club_that_closes_as_soon_as_it_opened_closes_quickly() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let clock = TestClock::new();
    let club = open(&store, &clock).await;
    let before = club.now();
    club.close().await;
    let took = club.now() - before;
    assert!(took < 1_000, "{took} ms of the club's time");
}

/// A second process waits until the owner has closed or died. Then it continues every game within
/// two seconds.
#[tokio::test(start_paused = true)]
async fn a_standby_continues_the_games() {
    for is_closed in [true, false] {
        let mut scene = running().await;
        let (store, clock) = (scene.store.clone(), scene.clock.clone());
        let standby = tokio::spawn(async move { open(&store, &clock).await });
        sleep(Duration::from_secs(20)).await;
        assert!(!standby.is_finished());
        if is_closed {
            scene.club.close().await;
        }
        scene.stop().await;
        let ended = scene.club.now();
        scene.club = standby.await.unwrap();
        let waited = scene.club.now() - ended;
        assert!(waited <= 2_000, "{waited}");
        let left = white_left(&scene).await;
        assert!((280_000..=280_600).contains(&left), "{left}");
        let clocks = scene.facts(Listener::Room).await.standing.clocks;
        assert_eq!(clocks.unwrap().running, Some(White));
        assert_eq!(scene.say(White, "d2d4").await.answer, "moved");
    }
}

/// A club that was stopped may wake up after another process has claimed the games.
#[tokio::test(start_paused = true)]
async fn a_stale_owner_appends_nothing() {
    let mut scene = running().await;
    sleep(Duration::from_secs(20)).await;
    let rows = scene.rows().await;
    let claimed = scene.store.claim(scene.club.now() + 10_000).await;
    assert!(claimed.unwrap().is_some());
    let said = scene.try_say(White, "d2d4").await;
    assert_eq!(
        said.expect_err("the owner is stale").code,
        RefusalCode::Unavailable
    );
    assert_eq!(scene.club.end().await, EndReason::Fenced);
    assert_eq!(scene.refused_closed().await, RefusalCode::Unavailable);
    sleep(Duration::from_secs(600)).await;
    assert_eq!(scene.rows().await, rows, "no flag falls");
    scene.club.close().await;
    assert_eq!(scene.rows().await, rows, "no clock is paused");
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_short_crash_is_credited() {
    let mut scene = running().await;
    sleep(Duration::from_millis(20_250)).await;
    let (store, clock) = (scene.store.clone(), scene.clock.clone());
    scene.club = stand_in(&clock).await;
    advance(Duration::from_millis(1_900)).await;
    scene.club = open(&store, &clock).await;
    let left = white_left(&scene).await;
    assert!((279_700..=280_400).contains(&left), "{left}");
}

/// `check_file` fails if the last renewal is too old.
#[tokio::test(start_paused = true)]
async fn check_file_fails_without_renewals() {
    let scene = running().await;
    sleep(Duration::from_secs(60)).await;
    assert_eq!(scene.club.check_file(), Ok(()));
    // From here on the club renews nothing.
    scene.club.close().await;
    sleep(Duration::from_secs(9)).await;
    assert_eq!(scene.club.check_file(), Ok(()));
    sleep(Duration::from_secs(3)).await;
    let refused = scene
        .club
        .check_file()
        .expect_err("the last renewal is too old");
    assert_eq!(refused.code, RefusalCode::Unavailable);
}

/// A game without running clocks is aborted after a year. Private attempts do not postpone this.
#[tokio::test(start_paused = true)]
async fn a_game_without_moves_for_a_year_is_aborted() {
    const DAY: Duration = Duration::from_secs(86_400);
    for adjourned in [false, true] {
        let time = if adjourned {
            BLITZ
        } else {
            TimeControl::Unlimited
        };
        let mut scene = Scene::new(terms("wild16", time)).await;
        scene.moves(&["e2e4", "e7e5"]).await;
        if adjourned {
            scene.act(White, TableAct::Adjourn).await;
            scene.act(Black, TableAct::Adjourn).await;
        } else {
            sleep(Duration::from_secs(60)).await;
            assert_eq!(scene.say(White, "e1e8").await.answer, "no");
        }
        let (store, clock) = (scene.store.clone(), scene.clock.clone());
        let mut still = Vec::new();
        for days in [364, 1] {
            scene.club = stand_in(&clock).await;
            advance(DAY * days).await;
            scene.club = open(&store, &clock).await;
            sleep(Duration::from_secs(40)).await;
            let standing = scene.facts(Listener::Room).await.standing;
            still.push((standing.status, standing.over.map(|over| over.reason)));
        }
        let stood = if adjourned {
            GameStatus::Adjourned
        } else {
            GameStatus::Running
        };
        assert_eq!(
            still,
            [(stood, None), (GameStatus::Over, Some(Reason::Aborted))]
        );
    }
}

/// When a stopped process continues, all its timers are due at the same time. The lost time must
/// be credited before a flag can fall.
#[tokio::test(start_paused = true)]
async fn a_stopped_club_credits_the_stop_before_a_flag_falls() {
    for leap in [2, 600, 86_400] {
        let mut scene = running().await;
        let _white = scene.listen(Listener::White).await;
        let mut ear = scene.listen(Listener::Black).await;
        sleep(Duration::from_millis(20_250)).await;
        drain(&mut ear);
        advance(Duration::from_secs(leap)).await;
        let said = scene.say(White, "d2d4").await;
        assert_eq!(said.answer, "moved");
        let left = white_left(&scene).await;
        assert!((281_000..=282_400).contains(&left), "{leap} s: {left}");
        sleep(Duration::from_secs(1)).await;
        let standing = scene.facts(Listener::Room).await.standing;
        assert_eq!(standing.status, GameStatus::Running);
    }
}

#[tokio::test(start_paused = true)]
async fn a_stop_is_credited_to_the_time_for_the_first_move() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    sleep(Duration::from_secs(10)).await;
    advance(Duration::from_secs(3_600)).await;
    assert_eq!(scene.say(White, "e2e4").await.answer, "moved");
}

#[tokio::test(start_paused = true)]
async fn a_closing_club_credits_its_stop_and_pauses_the_clocks() {
    let mut scene = running().await;
    sleep(Duration::from_millis(20_250)).await;
    let club = scene.club.clone();
    let (_, ()) = tokio::join!(advance(Duration::from_secs(600)), club.close());
    sleep(Duration::from_secs(60)).await;
    scene.reopen().await;
    let left = white_left(&scene).await;
    assert!((279_000..=280_400).contains(&left), "{left}");
}

/// What happens to a renewal.
#[derive(Default)]
struct Renewals(AtomicU32);

impl Renewals {
    const FAILS: u32 = 1;
    const TAKES_TWO_SECONDS: u32 = 2;
}

struct Renewing(Arc<Renewals>);

#[async_trait]
impl Around for Renewing {
    async fn renewal(&self, _: Option<Fence>) -> Result<(), StoreError> {
        match self.0.0.load(Ordering::Relaxed) {
            Renewals::FAILS => Err(StoreError::NoAnswer(String::new())),
            Renewals::TAKES_TWO_SECONDS => {
                sleep(Duration::from_secs(2)).await;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// After the outage the database is slow at first, so that the next renewal is overdue again before
/// any game was credited. It is one outage.
#[tokio::test(start_paused = true)]
async fn an_outage_that_ends_slowly_is_credited_whole() {
    let renewals = Arc::new(Renewals::default());
    let store = Tapped {
        store: MemoryStore::default(),
        around: Renewing(Arc::clone(&renewals)),
    };
    let mut scene = Scene::over(Arc::new(store), terms("wild16", BLITZ)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    sleep(Duration::from_secs(20)).await;
    for (mode, time) in [
        (Renewals::FAILS, 8_000),
        (Renewals::TAKES_TWO_SECONDS, 4_600),
        (0, 1_000),
    ] {
        renewals.0.store(mode, Ordering::Relaxed);
        sleep(Duration::from_millis(time)).await;
    }
    let left = white_left(&scene).await;
    assert!((277_500..=280_600).contains(&left), "{left}");
    assert_eq!(scene.say(White, "d2d4").await.answer, "moved");
}

/// A hook that delays the reading of logs by two seconds.
pub(crate) struct SlowRows;

#[async_trait]
impl Around for SlowRows {
    async fn rows(
        &self,
        store: &dyn Store,
        game: GameId,
        from: u32,
    ) -> Result<Vec<Row>, StoreError> {
        sleep(Duration::from_secs(2)).await;
        store.rows(game, from).await
    }
}

/// A club that reads the games slowly does not renew its ownership meanwhile.
#[tokio::test(start_paused = true)]
async fn a_club_that_begins_slowly_credits_the_whole_outage() {
    let around = SlowRows;
    let store = Arc::new(Tapped {
        store: MemoryStore::default(),
        around,
    });
    let mut scene = Scene::over(store, terms("wild16", BLITZ)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    sleep(Duration::from_secs(20)).await;
    let (store, clock) = (scene.store.clone(), scene.clock.clone());
    scene.club = stand_in(&clock).await;
    advance(Duration::from_secs(30)).await;
    scene.club = open(&store, &clock).await;
    let left = white_left(&scene).await;
    assert!((279_000..=280_600).contains(&left), "{left}");
}

/// Number of appends that wait at the store now, and the greatest such number so far.
#[derive(Default)]
struct Together {
    waiting: AtomicU32,
    most: AtomicU32,
}

struct Hook(Arc<Together>);

#[async_trait]
impl Around for Hook {
    async fn before(&self, _: &[NewRow]) {
        let now = self.0.waiting.fetch_add(1, Ordering::Relaxed) + 1;
        self.0.most.fetch_max(now, Ordering::Relaxed);
        sleep(Duration::from_millis(5)).await;
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The store syncs the disk before it confirms a credit. If the credits of the games came one after
/// the other, each game would need its own sync.
#[tokio::test(start_paused = true)]
async fn many_games_are_credited_together() {
    let together = Arc::new(Together::default());
    let store = Arc::new(Tapped {
        store: MemoryStore::default(),
        around: Hook(Arc::clone(&together)),
    });
    let scene = Scene::over(store, terms("wild16", BLITZ)).await;
    for _ in 1..40 {
        let (white, black) = (scene.white.id, scene.black.id);
        let pair = scene.club.pair(white, black, terms("wild16", BLITZ)).await;
        pair.unwrap();
    }
    let (store, clock) = (scene.store.clone(), scene.clock.clone());
    drop(scene);
    advance(Duration::from_secs(10)).await;
    let begun = clock.0.elapsed();
    let club = open(&store, &clock).await;
    assert_eq!(together.most.load(Ordering::Relaxed), 40);
    let took = clock.0.elapsed() - begun;
    assert!(took < Duration::from_millis(50), "{took:?}");
    assert_eq!(club.damaged(), []);
}

/// No credit is stored while this is true.
struct NoCredit(Arc<AtomicBool>);

#[async_trait]
impl Around for NoCredit {
    async fn before(&self, rows: &[NewRow]) {
        let is_credit = |row: &NewRow| matches!(row.act, Act::Table(TableEvent::Credited { .. }));
        if self.0.load(Ordering::Relaxed) && rows.iter().any(is_credit) {
            pending::<()>().await;
        }
    }
}

/// An owner renews its ownership after an outage, and dies before the outage is credited. The next
/// owner credits all of it.
#[tokio::test(start_paused = true)]
async fn an_outage_that_its_owner_did_not_credit_is_credited() {
    let waits = Arc::new(AtomicBool::new(false));
    let store = Arc::new(Tapped {
        store: MemoryStore::default(),
        around: NoCredit(Arc::clone(&waits)),
    });
    let mut scene = Scene::over(store, terms("wild16", BLITZ)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    sleep(Duration::from_millis(20_250)).await;
    waits.store(true, Ordering::Relaxed);
    advance(Duration::from_secs(60)).await;
    sleep(Duration::from_secs(3)).await;
    let (store, clock) = (scene.store.clone(), scene.clock.clone());
    scene.club = stand_in(&clock).await;
    waits.store(false, Ordering::Relaxed);
    sleep(Duration::from_secs(3)).await;
    scene.club = open(&store, &clock).await;
    let left = white_left(&scene).await;
    assert!((279_000..=282_400).contains(&left), "{left}");
}

#[tokio::test(start_paused = true)]
async fn time_between_two_outages_is_counted() {
    let scene = running().await;
    for wait in [20, 1] {
        advance(Duration::from_secs(3_600)).await;
        sleep(Duration::from_secs(wait)).await;
    }
    let left = white_left(&scene).await;
    assert!((279_000..=282_400).contains(&left), "{left}");
}
