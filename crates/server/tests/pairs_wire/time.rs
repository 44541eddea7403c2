//! The time of a game: tokio's, paused. It goes by itself, when nothing is left
//! to do, and costs nothing.

use std::time::Duration;

use club::{Clock, Millis};
use tokio::time::{Instant, sleep_until};

/// When every game begins.
pub const DAWN: Millis = 1_800_000_000_000;

/// The time of a game since it began; where nothing began, it stands still.
#[derive(Copy, Clone, Debug)]
pub struct Time(pub Option<Instant>);

impl Time {
    /// Milliseconds since the game began.
    pub fn since(&self) -> i64 {
        let gone = self.0.map_or(Duration::ZERO, |begun| begun.elapsed());
        i64::try_from(gone.as_millis()).unwrap_or(i64::MAX)
    }

    /// Lets it be that time.
    pub async fn until(&self, at: i64) {
        if let Some(begun) = self.0 {
            sleep_until(begun + Duration::from_millis(at.unsigned_abs())).await;
        }
    }
}

impl Clock for Time {
    fn now(&self) -> Millis {
        DAWN + self.since()
    }
}
