//! Connections of the players to a table.

use std::sync::{Arc, Mutex};

use rules::chess::{ByColor, Color};
use store::Millis;

use crate::{liveness::Liveness, sync::lock, table::Presence};

/// Delay before other listeners see that a player has left, in milliseconds. Because of this
/// delay, others do not notice a short disconnection.
const DEPARTURE_DELAY: Millis = 5_000;

/// Connections of both players.
pub(crate) struct Connections {
    liveness: Arc<Liveness>,
    seats: Mutex<ByColor<SeatConnections>>,
}

/// Connections of one player.
#[derive(Default)]
struct SeatConnections {
    count: u32,
    /// Whether the player has connected since this table was opened. If so, there is a delay before
    /// others see that the player has left.
    came: bool,
    /// Time since which the player is gone; `None` while connected.
    gone: Option<Millis>,
}

impl SeatConnections {
    /// Sets the time since which the player is gone, or clears it if the player is connected.
    fn settle(&mut self, now: Millis) {
        self.gone = match self.count > 0 {
            true => None,
            false => self.gone.or(Some(now)),
        };
    }
}

impl Connections {
    pub(crate) fn new(liveness: Arc<Liveness>) -> Connections {
        let now = liveness.now();
        let seats = ByColor::new_with(|_| SeatConnections {
            gone: Some(now),
            ..SeatConnections::default()
        });
        Connections {
            liveness,
            seats: Mutex::new(seats),
        }
    }

    /// Adds one connection of a player if `more` is true, otherwise removes one connection.
    pub(crate) fn count(&self, color: Color, more: bool) {
        let mut seats = lock(&self.seats);
        let seat = seats.get_mut(color);
        seat.count = if more {
            seat.count.saturating_add(1)
        } else {
            seat.count.saturating_sub(1)
        };
        seat.came = true;
        seat.settle(self.liveness.now());
    }

    /// Whether a player is connected.
    pub(crate) fn is_here(&self, color: Color) -> bool {
        lock(&self.seats).get(color).count > 0
    }

    /// Returns the time since which each player is gone, and whether there is a delay before others
    /// see that the player is gone.
    fn gone(&self) -> ByColor<Option<(Millis, bool)>> {
        // Nobody could connect while the club did not run. So the time of absence begins when the
        // outage ends, or later.
        let back = self.liveness.outage().map(|outage| outage.until);
        let seats = lock(&self.seats);
        ByColor::new_with(|color| {
            let seat = seats.get(color);
            let gone = seat.gone?;
            Some((back.map_or(gone, |back| gone.max(back)), seat.came))
        })
    }

    /// Returns who is connected, as others may see it. Others see at once that a player has
    /// connected. They see only after a delay that a player has left.
    pub(crate) fn presence(&self) -> Presence {
        let now = self.liveness.now();
        let shown =
            |&(gone, late): &(Millis, bool)| !late || gone.saturating_add(DEPARTURE_DELAY) <= now;
        let came = {
            let seats = lock(&self.seats);
            ByColor::new_with(|color| seats.get(color).came)
        };
        Presence {
            came,
            gone: self.gone().map(|gone| gone.filter(shown).map(|(at, _)| at)),
        }
    }

    /// Returns the next time when others will see that a player has left.
    pub(crate) fn next_departure(&self) -> Option<Millis> {
        let now = self.liveness.now();
        let gone = self.gone();
        let late = [gone.white, gone.black].into_iter().flatten();
        late.filter(|(_, late)| *late)
            .map(|(at, _)| at.saturating_add(DEPARTURE_DELAY))
            .filter(|at| *at > now)
            .min()
    }
}
