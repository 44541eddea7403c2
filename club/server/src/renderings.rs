//! Finished games as files. They are rendered on blocking threads, only a few at the same time.
//! Each file is rendered once and then cached.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use club::{Club, FinishedGame, GameId};
use tokio::sync::Semaphore;
use wire::RefusalCode;

use crate::{cache::Cache, refusal::Refusal};

/// Maximum total cost of the renderings that run at the same time. The cost of a long game is the
/// whole maximum, so no other game is rendered at the same time.
const MAX_COST: u32 = 4;
/// Number of events of a game that count as one unit of [`MAX_COST`].
const EVENTS_PER_UNIT: usize = 500;
/// Maximum size of the cached files, in bytes.
const CACHE_BYTES: usize = 32 << 20;

/// Form of a file.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Form {
    /// `finished.json`.
    Json,
    /// The steps of the game, for programs that display boards.
    Steps,
    /// `finished.pgn`.
    Pgn,
    /// `finished.txt`.
    Transcript,
}

/// Renders finished games.
#[derive(Clone, Debug)]
pub struct Renderings {
    cost: Arc<Semaphore>,
    cache: Arc<Mutex<Cache<(GameId, Form, u64)>>>,
}

impl Default for Renderings {
    fn default() -> Renderings {
        Renderings {
            cost: Arc::new(Semaphore::new(MAX_COST as usize)),
            cache: Arc::new(Mutex::new(Cache::new(CACHE_BYTES))),
        }
    }
}

impl Renderings {
    /// Returns a finished game in this form. If the file is not in the cache, `write` renders it.
    /// The rendering continues even if the caller stops waiting.
    ///
    /// # Errors
    /// The game is not over, or cannot be read.
    pub async fn file(
        &self,
        club: &Club,
        (game, form): (GameId, Form),
        write: fn(&FinishedGame) -> Result<Vec<u8>, Refusal>,
    ) -> Result<Bytes, Refusal> {
        // The file contains the names of the players. The key contains `names_version`, so that a
        // file with an old name is not used again.
        let key = (game, form, club.names_version());
        if let Some(done) = self.cache().answer(key) {
            return done;
        }
        let finished = club.finished(game).await?;
        let cell = self.cache().add(key);
        let renderings = self.clone();
        let task = tokio::spawn(async move {
            let render = || renderings.render(finished, write);
            let done = cell.get_or_init(render).await.clone();
            renderings.cache().note(key, &done);
            done
        });
        task.await.map_err(|_| unreadable())?
    }

    async fn render(
        &self,
        game: Arc<FinishedGame>,
        write: fn(&FinishedGame) -> Result<Vec<u8>, Refusal>,
    ) -> Result<Bytes, Refusal> {
        let cost = u32::try_from(game.log.len() / EVENTS_PER_UNIT).unwrap_or(MAX_COST);
        let Ok(_held) = self.cost.acquire_many(cost.clamp(1, MAX_COST)).await else {
            return Err(unreadable());
        };
        let written = tokio::task::spawn_blocking(move || write(&game)).await;
        written.map_err(|_| unreadable())?.map(Bytes::from)
    }

    fn cache(&self) -> MutexGuard<'_, Cache<(GameId, Form, u64)>> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the refusal for a finished game whose log cannot be written as a file.
pub fn unreadable() -> Refusal {
    Refusal::new(
        RefusalCode::Unavailable,
        "the file of this game cannot be made: tell the club's operator the id of the game",
    )
    .because("game-damaged")
}
