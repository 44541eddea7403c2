//! Players of the arena.

use std::fmt;

use bots::{Budget, Player};
use rules::{Attempt, Choices, Heard, Start, Try, chess::Color};
use views::PlayerView;

/// Answer of a seat in its turn.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum SeatAnswer {
    /// An attempt.
    Attempt(Attempt),
    /// A text that cannot be read as an attempt.
    Unreadable {
        /// The text as written.
        text: String,
        /// Error message, which says what the player can write instead.
        why: String,
    },
    /// The player is gone: its program exited, or did not answer in time.
    Gone,
    /// The player has panicked.
    Panicked,
}

/// Player of the arena: a bot in this process, or an external program.
pub trait Seat {
    /// Starts a game.
    fn open(&mut self, color: Color, start: &Start, choices: &Choices) {
        let _ = (color, start, choices);
    }

    /// Receives one item that this seat hears. A game can begin with opening moves that the arena
    /// makes for both seats. The items include the verdicts on the moves that the arena made for
    /// this seat. The view of the seat is already updated with the item.
    fn hear(&mut self, heard: &Heard);

    /// Returns whether [`hear`](Seat::hear) must be called. This function is called once per game.
    fn hears(&self) -> bool {
        true
    }

    /// Ends an event. Called after `hear` was called for everything that this seat
    /// hears of the event. If the seat hears nothing of an event, `end_event` is not called,
    /// because the seat must not know about the event.
    fn end_event(&mut self) {}

    /// Begins a turn of this seat. Called before the first [`answer`](Seat::answer)
    /// of the turn, after everything that this seat heard before the turn.
    fn begin_turn(&mut self, budget: Budget) {
        let _ = budget;
    }

    /// Returns the next attempt of this seat. `tries` lists the attempts worth making.
    fn answer(&mut self, view: &PlayerView, tries: &[Try]) -> SeatAnswer;

    /// Receives the reason why the last answer was refused or could not be read. The
    /// seat is asked again.
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

    fn begin_turn(&mut self, budget: Budget) {
        Player::begin_turn(self, budget);
    }

    fn answer(&mut self, view: &PlayerView, tries: &[Try]) -> SeatAnswer {
        SeatAnswer::Attempt(self.attempt(view, tries))
    }
}
