//! Two consoles that wait become a game.

use std::sync::{Mutex, PoisonError};

use club::{AccountId, GameId, Token};
use rules::chess::Color;
use tokio::sync::oneshot;

/// A seat at a game.
#[derive(Debug)]
pub(super) struct Place {
    /// The account of its player.
    pub(super) account: AccountId,
    /// The game.
    pub(super) game: GameId,
    /// The seat.
    pub(super) color: Color,
    /// The key to come back with, where it is told.
    pub(super) key: Option<Token>,
}

/// The second console: it is told its place by the first.
pub(super) type Second = oneshot::Sender<Place>;

/// The console that waits for a second one, if any.
#[derive(Debug, Default)]
pub(super) struct Waiting(Mutex<Option<oneshot::Sender<Second>>>);

/// Part of a console that comes in: first or second.
pub(super) enum Joined {
    /// As the first: the second will be told here.
    First(oneshot::Receiver<Second>),
    /// As the second: the first will tell it its place.
    Second(oneshot::Receiver<Place>),
}

impl Waiting {
    /// Joins the console that waits, or waits.
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
