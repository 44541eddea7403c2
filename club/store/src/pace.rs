//! Chooses the times when commits start and answers are given.
//!
//! If each commit started at once, an append would wait until the changes before it are synced to
//! the disk. From this delay, a player could conclude that another row was stored. The other row
//! may be one that the player must not know of. So commits start on ticks. Each answer is given a
//! fixed time after the tick of its own change, whether or not other changes are written.
//! docs/decisions/0009-ticks.md gives the reasons.

use std::{
    collections::{BTreeMap, VecDeque},
    fmt, io,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{self, Duration},
};

use tokio::{sync::oneshot, time::Instant};

/// Shortest and longest time between two ticks.
const TICK_RANGE: (Duration, Duration) = (Duration::from_millis(3), Duration::from_millis(40));
/// Time that the ticks add to the median latency of an answer, if the disk is not slow.
const ADDED_LATENCY: Duration = Duration::from_micros(8_500);
/// Each answer is delayed by a random time, which is at most this long. If the club works on two
/// answers at the same time, it gives one of them some tens of microseconds late. The random time
/// hides this delay.
const SPREAD: Duration = Duration::from_millis(2);
/// After this many commits, the median duration of a commit is computed again.
const COMMITS_KEPT: usize = 63;
/// After this many commits, the median is computed for the first time.
const FIRST_COMMITS: usize = 7;
/// An answer is late if its commit took too long. Late answers are given only at certain moments.
/// This constant is the number of these moments in each interval between two ticks.
const LATE_ANSWER_TIMES: u32 = 4;
/// Duration of a commit that is assumed until commits were measured.
const ASSUMED_COMMIT: Duration = Duration::from_millis(4);

/// The ticks, and the sender of actions that must happen at exact times.
#[derive(Debug)]
pub(crate) struct Pace {
    /// Time of one tick. Each other tick is a whole number of intervals before or after this tick.
    origin: Instant,
    /// Time between two ticks.
    interval: Duration,
    /// Time between a tick and the answers to its changes.
    hold: Duration,
    /// Median duration of a commit. `interval` and `hold` were computed from this duration.
    commit: Duration,
    /// Whether `commit` was measured. Until then, `commit` is [`ASSUMED_COMMIT`].
    is_fitted: bool,
    /// Durations of the commits since the median was last computed.
    durations: VecDeque<Duration>,
    planned: mpsc::Sender<Planned>,
}

/// An action, and the time at which it is due.
struct Planned {
    at: time::Instant,
    act: Box<dyn FnOnce() + Send>,
}

impl fmt::Debug for Planned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Planned")
            .field("at", &self.at)
            .finish_non_exhaustive()
    }
}

/// Performs each planned action at its time, until the sender of plans is dropped. Actions with the
/// same time are performed in the order in which they were planned.
fn act_on_time(plans: &mpsc::Receiver<Planned>) {
    let mut waiting: BTreeMap<(time::Instant, u64), Planned> = BTreeMap::new();
    let mut count = 0;
    loop {
        let received = match waiting.first_key_value() {
            None => plans.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(((at, _), _)) => {
                plans.recv_timeout(at.saturating_duration_since(time::Instant::now()))
            }
        };
        match received {
            Ok(planned) => {
                waiting.insert((planned.at, count), planned);
                count += 1;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                // The store is being closed, so the last answers are given at once.
                return waiting.into_values().for_each(|planned| (planned.act)());
            }
        }
        while let Some(first) = waiting.first_entry()
            && first.key().0 <= time::Instant::now()
        {
            (first.remove().act)();
        }
    }
}

impl Pace {
    /// Starts the ticks, and the thread that performs the planned actions. The timer of the runtime
    /// is not used, because it is up to a millisecond late. Its delay also depends on the other
    /// work of the runtime.
    ///
    /// # Errors
    ///
    /// No thread can be started.
    pub(crate) fn start() -> io::Result<Pace> {
        let (planned, plans) = mpsc::channel();
        thread::Builder::new()
            .name("ticks".to_owned())
            .spawn(move || act_on_time(&plans))?;
        let mut pace = Pace {
            origin: Instant::now(),
            interval: TICK_RANGE.0,
            hold: ADDED_LATENCY,
            commit: Duration::ZERO,
            is_fitted: false,
            durations: VecDeque::new(),
            planned,
        };
        pace.fit(ASSUMED_COMMIT);
        Ok(pace)
    }

    /// Plans an action.
    pub(crate) fn at(&self, at: Instant, act: impl FnOnce() + Send + 'static) {
        let (at, act) = (at.into_std(), Box::new(act));
        if let Err(mpsc::SendError(planned)) = self.planned.send(Planned { at, act }) {
            // The thread has ended, so the action is performed now.
            (planned.act)();
        }
    }

