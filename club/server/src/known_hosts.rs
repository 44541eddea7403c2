//! Hosts under which people reach the club, and the origins of the club's own pages.
//!
//! An attacker can point the host name of the attacker's own site at the club's address (DNS
//! rebinding). Then a browser treats the club as a part of the attacker's site, and the site's
//! pages could read what the club sends to the browser. So requests with an unknown host name are
//! refused.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Hosts of a club: all IP addresses, loopback names, and the hosts that its operator names.
#[derive(Clone, Debug, Default)]
pub struct KnownHosts {
    /// Origins that the operator names with a scheme, such as `https://club.example`.
    origins: Vec<Origin>,
    /// Hosts that the operator names without a scheme; they are reached by plain HTTP.
    hosts: Vec<Authority>,
}

/// Host name in lower case, and port.
#[derive(Clone, Eq, PartialEq, Debug)]
struct Authority {
    name: String,
    /// Port; `None` if no port is given.
    port: Option<u16>,
}

/// Scheme, host and port of a page.
#[derive(Clone, Eq, PartialEq, Debug)]
struct Origin {
    https: bool,
    name: String,
    port: u16,
}

const fn default_port(https: bool) -> u16 {
    if https { 443 } else { 80 }
}

impl Authority {
    fn parse(text: &str) -> Option<Authority> {
        let (name, port) = match text.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
            Some(_) | None => (text, None),
        };
        let port = match port {
            Some(port) if port.bytes().all(|b| b.is_ascii_digit()) => {
                Some(port.parse().ok().filter(|port| *port > 0)?)
            }
            Some(_) => return None,
            None => None,
        };
        let six = name.strip_prefix('[').and_then(|n| n.strip_suffix(']'));
        let is_host = match six {
            Some(six) => six.parse::<Ipv6Addr>().is_ok(),
            None => name.split('.').all(is_label),
        };
        is_host.then(|| Authority {
            name: name.to_ascii_lowercase(),
            port,
        })
    }

    /// Whether this is an IP address or a loopback name. No attacker can point such a host at
    /// another address, so it is always allowed.
    fn is_certain(&self) -> bool {
        self.name.starts_with('[')
            || self.name.parse::<Ipv4Addr>().is_ok()
            || self.name == "localhost"
            || self.name.ends_with(".localhost")
    }

    fn origin(self, https: bool) -> Origin {
        Origin {
            https,
            name: self.name,
            port: self.port.unwrap_or(default_port(https)),
        }
    }
}

fn is_label(label: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    !label.is_empty()
        && label.chars().all(plain)
        && !label.starts_with('-')
        && !label.ends_with('-')
}

impl Origin {
    fn parse(text: &str) -> Option<Origin> {
        let (scheme, rest) = text.split_once("://")?;
        let https = match scheme.to_ascii_lowercase().as_str() {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        Some(Authority::parse(rest)?.origin(https))
    }
}

/// Whether the text is a host, with or without a port.
pub fn is_host(text: &str) -> bool {
    Authority::parse(text).is_some()
}

impl KnownHosts {
    /// Creates the set from the hosts that an operator names, such as `https://club.example`,
    /// `club.example` or `club.example:8080`. A host without a scheme is reached by plain HTTP. A
    /// host without a scheme and without a port is allowed at any port. Texts that are not hosts
    /// are ignored.
    pub fn new<'a>(named: impl IntoIterator<Item = &'a str>) -> KnownHosts {
        let mut known = KnownHosts::default();
        for text in named {
            if text.contains("://") {
                known.origins.extend(Origin::parse(text));
            } else {
                known.hosts.extend(Authority::parse(text));
            }
        }
        known
    }

    /// Whether this value of the header `Host` names the club.
    pub fn contains(&self, host: &str) -> bool {
        Authority::parse(host).is_some_and(|host| {
            let is_origin = |https| self.origins.contains(&host.clone().origin(https));
            self.is_plain(&host) || is_origin(true) || is_origin(false)
        })
    }

    /// Whether a page of that origin is the club's own page. `host` is the header `Host` of the
    /// request.
    pub fn is_own(&self, origin: &str, host: Option<&str>) -> bool {
        let Some(origin) = Origin::parse(origin) else {
            return false;
        };
        if self.origins.contains(&origin) {
            return true;
        }
        // A host without a scheme is reached by plain HTTP, because the club itself serves plain
        // HTTP.
        host.and_then(Authority::parse)
            .is_some_and(|host| self.is_plain(&host) && host.origin(false) == origin)
    }

    /// Whether people reach the club by plain HTTP under this host.
    fn is_plain(&self, host: &Authority) -> bool {
        let is_named = |named: &Authority| {
            named.name == host.name && (named.port.is_none() || named.port == host.port)
        };
        host.is_certain() || self.hosts.iter().any(is_named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> KnownHosts {
        KnownHosts::new([
            "https://club.example",
            "lan",
            "box:8080",
            "http://two.example:81",
        ])
    }

    #[test]
    fn known_hosts_are_ip_addresses_loopback_and_named_hosts() {
        let known = known();
        for host in [
            "127.0.0.1:8080",
            "192.0.2.7",
            "[::1]:8080",
            "[2001:db8::1]",
            "localhost:8080",
            "LOCALHOST",
            "a.localhost",
            "club.example",
            "Club.Example:443",
            "lan",
            "lan:99",
            "box:8080",
            "two.example:81",
        ] {
            assert!(known.contains(host), "{host}");
        }
        for host in [
            "evil.example",
            "evil.example:8080",
            "127.0.0.1.evil.example",
            "localhost.evil.example",
            "xlocalhost",
            "club.example:8080",
            "club.example.evil.example",
            "box",
            "box:8081",
            "two.example",
            "",
            "a@127.0.0.1",
            "127.0.0.1:+80",
            "127.0.0.1:0",
            "club.example, evil.example",
        ] {
            assert!(!known.contains(host), "{host}");
        }
    }

    #[test]
    fn origins_are_compared_with_scheme_host_and_port() {
        let known = known();
        for (origin, host) in [
            ("http://127.0.0.1:8080", "127.0.0.1:8080"),
            ("http://localhost", "localhost:80"),
            ("https://club.example", "club.example"),
            ("https://club.example:443", "127.0.0.1:8080"),
            ("http://lan:99", "lan:99"),
            ("http://two.example:81", "two.example:81"),
        ] {
            assert!(known.is_own(origin, Some(host)), "{origin} at {host}");
        }
        for (origin, host) in [
            ("http://evil.example:8080", "evil.example:8080"),
            ("https://127.0.0.1:8080", "127.0.0.1:8080"),
            ("http://127.0.0.1:8081", "127.0.0.1:8080"),
            ("http://localhost:8080", "127.0.0.1:8080"),
            ("http://club.example", "club.example"),
            ("https://club.example:8443", "club.example"),
            ("https://lan:99", "lan:99"),
            ("null", "127.0.0.1:8080"),
            ("ftp://127.0.0.1:8080", "127.0.0.1:8080"),
            ("http://127.0.0.1:8080/", "127.0.0.1:8080"),
        ] {
            assert!(!known.is_own(origin, Some(host)), "{origin} at {host}");
        }
        assert!(!known.is_own("http://127.0.0.1", None));
    }
}
