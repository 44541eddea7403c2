//! How much one address, one account, and one socket may do.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use club::AccountId;
use tokio::time::Instant;

/// What one address, and one socket, may do.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Limits {
    /// Connections at once from one address.
    pub connections: u32,
    /// Connections at once in all.
    pub connections_in_all: u32,
    /// Messages a second on one socket; twice as many at once.
    pub messages: u32,
    /// Requests a second of one account, or of an address's visitors; four times as many at once.
    pub requests: u32,
    /// Accounts made in an hour from one address.
    pub accounts: u32,
    /// Guests in an hour from one address.
    pub guests: u32,
    /// Tries to sign in within a minute from one address.
    pub sign_ins: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 64,
            connections_in_all: 4096,
            messages: 20,
            requests: 50,
            accounts: 10,
            guests: 60,
            sign_ins: 10,
        }
    }
}

/// Tokens that come back with time.
#[derive(Copy, Clone, Debug)]
pub struct Bucket {
    tokens: f64,
    most: f64,
    a_second: f64,
    at: Instant,
}

impl Bucket {
    /// A full bucket of `most` tokens that is filled again within `span`.
    pub fn new(most: u32, span: Duration) -> Bucket {
        let most = f64::from(most);
        Bucket {
            tokens: most,
            most,
            a_second: most / span.as_secs_f64(),
            at: Instant::now(),
        }
    }

    /// Takes a token.
    ///
    /// # Errors
    /// How long to wait for the next one.
    pub fn take(&mut self) -> Result<(), Duration> {
        self.fill(Instant::now());
        if self.tokens >= 1.0 {
            self.tokens -= 1.0;
            Ok(())
        } else {
            Err(Duration::from_secs_f64((1.0 - self.tokens) / self.a_second))
        }
    }

    fn fill(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.tokens = (self.tokens + passed * self.a_second).min(self.most);
        self.at = now;
    }

    fn is_full(&mut self, now: Instant) -> bool {
        self.fill(now);
        self.tokens >= self.most
    }
}

/// What is counted.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Counted {
    /// A request of an account, or of a visitor.
    Request,
    /// Any request but those of players at their tables.
    Any,
    /// An account made.
    Account,
    /// A guest made.
    Guest,
    /// A try to sign in.
    SignIn,
}

/// Who does it.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Who {
    /// Whoever is at that address.
    Address(IpAddr),
    /// One who is signed in, wherever he is.
    Account(AccountId),
}

/// An address may ask so much more in all than one who is there.
const IN_ALL: u32 = 10;

/// Too many to remember them all: those that have all their tokens go.
const REMEMBERED: usize = 20_000;

/// Counts what addresses and accounts do.
#[derive(Clone, Debug)]
pub struct Counter {
    limits: Limits,
    counts: Arc<Mutex<Counts>>,
}

#[derive(Debug, Default)]
struct Counts {
    buckets: HashMap<(Counted, Who), Bucket>,
    connections: HashMap<IpAddr, u32>,
    in_all: u32,
}

/// A connection that is counted as long as it is held.
#[derive(Debug)]
pub struct Held {
    counts: Arc<Mutex<Counts>>,
    /// One of an address's connections, or one of all.
    address: Option<IpAddr>,
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(address) = self.address else {
            counts.in_all = counts.in_all.saturating_sub(1);
            return;
        };
        if let Some(n) = counts.connections.get_mut(&address) {
            *n -= 1;
            if *n == 0 {
                counts.connections.remove(&address);
            }
        }
    }
}

