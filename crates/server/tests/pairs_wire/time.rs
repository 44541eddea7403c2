//! The time of a game: it goes by itself and costs nothing, or it goes from
//! one thing done to the next.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use club::{Clock, Millis};
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// When every game begins.
pub const DAWN: Millis = 1_800_000_000_000;

/// How long a machine that is very busy may take for one thing.
const PATIENCE: Duration = Duration::from_secs(60);

/// The time of a game.
#[derive(Clone)]
pub enum Time {
    /// Tokio's, paused: it goes on when nothing is left to do.
    Paused(Instant),
    /// It is what it is set to.
    Set(Arc<AtomicI64>),
}

impl Time {
    /// Milliseconds since the game began.
    pub fn since(&self) -> i64 {
        match self {
            Time::Paused(epoch) => i64::try_from(epoch.elapsed().as_millis()).unwrap_or(i64::MAX),
            Time::Set(now) => now.load(Ordering::Relaxed),
        }
    }

    /// When bytes came, where that can be compared.
    pub fn stamp(&self) -> i64 {
        match self {
            Time::Paused(_) => self.since(),
            Time::Set(_) => 0,
        }
    }

    /// Lets it be that time; where it does not go by itself, not before
    /// `ready` is true.
    pub async fn until(&self, at: i64, ready: impl Fn() -> bool) {
        match self {
            Time::Paused(epoch) => {
                let span = Duration::from_millis(at.unsigned_abs());
                sleep_until(*epoch + span).await;
            }
            Time::Set(now) => {
                let waiting = async {
                    while !ready() {
                        sleep(Duration::from_millis(1)).await;
                    }
                };
                // What does not come is missed in the comparison.
                let _missing = timeout(PATIENCE, waiting).await;
                now.store(at, Ordering::Relaxed);
            }
        }
    }
}

impl Clock for Time {
    fn now(&self) -> Millis {
        DAWN + self.since()
    }
}
