//! Replays of finished games. They run on blocking threads, and only a few run at the same time.
//! Games that were used recently are kept in memory.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use store::GameId;
use tokio::{
    sync::{OnceCell, Semaphore},
    task::spawn_blocking,
};

use crate::{error::ClubError, finished::FinishedGame, sync::lock};

/// Maximum number of logs that are read or replayed at the same time.
const MAX_AT_ONCE: usize = 2;

/// Maximum total cost of the replays that run at the same time. The cost of a very long game is
/// limited to this maximum, so that the game can be replayed at all.
const MAX_COST: u32 = 4;

/// Number of rows of a log that count as one unit of [`MAX_COST`].
const ROWS_PER_UNIT: usize = 500;

/// Maximum total number of events in the games that are kept. An event takes about 200 bytes.
const MAX_EVENTS: usize = 60_000;

/// Finished games that are kept, and the limits on replays.
pub(crate) struct Replays {
    places: Arc<Semaphore>,
    cost: Arc<Semaphore>,
    kept: Mutex<KeptGames>,
}

impl Default for Replays {
    fn default() -> Replays {
        Replays {
            places: Arc::new(Semaphore::new(MAX_AT_ONCE)),
            cost: Arc::new(Semaphore::new(MAX_COST as usize)),
            kept: Mutex::default(),
        }
    }
}

/// Place of a finished game in the cache; empty until the game is replayed.
pub(crate) type Cell = Arc<OnceCell<Arc<FinishedGame>>>;

#[derive(Default)]
struct KeptGames {
    games: HashMap<GameId, KeptGame>,
    events: usize,
    uses: u64,
}

struct KeptGame {
    cell: Cell,
    events: usize,
    used: u64,
}

impl Replays {
    /// Returns a game if it is kept.
    pub(crate) fn find(&self, game: GameId) -> Option<Arc<FinishedGame>> {
        let mut kept = lock(&self.kept);
        kept.uses += 1;
        let uses = kept.uses;
        let found = kept.games.get_mut(&game)?;
        found.used = uses;
        found.cell.get().cloned()
    }

    /// Returns the place for a game. All callers who ask for the same game wait for the same
    /// replay.
    pub(crate) fn cell(&self, game: GameId) -> Cell {
        let mut kept = lock(&self.kept);
        kept.uses += 1;
        let used = kept.uses;
        let found = kept.games.entry(game).or_insert_with(|| KeptGame {
            cell: Cell::default(),
            events: 0,
            used,
        });
        Arc::clone(&found.cell)
    }

    /// Records the number of events of a game that was replayed. If there are too many events,
    /// removes the games that were not used for the longest time. If the replay failed (`None`),
    /// removes the place of the game.
    pub(crate) fn note(&self, game: GameId, events: Option<usize>) {
        let mut kept = lock(&self.kept);
        match (events, kept.games.get_mut(&game)) {
            (Some(events), Some(found)) => {
                let before = std::mem::replace(&mut found.events, events);
                kept.events = kept.events - before + events;
            }
            // A place that is still empty may be in use: another caller may be replaying the game
            // of this place now.
            (None, Some(found)) if found.events == 0 && Arc::strong_count(&found.cell) <= 2 => {
                kept.games.remove(&game);
            }
            (None, Some(_)) | (_, None) => {}
        }
        while kept.events > MAX_EVENTS {
            let replayed = kept.games.iter().filter(|(_, one)| one.events > 0);
            let Some(oldest) = replayed.min_by_key(|(_, one)| one.used).map(|(id, _)| *id) else {
                return;
            };
            if let Some(gone) = kept.games.remove(&oldest) {
                kept.events -= gone.events;
            }
        }
    }

    /// Forgets all games, because the name of a player has changed.
    pub(crate) fn forget_all(&self) {
        let mut kept = lock(&self.kept);
        kept.games.clear();
        kept.events = 0;
    }

    /// Waits until a log may be read and replayed.
    pub(crate) async fn place(&self) -> Result<tokio::sync::OwnedSemaphorePermit, ClubError> {
        let places = Arc::clone(&self.places);
        places
            .acquire_owned()
            .await
            .map_err(|_| ClubError::closing())
    }

    /// Runs `work` on a blocking thread. `rows` is the number of rows of the log. When the work is
    /// done, its cost no longer counts towards [`MAX_COST`], even if the caller has stopped
    /// waiting.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        rows: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ClubError> {
        let cost = u32::try_from(rows / ROWS_PER_UNIT).unwrap_or(MAX_COST);
        let cost = Arc::clone(&self.cost)
            .acquire_many_owned(cost.clamp(1, MAX_COST))
            .await
            .map_err(|_| ClubError::closing())?;
        let done = spawn_blocking(move || {
            let _held = cost;
            work()
        });
        done.await.map_err(|_| ClubError::closing())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(replays: &Replays, n: u64, events: usize) -> GameId {
        let id = GameId::from_chance(n);
        replays.cell(id);
        replays.note(id, Some(events));
        id
    }

    #[test]
    fn least_recently_used_game_is_removed_first() {
        let replays = Replays::default();
        let all: Vec<_> = (0..3).map(|n| game(&replays, n, MAX_EVENTS / 3)).collect();
        replays.find(all[0]);
        game(&replays, 3, MAX_EVENTS / 3);
        let kept = lock(&replays.kept);
        assert!(kept.events <= MAX_EVENTS);
        assert!(kept.games.contains_key(&all[0]) && !kept.games.contains_key(&all[1]));
    }

    #[test]
    fn a_replay_that_failed_is_forgotten() {
        let replays = Replays::default();
        let id = GameId::from_chance(1);
        let cell = replays.cell(id);
        replays.note(id, None);
        drop(cell);
        assert!(lock(&replays.kept).games.is_empty());
    }

    #[tokio::test]
    async fn long_logs_are_processed_one_at_a_time() {
        use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
        let replays = Arc::new(Replays::default());
        let (now, most) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
        let tasks: Vec<_> = (0..6)
            .map(|_| {
                let (replays, now, most) = (replays.clone(), now.clone(), most.clone());
                tokio::spawn(async move {
                    let work = move || {
                        most.fetch_max(now.fetch_add(1, SeqCst) + 1, SeqCst);
                        std::thread::yield_now();
                        now.fetch_sub(1, SeqCst);
                    };
                    replays.work(15_000, work).await
                })
            })
            .collect();
        for task in tasks {
            assert_eq!(task.await.unwrap(), Ok(()));
        }
        assert_eq!(most.load(SeqCst), 1);
    }
}
