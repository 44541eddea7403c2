//! How many may come from one place, and how often they may ask.
//!
//! The page's server and the doors of lines count alike, so that whoever may
//! not come by one way does not come by another. What is counted is theirs; how
//! it is counted is here.
//!
//! It must never know what is asked for: no ruleset, no club, no game.

mod bucket;
mod connections;

use std::net::{IpAddr, Ipv6Addr};

pub use bucket::{Bucket, Buckets};
pub use connections::{Connections, Held};

/// What counts as one address: whoever has one of the sixth version has all of
/// its network, the first 64 bits.
pub fn household(address: IpAddr) -> IpAddr {
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
    fn a_network_of_the_sixth_version_is_one_household() {
        let at = |text: &str| household(text.parse().expect("an address"));
        assert_eq!(at("2001:db8::1"), at("2001:db8::2"));
        assert_ne!(at("2001:db8::1"), at("2001:db8:0:1::1"));
        assert_eq!(at("::ffff:192.0.2.1"), at("192.0.2.1"));
        assert_ne!(at("192.0.2.1"), at("192.0.2.2"));
    }
}
