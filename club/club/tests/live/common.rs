//! A club for tests: a store in memory, and a clock that the tests control.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use club::{
    Account, AccountId, Clock, Club, ClubError, ColorWish, GameFacts, GameId, HeardItem, Hearing,
    ListenerItem, Listening, Millis, RequestAnswer, Settings, Terms, TimeControl, request_id,
};
use rules::{Heard, Listener, Reply, Verdict, chess::Color};
use store::{Expected, Fence, MemoryStore, NewRow, Store};
use tokio::time::{Duration, Instant, sleep};
use wire::{RefusalCode, TableAct};

/// Time at which every test begins.
pub const TEST_START: Millis = 1_800_000_000_000;

/// A wall clock that runs with tokio's paused time. A test may set this clock ahead.
pub struct TestClock(pub Instant, AtomicI64);

impl TestClock {
    pub fn new() -> Arc<TestClock> {
        Arc::new(TestClock(Instant::now(), AtomicI64::new(0)))
    }

    /// Sets this clock ahead of the right time by `by` milliseconds.
    pub fn set_ahead(&self, by: Millis) {
        self.1.store(by, Ordering::Relaxed);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Millis {
        let passed = Millis::try_from(self.0.elapsed().as_millis()).unwrap();
        TEST_START + passed + self.1.load(Ordering::Relaxed)
    }
}

pub const BLITZ: TimeControl = TimeControl::Clock {
    initial: 300_000,
    increment: 2_000,
};

pub fn terms(rules: &str, time: TimeControl) -> Terms {
    Terms {
        rules: rules.to_owned(),
        custom: None,
        time,
        rated: false,
        color: ColorWish::White,
    }
}

/// A club with two guests (two people, if the game is rated), and a game in which the first is
/// White.
pub struct Scene {
    pub store: Arc<dyn Store>,
    pub clock: Arc<TestClock>,
    pub club: Club,
    pub white: Account,
    pub black: Account,
    pub game: GameId,
    requests: u32,
}

pub async fn open(store: &Arc<dyn Store>, clock: &Arc<TestClock>) -> Club {
    Club::open(Arc::clone(store), clock.clone(), Settings::cheap())
        .await
        .unwrap()
}

/// Claims the games as another process does, when no club runs.
pub async fn own_elsewhere(store: &Arc<dyn Store>, clock: &TestClock) -> Fence {
    sleep(Duration::from_secs(2)).await;
    let claimed = store.claim(clock.now()).await.unwrap();
    claimed.unwrap().fence
}

impl Scene {
    pub async fn new(terms: Terms) -> Scene {
        Scene::over(Arc::new(MemoryStore::default()), terms).await
    }

    pub async fn over(store: Arc<dyn Store>, terms: Terms) -> Scene {
        let clock = TestClock::new();
        let club = open(&store, &clock).await;
        let account = async |name| match terms.rated {
            true => club.register(name, "correct horse").await,
            false => club.guest().await,
        };
        let white = account("Anna").await.unwrap();
        let black = account("Bert").await.unwrap();
        let seek = club.seek(white.id, terms).await.unwrap();
        let game = club.accept(&seek.id, black.id).await.unwrap();
        Scene {
            store,
            clock,
            club,
            white,
            black,
            game,
            requests: 0,
        }
    }

    /// Opens a new club with the same store, as if the machine had stopped.
    pub async fn reopen(&mut self) {
        self.stop().await;
        self.club = open(&self.store, &self.clock).await;
    }

    /// Drops the club, as if the machine had stopped. A club over another store takes its place.
    pub async fn stop(&mut self) {
        let other: Arc<dyn Store> = Arc::new(MemoryStore::default());
        self.club = open(&other, &self.clock).await;
    }

    /// Appends rows to the log as another process does, when no club runs.
    pub async fn append_elsewhere(&self, rows: &[NewRow]) {
        let fence = own_elsewhere(&self.store, &self.clock).await;
        let expected = Expected {
            fence,
            ..u32::try_from(self.rows().await).unwrap().into()
        };
        let appended = self.store.append(self.game, expected, rows, None);
        appended.await.unwrap();
        self.store.release(fence).await.unwrap();
    }

