//! Beliefs of finished games. A belief is what a player of the game could know about the opponent's
//! men at each moment. Each belief is computed on a separate thread and then cached. While a belief
//! is being computed, further requests for the same belief wait.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use axum::body::Bytes;
use club::GameId;
use limits::network;
use rules::chess::Color;
use scores::{BeliefLimits, Beliefs, RecordedGame};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wire::RefusalCode;

use crate::{cache::Cache, refusal::Refusal};

/// Limits of the computation of one belief: about ten seconds of one processor.
const LIMITS: BeliefLimits = BeliefLimits {
    positions: 100_000,
    work: 1_000_000,
};
/// A computation stops after this time and returns the moments that were computed so far.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Number of beliefs that are computed at the same time.
const WORKERS: usize = 1;
/// Maximum number of beliefs that are being computed or wait in the queue.
const QUEUE_CAPACITY: usize = 16;
/// Maximum number of beliefs that requests from one address can have in the queue.
const PLACES_OF_ADDRESS: usize = 4;
/// Maximum size of the cached answers, in bytes.
const CACHE_BYTES: usize = 16 << 20;

/// A seat of a finished game.
type Key = (GameId, Color);

/// Computes and caches what a player of a finished game could know.
#[derive(Clone, Debug)]
pub struct BeliefReviews(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    workers: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    /// Number of places in the queue that are taken, by address.
    places: Mutex<HashMap<IpAddr, usize>>,
    cache: Mutex<Cache<Key>>,
    /// Set when the server closes.
    closing: AtomicBool,
}

impl Default for BeliefReviews {
    fn default() -> BeliefReviews {
        BeliefReviews(Arc::new(Inner {
            workers: Arc::new(Semaphore::new(WORKERS)),
            queue: Arc::new(Semaphore::new(QUEUE_CAPACITY)),
            places: Mutex::default(),
            cache: Mutex::new(Cache::new(CACHE_BYTES)),
            closing: AtomicBool::new(false),
        }))
    }
}

