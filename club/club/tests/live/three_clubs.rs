//! Tests with three clubs over one store, of which two fail: at the same time, or the second as soon
//! as it owns the games.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use async_trait::async_trait;
use club::{Club, EndReason, request_id};
use rules::chess::Color::{Black, White};
use store::{
    Act, AppendError, Fence, MemoryStore, Store, StoreError,
    testing::{Append, Around, Tapped},
};
use tokio::{
    sync::Notify,
    task::{JoinHandle, spawn},
    time::sleep,
};
use wire::RefusalCode;

use crate::{
    common::{BLITZ, Scene, open, terms},
    outages::{stand_in, white_left},
};

/// How a club fails.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Failure {
    /// Its process ends.
    Crash,
    /// Nothing of it reaches the store, until the end of the test.
    Stop,
}

/// Holds back what a stopped club sends to the store.
#[derive(Default)]
struct Stops {
    /// Ownership of each stopped club.
    stopped: Mutex<HashSet<Fence>>,
    /// The newest ownership.
    newest: Mutex<Fence>,
    goes_on: Notify,
}

impl Stops {
    fn stopped(&self) -> MutexGuard<'_, HashSet<Fence>> {
        self.stopped.lock().unwrap()
    }

    fn newest(&self) -> MutexGuard<'_, Fence> {
        self.newest.lock().unwrap()
    }

    async fn wait(&self, fence: Fence) {
        let is_stopped = || self.stopped().contains(&fence);
        while is_stopped() {
            self.goes_on.notified().await;
        }
    }

    /// Stops the club that owns the games.
    fn stop(&self) {
        let newest = *self.newest();
        self.stopped().insert(newest);
    }

    /// Lets all stopped clubs go on.
    fn wake(&self) {
        self.stopped().clear();
        self.goes_on.notify_waiters();
    }
}

struct Hook(Arc<Stops>);

#[async_trait]
impl Around for Hook {
    async fn append(&self, store: &dyn Store, append: Append<'_>) -> Result<(), AppendError> {
        self.0.wait(append.expected.fence).await;
        append.to(store, append.expected).await
    }

    async fn renewal(&self, fence: Option<Fence>) -> Result<(), StoreError> {
        if let Some(fence) = fence {
            *self.0.newest() = fence;
            self.0.wait(fence).await;
        }
        Ok(())
    }
}

async fn scene() -> (Scene, Arc<Stops>) {
    let stops = Arc::new(Stops::default());
    let store = Tapped {
        store: MemoryStore::default(),
        around: Hook(Arc::clone(&stops)),
    };
    let mut scene = Scene::over(Arc::new(store), terms("wild16", BLITZ)).await;
    scene.moves(&["e2e4", "d7d5"]).await;
    (scene, stops)
}

/// Makes the club of the scene fail. A stopped club is kept, and returned.
async fn fail(scene: &mut Scene, stops: &Stops, failure: Failure) -> Option<Club> {
    let clock = scene.clock.clone();
    let club = std::mem::replace(&mut scene.club, stand_in(&clock).await);
    match failure {
        Failure::Crash => None,
        Failure::Stop => {
            stops.stop();
            Some(club)
        }
    }
}

fn standby(scene: &Scene) -> JoinHandle<Club> {
    let (store, clock) = (scene.store.clone(), scene.clock.clone());
    spawn(async move { open(&store, &clock).await })
}

/// Waits until one of the clubs owns the games. It becomes the club of the scene.
async fn take_over(scene: &mut Scene, standbys: &mut Vec<JoinHandle<Club>>, case: &str) {
    let failed = scene.club.now();
    let at = loop {
        match standbys.iter().position(JoinHandle::is_finished) {
            Some(at) => break at,
            None => sleep(Duration::from_millis(10)).await,
        }
        assert!(scene.club.now() - failed <= 2_100, "{case}");
    };
    scene.club = standbys.remove(at).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn two_of_three_clubs_fail() {
    use Failure::{Crash, Stop};
    for (first, second, together) in [Crash, Stop]
        .into_iter()
        .flat_map(|first| [Crash, Stop].map(|second| (first, second)))
        .flat_map(|(first, second)| [true, false].map(|together| (first, second, together)))
    {
        let case = format!("{first:?}, {second:?}, together: {together}");
        let (mut scene, stops) = scene().await;
        let mut standbys = vec![standby(&scene), standby(&scene)];
        sleep(Duration::from_secs(20)).await;
        // White's move is under way when the owner fails.
        let (owner, id) = (scene.club.clone(), request_id("under-way").unwrap());
        let (game, white, after) = (scene.game, scene.white.id, scene.n(White).await);
        let stopped = fail(&mut scene, &stops, first).await;
        let under_way = (first == Stop).then(|| {
            let (owner, id) = (owner.clone(), id.clone());
            spawn(async move { owner.say(game, white, id, after, "e4d5").await })
        });
        drop(owner);
        let mut asleep = vec![stopped];
        if together {
            // One of the standbys dies in the same moment, and a third process begins.
            standbys.remove(0).abort();
            standbys.push(standby(&scene));
        }
        take_over(&mut scene, &mut standbys, &case).await;
        if !together {
            asleep.push(fail(&mut scene, &stops, second).await);
            take_over(&mut scene, &mut standbys, &case).await;
        }
        let said = scene.club.say(game, white, id, after, "e4d5").await;
        assert_eq!(said.map(|said| said.answer), Ok("moved"), "{case}");
        let left = white_left(&scene).await;
        assert!((279_000..=284_600).contains(&left), "{case}: {left}");

        stops.wake();
        sleep(Duration::from_secs(5)).await;
        for club in asleep.into_iter().flatten() {
            assert_eq!(club.end().await, EndReason::Fenced, "{case}");
        }
        if let Some(under_way) = under_way {
            let said = under_way.await.unwrap();
            let refused = said.expect_err("the club was stopped").code;
            assert_eq!(refused, RefusalCode::Unavailable, "{case}");
        }
        assert_eq!(scene.say(Black, "d8d5").await.answer, "moved");
        let rows = scene.store.rows(game, 0).await.unwrap();
        let moves = rows.iter().filter_map(|row| match &row.act {
            Act::Game(event) => event
                .to_string()
                .contains(" moved ")
                .then(|| event.to_string()),
            Act::Table(_) => None,
        });
        let moves: Vec<String> = moves.collect();
        assert_eq!(moves.len(), 4, "{case}: {moves:?}");
    }
}
