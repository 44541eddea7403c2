//! Tests the check of histories ([`store::history`]). In each test, a second club takes over the
//! game of a first club, which wakes up later. The check finds no fault in a correct store, and it
//! finds each planted fault of the store.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use async_trait::async_trait;
use club::{
    AccountId, Clock, Club, ClubError, ColorWish, GameId, Millis, RequestAnswer, Settings,
    SystemClock, Terms, TimeControl, request_id,
};
use rules::chess::Color::{self, Black, White};
use store::{
    AppendError, Expected, Fence, MemoryStore, Row, Store, StoreError,
    history::History,
    testing::{Append, Around, Tapped},
};

/// Tolerance for the times of rows, in milliseconds.
const TOLERANCE: Millis = 60_000;
/// Milliseconds by which the wall clock of each next club is ahead. So the ownership of the club
/// before it has ended.
const WRONG_CLOCK: Millis = 300_000;

/// A fault of the store.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Fault {
    /// Rows are appended although their club does not own the games.
    NoFence,
    /// The newest row is missing when a log is read.
    StaleRead,
    /// An append is confirmed, and then the store crashes before the commit.
    AnswerBeforeCommit,
    /// The clubs use their own clocks instead of the store's clock.
    OwnClock,
}

/// The hook that plants a fault.
struct Planted {
    fault: Option<Fault>,
    /// Whether the fault is active.
    is_active: AtomicBool,
    /// Whether every renewal fails, so that no club learns that it does not own the games.
    is_silent: AtomicBool,
    /// The greatest number of an ownership that an append has named.
    fence: AtomicI64,
}