    /// Waits until a time.
    pub(crate) async fn wait_until(&self, at: Instant) {
        let (reached, is_reached) = oneshot::channel();
        self.at(at, move || {
            // The waiting task may be gone.
            let _ignored = reached.send(());
        });
        // An error means that the thread has ended, so there is nothing to wait for.
        let _ignored = is_reached.await;
    }

    /// Returns the first tick after a time.
    pub(crate) fn tick_after(&self, at: Instant) -> Instant {
        self.multiple_after(at, self.interval)
    }

    fn multiple_after(&self, at: Instant, interval: Duration) -> Instant {
        let passed = at.saturating_duration_since(self.origin).as_nanos();
        let ticks = u32::try_from(passed / interval.as_nanos() + 1).unwrap_or(u32::MAX);
        self.origin + interval * ticks
    }

    /// Returns the time of the answer to a change that was committed on this tick. `done` is the
    /// end of the commit.
    ///
    /// The answer is given a fixed time after the tick, plus a random time between 0 and
    /// [`SPREAD`]. The random time is [`SPREAD`] multiplied by `chance` / 2^64. If the commit ended
    /// later than the fixed time, the answer is late. Each interval has [`LATE_ANSWER_TIMES`]
    /// moments for late answers. A late answer is given at the next of these moments, plus the
    /// random time.
    ///
    /// All changes of one game in one commit have the same `chance`. So the answers of one game are
    /// given at the same time, and no answer waits for another one.
    pub(crate) fn answer_at(&self, tick: Instant, done: Instant, chance: u64) -> Instant {
        let spread = SPREAD.mul_f64(chance as f64 / 2f64.powi(64));
        let planned = tick + self.hold;
        if done <= planned {
            planned + spread
        } else {
            self.multiple_after(done, self.interval / LATE_ANSWER_TIMES) + spread
        }
    }

    /// Records the duration of a commit. The ticks change only if the median has changed by more
    /// than a quarter.
    pub(crate) fn measured(&mut self, took: Duration) {
        self.durations.push_back(took);
        let enough = if self.is_fitted {
            COMMITS_KEPT
        } else {
            FIRST_COMMITS
        };
        if self.durations.len() < enough {
            return;
        }
        self.is_fitted = true;
        let mut sorted: Vec<_> = self.durations.drain(..).collect();
        sorted.sort_unstable();
        let median = sorted[enough / 2];
        if median.abs_diff(self.commit) * 4 > self.commit {
            self.fit(median);
        }
    }

    /// Chooses the interval between ticks and the hold (the time from a tick to its answers), for
    /// commits that take the time `commit`. If possible, the interval is longer than a commit, and
    /// the ticks add exactly [`ADDED_LATENCY`] to the median latency. The median latency is the sum
    /// of half an interval, the hold, and half of [`SPREAD`].
    fn fit(&mut self, commit: Duration) {
        let (least, most) = TICK_RANGE;
        self.origin = self.tick_after(Instant::now());
        self.commit = commit;
        self.interval = (commit + commit / 16).clamp(least, most);
        let hold = (commit + ADDED_LATENCY).saturating_sub((self.interval + SPREAD) / 2);
        // The hold must be longer than a commit, because otherwise every answer would be late. So on
        // a slow disk, the ticks add more latency than `ADDED_LATENCY`.
        self.hold = hold.max(commit + commit / 16);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[tokio::test]
    async fn time_of_an_answer_depends_only_on_its_own_tick() {
        let pace = Pace::start().unwrap();
        let asked = Instant::now() + 100 * MS;
        let tick = pace.tick_after(asked);
        assert!(tick > asked && tick <= asked + pace.interval);
        assert_eq!(pace.tick_after(tick), tick + pace.interval);
        let planned = pace.answer_at(tick, tick + MS, 0);
        assert_eq!(pace.answer_at(tick, tick + pace.hold, 0), planned);
        // This commit takes too long. Its answer is late, but the ticks stay where they are.
        let late = pace.answer_at(tick, planned + MS, 0);
        assert!(late > planned && late <= planned + MS + pace.interval / LATE_ANSWER_TIMES);
        for (chance, spread) in [(1 << 63, SPREAD / 2), (u64::MAX, SPREAD)] {
            assert_eq!(pace.answer_at(tick, tick + MS, chance), planned + spread);
            assert_eq!(pace.answer_at(tick, planned + MS, chance), late + spread);
        }
    }

    #[tokio::test]
    async fn ticks_add_a_fixed_time_to_the_median_latency() {
        for commit in [MS, 2 * MS, 6 * MS, 10 * MS, 20 * MS] {
            let mut pace = Pace::start().unwrap();
            for _ in 0..2 * COMMITS_KEPT {
                pace.measured(commit);
            }
            let median = pace.interval / 2 + pace.hold + SPREAD / 2;
            if commit <= 10 * MS {
                assert_eq!(median, commit + ADDED_LATENCY, "{commit:?}");
            }
            assert!(pace.interval >= commit && pace.hold >= commit, "{pace:?}");
        }
    }
}
