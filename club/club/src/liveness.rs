//! The renewals of this club's ownership, and the time that the clocks do not count.

use std::sync::{
    Mutex,
    atomic::{AtomicBool, Ordering},
};

use store::{LEASE_TIME, Lease, Millis, StoreError};

use crate::{
    sync::lock,
    time::{ClubTime, MIN_OUTAGE},
};

/// Time that the clocks do not count: no club ran, the process was stopped, or the database did not
/// answer.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct Outage {
    /// Last renewal of an owner before the outage.
    pub(crate) from: Millis,
    /// First renewal after the outage.
    pub(crate) until: Millis,
}

impl Outage {
    /// Returns the same outage with all times moved forward by `ahead` milliseconds.
    pub(crate) fn later_by(self, ahead: Millis) -> Outage {
        Outage {
            from: self.from.saturating_add(ahead),
            until: self.until.saturating_add(ahead),
        }
    }
}

/// Renewals of this club's ownership of the games.
pub(crate) struct Liveness {
    time: ClubTime,
    /// Whether every running game is loaded.
    is_loaded: AtomicBool,
    /// Whether no table owed a credit at the last renewal.
    serves: AtomicBool,
    renewals: Mutex<Renewals>,
}

struct Renewals {
    /// Time at which the last successful renewal began.
    last: Millis,
    /// Failure of the renewal after `last`.
    failure: Option<StoreError>,
    outage: Option<Outage>,
}

impl Renewals {
    /// Returns the beginning of an outage that goes on now. A renewal that ended an outage may have
    /// begun long before its end, and a club that has claimed the games may take long to read them.
    /// If the next renewal is overdue then, it is still the same outage. It is also the same until the
    /// club serves: some games are not credited yet.
    fn outage_from(&self, serves: bool) -> Millis {
        match self.outage {
            Some(outage) if !serves || outage.until >= self.last => outage.from.min(self.last),
            Some(_) | None => self.last,
        }
    }
}

impl Liveness {
    /// Begins with a claim, which ends an outage.
    pub(crate) fn new(time: ClubTime, lease: Lease) -> Liveness {
        let until = time.now();
        // A renewal in the future was written while the wall clock was ahead. Then the clocks count
        // no time since the last row of each game.
        let from = lease
            .served_until
            .map(|last| if last > until { Millis::MIN } else { last });
        let from = from.filter(|from| until.saturating_sub(*from) > MIN_OUTAGE);
        Liveness {
            time,
            is_loaded: AtomicBool::new(false),
            serves: AtomicBool::new(false),
            renewals: Mutex::new(Renewals {
                last: until,
                failure: None,
                outage: from.map(|from| Outage { from, until }),
            }),
        }
    }

    /// Records that every running game is loaded.
    pub(crate) fn has_loaded(&self) {
        self.is_loaded.store(true, Ordering::Relaxed);
    }

    /// Returns whether the club serves: every running game is loaded, and `is_credited` with the last
    /// outage, and there is no outage now. The next owner credits the time since the last renewal of
    /// an owner that served.
    pub(crate) fn serves_if(&self, is_credited: bool) -> bool {
        let serves = is_credited && self.is_loaded.load(Ordering::Relaxed);
        self.serves.store(serves, Ordering::Relaxed);
        serves && !self.is_overdue()
    }

    fn serves(&self) -> bool {
        self.serves.load(Ordering::Relaxed)
    }

    pub(crate) fn now(&self) -> Millis {
        self.time.now()
    }

    /// Returns the milliseconds since the last renewal.
    pub(crate) fn since_renewal(&self) -> Millis {
        self.now().saturating_sub(lock(&self.renewals).last)
    }

    /// Whether the ownership is overdue for a renewal. Then nothing may be judged.
    pub(crate) fn is_overdue(&self) -> bool {
        self.since_renewal() >= LEASE_TIME
    }

    /// Returns the failure of the last renewal.
    pub(crate) fn failure(&self) -> Option<StoreError> {
        lock(&self.renewals).failure.clone()
    }

    /// Records that a renewal has failed.
    pub(crate) fn has_failed(&self, error: StoreError) {
        lock(&self.renewals).failure = Some(error);
    }

    /// Records a successful renewal that began at `began`. Returns whether an outage has ended.
    pub(crate) fn has_renewed(&self, began: Millis) -> bool {
        let is_outage = self.is_overdue();
        let until = self.now();
        let mut renewals = lock(&self.renewals);
        if is_outage {
            let from = renewals.outage_from(self.serves());
            renewals.outage = Some(Outage { from, until });
            self.serves.store(false, Ordering::Relaxed);
        }
        renewals.last = began;
        renewals.failure = None;
        is_outage
    }

    /// Returns the last outage that has ended.
    pub(crate) fn last_outage(&self) -> Option<Outage> {
        lock(&self.renewals).outage
    }

    /// Returns the present outage, or the last one.
    pub(crate) fn outage(&self) -> Option<Outage> {
        let until = self.now();
        let is_overdue = self.is_overdue();
        let renewals = lock(&self.renewals);
        match is_overdue {
            true => Some(Outage {
                from: renewals.outage_from(self.serves()),
                until,
            }),
            false => renewals.outage,
        }
    }
}
