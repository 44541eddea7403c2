//! Limits of one address, one account, and one socket.

use std::{net::IpAddr, time::Duration};

use club::AccountId;
use limits::{Buckets, Connections, network};

/// Limits of one address, and one socket.
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
    /// Seeks, challenges and invitations made in an hour from one address.
    pub offers: u32,
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
            offers: 300,
            sign_ins: 10,
        }
    }
}

/// Action that is counted.
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
    /// A seek, a challenge, an invitation.
    Offer,
    /// A try to sign in.
    SignIn,
}

/// Address or account that a count belongs to.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub enum Who {
    /// Anybody at that address.
    Address(IpAddr),
    /// Signed-in account, at any address.
    Account(AccountId),
}

/// Factor by which the limit of an address exceeds that of one person there.
const IN_ALL: u32 = 10;

/// Counts what addresses and accounts do.
#[derive(Clone, Debug)]
pub struct Counter {
    /// The limits.
    pub limits: Limits,
    buckets: Buckets<(Counted, Who)>,
    /// Connections at this moment.
    pub connections: Connections,
}

impl Counter {
    /// Creates a counter with these limits.
    pub fn new(limits: Limits) -> Counter {
        Counter {
            limits,
            buckets: Buckets::default(),
            connections: Connections::new(limits.connections, limits.connections_in_all),
        }
    }

    /// Counts one action.
    ///
    /// # Errors
    /// The time to wait until one more is allowed.
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
            Counted::Offer => (limits.offers, Duration::from_secs(3600)),
            Counted::SignIn => (limits.sign_ins, Duration::from_secs(60)),
        };
        let who = match who {
            Who::Address(address) => Who::Address(network(address)),
            Who::Account(_) => who,
        };
        self.buckets.count((what, who), most, span)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCAL: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
    const HERE: Who = Who::Address(LOCAL);

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
}
