//! The view of any listener, player or spectator.

use rules::{Choices, Heard, Listener, NonsenseRow, Start, Try};
use views::{PlayerView, SpectatorView};

/// What one listener knows, computed from what that listener heard.
#[derive(Clone, PartialEq, Debug)]
pub enum ListenerView {
    /// The view of a player.
    Seat(Box<PlayerView>),
    /// The view of a spectator.
    Room(Box<SpectatorView>),
}

impl ListenerView {
    /// Creates the view when the game opens.
    pub fn open(choices: Choices, listener: Listener, start: &Start) -> ListenerView {
        match listener.color() {
            Some(color) => ListenerView::Seat(Box::new(PlayerView::open(choices, color, start))),
            None => ListenerView::Room(Box::new(SpectatorView::open(choices, start))),
        }
    }

    /// Updates the view by one thing that the listener hears.
    pub fn hear(&mut self, heard: &Heard) {
        match self {
            ListenerView::Seat(view) => view.hear(heard),
            ListenerView::Room(view) => view.hear(heard),
        }
    }

    /// Lists the tries worth making now; empty for a spectator.
    pub fn tries(&self) -> Vec<Try> {
        match self {
            ListenerView::Seat(view) => view.tries(),
            ListenerView::Room(_) => Vec::new(),
        }
    }

    /// Returns why a try would be nonsense now; `None` for a spectator.
    pub fn explain(&self, t: Try) -> Option<NonsenseRow> {
        match self {
            ListenerView::Seat(view) => view.explain(t),
            ListenerView::Room(_) => None,
        }
    }

    /// Returns the player's view; `None` for a spectator.
    pub fn seat(&self) -> Option<&PlayerView> {
        match self {
            ListenerView::Seat(view) => Some(view),
            ListenerView::Room(_) => None,
        }
    }
}
