//! Seats of the arena.

use std::fmt;

use bots::Player;
use rules::{Attempt, Choices, Heard, Start, Try};
use views::PlayerView;

/// Answer of a seat at its turn.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Word {
    /// An attempt.
    Attempt(Attempt),
    /// Something that cannot be read as an attempt.
    Unreadable {
        /// The text.
        text: String,
        /// The fault, and what is possible.
        why: String,
    },
    /// The player is gone.
    Gone,
}

/// Player in the arena: a bot in this process, or a program behind a pipe.
pub trait Seat {
    /// A game opens.
    fn open(&mut self, start: &Start, choices: &Choices) {
        let _ = (start, choices);
    }

    /// Hears one thing; its view has heard it already.
    fn hear(&mut self, heard: &Heard);

    /// Whether it wants to [`hear`](Seat::hear) at all; asked once a game.
    fn hears(&self) -> bool {
        true
    }

    /// Called after this seat has heard everything of one event. A seat that
    /// hears nothing of an event is not called: it must not know about the
    /// event.
    fn told(&mut self) {}

    /// Makes an attempt.
    fn answer(&mut self, view: &PlayerView, tries: &[Try]) -> Word;

    /// The last answer was refused, or could not be read, and the seat will be
    /// asked again.
    fn refused(&mut self, why: &dyn fmt::Display) {
        let _ = why;
    }
}

impl<P: Player + ?Sized> Seat for P {
    fn hear(&mut self, heard: &Heard) {
        Player::hear(self, heard);
    }

    fn hears(&self) -> bool {
        Player::hears(self)
    }

    fn answer(&mut self, view: &PlayerView, tries: &[Try]) -> Word {
        Word::Attempt(self.attempt(view, tries))
    }
}
