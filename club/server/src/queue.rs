//! Queue of the computations that take long and concern no running game: beliefs of finished games,
//! problems. One is computed at a time. The number of places is limited, in all and by address.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use limits::network;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};
use wire::RefusalCode;

use crate::refusal::Refusal;

/// Maximum number of computations that run or wait.
pub const QUEUE_CAPACITY: usize = 16;
/// Maximum number of places that requests from one address can have.
const PLACES_OF_ADDRESS: usize = 4;

/// The queue.
#[derive(Debug)]
pub struct Queue {
    worker: Semaphore,
    free: Arc<Semaphore>,
    /// Number of places that are taken, by network.
    taken: Mutex<HashMap<IpAddr, usize>>,
    closing: AtomicBool,
}

impl Default for Queue {
    fn default() -> Queue {
        Queue {
            worker: Semaphore::new(1),
            free: Arc::new(Semaphore::new(QUEUE_CAPACITY)),
            taken: Mutex::default(),
            closing: AtomicBool::new(false),
        }
    }
}

/// A place in the queue. When this value is dropped, the place is free again.
#[derive(Debug)]
pub struct QueuePlace {
    queue: Arc<Queue>,
    network: IpAddr,
    _permit: OwnedSemaphorePermit,
}

impl Drop for QueuePlace {
    fn drop(&mut self) {
        let mut taken = self.queue.taken();
        if let Some(n) = taken.get_mut(&self.network) {
            *n = n.saturating_sub(1);
            if *n == 0 {
                taken.remove(&self.network);
            }
        }
    }
}

impl Queue {
    /// Takes a place; `None` if the queue is full, or if the address has too many places.
    pub fn place(self: &Arc<Queue>, address: IpAddr) -> Option<QueuePlace> {
        let permit = Arc::clone(&self.free).try_acquire_owned().ok()?;
        let network = network(address);
        let mut taken = self.taken();
        let n = taken.entry(network).or_default();
        if *n >= PLACES_OF_ADDRESS {
            return None;
        }
        *n += 1;
        Some(QueuePlace {
            queue: Arc::clone(self),
            network,
            _permit: permit,
        })
    }

    /// Makes every computation end with a refusal, because the server closes.
    pub fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
    }

    /// Whether the server closes.
    pub fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }

    /// Waits for the turn to compute. The order is fair.
    pub async fn turn(&self) -> SemaphorePermit<'_> {
        let turn = self.worker.acquire().await;
        turn.expect("the semaphore is never closed")
    }

    fn taken(&self) -> std::sync::MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of free places.
    #[cfg(test)]
    pub fn free(&self) -> usize {
        self.free.available_permits()
    }
}

/// Returns the refusal of a computation for which there is no place.
pub fn busy() -> Refusal {
    Refusal::too_many(
        "the club is computing reviews and problems for others now",
        Duration::from_secs(15),
    )
    .because("computing-busy")
}

/// Returns the refusal of a computation while the server closes.
pub fn closing() -> Refusal {
    Refusal::new(
        RefusalCode::Unavailable,
        "the club closes: ask again in a minute",
    )
    .because("club-closing")
}

/// Returns the refusal of an answer that took too long.
pub fn unsolved() -> Refusal {
    Refusal::new(
        RefusalCode::Unavailable,
        "the answer to this attempt took too long: try again, or take another problem",
    )
    .because("problem-slow")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_an_address_are_limited_and_freed() {
        let here = IpAddr::from([127, 0, 0, 1]);
        let queue = Arc::new(Queue::default());
        let held: Vec<_> = (0..PLACES_OF_ADDRESS)
            .map(|_| queue.place(here).unwrap())
            .collect();
        assert!(queue.place(here).is_none());
        let there = queue.place(IpAddr::from([192, 0, 2, 1]));
        assert!(there.is_some());
        drop(held);
        assert!(queue.place(here).is_some());
        drop(there);
        assert_eq!(queue.taken().len(), 0);
        assert_eq!(queue.free(), QUEUE_CAPACITY);
    }

    #[test]
    fn full_queue_has_no_place() {
        let queue = Arc::new(Queue::default());
        let address = |n: usize| IpAddr::from([192, 0, 2, u8::try_from(n).unwrap()]);
        let held: Vec<_> = (0..QUEUE_CAPACITY)
            .map(|n| queue.place(address(n)).unwrap())
            .collect();
        assert!(queue.place(address(99)).is_none());
        drop(held);
        assert!(queue.place(address(99)).is_some());
    }
}
