//! Heartbeats of this club and of other clubs that use the same
//! store.

use std::{
    collections::{HashMap, HashSet},
    sync::Mutex,
    time::Duration,
};

use store::{Heartbeat, Millis, Store};
use tokio::{sync::Notify, time::timeout};

use crate::{
    sync::lock,
    time::{ClubTime, OUTAGE_LEAST, age},
};

/// Another club is treated as gone after this time without a heartbeat, in milliseconds.
const GONE_AFTER: Millis = 3_000;
/// When a stopped club runs again, it writes no heartbeat for this time, in milliseconds. This
/// pause is needed if two clubs were stopped at the same time. Without the pause, each club would
/// see a new heartbeat of the other club, and would conclude that the other club ran during the
/// outage.
const QUIET_AFTER_OUTAGE: Millis = 2_000;
/// A club that was alive is treated as crashed if its heartbeat is older than this age, in
/// milliseconds. The clocks do not count the time since the last heartbeat of a crashed club. In
/// this time, the players of the crashed club could not play. After a crash they need some seconds
/// to connect to this club.
const CRASHED_AFTER: Millis = 1_500;
/// If no heartbeat of this club was stored for this time, in milliseconds, this club assumes that
/// the shared database does not answer (is away).
const AWAY_AFTER: Millis = 1_500;
/// Timeout for reading the heartbeats of other clubs from the store.
const STORE_TIMEOUT: Duration = Duration::from_secs(1);

/// Time that the clocks do not count. There are three reasons for an outage:
///
/// - The machine or the process was stopped, so that no club ran.
/// - Another club has crashed.
/// - The shared database did not answer.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct Outage {
    /// Start of the outage. At this time, a club was last known to run and to write.
    pub(crate) from: Millis,
    /// Time at which this club noticed the outage.
    pub(crate) until: Millis,
    /// Whether this club itself did not run.
    pub(crate) own: bool,
}

/// Heartbeats of this club and of other clubs that use the same store.
///
/// The time in a heartbeat comes from the clock of the club that wrote it, and this clock may be
/// wrong. So this club regards another club as alive only while the heartbeat of that club
/// advances. This club measures with its own clock how long ago the heartbeat advanced.
pub(crate) struct Liveness {
    time: ClubTime,
    /// This club's own number.
    number: u64,
    /// Whether the store is a database that several clubs share. Such a database can be away while
    /// the clubs run.
    shared: bool,
    heartbeats: Mutex<Heartbeats>,
    /// Notified when a player has connected to this club or has left it.
    pub(crate) presence_changed: Notify,
}

struct Heartbeats {
    /// Time at which this club last checked that it runs.
    ticked: Millis,
    /// Last heartbeat of every other club, by the number of that club.
    others: HashMap<u64, SeenHeartbeat>,
    /// Time at which another club was last known to be alive.
    heard: Option<Millis>,
    /// Time at which the store last confirmed a heartbeat of this club. If this club was stopped
    /// since then: the time at which this club noticed the stop.
    wrote: Option<Millis>,
    /// Time that this club wrote into its last confirmed heartbeat.
    own: Option<Millis>,
    /// The last outage.
    outage: Option<Outage>,
    /// Other clubs whose connected players this club knows.
    present_known: HashSet<u64>,
}

/// Another club's heartbeat, as this club last saw it.
#[derive(Copy, Clone)]
struct SeenHeartbeat {
    /// Time of the heartbeat, by the other club's clock.
    at: Millis,
    /// Time at which this club first saw the heartbeat, by this club's clock.
    seen: Millis,
    /// Whether the heartbeat has advanced since this club first saw a heartbeat of the other club.
    /// If so, the other club was alive.
    advanced: bool,
    /// Whether the other club is treated as crashed.
    crashed: bool,
}

impl SeenHeartbeat {
    /// Returns the last time when the other club was certainly alive, in this club's time. `at` is
    /// the time in the other club's present heartbeat.
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

    /// Marks the clubs that have crashed since the last call. (A club that closes in an orderly way
    /// has not crashed: it deletes its heartbeat.) Returns the time at which this club saw the last
    /// heartbeat of the crashed club. If several clubs have crashed, returns the earliest of these
    /// times.
    fn crashed_from(&mut self, now: Millis) -> Option<Millis> {
        let silent = |heartbeat: &&mut SeenHeartbeat| {
            heartbeat.advanced
                && !heartbeat.crashed
                && now.saturating_sub(heartbeat.seen) > CRASHED_AFTER
        };
        let crashed = self.others.values_mut().filter(silent);
        let from = crashed.map(|heartbeat| {
            heartbeat.crashed = true;
            heartbeat.seen
        });
        from.min()
    }

