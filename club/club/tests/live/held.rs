//! Tests that the store can delay a tick, but never a row: whether the other seat has a private row
//! in a tick changes nothing that anybody else gets, and no time.

use std::sync::Arc;

use async_trait::async_trait;
use club::{ListenerItem, request_id};
use rules::{
    Listener,
    chess::Color::{Black, White},
};
use store::{
    AppendError, MemoryStore, NewRow, Store, StoreError,
    testing::{Append, Around, Tapped, Ticks},
};
use tokio::{
    sync::watch,
    task::JoinHandle,
    time::{Duration, sleep, timeout},
};
use wire::{RefusalCode, TableAct};

use crate::common::{BLITZ, Scene, drain, terms};

/// What happens to all rows of a tick.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Tick {
    /// The rows are stored at once.
    Now,
    /// The rows are stored at the next multiple of a second.
    Late,
    /// At the next multiple of a second, no row can be stored.
    Fails,
    /// At the next multiple of a second, the rows are stored, but the answers are lost.
    Unanswered,
    /// The tick never ends.
    Never,
}

/// Store that commits in ticks of a second.
struct Held {
    tick: watch::Sender<Tick>,
    ticks: Ticks,
}

#[async_trait]
impl Around for Held {
    async fn before(&self, _: &[NewRow]) {
        let tick = *self.tick.borrow();
        match tick {
            Tick::Now => {}
            Tick::Late | Tick::Fails | Tick::Unanswered => self.ticks.tick().await,
            Tick::Never => std::future::pending().await,
        }
    }

    async fn append(&self, store: &dyn Store, append: Append<'_>) -> Result<(), AppendError> {
        let tick = *self.tick.borrow();
        if tick == Tick::Fails {
            return Err(StoreError::Full.into());
        }
        append.to(store, append.expected).await?;
        match tick {
            Tick::Unanswered => Err(StoreError::NoAnswer(String::new()).into()),
            Tick::Now | Tick::Late | Tick::Fails | Tick::Never => Ok(()),
        }
    }
}

/// Returns a game in which both sides have moved and White has offered a draw.
async fn scene() -> (Scene, watch::Sender<Tick>) {
    let tick = watch::Sender::new(Tick::Now);
    let store = Arc::new(Tapped {
        store: MemoryStore::default(),
        around: Held {
            tick: tick.clone(),
            ticks: Ticks::every(Duration::from_secs(1)),
        },
    });
    let mut scene = Scene::over(store, terms("wild16", BLITZ)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    scene.say(White, "offer-draw").await;
    (scene, tick)
}

/// Sends a text of White while the test continues.
async fn begin(
    scene: &Scene,
    id: &'static str,
    text: &'static str,
) -> JoinHandle<Option<RefusalCode>> {
    let (club, game, white) = (scene.club.clone(), scene.game, scene.white.id);
    let task = tokio::spawn(async move {
        let id = request_id(id).unwrap();
        let said = club.say(game, white, id, 4, text).await;
        said.err().map(|error| error.code)
    });
    for _ in 0..8 {
        tokio::task::yield_now().await;
    }
    task
}

/// What White does in White's turn, while the test records what the others get.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Private {
    Nothing,
    /// Tries whose rows are durable.
    Tries,
    /// A try whose row is in the tick.
    TryInTick,
}

