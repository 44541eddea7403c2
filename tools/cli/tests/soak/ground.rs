//! What all parts of the soak test share: whether the club is up, when it was up, and what was
//! counted.

use std::{
    collections::BTreeMap,
    net::{IpAddr, SocketAddr},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::watch;

use crate::running::seat::Life;

/// The next club credits an outage that is longer than this, so that no clock counts it.
/// A club writes a heartbeat at least every 1.2 s.
pub const CREDITED_OUTAGE: Duration = Duration::from_millis(1_200);
/// For this time after a fault, answers may be late.
const RECOVERY: Duration = Duration::from_secs(5);

/// A period of the run.
#[derive(Copy, Clone, Debug)]
pub struct Span {
    pub from: Instant,
    pub until: Instant,
}

impl Span {
    /// Returns for how long the two periods overlap.
    fn overlap(self, other: Span) -> Duration {
        let until = self.until.min(other.until);
        until.saturating_duration_since(self.from.max(other.from))
    }

    pub fn length(self) -> Duration {
        self.until.saturating_duration_since(self.from)
    }
}

/// The periods of a run, by what happened in them.
#[derive(Debug, Default)]
pub struct Timeline {
    /// Outages. An outage begins when a club is certainly dead, and ends when the next club starts.
    pub outages: Vec<Span>,
    /// Every fault, from its beginning to its end. The end of a club counts as a fault until the
    /// next club is open. A full disk ends when the files can grow again.
    pub faults: Vec<Span>,
    /// Periods in which the attackers were active.
    pub attacks: Vec<Span>,
}

impl Timeline {
    /// Whether there was a fault in this period, or shortly before it.
    pub fn is_disturbed(&self, span: Span) -> bool {
        self.faults.iter().any(|fault| {
            let until = fault.until + RECOVERY;
            fault.from <= span.until && span.from <= until
        })
    }

    /// Whether there was a fault in this period.
    pub fn has_fault(&self, span: Span) -> bool {
        let mut faults = self.faults.iter();
        faults.any(|fault| fault.from <= span.until && span.from <= fault.until)
    }

    pub fn is_attacked(&self, at: Instant) -> bool {
        self.attacks.iter().any(|s| s.from <= at && at < s.until)
    }

    /// Returns the time in this period that a clock may count. This is the time in which a club was
    /// up, plus the outages that were too short to be credited.
    pub fn chargeable(&self, span: Span) -> Duration {
        let long = self.outages.iter();
        let long = long.filter(|outage| outage.length() > CREDITED_OUTAGE);
        let away: Duration = long.map(|outage| outage.overlap(span)).sum();
        span.length().saturating_sub(away)
    }

    /// Whether an outage that must be credited overlaps this period.
    pub fn has_credited(&self, span: Span) -> bool {
        let mut outages = self.outages.iter();
        outages.any(|o| o.length() > CREDITED_OUTAGE && !o.overlap(span).is_zero())
    }
}

/// What all parts of the soak test share.
pub struct Ground {
    pub life: watch::Receiver<Life>,
    /// Whether the attackers attack.
    pub attacks: watch::Receiver<bool>,
    pub timeline: Mutex<Timeline>,
    /// Games of the players, for spectators.
    games: Mutex<Vec<String>>,
    counts: Mutex<BTreeMap<String, u64>>,
    faults: Mutex<Vec<String>>,
}

/// Locks a mutex, even if a thread has panicked while it held the mutex: after such a panic the run
/// fails anyway.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Ground {
    pub fn new(life: watch::Receiver<Life>, attacks: watch::Receiver<bool>) -> Ground {
        Ground {
            life,
            attacks,
            timeline: Mutex::default(),
            games: Mutex::default(),
            counts: Mutex::default(),
            faults: Mutex::default(),
        }
    }

    pub fn count(&self, what: impl Into<String>) {
        self.add(what, 1);
    }

    pub fn add(&self, what: impl Into<String>, number: u64) {
        *lock(&self.counts).entry(what.into()).or_default() += number;
    }

    pub fn counts(&self) -> BTreeMap<String, u64> {
        lock(&self.counts).clone()
    }

    pub fn fault(&self, why: String) {
        lock(&self.faults).push(why);
    }

    pub fn faults(&self) -> Vec<String> {
        lock(&self.faults).clone()
    }

    /// Makes a game known to the spectators.
    pub fn begins(&self, game: &str) {
        lock(&self.games).push(game.to_owned());
    }

    /// Returns the games that spectators may watch, oldest first.
    pub fn games(&self) -> Vec<String> {
        lock(&self.games).clone()
    }

    /// Waits until a club is open. Returns its address, or `None` at the end of the run.
    pub async fn open(&self) -> Option<SocketAddr> {
        let mut life = self.life.clone();
        let life = life.wait_for(|life| *life != Life::Down).await;
        match life.map_or(Life::Down, |life| *life) {
            Life::Up(to) => Some(to),
            Life::Down | Life::Last(_) => None,
        }
    }

    /// Waits until the attackers attack a club that is open. Returns its address, or `None` at the
    /// end of the run.
    pub async fn attacked(&self) -> Option<SocketAddr> {
        let mut attacks = self.attacks.clone();
        let begun = attacks.wait_for(|on| *on).await;
        begun.ok()?;
        self.open().await
    }

    pub fn is_up(&self) -> bool {
        matches!(*self.life.borrow(), Life::Up(_))
    }

    pub fn is_over(&self) -> bool {
        matches!(*self.life.borrow(), Life::Last(_))
    }
}

/// Returns an address of this machine that belongs to one person of a group, such as the players.
pub fn address(group: u8, person: usize) -> IpAddr {
    let person = u16::try_from(person).unwrap() + 1;
    let [high, low] = person.to_be_bytes();
    IpAddr::from([127, group, high, low])
}