/// What counts as one address: of the sixth version, what one household has.
fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(four) => IpAddr::V4(four),
        IpAddr::V6(six) => {
            let [a, b, c, d, ..] = six.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

impl Counter {
    /// Counts by these limits.
    pub fn new(limits: Limits) -> Counter {
        Counter {
            limits,
            counts: Arc::default(),
        }
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Counts one thing that somebody does.
    ///
    /// # Errors
    /// How long he must wait.
    pub fn count(&self, what: Counted, who: Who) -> Result<(), Duration> {
        let limits = &self.limits;
        let (most, span) = match what {
            Counted::Request => (limits.requests.saturating_mul(4), Duration::from_secs(4)),
            Counted::Any => (
                limits.requests.saturating_mul(4 * IN_ALL),
                Duration::from_secs(4),
            ),
            Counted::Account => (limits.accounts, Duration::from_secs(3600)),
            Counted::Guest => (limits.guests, Duration::from_secs(3600)),
            Counted::SignIn => (limits.sign_ins, Duration::from_secs(60)),
        };
        let who = match who {
            Who::Address(address) => Who::Address(household(address)),
            Who::Account(_) => who,
        };
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.buckets.len() > REMEMBERED {
            let now = Instant::now();
            counts.buckets.retain(|_, bucket| !bucket.is_full(now));
        }
        counts
            .buckets
            .entry((what, who))
            .or_insert_with(|| Bucket::new(most, span))
            .take()
    }

    /// Counts a connection among all; `None` if there are too many.
    pub fn enter(&self) -> Option<Held> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.in_all >= self.limits.connections_in_all {
            return None;
        }
        counts.in_all += 1;
        Some(Held {
            counts: Arc::clone(&self.counts),
            address: None,
        })
    }

    /// Counts a connection of that address; `None` if it has too many.
    pub fn connect(&self, address: IpAddr) -> Option<Held> {
        let address = household(address);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let n = counts.connections.entry(address).or_default();
        if *n >= self.limits.connections {
            return None;
        }
        *n += 1;
        Some(Held {
            counts: Arc::clone(&self.counts),
            address: Some(address),
        })
    }

    /// How many connections there are in all.
    pub fn in_all(&self) -> u32 {
        self.counts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .in_all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCAL: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
    const HERE: Who = Who::Address(LOCAL);

    #[tokio::test(start_paused = true)]
    async fn tokens_come_back_with_time() {
        let mut bucket = Bucket::new(2, Duration::from_secs(1));
        assert_eq!((bucket.take(), bucket.take()), (Ok(()), Ok(())));
        assert_eq!(bucket.take(), Err(Duration::from_millis(500)));
        tokio::time::advance(Duration::from_millis(500)).await;
        assert_eq!(bucket.take(), Ok(()));
        assert!(bucket.take().is_err());
        tokio::time::advance(Duration::from_secs(60)).await;
        assert_eq!((bucket.take(), bucket.take()), (Ok(()), Ok(())));
        assert!(bucket.take().is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn each_address_and_each_thing_is_counted_for_itself() {
        let counter = Counter::new(Limits {
            guests: 1,
            ..Limits::default()
        });
        let there = Who::Address("2001:db8::1".parse().unwrap());
        let same_house = Who::Address("2001:db8::2".parse().unwrap());
        assert!(counter.count(Counted::Guest, HERE).is_ok());
        assert!(counter.count(Counted::Guest, HERE).is_err());
        assert!(counter.count(Counted::Account, HERE).is_ok());
        assert!(counter.count(Counted::Guest, there).is_ok());
        assert!(counter.count(Counted::Guest, same_house).is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_may_ask_ten_times_what_one_there_may() {
        let counter = Counter::new(Limits {
            requests: 1,
            ..Limits::default()
        });
        let until_refused = |what, who| {
            (0..1000)
                .take_while(|_| counter.count(what, who).is_ok())
                .count()
        };
        assert_eq!(until_refused(Counted::Request, HERE), 4);
        assert_eq!(until_refused(Counted::Any, HERE), 40);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(until_refused(Counted::Request, HERE), 1);
        assert_eq!(until_refused(Counted::Any, HERE), 10);
    }

    #[test]
    fn a_connection_counts_as_long_as_it_is_held() {
        let counter = Counter::new(Limits {
            connections: 2,
            connections_in_all: 1,
            ..Limits::default()
        });
        let first = counter.connect(LOCAL).unwrap();
        let _second = counter.connect(LOCAL).unwrap();
        assert!(counter.connect(LOCAL).is_none());
        assert!(counter.connect("192.0.2.7".parse().unwrap()).is_some());
        drop(first);
        assert!(counter.connect(LOCAL).is_some());

        let one = counter.enter();
        assert!(counter.enter().is_none());
        assert_eq!(counter.in_all(), 1);
        drop(one);
        assert!(counter.enter().is_some());
    }
}