/// Records everything that Black and the spectators get, each with its time.
async fn others_get(private: Private, kind: Tick) -> String {
    let (mut scene, tick) = scene().await;
    if private == Private::Tries {
        for (id, text) in [("p1", "e4e5"), ("p2", "f1f8"), ("p3", "e4d5")] {
            let said = begin(&scene, id, text).await.await;
            assert_eq!(said.unwrap(), None);
        }
    }
    sleep(Duration::from_millis(250)).await;
    tick.send_replace(kind);
    let lobby = scene.club.lobby();
    let before = *lobby.borrow();
    let (mut ear, mut room) = (
        scene.listen(Listener::Black).await,
        scene.listen(Listener::Room).await,
    );
    if private == Private::TryInTick {
        begin(&scene, "p1", "e4e5").await;
    }
    let began = scene.clock.0.elapsed();
    let mut got = Vec::new();
    let mut note = |scene: &Scene, what: String| {
        got.push(format!("{:?} {what}", scene.clock.0.elapsed() - began));
    };
    for text in ["g8f6", "xyz", "decline-draw", "g8f6", "offer-draw"] {
        let said = timeout(Duration::from_secs(5), scene.try_say(Black, text)).await;
        note(&scene, format!("{text}: {said:?}"));
    }
    let act = scene.try_act(Black, TableAct::Adjourn);
    let act = timeout(Duration::from_secs(5), act).await;
    note(&scene, format!("{act:?}"));
    for listening in [&mut ear, &mut room] {
        note(&scene, format!("{:?}", drain(listening)));
    }
    // The disk has space again. A request that was refused is sent again.
    if kind != Tick::Never {
        tick.send_replace(Tick::Now);
        sleep(Duration::from_secs(2)).await;
        let said = scene.try_say(Black, "resign").await;
        note(&scene, format!("{said:?}"));
    }
    let view = scene.club.seat_view(scene.game, scene.black.id).await;
    note(&scene, format!("{view:?}"));
    for listening in [&mut ear, &mut room] {
        note(&scene, format!("{:?}", drain(listening)));
    }
    note(&scene, format!("{}", *lobby.borrow() - before));
    // Names and ids are random.
    got.join("\n")
        .replace(&scene.game.to_string(), "GAME")
        .replace(&scene.white.name, "WHITE")
        .replace(&scene.black.name, "BLACK")
}

#[tokio::test(start_paused = true)]
async fn a_private_row_changes_nothing_for_others() {
    for kind in [
        Tick::Now,
        Tick::Late,
        Tick::Fails,
        Tick::Unanswered,
        Tick::Never,
    ] {
        let expected = others_get(Private::Nothing, kind).await;
        for private in [Private::Tries, Private::TryInTick] {
            let got = others_get(private, kind).await;
            assert_eq!(got, expected, "{private:?} {kind:?}");
        }
    }
}

/// White's resignation is judged but not durable when Black resigns. Black hears of it only when it
/// is durable, and hears nothing if it cannot be stored.
#[tokio::test(start_paused = true)]
async fn a_refusal_because_of_a_row_waits_for_the_row() {
    for (kind, code) in [
        (Tick::Late, RefusalCode::GameOver),
        (Tick::Unanswered, RefusalCode::Unavailable),
        (Tick::Fails, RefusalCode::Unavailable),
    ] {
        let (mut scene, tick) = scene().await;
        sleep(Duration::from_millis(250)).await;
        tick.send_replace(kind);
        let resigned = begin(&scene, "r", "resign").await;
        let began = scene.clock.0.elapsed();
        assert_eq!(scene.refused(Black, "resign").await, code, "{kind:?}");
        let waited = scene.clock.0.elapsed() - began;
        assert_eq!(waited, Duration::from_millis(750), "{kind:?}");
        let failed = (kind == Tick::Fails).then_some(RefusalCode::Unavailable);
        assert_eq!(resigned.await.unwrap(), failed, "{kind:?}");
        tick.send_replace(Tick::Now);
        let over = scene.facts(Listener::Room).await.standing.over;
        assert_eq!(over.is_some(), kind != Tick::Fails, "{kind:?}");
        if kind == Tick::Fails {
            assert_eq!(scene.say(Black, "resign").await.answer, "resigned");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn listener_does_not_wake_for_unheard_events() {
    let mut scene = Scene::new(terms("wild16", BLITZ)).await;
    scene.moves(&["e2e4", "e7e5"]).await;
    let mut ears = [
        scene.listen(Listener::Black).await,
        scene.listen(Listener::Room).await,
    ];
    // The listeners first get the facts, which say that Black is connected.
    sleep(Duration::from_millis(5)).await;
    for ear in &mut ears {
        drain(ear);
    }
    let mut lobby = scene.club.lobby();
    lobby.borrow_and_update();
    for text in ["e4e5", "a1a8", "f1f8", "d1d8"] {
        assert_eq!(scene.say(White, text).await.answer, "no");
    }
    for ear in &mut ears {
        let woken = timeout(Duration::from_secs(20), ear.next()).await;
        assert!(woken.is_err(), "{woken:?}");
    }
    assert!(!lobby.has_changed().unwrap());
    // Black hears White's move immediately, as in a game without the tries.
    scene.say(White, "d2d4").await;
    for ear in &mut ears {
        assert!(matches!(ear.ready(), Some(ListenerItem::Hearing(h)) if h.n == 4));
    }
}
