//! Connections at once, in all and from one household.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use crate::household;

/// Counts connections.
#[derive(Clone, Debug)]
pub struct Connections {
    of_one: u32,
    in_all: u32,
    counts: Arc<Mutex<Counts>>,
}

#[derive(Debug, Default)]
struct Counts {
    households: HashMap<IpAddr, u32>,
    in_all: u32,
}

/// A connection that is counted as long as this lives.
#[derive(Debug)]
pub struct Held {
    counts: Arc<Mutex<Counts>>,
    /// One of a household's, or one of all.
    household: Option<IpAddr>,
}

impl Connections {
    /// So many at once of one household, and in all.
    pub fn new(of_one: u32, in_all: u32) -> Connections {
        Connections {
            of_one,
            in_all,
            counts: Arc::default(),
        }
    }

    /// Counts a connection among all; `None` if there are too many.
    pub fn enter(&self) -> Option<Held> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if counts.in_all >= self.in_all {
            return None;
        }
        counts.in_all += 1;
        Some(self.held(None))
    }

    /// Counts a connection of that address's household; `None` if it has too
    /// many.
    pub fn connect(&self, address: IpAddr) -> Option<Held> {
        let household = household(address);
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let n = counts.households.entry(household).or_default();
        if *n >= self.of_one {
            return None;
        }
        *n += 1;
        Some(self.held(Some(household)))
    }

    /// How many there are in all.
    pub fn in_all(&self) -> u32 {
        self.counts
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .in_all
    }

    fn held(&self, household: Option<IpAddr>) -> Held {
        Held {
            counts: Arc::clone(&self.counts),
            household,
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(household) = self.household else {
            counts.in_all = counts.in_all.saturating_sub(1);
            return;
        };
        if let Some(n) = counts.households.get_mut(&household) {
            *n = n.saturating_sub(1);
            if *n == 0 {
                counts.households.remove(&household);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_counts_as_long_as_it_is_held() {
        let at = |text: &str| text.parse::<IpAddr>().expect("an address");
        let all = Connections::new(2, 1);
        let first = all.connect(at("2001:db8::1")).expect("there is room");
        let _second = all.connect(at("2001:db8::2")).expect("there is room");
        assert!(all.connect(at("2001:db8::3")).is_none());
        assert!(all.connect(at("192.0.2.7")).is_some());
        drop(first);
        assert!(all.connect(at("2001:db8::3")).is_some());

        let one = all.enter();
        assert!(all.enter().is_none());
        assert_eq!(all.in_all(), 1);
        drop(one);
        assert!(all.enter().is_some());
    }
}
