//! The clock of the club, and the speed classes of games.

use std::time::{SystemTime, UNIX_EPOCH};

use store::{Millis, TimeControl};
use tokio::time::Instant;

/// Minimum length of an outage, in milliseconds: time in which no club wrote a heartbeat.
pub(crate) const OUTAGE_LEAST: Millis = 1_200;

/// Source of the wall time. The club gets it as an argument, so that tests can
/// set the time.
pub trait Clock: Send + Sync + 'static {
    /// Returns the milliseconds since the beginning of 1970 (UTC).
    fn now(&self) -> Millis;
}

/// The club's time: the wall time when the club was opened, plus the monotonic time since.
/// Setting the wall clock while the club runs does not change it.
#[derive(Copy, Clone, Debug)]
pub(crate) struct ClubTime {
    opened: Millis,
    since: Instant,
}

impl ClubTime {
    /// Reads the wall clock. It is not read again later.
    pub(crate) fn begin(clock: &dyn Clock) -> ClubTime {
        ClubTime {
            opened: clock.now(),
            since: Instant::now(),
        }
    }

    /// Returns the milliseconds since the beginning of 1970 (UTC). The value
    /// never decreases.
    pub(crate) fn now(self) -> Millis {
        let passed = Millis::try_from(self.since.elapsed().as_millis()).unwrap_or(Millis::MAX);
        self.opened.saturating_add(passed)
    }
}

/// Returns the time since a stored moment, in milliseconds. A moment in the future was stored
/// while the wall clock was wrong. Its distance from now counts as its age, so that no offer or
/// session lasts more than twice its usual time.
pub(crate) fn age(at: Millis, now: Millis) -> Millis {
    Millis::try_from(now.abs_diff(at)).unwrap_or(Millis::MAX)
}

/// The machine's clock.
#[derive(Copy, Clone, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Millis {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |span| {
                Millis::try_from(span.as_millis()).unwrap_or(Millis::MAX)
            })
    }
}

/// Speed class of a game. It depends on the initial time plus forty increments.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum Speed {
    /// Less than 3 minutes.
    Bullet,
    /// Less than 8 minutes.
    Blitz,
    /// Less than 25 minutes.
    Rapid,
    /// At least 25 minutes.
    Classical,
    /// No clock.
    Unlimited,
}

const SECOND: Millis = 1000;
const HOUR: Millis = 3600 * SECOND;

impl Speed {
    /// Returns the speed class of a time control.
    pub const fn of(time: TimeControl) -> Speed {
        match time {
            TimeControl::Unlimited => Speed::Unlimited,
            TimeControl::Clock { initial, increment } => {
                match initial.saturating_add(increment.saturating_mul(40)) {
                    ..180_000 => Speed::Bullet,
                    180_000..480_000 => Speed::Blitz,
                    480_000..1_500_000 => Speed::Rapid,
                    1_500_000.. => Speed::Classical,
                }
            }
        }
    }

    /// Returns the time limit for the first move of each side, in milliseconds; `None` if there is
    /// no limit.
    pub const fn first_move(self) -> Option<Millis> {
        match self {
            Speed::Bullet | Speed::Blitz => Some(30 * SECOND),
            Speed::Rapid => Some(60 * SECOND),
            Speed::Classical => Some(120 * SECOND),
            Speed::Unlimited => None,
        }
    }

    /// Returns the time that a player must be gone before the opponent may claim the game, in
    /// milliseconds.
    pub const fn grace(self) -> Millis {
        match self {
            Speed::Bullet => 15 * SECOND,
            Speed::Blitz => 30 * SECOND,
            Speed::Rapid => 60 * SECOND,
            Speed::Classical => 120 * SECOND,
            Speed::Unlimited => 24 * HOUR,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_go_by_stock_and_forty_increments() {
        for (initial, increment, speed) in [
            (60, 0, Speed::Bullet),
            (179, 0, Speed::Bullet),
            (60, 3, Speed::Blitz),
            (300, 3, Speed::Blitz),
            (480, 0, Speed::Rapid),
            (900, 10, Speed::Rapid),
            (1500, 10, Speed::Classical),
        ] {
            let time = TimeControl::Clock {
                initial: initial * SECOND,
                increment: increment * SECOND,
            };
            assert_eq!(Speed::of(time), speed, "{initial}+{increment}");
        }
        assert_eq!(Speed::of(TimeControl::Unlimited), Speed::Unlimited);
    }
}
