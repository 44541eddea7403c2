//! Subscription of one reader to the lobby: first the whole lobby, then its changes.

use store::AccountId;
use tokio::sync::watch;

use crate::{inner::Club, listed::Shown, lobby::LobbyItem, sync::lock};

/// Subscription of one reader to the lobby.
pub struct LobbyListening {
    club: Club,
    reader: Option<AccountId>,
    changed: watch::Receiver<u64>,
    shown: Option<Shown>,
}

impl LobbyListening {
    pub(crate) fn new(club: Club, reader: Option<AccountId>) -> LobbyListening {
        let changed = club.lobby();
        LobbyListening {
            club,
            reader,
            changed,
            shown: None,
        }
    }

    /// Waits for the next item. Changes that come at the same time are one item. `None` would mean
    /// that the club was dropped, but the subscription itself keeps the club. Cancel safe: the
    /// future may be dropped and the method called again.
    pub async fn next(&mut self) -> Option<LobbyItem> {
        loop {
            // Marks the state as seen before it is read, so that any later change wakes this task.
            self.changed.mark_unchanged();
            if let Some(item) = self.ready() {
                return Some(item);
            }
            self.changed.changed().await.ok()?;
        }
    }

    /// Returns the next item if there is one now; does not wait.
    pub fn ready(&mut self) -> Option<LobbyItem> {
        let inner = &self.club.0;
        let most = inner.settings.lobby_games;
        let listed = lock(&inner.listed);
        if let Some(shown) = &mut self.shown
            && let Some(changes) = listed.changes(self.reader, shown, most)
        {
            if changes.is_empty() {
                return None;
            }
            return Some(LobbyItem::Changes(changes));
        }
        let programs = lock(&inner.programs).clone();
        let (lobby, shown) = listed.lobby(self.reader, programs, most);
        self.shown = Some(shown);
        Some(LobbyItem::Whole(lobby))
    }
}
