//! A listener's view, of a seat or of the room.

use rules::{Choices, Heard, Listener, NonsenseRow, Start, Try};
use views::{PlayerView, SpectatorView};

/// What one listener knows: a fold of what he heard.
#[derive(Clone, PartialEq, Debug)]
pub enum Chair {
    /// A player's.
    Seat(Box<PlayerView>),
    /// That of everyone who is no player.
    Room(Box<SpectatorView>),
}

impl Chair {
    /// Takes the chair as the game opens.
    pub fn open(choices: Choices, listener: Listener, start: &Start) -> Chair {
        match listener.color() {
            Some(color) => Chair::Seat(Box::new(PlayerView::open(choices, color, start))),
            None => Chair::Room(Box::new(SpectatorView::open(choices, start))),
        }
    }

    /// Hears one thing.
    pub fn hear(&mut self, heard: &Heard) {
        match self {
            Chair::Seat(view) => view.hear(heard),
            Chair::Room(view) => view.hear(heard),
        }
    }

    /// The attempts worth making now; the room has none.
    pub fn tries(&self) -> Vec<Try> {
        match self {
            Chair::Seat(view) => view.tries(),
            Chair::Room(_) => Vec::new(),
        }
    }

    /// Why a try would be nonsense now; the room cannot ask.
    pub fn explain(&self, t: Try) -> Option<NonsenseRow> {
        match self {
            Chair::Seat(view) => view.explain(t),
            Chair::Room(_) => None,
        }
    }

    /// A player's view.
    pub fn seat(&self) -> Option<&PlayerView> {
        match self {
            Chair::Seat(view) => Some(view),
            Chair::Room(_) => None,
        }
    }
}
