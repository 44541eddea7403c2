//! A listener's view: a player's or a spectator's.

use rules::{Choices, Heard, Listener, NonsenseRow, Start, Try};
use views::{PlayerView, SpectatorView};

/// Knowledge of one listener: a fold of what that listener heard.
#[derive(Clone, PartialEq, Debug)]
pub enum ListenerView {
    /// View of a player.
    Seat(Box<PlayerView>),
    /// View of a spectator.
    Room(Box<SpectatorView>),
}

impl ListenerView {
    /// Creates the view at the opening of the game.
    pub fn open(choices: Choices, listener: Listener, start: &Start) -> ListenerView {
        match listener.color() {
            Some(color) => ListenerView::Seat(Box::new(PlayerView::open(choices, color, start))),
            None => ListenerView::Room(Box::new(SpectatorView::open(choices, start))),
        }
    }

    /// Hears one thing.
    pub fn hear(&mut self, heard: &Heard) {
        match self {
            ListenerView::Seat(view) => view.hear(heard),
            ListenerView::Room(view) => view.hear(heard),
        }
    }

    /// Lists the attempts worth making now; a spectator has none.
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

    /// A player's view.
    pub fn seat(&self) -> Option<&PlayerView> {
        match self {
            ListenerView::Seat(view) => Some(view),
            ListenerView::Room(_) => None,
        }
    }
}
