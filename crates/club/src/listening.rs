//! Items for one listener, one after another.

use std::{fmt, sync::Arc};

use rules::{Choices, Listener, chess::Color};
use tokio::sync::watch;

use crate::{
    facts::Standing,
    handle::{Handle, Published},
    hearing::ListenerItem,
    seat_view::SeatView,
};

/// Subscription of one listener to a game. As long as a player's subscription lives, the
/// player counts as present, unless it only reads ([`Club::heard`](crate::Club::heard)).
pub struct Listening {
    handle: Arc<Handle>,
    seat: Listener,
    /// Player who counts as present.
    present: Option<Color>,
    published: watch::Receiver<Published>,
    /// The number of the last hearing given.
    after: u32,
    /// The standing last given.
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

    /// Counts the player as present from now on.
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

    /// Choices of the ruleset, with the game's switches set.
    pub fn choices(&self) -> &Choices {
        &self.handle.choices
    }

    /// The next thing told: first what was heard before, then the facts, then
    /// whatever comes. `None` when the club closes. It may be dropped and
    /// called again: nothing is lost.
    pub async fn next(&mut self) -> Option<ListenerItem> {
        loop {
            // First marked as seen: what comes from here on wakes.
            let closed = self.published.borrow_and_update().closed;
            if let Some(told) = self.ready() {
                return Some(told);
            }
            if closed || self.published.changed().await.is_err() {
                return None;
            }
        }
    }

    /// The next thing told, if it need not be waited for.
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

    /// Whether nothing more is to be told at this moment: with it a reader who
    /// does not want to wait knows where to stop.
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

/// Shows nothing of what is heard: the text may stand in a log.
impl fmt::Debug for Listening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listening")
            .field("seat", &self.seat)
            .field("after", &self.after)
            .finish_non_exhaustive()
    }
}
