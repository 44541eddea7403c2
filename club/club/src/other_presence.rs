//! What this club knows of the presence of players at other clubs.

use std::{
    collections::{HashMap, HashSet},
    mem,
    sync::Mutex,
};

use store::GameSeat;
use tokio::sync::Notify;

use crate::sync::lock;

/// Presence of players at other clubs, and what this club has written about its own players.
#[derive(Default)]
pub(crate) struct OtherPresence {
    /// For every other club, the last list of connected players that this club has read: the
    /// version of the list, and the seats. The key is the number of the other club. The lock is
    /// held while the store is called, so that an older reading never replaces a newer one.
    pub(crate) clubs: tokio::sync::Mutex<HashMap<u64, (i64, Vec<GameSeat>)>>,
    pub(crate) own: tokio::sync::Mutex<OwnPresence>,
    /// Seats whose players are connected to another club.
    elsewhere: Mutex<HashSet<GameSeat>>,
    /// Notified by a hint that the players who are connected to another club have changed.
    pub(crate) hinted: Notify,
    /// Notified by a hint that another club has made or closed an offer.
    pub(crate) lobby_hinted: Notify,
}

/// What this club has written.
#[derive(Default)]
pub(crate) struct OwnPresence {
    /// Version of the list of seats that this club wrote last.
    pub(crate) version: i64,
    /// The list of seats; `None` if the store does not have this list.
    pub(crate) seats: Option<Vec<GameSeat>>,
}

impl OtherPresence {
    /// Whether the player of a seat is connected to another club.
    pub(crate) fn is_elsewhere(&self, seat: GameSeat) -> bool {
        lock(&self.elsewhere).contains(&seat)
    }

    /// Records the seats whose players are connected to another club. Returns the seats for which this
    /// has changed.
    pub(crate) fn set_elsewhere(&self, seats: &HashSet<GameSeat>) -> Vec<GameSeat> {
        let old = mem::replace(&mut *lock(&self.elsewhere), seats.clone());
        old.symmetric_difference(seats).copied().collect()
    }
}
