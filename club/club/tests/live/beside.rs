//! Tests of two clubs that use one store. Listeners at one club soon hear what the other club has
//! stored, even if hints are lost.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use club::{ListenerItem, Listening, TimeControl, request_id};
use rules::{
    Listener,
    chess::Color::{Black, White},
};
use store::{
    Act, AppendError, GameId, Hint, MemoryStore, NewRow, Row, Store, StoreError, TableEvent,
    testing::{Around, Tapped},
};
use tokio::{
    sync::broadcast,
    time::{sleep, timeout},
};

use crate::common::{BLITZ, Scene, drain, open, terms};

/// Longest time until a row of another club is heard.
const SOON: Duration = Duration::from_secs(3);

/// Hook of a store that gives no hints.
pub struct Silent;

#[async_trait]
impl Around for Silent {
    async fn before(&self, _: &[NewRow]) {}

    async fn after(&self, _: &[NewRow], _: &Result<(), AppendError>) {}

    fn hints(&self, _: &dyn Store) -> broadcast::Receiver<Hint> {
        // The sender is dropped, so no hint comes.
        broadcast::Sender::new(1).subscribe()
    }
}

/// Hook of a store that gives false hints, and counts how often a log is read.
struct False {
    hints: broadcast::Sender<Hint>,
    reads: Arc<AtomicU32>,
}

#[async_trait]
impl Around for False {
    async fn before(&self, _: &[NewRow]) {}

    async fn after(&self, _: &[NewRow], _: &Result<(), AppendError>) {}

    async fn rows(
        &self,
        store: &dyn Store,
        game: GameId,
        from: u32,
    ) -> Result<Vec<Row>, StoreError> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        store.rows(game, from).await
    }

    fn hints(&self, _: &dyn Store) -> broadcast::Receiver<Hint> {
        self.hints.subscribe()
    }
}

/// Waits for the hearing with this number.
async fn hear(listening: &mut Listening, n: u32) {
    let hears = async {
        loop {
            match listening.next().await.expect("the club is open") {
                ListenerItem::Hearing(hearing) if hearing.n == n => return,
                ListenerItem::Hearing(_) | ListenerItem::Facts(_) => {}
            }
        }
    };
    let heard = timeout(SOON, hears).await;
    assert!(heard.is_ok(), "hearing {n} does not come");
}

#[tokio::test(start_paused = true)]
async fn rows_of_another_club_are_heard_without_hints() {
    let store = Tapped {
        store: MemoryStore::default(),
        around: Silent,
    };
    let mut scene = Scene::over(Arc::new(store), terms("wild16", BLITZ)).await;
    let other = open(&scene.store, &scene.clock).await;
    // White and the room listen at the first club, Black and the room at the second.
    let black = scene.reader(Listener::Black);
    let mut here = [
        scene.listen(Listener::White).await,
        scene.listen(Listener::Room).await,
    ];
    let mut there = Vec::new();
    for reader in [black, None] {
        there.push(
            other
                .listen(scene.game, reader, 0)
                .await
                .expect("the reader can listen"),
        );
    }
    sleep(SOON).await;
    for listening in here.iter_mut().chain(&mut there) {
        drain(listening);
    }
    // Nobody at the other club hears a private try.
    assert_eq!(scene.say(White, "e2d3").await.answer, "no");
    sleep(SOON).await;
    for listening in &mut there {
        assert_eq!(drain(listening), []);
    }
    for round in 0..3_u32 {
        let [white_says, black_says] =
            [["e2e4", "d2d4", "c2c4"], ["e7e5", "d7d6", "c7c6"]].map(|all| all[round as usize]);
        assert_eq!(scene.say(White, white_says).await.answer, "moved");
        for listening in &mut there {
            hear(listening, 2 + 2 * round).await;
        }
        let id = request_id(&format!("there-{round}")).expect("the id is valid");
        let after = other.seat_view(scene.game, scene.black.id).await;
        let after = after.expect("the player has a seat").n;
        let said = other
            .say(scene.game, scene.black.id, id, after, black_says)
            .await;
        assert_eq!(said.expect("the request is answered").answer, "moved");
        // White's number is higher by one, because White also heard the answer to the private try.
        hear(&mut here[0], 4 + 2 * round).await;
        hear(&mut here[1], 3 + 2 * round).await;
    }
    // The end of a game is heard too, although the store does not list finished games as running.
    assert_eq!(scene.say(White, "resign").await.answer, "resigned");
    for listening in &mut there {
        hear(listening, 8).await;
    }
}

/// The hint is lost because many rows are stored in another game.
#[tokio::test(start_paused = true)]
async fn a_row_whose_hint_was_lost_is_heard_soon() {
    let scene = Scene::new(terms("wild16", BLITZ)).await;
    let unlimited = terms("wild16", TimeControl::Unlimited);
    let busy = scene.club.pair(scene.white.id, scene.black.id, unlimited);
    let busy = busy.await.expect("the game exists");
    let mut black = scene.listen(Listener::Black).await;
    sleep(SOON).await;
    drain(&mut black);
    let append = async |game: GameId, seq: u32, event: TableEvent| {
        let row = NewRow {
            at: scene.club.now(),
            act: Act::Table(event),
            request: None,
        };
        let grown = scene.store.append(game, seq, &[row], None).await;
        grown.expect("the row is appended");
    };
    append(scene.game, 1, TableEvent::AdjournOffered(White)).await;
    for seq in 1..5_000 {
        let event = match seq % 2 {
            1 => TableEvent::AdjournOffered(White),
            _ => TableEvent::AdjournDeclined(Black),
        };
        append(busy, seq, event).await;
    }
    let heard = timeout(SOON, black.next()).await.expect("the row is heard");
    let Some(ListenerItem::Facts(facts)) = heard else {
        panic!("Black must get facts: {heard:?}");
    };
    let offers = facts.standing.offers.expect("Black is told of offers");
    assert_eq!(offers.adjourn, Some(White));
}

/// Anybody who can send hints to the clubs may send a false hint.
#[tokio::test(start_paused = true)]
async fn a_hint_about_missing_rows_causes_few_reads_of_the_log() {
    let (hints, reads) = (broadcast::Sender::new(16), Arc::<AtomicU32>::default());
    let store = Tapped {
        store: MemoryStore::default(),
        around: False {
            hints: hints.clone(),
            reads: Arc::clone(&reads),
        },
    };
    let mut scene = Scene::over(Arc::new(store), terms("wild16", BLITZ)).await;
    let _black = scene.listen(Listener::Black).await;
    sleep(SOON).await;
    let before = reads.load(Ordering::Relaxed);
    for rows in [u32::MAX, 1_000] {
        let sent = hints.send(Hint::Rows {
            game: scene.game,
            rows,
        });
        assert!(sent.is_ok(), "the club listens");
        sleep(Duration::from_secs(1)).await;
    }
    let read = reads.load(Ordering::Relaxed) - before;
    assert!((2..=4).contains(&read), "the log was read {read} times");
    // The game goes on.
    assert_eq!(scene.say(White, "e2e4").await.answer, "moved");
}
