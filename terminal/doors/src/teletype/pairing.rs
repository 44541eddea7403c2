//! Pairs two waiting consoles.

use std::sync::{Mutex, MutexGuard, PoisonError};

use club::{Account, GameId, Token};
use rules::chess::Color;
use tokio::sync::{mpsc, oneshot};

/// A seat in a game, with the account that plays there.
#[derive(Debug)]
pub(super) struct Place {
    /// Account of the player.
    pub(super) account: Account,
    /// Id of the game.
    pub(super) game: GameId,
    /// Colour of the seat.
    pub(super) color: Color,
    /// Key with which the player can come back. `None` if the player already
    /// has the key.
    pub(super) key: Option<Token>,
}

/// What the first console sends to the second console before the game.
#[derive(Debug)]
pub(super) enum ToSecond {
    /// Lines to print.
    Print(String),
    /// The seat of the second console.
    Seat(Place),
}

/// Sender from the first console of a pair to the second.
pub(super) type Second = mpsc::UnboundedSender<ToSecond>;

/// The console that waits for a second console, if any.
#[derive(Debug, Default)]
pub(super) struct Waiting(Mutex<Pairing>);

#[derive(Debug, Default)]
struct Pairing {
    first: Option<oneshot::Sender<Second>>,
    /// Whether the pairing has ended, so that no further console can join.
    closed: bool,
}

/// Role of a console in a pair: first or second.
pub(super) enum Joined {
    /// The first console, which receives the sender to the second console.
    First(oneshot::Receiver<Second>),
    /// The second console, which receives lines to print, and then its place.
    Second(mpsc::UnboundedReceiver<ToSecond>),
}

impl Waiting {
    fn pairing(&self) -> MutexGuard<'_, Pairing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Pairs a new console with the waiting console. If no console waits, the new console waits.
    /// Returns `None` if the pairing has ended.
    pub(super) fn join(&self) -> Option<Joined> {
        let mut pairing = self.pairing();
        if pairing.closed {
            return None;
        }
        let (sender, receiver) = mpsc::unbounded_channel();
        if let Some(first) = pairing.first.take()
            && first.send(sender).is_ok()
        {
            return Some(Joined::Second(receiver));
        }
        let (sender, receiver) = oneshot::channel();
        pairing.first = Some(sender);
        Some(Joined::First(receiver))
    }

    /// Ends the pairing: no further console can join. Returns whether a console was waiting.
    pub(super) fn close(&self) -> bool {
        let mut pairing = self.pairing();
        pairing.closed = true;
        let first = pairing.first.take();
        first.is_some_and(|first| !first.is_closed())
    }

    /// Whether the pairing has ended, so that no further console can join.
    pub(super) fn is_closed(&self) -> bool {
        self.pairing().closed
    }
}
