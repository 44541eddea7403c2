//! Last signs of life of this club and of others over its store.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use store::{Millis, Store};
use tokio::time::timeout;

use crate::{
    sync::lock,
    time::{Clock, OUTAGE_LEAST},
};

/// Silence after which another club counts as gone, in milliseconds.
const SILENCE: Millis = 3_000;
/// Time after an outage in which a club gives no sign of life, in milliseconds: clubs that
/// were stopped together must not take one another for running.
const QUIET: Millis = 2_000;
/// Timeout of the store's answer about other clubs.
const STORE_TIMEOUT: Duration = Duration::from_secs(1);

/// A time in which this club did not run, and no other did: its machine or its
/// process was stopped.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(crate) struct Outage {
    /// From the last sign of life.
    pub(crate) from: Millis,
    /// Until it was found out.
    pub(crate) until: Millis,
}

/// Last signs of life of this club and of others.
pub(crate) struct Liveness {
    clock: Arc<dyn Clock>,
    signs: Mutex<Signs>,
}

struct Signs {
    /// Time at which this club last checked that it runs.
    ticked: Millis,
    /// Time at which another club was last known to be alive.
    others: Option<Millis>,
    /// The last outage.
    outage: Option<Outage>,
}

impl Liveness {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Liveness {
        let signs = Mutex::new(Signs {
            ticked: clock.now(),
            others: None,
            outage: None,
        });
        Liveness { clock, signs }
    }

    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }

    /// Another club was alive then.
    pub(crate) fn hear_other(&self, at: Millis) {
        lock(&self.signs).others = Some(at);
    }

    /// Whether another club was alive of late.
    pub(crate) fn has_others(&self) -> bool {
        let now = self.now();
        let others = lock(&self.signs).others;
        others.is_some_and(|seen| now.saturating_sub(seen) <= SILENCE)
    }

    /// Whether time has leapt and it is not known yet what of it counts: until then
    /// nothing may be judged.
    pub(crate) fn has_leapt(&self) -> bool {
        self.leapt_from().is_some()
    }

    /// From when on, if so.
    pub(crate) fn leapt_from(&self) -> Option<Millis> {
        let now = self.now();
        let ticked = lock(&self.signs).ticked;
        (now.saturating_sub(ticked) > OUTAGE_LEAST).then_some(ticked)
    }

    /// The last outage since this club was opened.
    pub(crate) fn outage(&self) -> Option<Outage> {
        lock(&self.signs).outage
    }

    /// Whether the club may tell others that it is alive.
    pub(crate) fn may_tell(&self) -> bool {
        let now = self.now();
        let quiet = |outage: Outage| now.saturating_sub(outage.until) < QUIET;
        !self.has_leapt() && !self.outage().is_some_and(quiet)
    }

    /// The club runs. If it did not since the last tick, what of that counts is settled
    /// first. `true` if tables are to be woken.
    pub(crate) async fn tick(&self, store: &dyn Store) -> bool {
        if !self.has_leapt() {
            lock(&self.signs).ticked = self.now();
            return false;
        }
        // A store that cannot say is taken for one without other clubs.
        let last = timeout(STORE_TIMEOUT, store.last_alive()).await;
        let last = last.ok().and_then(Result::ok).flatten();
        let now = self.now();
        let mut signs = lock(&self.signs);
        match last {
            Some(last) if now.saturating_sub(last) <= OUTAGE_LEAST => signs.others = Some(now),
            Some(_) | None => {
                let from = signs.ticked.max(last.unwrap_or(signs.ticked));
                signs.outage = Some(Outage { from, until: now });
            }
        }
        signs.ticked = now;
        true
    }
}
