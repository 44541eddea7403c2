//! Limits on the number of connections from one network, and on the rate of requests.
//!
//! The web server and the other doors use this crate to accept and count connections, so that the
//! same limits apply everywhere. The callers decide which actions are counted.
//!
//! This crate knows nothing about the content of requests: no ruleset, no club, no game.

mod bucket;
mod connections;

use std::net::{IpAddr, Ipv6Addr};

pub use bucket::{Bucket, Buckets};
pub use connections::{Connections, CountedConnection, Full, StrangerHandle, accept, accept_until};

/// Returns the network that counts as one client: an IPv4 address, or the first 64 bits of an IPv6
/// address.
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(four) => IpAddr::V4(four),
        IpAddr::V6(six) => {
            let [a, b, c, d, ..] = six.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_network_counts_as_one_client() {
        let at = |text: &str| network(text.parse().unwrap());
        assert_eq!(at("2001:db8::1"), at("2001:db8::2"));
        assert_ne!(at("2001:db8::1"), at("2001:db8:0:1::1"));
        assert_eq!(at("::ffff:192.0.2.1"), at("192.0.2.1"));
        assert_ne!(at("192.0.2.1"), at("192.0.2.2"));
    }
}
