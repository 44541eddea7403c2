//! The time of a game: the simulated time of tokio. When no task has work to do, tokio moves this
//! time forward to the next timer at once. So a wait takes no real time.

use std::time::Duration;

use club::{Clock, Millis};
use tokio::time::{Instant, sleep_until};

/// Time at which every game begins.
pub const TEST_START: Millis = 1_800_000_000_000;

/// Time since the game began. With `None` the time never advances.
#[derive(Copy, Clone, Debug)]
pub struct Time(pub Option<Instant>);

impl Time {
    /// Returns the milliseconds since the game began.
    pub fn since(&self) -> i64 {
        let gone = self.0.map_or(Duration::ZERO, |begun| begun.elapsed());
        i64::try_from(gone.as_millis()).unwrap_or(i64::MAX)
    }

    /// Waits until `at` milliseconds after the game began.
    pub async fn until(&self, at: i64) {
        if let Some(begun) = self.0 {
            sleep_until(begun + Duration::from_millis(at.unsigned_abs())).await;
        }
    }
}

impl Clock for Time {
    fn now(&self) -> Millis {
        TEST_START + self.since()
    }
}