    /// Returns the later of two times: the time of this club's last heartbeat, and the end of the
    /// pause [`QUIET_AFTER_OUTAGE`] after the last outage of this club. Returns `None` if this club
    /// has written no heartbeat yet.
    fn wrote_or_was_quiet(&self) -> Option<Millis> {
        let quiet = self.outage.filter(|outage| outage.own);
        let quiet = quiet.map(|outage| outage.until.saturating_add(QUIET_AFTER_OUTAGE));
        self.wrote.map(|wrote| wrote.max(quiet.unwrap_or(wrote)))
    }

    /// Returns the last time at which another club was alive according to its heartbeat. The time
    /// is in this club's time. Returns `None` if no heartbeat gives such a time.
    fn others_lived_until(&self, number: u64, found: &[Heartbeat], now: Millis) -> Option<Millis> {
        let lives = found.iter().filter(|heartbeat| heartbeat.club != number);
        let lives = lives.filter_map(|heartbeat| match self.others.get(&heartbeat.club) {
            Some(seen) => Some(seen.lived_until(heartbeat.at).min(now)),
            // This heartbeat is new: the other club was opened while this club did not run.
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
            own: None,
            outage: None,
            present_known: HashSet::new(),
        });
        Liveness {
            time,
            number,
            shared,
            heartbeats,
            presence_changed: Notify::new(),
        }
    }

    pub(crate) fn now(&self) -> Millis {
        self.time.now()
    }

    /// Whether the store is a database that several clubs share.
    pub(crate) fn is_shared(&self) -> bool {
        self.shared
    }

    /// Records the heartbeats that are found when this club opens. If one of them is recent, this
    /// club assumes for [`GONE_AFTER`] that another club is alive. The heartbeat may also come from
    /// an earlier run of this club, which crashed a moment ago. Only the next heartbeats show
    /// whether another club is alive.
    pub(crate) fn begin(&self, found: &[Heartbeat]) {
        let now = self.now();
        let mut heartbeats = lock(&self.heartbeats);
        heartbeats.take(self.number, found, now);
        if found
            .iter()
            .any(|heartbeat| age(heartbeat.at, now) <= GONE_AFTER)
        {
            heartbeats.heard = Some(now);
        }
    }

    /// Records the heartbeats of the other clubs. Returns true if one of the other clubs has
    /// crashed. Then the tables must be woken, because the clocks do not count the time since the
    /// last heartbeat of the crashed club.
    pub(crate) fn see(&self, found: &[Heartbeat]) -> bool {
        // These heartbeats may have been read before this club was stopped, so they
        // do not show which clubs are alive now.
        if self.has_open_outage() {
            return false;
        }
        let now = self.now();
        let mut heartbeats = lock(&self.heartbeats);
        if heartbeats.take(self.number, found, now) {
            heartbeats.heard = Some(now);
        }
        // Only clubs with a shared database have a common clock. Without a common clock, this club
        // cannot know when another club wrote its last heartbeat. Then the clocks of the games do
        // count the time of a crash.
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
        heard.is_some_and(|heard| now.saturating_sub(heard) <= GONE_AFTER)
    }

    /// Whether the heartbeat of this club in the shared database is older than the last heartbeat
    /// that the database has confirmed. If so, the database was replaced by an older copy. A
    /// missing heartbeat proves nothing, because another club may have deleted it.
    pub(crate) fn has_lost_heartbeat(&self, found: &[Heartbeat]) -> bool {
        let own = lock(&self.heartbeats).own;
        let found = found.iter().find(|found| found.club == self.number);
        self.shared
            && found
                .zip(own)
                .is_some_and(|(found, confirmed)| found.at < confirmed)
    }

    /// Whether this club has seen a new heartbeat of the club `club` a short time ago.
    pub(crate) fn is_heard(&self, club: u64) -> bool {
        let now = self.now();
        let heartbeats = lock(&self.heartbeats);
        let seen = heartbeats.others.get(&club);
        seen.is_some_and(|heartbeat| now.saturating_sub(heartbeat.seen) <= CRASHED_AFTER)
    }

    /// Whether the club `club` runs: this club has seen the heartbeat of `club` advance, and the
    /// last heartbeat is recent.
    pub(crate) fn is_running(&self, club: u64) -> bool {
        let now = self.now();
        let heartbeats = lock(&self.heartbeats);
        let seen = heartbeats.others.get(&club);
        seen.is_some_and(|seen| seen.advanced && now.saturating_sub(seen.seen) <= CRASHED_AFTER)
    }

