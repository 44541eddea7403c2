//! A game that is played now.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{sync::watch, time::Instant};

/// A game that is played now.
pub(super) struct Table {
    pub(super) id: String,
    interval: Duration,
    /// Earliest time of the next attempt.
    next: Mutex<Instant>,
}

impl Table {
    /// Creates the table of a game whose first attempt is made after `pause`.
    pub(super) fn new(id: String, interval: Duration, pause: Duration) -> Table {
        Table {
            id,
            interval,
            next: Mutex::new(Instant::now() + pause),
        }
    }

    /// Returns the time of the next attempt. If the planned time has passed, returns the current
    /// time. Plans the attempt after it one interval later.
    pub(super) fn slot(&self) -> Instant {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let slot = (*next).max(Instant::now());
        *next = slot + self.interval;
        slot
    }
}

/// Tells a spectator which game a pair of players plays now.
pub(super) type Current = watch::Receiver<Option<Arc<Table>>>;
