//! Presence of players, if several clubs use one store. Each club writes which players are
//! connected to it, and reads what the other clubs have written.

use std::{
    collections::{HashMap, HashSet},
    sync::Weak,
    time::Duration,
};

use rules::chess::Color;
use store::{GameSeat, StoreError};
use tokio::time::sleep;

use crate::{
    inner::{Inner, closing},
    sync::lock,
};

/// Pause after a read or a write of the presence, so that many changes cause few calls of the
/// store.
const PAUSE: Duration = Duration::from_millis(100);

impl Inner {
    /// Returns the seats whose players are connected to this club.
    fn connected_seats(&self) -> Vec<GameSeat> {
        let mut seats = Vec::new();
        for (game, handle) in lock(&self.tables).iter() {
            for color in Color::ALL {
                if handle.connections.is_connected(color) {
                    seats.push((*game, color));
                }
            }
        }
        seats.sort_unstable_by_key(|(game, color)| (*game, color.is_white()));
        seats
    }

    /// Writes which players are connected to this club. Does nothing if these players are the same
    /// as before, if no other club seems to be alive, or if this club is closing.
    pub(super) async fn write_presence(&self) -> Result<(), StoreError> {
        if !self.liveness.has_others() || self.is_closing() {
            return Ok(());
        }
        let mut own = self.others.own.lock().await;
        let seats = self.connected_seats();
        if own.seats.as_ref() == Some(&seats) {
            return Ok(());
        }
        // A write that reported an error may nevertheless have been stored, so its version number
        // is not used again.
        own.version += 1;
        let version = own.version;
        self.store
            .set_presence(self.number, version, &seats)
            .await?;
        own.seats = Some(seats);
        Ok(())
    }

    /// Reads which players are connected to other clubs.
    pub(super) async fn read_presence(&self) -> Result<(), StoreError> {
        let mut clubs = self.others.clubs.lock().await;
        let versions: HashMap<u64, i64> = self.store.presences().await?.into_iter().collect();
        clubs.retain(|club, _| versions.contains_key(club));
        for (&club, &version) in &versions {
            let known = clubs.get(&club).map(|(version, _)| *version);
            if club == self.number || known == Some(version) {
                continue;
            }
            match self.store.presence(club).await {
                Ok(seats) => {
                    clubs.insert(club, (version, seats));
                }
                // The club has closed meanwhile.
                Err(StoreError::Absent) => {}
                Err(error) => return Err(error),
            }
        }
        self.liveness.know_presence(clubs.keys().copied().collect());
        let alive = clubs
            .iter()
            .filter(|(club, _)| self.liveness.is_running(**club));
        let elsewhere = alive.flat_map(|(_, (_, seats))| seats.iter().copied());
        self.show_elsewhere(elsewhere.collect());
        drop(clubs);
        let mut own = self.others.own.lock().await;
        if versions.get(&self.number) != Some(&own.version) {
            // The row of this club was deleted, so it is written again.
            own.seats = None;
        }
        Ok(())
    }

    /// Records which players are connected to other clubs. If a player has connected to another
    /// club or has left it, informs the player's table.
    fn show_elsewhere(&self, elsewhere: HashSet<GameSeat>) {
        for (game, color) in self.others.set_elsewhere(&elsewhere) {
            let known = lock(&self.tables).get(&game).cloned();
            if let Some(handle) = known {
                let is_elsewhere = elsewhere.contains(&(game, color));
                handle.connections.set_elsewhere(color, is_elsewhere);
                handle.wake.notify_one();
            }
        }
    }
}

/// Writes each change of the presence at this club. If another club sends a hint, reads what that
/// club has changed. If a hint is lost, the change is read about half a second later.
pub(super) async fn follow(club: Weak<Inner>) {
    let Some((mut life, others, liveness)) = club.upgrade().map(|club| {
        (
            club.life.subscribe(),
            club.others.clone(),
            club.liveness.clone(),
        )
    }) else {
        return;
    };
    loop {
        let what = tokio::select! {
            () = liveness.presence_changed.notified() => Changed::Own,
            () = others.hinted.notified() => Changed::Others,
            () = others.lobby_hinted.notified() => Changed::Lobby,
            () = closing(&mut life) => return,
        };
        let Some(club) = club.upgrade() else { return };
        // If the store fails now, `see_others` tries again about half a second later.
        let _later = match what {
            Changed::Own => club.write_presence().await,
            Changed::Others => club.read_presence().await,
            Changed::Lobby => club.read_offers().await,
        };
        drop(club);
        sleep(PAUSE).await;
    }
}

/// What has changed.
enum Changed {
    /// The players who are connected to this club.
    Own,
    /// The players who are connected to another club.
    Others,
    /// The offers of another club.
    Lobby,
}