    /// Records that this club knows the connected players of the clubs `clubs`, and of no others.
    pub(crate) fn know_presence(&self, clubs: HashSet<u64>) {
        lock(&self.heartbeats).present_known = clubs;
    }

    /// Whether another club may be alive, and this club does not know which players are connected
    /// to that club. A club of an earlier version does not write which players are connected.
    pub(crate) fn has_unknown_others(&self) -> bool {
        let now = self.now();
        let heartbeats = lock(&self.heartbeats);
        let unknown = |(club, seen): (&u64, &SeenHeartbeat)| {
            let is_recent = now.saturating_sub(seen.seen) <= GONE_AFTER;
            is_recent && !(seen.advanced && heartbeats.present_known.contains(club))
        };
        heartbeats.others.iter().any(unknown)
    }

    /// Whether the club `club` has closed or crashed. `found` contains the heartbeats that were
    /// just read from the store. A club whose heartbeat is new or has advanced is alive.
    pub(crate) fn is_dead(&self, club: u64, found: &[Heartbeat]) -> bool {
        let Some(last) = found.iter().find(|heartbeat| heartbeat.club == club) else {
            return true;
        };
        let now = self.now();
        let heartbeats = lock(&self.heartbeats);
        let seen = heartbeats.others.get(&club);
        seen.is_some_and(|seen| last.at <= seen.at && now.saturating_sub(seen.seen) > CRASHED_AFTER)
    }

    /// Records that this club has written a heartbeat with the time `at` to the store. Returns true
    /// if the store was away before. Then the tables must be woken, because the clocks do not count
    /// the time for which the store was away.
    pub(crate) fn has_written(&self, at: Millis) -> bool {
        let away_from = self.away_from();
        let now = self.now();
        let mut heartbeats = lock(&self.heartbeats);
        heartbeats.own = Some(at);
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

    /// Returns the time of this club's last heartbeat, if the shared database is away: it has
    /// stored no heartbeat for longer than [`AWAY_AFTER`]. Until a heartbeat is stored, no request
    /// and no deadline may be judged.
    fn away_from(&self) -> Option<Millis> {
        if !self.shared {
            return None;
        }
        let now = self.now();
        let wrote = lock(&self.heartbeats).wrote_or_was_quiet();
        wrote.filter(|wrote| now.saturating_sub(*wrote) > AWAY_AFTER)
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

    /// Whether an outage has begun and its length is not known yet. Such an outage begins if the
    /// clock has jumped ahead, or if the shared database is away. Until the length is known, no
    /// request and no deadline may be judged.
    pub(crate) fn has_open_outage(&self) -> bool {
        self.open_outage_from().is_some()
    }

    /// Returns the start of the present outage. If the clock has jumped, the outage began at the
    /// last tick before the jump. If the shared database is away, the outage began at the last
    /// heartbeat.
    pub(crate) fn open_outage_from(&self) -> Option<Millis> {
        self.stopped_from().or_else(|| self.away_from())
    }

    /// Returns the time of the last tick before a jump of the clock. A jump means that the process
    /// was stopped.
    fn stopped_from(&self) -> Option<Millis> {
        let now = self.now();
        let ticked = lock(&self.heartbeats).ticked;
        (now.saturating_sub(ticked) > OUTAGE_LEAST).then_some(ticked)
    }

    /// Returns the last outage since this club was opened.
    pub(crate) fn outage(&self) -> Option<Outage> {
        lock(&self.heartbeats).outage
    }

    /// Whether this club may write a heartbeat. If this club was stopped, it must first record the
    /// outage, and then wait for the time [`QUIET_AFTER_OUTAGE`].
    pub(crate) fn may_write_heartbeat(&self) -> bool {
        let now = self.now();
        let quiet =
            |outage: Outage| outage.own && now.saturating_sub(outage.until) < QUIET_AFTER_OUTAGE;
        self.stopped_from().is_none() && !self.outage().is_some_and(quiet)
    }

    /// Records that the club runs. If the club was stopped since the last tick, this function first
    /// decides whether the clocks count the time of the stop. Returns true if the tables must be
    /// woken.
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
        // While this club was stopped, it could not write a heartbeat. Without the next line, the
        // shared database would be treated as away.
        heartbeats.wrote = heartbeats.wrote.map(|_| now);
        heartbeats.ticked = now;
        true
    }
}
