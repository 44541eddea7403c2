//! Pairs two waiting consoles.

use std::sync::{Mutex, PoisonError};

use club::{AccountId, GameId, Token};
use rules::chess::Color;
use tokio::sync::oneshot;

/// A seat in a game, with the account that plays there.
#[derive(Debug)]
pub(super) struct Place {
    /// Account of the player.
    pub(super) account: AccountId,
    /// Id of the game.
    pub(super) game: GameId,
    /// Colour of the seat.
    pub(super) color: Color,
    /// Key with which the player can come back. `None` if the player already
    /// has the key.
    pub(super) key: Option<Token>,
}

/// Sender with which the first console gives the second console its place.
pub(super) type Second = oneshot::Sender<Place>;

/// The console that waits for a second one, if there is one.
#[derive(Debug, Default)]
pub(super) struct Waiting(Mutex<Option<oneshot::Sender<Second>>>);

/// Role of a console in a pair: first or second.
pub(super) enum Joined {
    /// The first console. From this receiver it gets the sender to the second
    /// console.
    First(oneshot::Receiver<Second>),
    /// The second console. From this receiver it gets its place.
    Second(oneshot::Receiver<Place>),
}

impl Waiting {
    /// Pairs the caller with the waiting console. If no console waits, the
    /// caller waits.
    pub(super) fn join(&self) -> Joined {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (tells, told) = oneshot::channel();
        if let Some(first) = waiting.take()
            && first.send(tells).is_ok()
        {
            return Joined::Second(told);
        }
        let (tells, told) = oneshot::channel();
        *waiting = Some(tells);
        Joined::First(told)
    }
}