impl Planted {
    fn has(&self, fault: Fault) -> bool {
        self.fault == Some(fault) && self.is_active.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl Around for Planted {
    async fn append(&self, store: &dyn Store, append: Append<'_>) -> Result<(), AppendError> {
        let fence = append.expected.fence;
        let fence = self.fence.fetch_max(fence, Ordering::Relaxed).max(fence);
        if self.has(Fault::AnswerBeforeCommit) {
            return Ok(());
        }
        if !self.has(Fault::NoFence) {
            return append.to(store, append.expected).await;
        }
        let rows = store.rows(append.game, 0).await?;
        let expected = Expected {
            fence,
            ..u32::try_from(rows.len()).expect("the log is short").into()
        };
        append.to(store, expected).await
    }

    async fn rows(
        &self,
        store: &dyn Store,
        game: GameId,
        from: u32,
    ) -> Result<Vec<Row>, StoreError> {
        let mut rows = store.rows(game, from).await?;
        // The club notices the loss of a row that it has read before. So the fault removes a row
        // only if the club reads more than one row.
        if self.has(Fault::StaleRead) && rows.len() > 1 {
            rows.pop();
        }
        Ok(rows)
    }

    async fn renewal(&self, _: Option<Fence>) -> Result<(), StoreError> {
        match self.is_silent.load(Ordering::Relaxed) {
            true => Err(StoreError::NoAnswer(String::new())),
            false => Ok(()),
        }
    }

    async fn now(&self, _: &dyn Store) -> Result<Option<Millis>, StoreError> {
        Ok((self.fault != Some(Fault::OwnClock)).then(|| SystemClock.now()))
    }
}

/// A wall clock that is wrong by some milliseconds.
struct WrongClock(Millis);

impl Clock for WrongClock {
    fn now(&self) -> Millis {
        SystemClock.now() + self.0
    }
}

async fn open(store: &Arc<Tapped<MemoryStore, Planted>>, wrong_by: Millis) -> Club {
    let clock = Arc::new(WrongClock(wrong_by));
    let store = Arc::clone(store) as Arc<dyn Store>;
    let club = Club::open(store, clock, Settings::cheap()).await;
    club.expect("the club opens")
}

/// An attempt as its player records it.
struct Attempt {
    color: Color,
    id: String,
    begun: Duration,
    /// Time of the answer, and the number of the hearing that the answer names.
    answered: Option<(Duration, Option<u32>)>,
}

/// The two players of a game, and what they record.
struct Scene {
    game: GameId,
    players: [AccountId; 2],
    zero: Instant,
}

impl Scene {
    async fn begin(club: &Club, zero: Instant) -> Scene {
        let white = club.guest().await.expect("the guest is created").id;
        let black = club.guest().await.expect("the guest is created").id;
        let terms = Terms {
            rules: "wild16".to_owned(),
            custom: None,
            time: TimeControl::Clock {
                initial: 3_600_000,
                increment: 0,
            },
            rated: false,
            color: ColorWish::White,
        };
        let seek = club.seek(white, terms).await.expect("the seek is made");
        let game = club.accept(&seek.id, black).await.expect("the game exists");
        Scene {
            game,
            players: [white, black],
            zero,
        }
    }

    fn player(&self, color: Color) -> AccountId {
        self.players[usize::from(color == Black)]
    }

    /// Sends an attempt to a club.
    async fn attempt(&self, club: &Club, color: Color, after: u32, text: &str) -> Attempt {
        let begun = self.zero.elapsed();
        let id = request_id(text).expect("the id is valid");
        let said: Result<RequestAnswer, ClubError> = club
            .say(self.game, self.player(color), id, after, text)
            .await;
        let answered = said.ok().map(|answer| (self.zero.elapsed(), answer.n));
        Attempt {
            color,
            id: text.to_owned(),
            begun,
            answered,
        }
    }
}

/// Plays over a store with this fault. Returns what the check of the history finds.
async fn play(fault: Option<Fault>) -> Vec<String> {
    let store = Arc::new(Tapped {
        store: MemoryStore::default(),
        around: Planted {
            fault,
            is_active: AtomicBool::new(false),
            is_silent: AtomicBool::new(false),
            fence: AtomicI64::new(0),
        },
    });
    let (zero, at_zero) = (Instant::now(), SystemClock.now());
    let first = open(&store, 0).await;
    let scene = Scene::begin(&first, zero).await;
    let active = |on| store.around.is_active.store(on, Ordering::Relaxed);

    let mut attempts = vec![scene.attempt(&first, White, 1, "e2e4").await];
    let second = open(&store, WRONG_CLOCK).await;
    let silent = |on| store.around.is_silent.store(on, Ordering::Relaxed);
    silent(true);
    attempts.push(scene.attempt(&second, Black, 2, "e7e5").await);
    // The first club does not know yet that it does not own the game any more.
    active(fault == Some(Fault::NoFence));
    attempts.push(scene.attempt(&first, Black, 2, "d7d5").await);
    silent(false);
    // With `AnswerBeforeCommit`, the row of White's move is not committed.
    active(fault == Some(Fault::AnswerBeforeCommit));
    attempts.push(scene.attempt(&second, White, 3, "g1f3").await);

    active(fault == Some(Fault::StaleRead));
    // Black reads at the second club, and then at a new club, which has just read the log.
    let third = open(&store, 2 * WRONG_CLOCK).await;
    let mut reads = Vec::new();
    for club in [&second, &third] {
        let view = club.seat_view(scene.game, scene.player(Black)).await;
        // A club refuses a game whose log does not follow from the rules.
        if let Ok(view) = view {
            reads.push((view.n, zero.elapsed()));
        }
    }
    active(false);

    let rows = store.store.rows(scene.game, 0).await;
    let rows = rows.expect("the game exists");
    let mut history = History::new(&rows);
    history.clock(at_zero, TOLERANCE);
    for attempt in attempts {
        history.attempt(
            Some(attempt.color),
            &attempt.id,
            attempt.begun,
            attempt.answered,
        );
    }
    for (n, at) in reads {
        history.hearing(0, Black.into(), n, at);
    }
    history.check()
}

#[tokio::test]
async fn check_finds_no_fault_of_a_correct_store() {
    assert_eq!(play(None).await, [""; 0]);
}

/// Plays with a fault until the check finds it. A club that notices in time that it has lost its
/// games does not meet the fault, and then the check must find nothing.
async fn finds(fault: Fault, words: &str) {
    for _ in 0..9 {
        let found = play(Some(fault)).await.join("\n");
        if found.contains(words) {
            return;
        }
        assert_eq!(found, "");
    }
    panic!("{fault:?} was not found nine times");
}

#[tokio::test]
async fn check_finds_an_append_of_a_stale_owner() {
    finds(Fault::NoFence, "does not follow from the rules").await;
}

#[tokio::test]
async fn check_finds_a_stale_read() {
    finds(Fault::StaleRead, "must be before the next one").await;
}

#[tokio::test]
async fn check_finds_an_answer_before_the_commit() {
    finds(Fault::AnswerBeforeCommit, "g1f3 was answered, but is not").await;
}

#[tokio::test]
async fn check_finds_a_club_with_its_own_clock() {
    finds(Fault::OwnClock, "ms away from the time of attempt").await;
}
