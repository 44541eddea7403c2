//! Limits on the connections from one place, and on how often a client may ask.
//!
//! The page's server and the doors accept and count connections by the same
//! code, so that a client that is refused at one is refused at the other. They
//! choose what is counted; this crate counts it.
//!
//! It must never know what is asked for: no ruleset, no club, no game.

mod bucket;
mod connections;

use std::net::{IpAddr, Ipv6Addr};

pub use bucket::{Bucket, Buckets};
pub use connections::{Connections, Full, Held, accept, accept_until};

/// The network that counts as one client: an IPv4 address, or the first 64 bits
/// of an IPv6 address.
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
        let at = |text: &str| network(text.parse().expect("an address"));
        assert_eq!(at("2001:db8::1"), at("2001:db8::2"));
        assert_ne!(at("2001:db8::1"), at("2001:db8:0:1::1"));
        assert_eq!(at("::ffff:192.0.2.1"), at("192.0.2.1"));
        assert_ne!(at("192.0.2.1"), at("192.0.2.2"));
    }
}
