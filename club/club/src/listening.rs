//! Subscription of one listener to a game: its items, one after another.

use std::{fmt, sync::Arc};

use rules::{Choices, Listener, chess::Color};
use tokio::sync::watch;
use wire::GameStatus;

use crate::{
    facts::Standing,
    handle::{Handle, Published},
    hearing::ListenerItem,
    seat_view::SeatView,
};

/// Subscription of one listener to a game. As long as a player's subscription exists, the player
/// counts as present. A subscription made by [`Club::heard`](crate::Club::heard) does not make
/// the player present.
pub struct Listening {
    handle: Arc<Handle>,
    seat: Listener,
    /// Player who counts as present because of this subscription.
    present: Option<Color>,
    published: watch::Receiver<Published>,
    /// Number of the last hearing that was returned.
    after: u32,
    /// Standing that was last returned, as part of the facts.
    standing: Option<Standing>,
}

impl Listening {
    pub(crate) fn new(handle: Arc<Handle>, seat: Listener, after: u32) -> Listening {
        let published = handle.published(seat).subscribe();
        handle.wake.notify_one();
        Listening {
            handle,
            seat,
            present: None,
            published,
            after,
            standing: None,
        }
    }

    /// Makes the player count as present from now on.
    pub(crate) fn present(mut self) -> Listening {
        self.present = self.seat.color();
        if let Some(color) = self.present {
            self.handle.count(color, true);
        }
        self
    }

    /// Returns the reader's seat, or [`Listener::Room`].
    pub fn seat(&self) -> Listener {
        self.seat
    }

    /// Whether the reader plays in the game, and it is not over.
    pub fn is_playing(&self) -> bool {
        self.seat.color().is_some() && self.published.borrow().state.status() != GameStatus::Over
    }

    /// Returns the choices of the ruleset, with the switches of this game applied.
    pub fn choices(&self) -> &Choices {
        &self.handle.choices
    }

    /// Waits for the next item: first the past hearings, then the facts, then new hearings and
    /// facts. Returns `None` when the club closes. Cancel safe: the future may be dropped and the
    /// method called again.
    pub async fn next(&mut self) -> Option<ListenerItem> {
        loop {
            // Marks the state as seen before it is read, so that any later change wakes this task.
            let closed = self.published.borrow_and_update().closed;
            if let Some(item) = self.ready() {
                return Some(item);
            }
            if closed || self.published.changed().await.is_err() {
                return None;
            }
        }
    }

    /// Returns the next item if there is one now; does not wait.
    pub fn ready(&mut self) -> Option<ListenerItem> {
        let published = self.published.borrow();
        if let Some(hearing) = published.state.hearings().get(self.after as usize) {
            self.after = hearing.n;
            return Some(ListenerItem::Hearing(hearing.clone()));
        }
        if self.standing.as_ref() == Some(&published.standing) {
            return None;
        }
        let standing = published.standing.clone();
        drop(published);
        self.standing = Some(standing.clone());
        let facts = self.handle.facts(self.seat, standing);
        Some(ListenerItem::Facts(Box::new(facts)))
    }

    /// Returns what a player's seat knows now; `None` for a spectator.
    pub fn seat_view(&self) -> Option<SeatView> {
        self.published.borrow().state.seat_view()
    }

    /// Whether there is no item at this moment. A reader who does not want to wait can stop
    /// reading when this is true.
    pub fn is_idle(&self) -> bool {
        let published = self.published.borrow();
        published.state.n() <= self.after && self.standing.as_ref() == Some(&published.standing)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        if let Some(color) = self.present {
            self.handle.count(color, false);
        }
    }
}

/// Does not show the hearings, because the text may be written to a log.
impl fmt::Debug for Listening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listening")
            .field("seat", &self.seat)
            .field("after", &self.after)
            .finish_non_exhaustive()
    }
}
