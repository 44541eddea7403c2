//! What all players and spectators share: the nodes of the club, and the counts of errors.

use std::{
    collections::BTreeMap,
    fmt::Display,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use client::{Client, RetryPolicy};
use wire::TermsJson;

use super::super::api::{Api, Traffic};

/// Timeouts of a connection, and pauses between attempts to reconnect.
pub(super) const POLICY: RetryPolicy = RetryPolicy {
    connect_timeout: Duration::from_secs(30),
    idle_timeout: Some(Duration::from_secs(60)),
    first_pause: Duration::from_millis(100),
    longest_pause: Duration::from_secs(2),
};

/// Maximum number of simultaneous requests that create games, or that read finished games.
pub(super) const AT_ONCE: usize = 8;

/// Pause after a request that the club could not execute. After the pause, the same request is sent
/// again.
pub(super) const RETRY_PAUSE: Duration = Duration::from_millis(500);

/// Number of times that a request for a finished game is sent before the game counts as unreadable.
pub(super) const MAX_READS: u32 = 20;

/// State that all players and spectators share.
pub(super) struct Shared {
    pub(super) nodes: Vec<Api>,
    pub(super) terms: TermsJson,
    /// Interval between two attempts of one game.
    pub(super) interval: Duration,
    /// Maximum time, after the last attempts, until every request is answered and every game ends.
    pub(super) timeout: Duration,
    pub(super) traffic: Arc<Traffic>,
    pub(super) notes: Notes,
}

/// Counts of errors, temporary refusals and lost connections.
#[derive(Default)]
pub(super) struct Notes(Mutex<NoteCounts>);

#[derive(Clone, Default)]
pub(super) struct NoteCounts {
    /// Failures of the club, and refusals that are not temporary, counted by text. If there is
    /// one, the exit code is 1.
    pub(super) errors: BTreeMap<String, u64>,
    /// Number of temporary refusals. After a temporary refusal the request is sent again.
    pub(super) waits: u64,
    /// Number of connections that were lost.
    pub(super) lost: u64,
    /// Number of connections that were opened again.
    pub(super) reconnections: u64,
}

impl Notes {
    pub(super) fn change(&self, change: impl FnOnce(&mut NoteCounts)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Returns the current counts.
    pub(super) fn counts(&self) -> NoteCounts {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    pub(super) fn error(&self, message: impl Display) {
        self.change(|counts| *counts.errors.entry(message.to_string()).or_default() += 1);
    }
}

impl Shared {
    /// Returns the node to which the player or spectator with this number connects first.
    pub(super) fn node(&self, number: usize) -> &Api {
        &self.nodes[number % self.nodes.len()]
    }

    /// Creates a client that connects to its first node, and after each failure to the next node.
    pub(super) fn client(&self, number: usize, token: Option<&str>) -> Client {
        let nodes: Vec<Api> = self.nodes.iter().map(|api| api.with(token)).collect();
        let mut next = number;
        let connect = move || {
            let api = nodes[next % nodes.len()].clone();
            next += 1;
            api.socket()
        };
        Client::new(connect, POLICY)
    }
}
