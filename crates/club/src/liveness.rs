//! Heartbeats of this club and of other clubs that use the same
//! store.

use std::{collections::HashMap, sync::Mutex, time::Duration};

use store::{Heartbeat, Millis, Store};
use tokio::time::timeout;

use crate::{
    sync::lock,
    time::{ClubTime, OUTAGE_LEAST, age},
};

/// Time without a heartbeat after which another club is treated as gone, in milliseconds.
const SILENCE: Millis = 3_000;
/// Time after an outage for which a club writes no heartbeat, in milliseconds. Without this
/// pause, two clubs that were stopped at the same time would each believe that the other club
/// ran.
const QUIET: Millis = 2_000;
/// Age of a heartbeat, in milliseconds, above which this club treats a club that was alive as
/// crashed. The players of the crashed club need some seconds to connect to this club.
const CRASHED: Millis = 1_500;
/// Time without an own heartbeat after which a database that several clubs share is treated as
/// away (not answering), in milliseconds.
const AWAY: Millis = 1_500;
/// Timeout for reading the heartbeats of other clubs from the store.
const STORE_TIMEOUT: Duration = Duration::from_secs(1);

/// Time that the clocks do not count: no club ran because the machine or the process was stopped,
/// another club has crashed, or the shared database did not answer.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct Outage {
    /// Start of the outage: the last time at which a club was known to run and to write.
    pub(crate) from: Millis,
    /// Time at which this club noticed the outage.
    pub(crate) until: Millis,
    /// Whether this club itself did not run.
    pub(crate) own: bool,
}

/// Heartbeats of this club and of other clubs that use the same store.
///
/// The times of heartbeats in the store were written according to other clocks. So this club
/// regards another club as alive only while that club's heartbeat advances, as measured by this
/// club's own clock.
pub(crate) struct Liveness {
    time: ClubTime,
    /// This club's own number.
    number: u64,
    /// Whether the store is a database that several clubs share. Such a database can be away while
    /// the clubs run.
    shared: bool,
    heartbeats: Mutex<Heartbeats>,
}

struct Heartbeats {
    /// Time at which this club last checked that it runs.
    ticked: Millis,
    /// Last heartbeat of every other club, by the number of that club.
    others: HashMap<u64, SeenHeartbeat>,
    /// Time at which another club was last known to be alive.
    heard: Option<Millis>,
    /// Time of this club's last successful write.
    wrote: Option<Millis>,
    /// The last outage.
    outage: Option<Outage>,
}

/// Another club's heartbeat, as this club last saw it.
#[derive(Copy, Clone)]
struct SeenHeartbeat {
    /// Time of the heartbeat, by the other club's clock.
    at: Millis,
    /// Time at which this club first saw the heartbeat, by this club's clock.
    seen: Millis,
    /// Whether the heartbeat has advanced since this club first saw it: then the other club was alive.
    advanced: bool,
    /// Whether the other club is treated as crashed.
    crashed: bool,
}

impl SeenHeartbeat {
    /// Returns until when the other club was alive, in this club's time, if its heartbeat
    /// is now `at`.
    fn lived_until(self, at: Millis) -> Millis {
        self.seen.saturating_add(at.saturating_sub(self.at))
    }
}

impl Heartbeats {
    /// Records the heartbeats of the other clubs. Returns true if a heartbeat is new or has advanced.
    fn take(&mut self, number: u64, found: &[Heartbeat], now: Millis) -> bool {
        let mut others = HashMap::new();
        let mut advanced = false;
        for heartbeat in found.iter().filter(|heartbeat| heartbeat.club != number) {
            let old = self.others.get(&heartbeat.club).copied();
            let seen = old.filter(|old| heartbeat.at <= old.at);
            advanced |= seen.is_none();
            let seen = seen.unwrap_or(SeenHeartbeat {
                at: heartbeat.at,
                seen: now,
                advanced: old.is_some(),
                crashed: false,
            });
            others.insert(heartbeat.club, seen);
        }
        self.others = others;
        advanced
    }

