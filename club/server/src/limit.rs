//! Limits of one address, of one account, and of one socket.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use club::{AccountId, GameId};
use limits::{Buckets, Connections, network};
use wire::{LimitJson, LimitsJson};

/// Limits of one address and of one socket.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Limits {
    /// Maximum number of simultaneous connections from one address.
    pub connections: u32,
    /// Maximum number of simultaneous connections in all.
    pub connections_in_all: u32,
    /// Maximum number of messages per second on one socket; up to twice this number at once.
    pub messages: u32,
    /// Maximum number of requests per second of one account, or of all visitors at one address; up
    /// to four times this number at once.
    pub requests: u32,
    /// Maximum number of accounts created per hour from one address.
    pub accounts: u32,
    /// Maximum number of guests per hour from one address.
    pub guests: u32,
    /// Maximum number of seeks, challenges and invitations created per hour from one address.
    pub offers: u32,
    /// Maximum number of attempts to sign in per minute from one address.
    pub sign_ins: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 64,
            connections_in_all: 4096,
            messages: 20,
            requests: 50,
            accounts: 40,
            guests: 60,
            offers: 300,
            sign_ins: 40,
        }
    }
}

/// An action that is counted.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Counted {
    /// A request, counted for the account, or for the address of the visitor.
    Request,
    /// A request, counted towards a second, larger limit. The larger limit of an address counts all
    /// requests, except requests of signed-in readers at tables. The larger limit of an account
    /// counts the requests of this account at all tables.
    Any,
    /// The creation of an account.
    Account,
    /// The creation of a guest.
    Guest,
    /// The creation of a seek, a challenge or an invitation.
    Offer,
    /// An attempt to sign in, or another request with a password.
    SignIn,
    /// An export of an account.
    Export,
    /// A request for a mail.
    Mail,
}

/// Who is counted: an address, an account, or an account at one table.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Who {
    /// Everybody at this address.
    Address(IpAddr),
    /// An account that is signed in, at any address.
    Account(AccountId),
    /// A signed-in account at the table of one game. Requests at one table do not change the counts
    /// of other tables.
    Table(AccountId, GameId),
}

impl Who {
    /// Replaces an address by its network.
    fn counted(self) -> Who {
        match self {
            Who::Address(address) => Who::Address(network(address)),
            Who::Account(_) | Who::Table(..) => self,
        }
    }
}

/// The larger limit of requests ([`Counted::Any`]) is this many times the limit of
/// [`Counted::Request`].
const IN_ALL: u32 = 10;

/// At its tables, an account may have as many simultaneous requests as one address may have
/// connections, divided by this number.
const AT_TABLES: u32 = 4;

/// Maximum number of exports of one account per hour.
const EXPORTS: u32 = 20;

/// Maximum number of mails that one account, or one address of the network, asks for per hour.
const MAILS: u32 = 10;

/// Numbers of requests and sockets that are open now, by client.
type InFlight = Arc<Mutex<HashMap<Who, u32>>>;

/// A request or socket, counted as long as this value exists.
#[derive(Debug)]
pub struct CountedUse {
    in_flight: InFlight,
    who: Who,
}

impl Drop for CountedUse {
    fn drop(&mut self) {
        let mut all = self
            .in_flight
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(n) = all.get_mut(&self.who) {
            *n = n.saturating_sub(1);
            if *n == 0 {
                all.remove(&self.who);
            }
        }
    }
}

/// Counters of the actions of addresses and accounts.
#[derive(Clone, Debug)]
pub struct Counter {
    /// Limits of this counter.
    pub limits: Limits,
    buckets: Buckets<(Counted, Who)>,
    in_flight: InFlight,
    /// Connections that are open now.
    pub connections: Connections,
}

impl Counter {
    /// Creates a counter with these limits.
    pub fn new(limits: Limits) -> Counter {
        Counter {
            limits,
            buckets: Buckets::default(),
            in_flight: InFlight::default(),
            connections: Connections::new(limits.connections, limits.connections_in_all),
        }
    }

    /// Counts one action, if the limit allows it.
    ///
    /// # Errors
    /// The time after which the next such action is allowed.
    pub fn count(&self, what: Counted, who: Who) -> Result<(), Duration> {
        let (most, span) = self.rate(what);
        self.buckets.count((what, who.counted()), most, span)
    }

    /// Counts one action. If the limit is reached, the action is not refused but must wait. Returns
    /// the time after which the action may be done.
    pub fn reserve(&self, what: Counted, who: Who) -> Duration {
        let (most, span) = self.rate(what);
        self.buckets.reserve((what, who.counted()), most, span)
    }

