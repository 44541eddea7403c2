//! The clock of the club, and the speed classes of games.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use store::{Millis, Store, StoreError, TimeControl};
use tokio::time::Instant;

/// Minimum length of an outage, in milliseconds. If no club writes a heartbeat for this time, there
/// was an outage.
pub(crate) const MIN_OUTAGE: Millis = 1_200;

/// Source of the wall time. The club gets it as an argument, so that tests can
/// set the time.
pub trait Clock: Send + Sync + 'static {
    /// Returns the milliseconds since the beginning of 1970 (UTC).
    fn now(&self) -> Millis;
}

/// The club's time: the wall time at which the club was opened, plus the monotonic time that has
/// passed since then. Setting the wall clock while the club runs does not change the club's time.
///
/// If all clubs of a store share the clock of a database, this shared clock replaces the wall
/// clock. The club's time then begins with the time of the shared clock. Later, small corrections
/// keep it close to the shared clock. Clones share one time.
#[derive(Clone, Debug)]
pub(crate) struct ClubTime(Arc<SharedTime>);

#[derive(Debug)]
struct SharedTime {
    since: Instant,
    /// Time at `since`, in milliseconds since 1970, with all corrections.
    base: AtomicI64,
    /// Latest time that was returned.
    last: AtomicI64,
}

/// Maximum size of one correction, in milliseconds. A correction never sets the club's time back. If
/// the club's time is ahead, a correction stops the club's time for at most this number of
/// milliseconds.
const MAX_CORRECTION: Millis = 5;
/// Maximum duration of a reading of the shared clock. A slower reading is too inexact, so it is not
/// used for a correction.
const MAX_READING: Duration = Duration::from_millis(100);

impl ClubTime {
    /// Begins with the wall clock. The club reads the wall clock only here.
    pub(crate) fn begin(clock: &dyn Clock) -> ClubTime {
        ClubTime::begin_at(clock.now(), Instant::now())
    }

    /// Begins with the time `base` at the moment `since`.
    fn begin_at(base: Millis, since: Instant) -> ClubTime {
        ClubTime(Arc::new(SharedTime {
            since,
            base: AtomicI64::new(base),
            last: AtomicI64::new(Millis::MIN),
        }))
    }

    /// Reads the clock that all clubs of the store share, or the wall clock if there is no shared
    /// clock. The shared clock is read three times, and the quickest reading is used.
    pub(crate) async fn begin_shared(
        store: &dyn Store,
        clock: &dyn Clock,
    ) -> Result<ClubTime, StoreError> {
        let mut best: Option<Reading> = None;
        for _ in 0..3 {
            let Some(reading) = Reading::of(store).await? else {
                return Ok(ClubTime::begin(clock));
            };
            best = match best {
                Some(best) if best.took <= reading.took => Some(best),
                _ => Some(reading),
            };
        }
        Ok(match best {
            Some(best) => ClubTime::begin_at(best.at, best.moment),
            None => ClubTime::begin(clock),
        })
    }

    /// Reads the shared clock, and corrects this time by a few milliseconds if it differs.
    pub(crate) async fn follow(&self, store: &dyn Store) -> Result<(), StoreError> {
        let Some(reading) = Reading::of(store).await? else {
            return Ok(());
        };
        if reading.took <= MAX_READING {
            let wrong = reading.at.saturating_sub(self.at(reading.moment));
            // The reading itself takes time, so its result is inexact. A difference that can come
            // from this inexactness is not corrected.
            let sure = Millis::try_from(reading.took.as_millis()).unwrap_or(Millis::MAX) / 2 + 1;
            if wrong.abs() > sure {
                let correction = wrong.clamp(-MAX_CORRECTION, MAX_CORRECTION);
                self.0.base.fetch_add(correction, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    fn at(&self, moment: Instant) -> Millis {
        let passed = moment.saturating_duration_since(self.0.since).as_millis();
        let passed = Millis::try_from(passed).unwrap_or(Millis::MAX);
        self.0.base.load(Ordering::Relaxed).saturating_add(passed)
    }

    /// Returns the milliseconds since the beginning of 1970 (UTC). The value
    /// never decreases.
    pub(crate) fn now(&self) -> Millis {
        let now = self.at(Instant::now());
        self.0.last.fetch_max(now, Ordering::Relaxed).max(now)
    }
}

/// A reading of the shared clock.
struct Reading {
    at: Millis,
    /// Middle of the time that the reading took.
    moment: Instant,
    took: Duration,
}

impl Reading {
    async fn of(store: &dyn Store) -> Result<Option<Reading>, StoreError> {
        let begun = Instant::now();
        let Some(at) = store.now().await? else {
            return Ok(None);
        };
        let took = begun.elapsed();
        Ok(Some(Reading {
            at,
            moment: begun + took / 2,
            took,
        }))
    }
}

/// Returns the time since a stored moment, in milliseconds. If the moment is in the future, it was
/// stored while the wall clock was wrong. Then the result is the time from now to that moment. So an
/// offer or a session has expired if its moment is further in the future than its usual lifetime.
/// Any other offer or session lasts at most twice its usual lifetime.
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
    /// Days.
    Correspondence,
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
            TimeControl::Days { .. } => Speed::Correspondence,
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
            Speed::Correspondence => Some(7 * 24 * HOUR),
            Speed::Unlimited => None,
        }
    }

    /// Returns the time that a player must be gone before the opponent may claim the game, in
    /// milliseconds; `None` if nobody has to be there.
    pub const fn grace(self) -> Option<Millis> {
        match self {
            Speed::Bullet => Some(15 * SECOND),
            Speed::Blitz => Some(30 * SECOND),
            Speed::Rapid => Some(60 * SECOND),
            Speed::Classical => Some(120 * SECOND),
            Speed::Correspondence => None,
            Speed::Unlimited => Some(24 * HOUR),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_depends_on_time_and_forty_increments() {
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
        let days = TimeControl::Days {
            initial: 1,
            increment: 1,
            cap: 1,
        };
        assert_eq!(Speed::of(days), Speed::Correspondence);
    }
}