    /// Marks the clubs that were alive and have crashed since the last call. A club that closes in
    /// an orderly way deletes its heartbeat. Returns the earliest time at which the last heartbeat
    /// of one of these clubs was seen.
    fn crashed_from(&mut self, now: Millis) -> Option<Millis> {
        let silent = |heartbeat: &&mut SeenHeartbeat| {
            heartbeat.advanced && !heartbeat.crashed && now.saturating_sub(heartbeat.seen) > CRASHED
        };
        let crashed = self.others.values_mut().filter(silent);
        let from = crashed.map(|heartbeat| {
            heartbeat.crashed = true;
            heartbeat.seen
        });
        from.min()
    }

    /// Returns the time of the last heartbeat of this club, or the end of the pause ([`QUIET`])
    /// after an outage if that end is later. `None` if this club has written no heartbeat yet.
    fn wrote_or_was_quiet(&self) -> Option<Millis> {
        let quiet = self.outage.filter(|outage| outage.own);
        let quiet = quiet.map(|outage| outage.until.saturating_add(QUIET));
        self.wrote.map(|wrote| wrote.max(quiet.unwrap_or(wrote)))
    }

    /// Returns the last time, in this club's time, at which another club was alive according to
    /// its heartbeat. Returns `None` if no heartbeat gives such a time.
    fn others_lived_until(&self, number: u64, found: &[Heartbeat], now: Millis) -> Option<Millis> {
        let lives = found.iter().filter(|heartbeat| heartbeat.club != number);
        let lives = lives.filter_map(|heartbeat| match self.others.get(&heartbeat.club) {
            Some(seen) => Some(seen.lived_until(heartbeat.at).min(now)),
            // The other club was opened while this club did not run.
            None => Some(heartbeat.at).filter(|at| *at <= now),
        });
        lives.max()
    }
}

impl Liveness {
    pub(crate) fn new(time: ClubTime, number: u64, shared: bool) -> Liveness {
        let heartbeats = Mutex::new(Heartbeats {
            ticked: time.now(),
            others: HashMap::new(),
            heard: None,
            wrote: None,
            outage: None,
        });
        Liveness {
            time,
            number,
            shared,
            heartbeats,
        }
    }

    pub(crate) fn now(&self) -> Millis {
        self.time.now()
    }

    /// Whether the store is a database that several clubs share.
    pub(crate) fn is_shared(&self) -> bool {
        self.shared
    }

    /// Records the heartbeats that are found when this club opens. A recent heartbeat may come from a
    /// club that is alive, or from an earlier run of this club that crashed a moment ago. Only
    /// the next heartbeats show whether that club is alive.
    pub(crate) fn begin(&self, found: &[Heartbeat]) {
        let now = self.now();
        let mut heartbeats = lock(&self.heartbeats);
        heartbeats.take(self.number, found, now);
        if found
            .iter()
            .any(|heartbeat| age(heartbeat.at, now) <= SILENCE)
        {
            heartbeats.heard = Some(now);
        }
    }

    /// Records the heartbeats of the other clubs. Returns true if one of them has crashed: then the
    /// tables must be woken, because the clocks do not count the time since its last heartbeat.
    pub(crate) fn see(&self, found: &[Heartbeat]) -> bool {
        // These heartbeats may have been read before this club was stopped, so they
        // do not show which clubs are alive now.
        if self.has_leapt() {
            return false;
        }
        let now = self.now();
        let mut heartbeats = lock(&self.heartbeats);
        if heartbeats.take(self.number, found, now) {
            heartbeats.heard = Some(now);
        }
        // Without a shared clock, this club cannot know when another club wrote its last heartbeat.
        let crashed = self.shared.then(|| heartbeats.crashed_from(now)).flatten();
        if let Some(from) = crashed {
            heartbeats.outage = Some(Outage {
                from,
                until: now,
                own: false,
            });
        }
        crashed.is_some()
    }

    /// Whether another club was alive in the last 3 seconds.
    pub(crate) fn has_others(&self) -> bool {
        let now = self.now();
        let heard = lock(&self.heartbeats).heard;
        heard.is_some_and(|heard| now.saturating_sub(heard) <= SILENCE)
    }

