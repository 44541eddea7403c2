//! Interface of a program that plays.

use rules::{Attempt, Heard, Try};
use views::PlayerView;

/// A program that plays one seat of one game.
pub trait Player: Send {
    /// Hears one thing; its view has heard it already.
    ///
    /// Only for players that keep more than the view does.
    fn hear(&mut self, heard: &Heard) {
        let _ = heard;
    }

    /// Whether it wants to [`hear`](Player::hear) at all; a player that is
    /// content with its view saves time by saying no.
    fn hears(&self) -> bool {
        true
    }

    /// Makes an attempt; called again, with new tries, as long as it is this
    /// player's turn.
    ///
    /// `tries` are the attempts worth making now
    /// ([`PlayerView::tries_into`]). [`Attempt::Resign`] when there are none.
    fn attempt(&mut self, view: &PlayerView, tries: &[Try]) -> Attempt;
}

impl<P: Player + ?Sized> Player for Box<P> {
    fn hear(&mut self, heard: &Heard) {
        (**self).hear(heard);
    }

    fn hears(&self) -> bool {
        (**self).hears()
    }

    fn attempt(&mut self, view: &PlayerView, tries: &[Try]) -> Attempt {
        (**self).attempt(view, tries)
    }
}