/// A place in the queue. When this value is dropped, the place is free again.
struct Place {
    reviews: BeliefReviews,
    address: IpAddr,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut places = lock(&self.reviews.0.places);
        if let Some(n) = places.get_mut(&self.address) {
            *n = n.saturating_sub(1);
            if *n == 0 {
                places.remove(&self.address);
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl BeliefReviews {
    /// Returns the belief of a seat as JSON, if it is in the cache.
    pub fn kept(&self, key: Key) -> Option<Result<Bytes, Refusal>> {
        self.cache().answer(key)
    }

    /// Returns the belief of a seat as JSON. `address` is the address of the client. If the belief
    /// must be computed, `account` is called to get the record of the game. The computation
    /// continues even if the request is dropped.
    ///
    /// # Errors
    /// If too many beliefs wait, if the game cannot be read, or if the server closes.
    pub async fn json(
        &self,
        key: Key,
        address: IpAddr,
        account: impl FnOnce() -> Result<RecordedGame, Refusal> + Send + 'static,
    ) -> Result<Bytes, Refusal> {
        let known = self.cache().find(key);
        if let Some(done) = known.as_ref().and_then(|cell| cell.get()) {
            return done.clone();
        }
        // If the belief is being computed already, the request waits for it and takes no place in
        // the queue.
        let (cell, place) = match known {
            Some(cell) => (cell, None),
            None => {
                let place = self.place(network(address)).ok_or_else(|| {
                    Refusal::too_many(
                        "the club is computing the beliefs of other games now",
                        Duration::from_secs(15),
                    )
                })?;
                (self.cache().add(key), Some(place))
            }
        };
        let reviews = self.clone();
        let task = tokio::spawn(async move {
            let _place = place;
            let compute = || reviews.compute(key.1, account);
            let done = cell.get_or_init(compute).await.clone();
            reviews.cache().note(key, &done);
            done
        });
        task.await.map_err(|_| unreadable())?
    }

    /// Takes a place in the queue; `None` if the queue is full, or if the address has too many
    /// places.
    fn place(&self, address: IpAddr) -> Option<Place> {
        let permit = Arc::clone(&self.0.queue).try_acquire_owned().ok()?;
        let mut places = lock(&self.0.places);
        let n = places.entry(address).or_default();
        if *n >= PLACES_OF_ADDRESS {
            return None;
        }
        *n += 1;
        Some(Place {
            reviews: self.clone(),
            address,
            _permit: permit,
        })
    }

    async fn compute(
        &self,
        seat: Color,
        account: impl FnOnce() -> Result<RecordedGame, Refusal> + Send + 'static,
    ) -> Result<Bytes, Refusal> {
        let Ok(_worker) = self.0.workers.acquire().await else {
            return Err(unreadable());
        };
        let inner = Arc::clone(&self.0);
        let work = move || {
            let beliefs = Beliefs::of(&account()?, None, seat, LIMITS).map_err(|_| unreadable())?;
            let begun = Instant::now();
            let json = beliefs
                .json(|| begun.elapsed() < TIMEOUT && !inner.closing.load(Ordering::Relaxed));
            if inner.closing.load(Ordering::Relaxed) {
                return Err(closing());
            }
            serde_json::to_vec(&json).map_err(|_| unreadable())
        };
        let json = tokio::task::spawn_blocking(work).await;
        json.map_err(|_| unreadable())?.map(Bytes::from)
    }

    /// Makes every running computation end with a refusal.
    pub fn close(&self) {
        self.0.closing.store(true, Ordering::Relaxed);
    }

    fn cache(&self) -> MutexGuard<'_, Cache<Key>> {
        lock(&self.0.cache)
    }
}

fn closing() -> Refusal {
    Refusal::new(
        RefusalCode::Unavailable,
        "the club closes: ask again in a minute",
    )
}

fn unreadable() -> Refusal {
    Refusal::new(
        RefusalCode::Unavailable,
        "the belief of this player cannot be computed: tell the club's operator the id of the game",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(n: u64) -> Key {
        (GameId::from_chance(n), Color::White)
    }

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    #[test]
    fn places_of_an_address_are_limited_and_freed() {
        let reviews = BeliefReviews::default();
        let held: Vec<_> = (0..PLACES_OF_ADDRESS)
            .map(|_| reviews.place(HERE).unwrap())
            .collect();
        assert!(reviews.place(HERE).is_none());
        let there = reviews.place("192.0.2.1".parse().unwrap());
        assert!(there.is_some());
        drop(held);
        assert!(reviews.place(HERE).is_some());
        drop(there);
        assert_eq!(lock(&reviews.0.places).len(), 0);
        assert_eq!(reviews.0.queue.available_permits(), QUEUE_CAPACITY);
    }

    #[tokio::test]
    async fn club_that_closes_computes_no_more_beliefs() {
        let text = "title   x\nrules   wild16\nsource  x\n\nattempt | white | black | room\nwhite e2e4\nblack resign\n";
        let account = || Ok(RecordedGame::from_transcript(text).unwrap());
        let reviews = BeliefReviews::default();
        assert!(reviews.json(key(1), HERE, account).await.is_ok());
        reviews.close();
        let asked = reviews.json(key(2), HERE, account).await;
        let refusal = asked.unwrap_err();
        assert_eq!(refusal.code, RefusalCode::Unavailable);
        assert!(refusal.why.contains("closes"), "{refusal}");
        // A belief that was computed before is still returned.
        assert!(reviews.json(key(1), HERE, account).await.is_ok());
    }

    #[tokio::test]
    async fn request_is_refused_while_the_queue_is_full() {
        let reviews = BeliefReviews::default();
        let queue = Arc::clone(&reviews.0.queue);
        let held = queue
            .acquire_many_owned(QUEUE_CAPACITY as u32)
            .await
            .unwrap();
        let asked = reviews.json(key(1), HERE, || Err(unreadable())).await;
        assert_eq!(asked.unwrap_err().code, RefusalCode::TooMany);
        drop(held);
        let asked = reviews.json(key(1), HERE, || Err(unreadable())).await;
        assert_eq!(asked.unwrap_err().code, RefusalCode::Unavailable);
    }
}