    /// Records that this club has written to the store. Returns true if the store was away: then
    /// the tables must be woken, because the clocks do not count that time.
    pub(crate) fn has_written(&self) -> bool {
        let away_from = self.away_from();
        let now = self.now();
        let mut heartbeats = lock(&self.heartbeats);
        heartbeats.wrote = Some(now);
        if let Some(from) = away_from {
            heartbeats.outage = Some(Outage {
                from,
                until: now,
                own: false,
            });
        }
        away_from.is_some()
    }

    /// Returns the time of the last heartbeat of this club, if the shared database has stored no
    /// heartbeat for longer than [`AWAY`]. Until a heartbeat is stored, nothing may be judged.
    fn away_from(&self) -> Option<Millis> {
        if !self.shared {
            return None;
        }
        let now = self.now();
        let wrote = lock(&self.heartbeats).wrote_or_was_quiet();
        wrote.filter(|wrote| now.saturating_sub(*wrote) > AWAY)
    }

    /// Whether the shared database does not answer.
    pub(crate) fn is_away(&self) -> bool {
        self.away_from().is_some()
    }

    /// Returns the time since this club's last successful write, or `None` if it
    /// has not written yet.
    pub(crate) fn since_write(&self) -> Option<Millis> {
        let now = self.now();
        let wrote = lock(&self.heartbeats).wrote;
        wrote.map(|wrote| now.saturating_sub(wrote))
    }

    /// Whether the clock has jumped ahead or the shared database is away, so that this club does
    /// not know yet how much of the time the clocks count. Until then nothing may be judged.
    pub(crate) fn has_leapt(&self) -> bool {
        self.leapt_from().is_some()
    }

    /// Returns the time of the last tick before the jump, if the clock has jumped, or of the last
    /// heartbeat, if the shared database is away.
    pub(crate) fn leapt_from(&self) -> Option<Millis> {
        self.stopped_from().or_else(|| self.away_from())
    }

    /// Returns the time of the last tick before the jump, if the clock has jumped: the process was
    /// stopped.
    fn stopped_from(&self) -> Option<Millis> {
        let now = self.now();
        let ticked = lock(&self.heartbeats).ticked;
        (now.saturating_sub(ticked) > OUTAGE_LEAST).then_some(ticked)
    }

    /// Returns the last outage since this club was opened.
    pub(crate) fn outage(&self) -> Option<Outage> {
        lock(&self.heartbeats).outage
    }

    /// Whether the club may write a heartbeat.
    pub(crate) fn may_write_heartbeat(&self) -> bool {
        let now = self.now();
        let quiet = |outage: Outage| outage.own && now.saturating_sub(outage.until) < QUIET;
        self.stopped_from().is_none() && !self.outage().is_some_and(quiet)
    }

    /// Records that the club runs. If it did not run since the last tick, this function first
    /// decides whether the clocks count that time. Returns true if the tables must be woken.
    pub(crate) async fn tick(&self, store: &dyn Store) -> bool {
        if self.stopped_from().is_none() {
            lock(&self.heartbeats).ticked = self.now();
            return false;
        }
        // If the store fails, this club assumes that there are no other clubs.
        let found = timeout(STORE_TIMEOUT, store.heartbeats()).await;
        let found = found.ok().and_then(Result::ok).unwrap_or_default();
        let now = self.now();
        let mut heartbeats = lock(&self.heartbeats);
        let lived = heartbeats.others_lived_until(self.number, &found, now);
        match lived {
            Some(lived) if now.saturating_sub(lived) <= OUTAGE_LEAST => {
                heartbeats.heard = Some(now)
            }
            Some(_) | None => {
                let from = heartbeats.ticked.max(lived.unwrap_or(heartbeats.ticked));
                heartbeats.outage = Some(Outage {
                    from,
                    until: now,
                    own: true,
                });
            }
        }
        heartbeats.take(self.number, &found, now);
        // From here on, it is known how much of the time before `now` the clocks count.
        heartbeats.wrote = heartbeats.wrote.map(|_| now);
        heartbeats.ticked = now;
        true
    }
}