    /// Returns the rate for a kind of action: the maximum number of actions, and the time within
    /// which this number is allowed.
    fn rate(&self, what: Counted) -> (u32, Duration) {
        let limits = &self.limits;
        match what {
            Counted::Request => (limits.requests.saturating_mul(4), Duration::from_secs(4)),
            Counted::Any => (
                limits.requests.saturating_mul(4 * IN_ALL),
                Duration::from_secs(4),
            ),
            Counted::Account => (limits.accounts, Duration::from_secs(3600)),
            Counted::Guest => (limits.guests, Duration::from_secs(3600)),
            Counted::Offer => (limits.offers, Duration::from_secs(3600)),
            Counted::SignIn => (limits.sign_ins, Duration::from_secs(60)),
            Counted::Export => (EXPORTS, Duration::from_secs(3600)),
            Counted::Mail => (MAILS, Duration::from_secs(3600)),
        }
    }

    /// Returns the rate of the messages on one socket, as [`Counter::rate`] does.
    pub fn messages(&self) -> (u32, Duration) {
        (
            self.limits.messages.saturating_mul(2),
            Duration::from_secs(2),
        )
    }

    /// Returns the limits that clients may know.
    pub fn listed(&self) -> LimitsJson {
        let row = |what: &str, each: &str, most, span: Option<Duration>| LimitJson {
            what: what.to_owned(),
            each: each.to_owned(),
            most,
            seconds: span.map(|span| u32::try_from(span.as_secs()).unwrap_or(u32::MAX)),
        };
        let rate = |what, each, (most, span)| row(what, each, most, Some(span));
        let counted = |what, each, counted| rate(what, each, self.rate(counted));
        let limits = vec![
            row("connections", "address", self.limits.connections, None),
            rate("messages", "socket", self.messages()),
            counted("requests", "account", Counted::Request),
            counted("requests", "account-and-game", Counted::Request),
            counted("requests", "address", Counted::Any),
            counted("accounts", "address", Counted::Account),
            counted("guests", "address", Counted::Guest),
            counted("offers", "address", Counted::Offer),
            counted("sign-ins", "address", Counted::SignIn),
            counted("exports", "account", Counted::Export),
            counted("mails", "account", Counted::Mail),
            counted("mails", "address", Counted::Mail),
        ];
        LimitsJson { limits }
    }

    /// Counts a request or socket as long as the returned value exists. For an address, the maximum
    /// number of requests and sockets is [`Limits::connections`]. For an account at its tables, it
    /// is a quarter of this number. Returns `None` if the limit is reached.
    pub fn take_place(&self, who: Who) -> Option<CountedUse> {
        let who = who.counted();
        let most = match who {
            Who::Address(_) => self.limits.connections,
            Who::Account(_) | Who::Table(..) => self.limits.connections.div_ceil(AT_TABLES),
        };
        let mut all = self
            .in_flight
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let n = all.entry(who).or_default();
        if *n >= most {
            return None;
        }
        *n += 1;
        Some(CountedUse {
            in_flight: Arc::clone(&self.in_flight),
            who,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCAL: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
    const HERE: Who = Who::Address(LOCAL);

    #[tokio::test(start_paused = true)]
    async fn addresses_and_actions_are_counted_separately() {
        let counter = Counter::new(Limits {
            guests: 1,
            ..Limits::default()
        });
        let there = Who::Address("2001:db8::1".parse().unwrap());
        let same_network = Who::Address("2001:db8::2".parse().unwrap());
        assert!(counter.count(Counted::Guest, HERE).is_ok());
        assert!(counter.count(Counted::Guest, HERE).is_err());
        assert!(counter.count(Counted::Account, HERE).is_ok());
        assert!(counter.count(Counted::Guest, there).is_ok());
        assert!(counter.count(Counted::Guest, same_network).is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn as_many_are_allowed_as_the_list_says() {
        let counter = Counter::new(Limits {
            guests: 7,
            ..Limits::default()
        });
        let listed = counter.listed().limits;
        let guests = listed.iter().find(|limit| limit.what == "guests").unwrap();
        assert_eq!((guests.most, guests.seconds), (7, Some(3600)));
        assert!((0..guests.most).all(|_| counter.count(Counted::Guest, HERE).is_ok()));
        assert!(counter.count(Counted::Guest, HERE).is_err());
        let connections = listed.iter().find(|limit| limit.what == "connections");
        let most = connections.unwrap().most;
        let places: Vec<_> = (0..=most).map(|_| counter.take_place(HERE)).collect();
        assert_eq!(places.iter().flatten().count(), most as usize);
    }

    #[tokio::test(start_paused = true)]
    async fn larger_request_limit_is_ten_times_the_usual_limit() {
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
}