    /// Returns the number of rows in the log of the game.
    pub async fn rows(&self) -> usize {
        let rows = self.store.rows(self.game, 0).await;
        rows.unwrap().len()
    }

    pub fn who(&self, color: Color) -> AccountId {
        match color {
            Color::White => self.white.id,
            Color::Black => self.black.id,
        }
    }

    pub async fn n(&self, color: Color) -> u32 {
        let view = self.club.seat_view(self.game, self.who(color)).await;
        view.unwrap().n
    }

    /// Sends a text to the referee. The request has a new id, and names the last hearing.
    pub async fn try_say(&mut self, color: Color, text: &str) -> Result<RequestAnswer, ClubError> {
        self.requests += 1;
        let id = request_id(&format!("r{}", self.requests)).unwrap();
        let after = self.n(color).await;
        let who = self.who(color);
        self.club.say(self.game, who, id, after, text).await
    }

    pub async fn say(&mut self, color: Color, text: &str) -> RequestAnswer {
        let said = self.try_say(color, text).await;
        said.unwrap_or_else(|e| panic!("{color} {text}: {e}"))
    }

    pub async fn refused(&mut self, color: Color, text: &str) -> RefusalCode {
        self.try_say(color, text).await.expect_err(text).code
    }

    /// Returns the code with which a closed club refuses a request.
    pub async fn refused_closed(&self) -> RefusalCode {
        let facts = self.club.facts(self.game, None).await;
        facts.expect_err("the club is closed").code
    }

    pub async fn try_act(
        &mut self,
        color: Color,
        act: TableAct,
    ) -> Result<RequestAnswer, ClubError> {
        self.requests += 1;
        let id = request_id(&format!("r{}", self.requests)).unwrap();
        let who = self.who(color);
        self.club.act(self.game, who, id, act).await
    }

    pub async fn act(&mut self, color: Color, act: TableAct) -> RequestAnswer {
        let said = self.try_act(color, act).await;
        said.unwrap_or_else(|e| panic!("{color} {act:?}: {e}"))
    }

    /// Plays moves, White first.
    pub async fn moves(&mut self, moves: &[&str]) {
        for (i, text) in moves.iter().enumerate() {
            let color = Color::from_white(i % 2 == 0);
            assert_eq!(self.say(color, text).await.answer, "moved", "{text}");
        }
    }

    pub fn reader(&self, listener: Listener) -> Option<AccountId> {
        listener.color().map(|color| self.who(color))
    }

    pub async fn listen(&self, listener: Listener) -> Listening {
        let reader = self.reader(listener);
        let listening = self.club.listen(self.game, reader, 0).await;
        listening.unwrap()
    }

    pub async fn facts(&self, listener: Listener) -> GameFacts {
        let reader = self.reader(listener);
        self.club.facts(self.game, reader).await.unwrap()
    }

    /// Returns all hearings of a listener so far.
    pub async fn heard(&self, listener: Listener) -> Vec<Hearing> {
        hearings(&mut self.listen(listener).await)
    }
}

/// Returns all items that are ready now.
pub fn drain(listening: &mut Listening) -> Vec<ListenerItem> {
    std::iter::from_fn(|| listening.ready()).collect()
}

/// Returns all hearings that are ready now.
pub fn hearings(listening: &mut Listening) -> Vec<Hearing> {
    let items = drain(listening).into_iter();
    items
        .filter_map(|item| match item {
            ListenerItem::Hearing(hearing) => Some(hearing),
            ListenerItem::Facts(_) => None,
        })
        .collect()
}

/// Returns the number of answers "no" in these hearings.
pub fn noes(hearings: &[Hearing]) -> usize {
    let items = hearings.iter().flat_map(|h| h.heard.iter());
    items
        .filter(|item| {
            matches!(
                item,
                HeardItem::Heard(Heard::Reply(Reply::Verdict {
                    verdict: Verdict::No,
                    ..
                }))
            )
        })
        .count()
}
