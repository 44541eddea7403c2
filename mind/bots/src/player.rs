//! Interface of a program that plays.

use std::{
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use rules::{Attempt, Choices, Heard, Start, Try, chess::Color};
use views::PlayerView;

use crate::budget::Budget;

/// What a seat is told when it takes part in a game.
#[derive(Clone, Debug)]
pub struct SeatOpening<'a> {
    /// Id of the game; empty if the game has none.
    pub game: &'a str,
    /// Colour of the seat.
    pub color: Color,
    /// The start, as the seat hears it.
    pub start: &'a Start,
    /// The choices of the ruleset.
    pub choices: &'a Choices,
    /// Seconds at the start and after each move; `None` for a game without such clocks.
    pub clock: Option<(u32, u32)>,
}

/// A program that plays one seat of one game.
pub trait Player: Send {
    /// Tells the player what the seat hears at the start. A player that plays from its view can use
    /// the default implementation.
    fn open(&mut self, opening: &SeatOpening<'_>) {
        let _ = opening;
    }

    /// Tells the player the time on its clock, before an attempt in a game with clocks.
    fn set_clock(&mut self, left: Duration) {
        let _ = left;
    }

    /// Tells the player one thing that the seat heard. The seat's view is already updated with this
    /// thing.
    ///
    /// Only players that store more than the view need this function. The caller can prescribe
    /// opening moves. So the seat can hear of own moves that the player has not chosen.
    fn hear(&mut self, heard: &Heard) {
        let _ = heard;
    }

    /// Returns whether the player needs [`hear`](Player::hear). A player that
    /// uses only its view returns false, which saves time.
    fn hears(&self) -> bool {
        true
    }

    /// Begins a turn of this player. Before this call, the caller calls [`hear`](Player::hear) for
    /// everything that the seat heard before the turn. After this call, the caller calls
    /// [`attempt`](Player::attempt). `budget` is for all attempts of this turn together. A player
    /// that ignores the budget can use the default implementation.
    ///
    /// A caller without a budget passes [`Budget::Usual`].
    fn begin_turn(&mut self, budget: Budget) {
        let _ = budget;
    }

    /// Returns whether the player accepts a draw that the opponent offers now. This function can be
    /// called in any turn. It returns immediately, because it uses only what the player computed
    /// for its last attempt.
    ///
    /// A caller that answers offers at once uses this function. Other callers get the answer from
    /// [`attempt`](Player::attempt), but only in the player's own turn.
    fn accepts_draw(&self, view: &PlayerView) -> bool {
        let _ = view;
        false
    }

    /// Sets how many bytes of memory the player may use for its knowledge of one game. This
    /// function is called before the first attempt. A player that always needs little memory can
    /// use the default implementation.
    fn set_memory(&mut self, bytes: usize) {
        let _ = bytes;
    }

    /// Allows the player to think while the opponent is to move. This function is called before the
    /// first attempt. [`think_ahead`](Player::think_ahead) may be called only after this call. A
    /// player that never thinks ahead can use the default implementation.
    fn allow_thinking_ahead(&mut self) {}

    /// Thinks while the opponent is to move, and returns soon after `stop` is true. Before this
    /// call, the caller calls [`hear`](Player::hear) for everything that the seat heard so far.
    ///
    /// This function only computes in advance what the player needs in its next turn. The player
    /// makes the same attempts if this work is stopped, and also if this function is not called.
    fn think_ahead(&mut self, view: &PlayerView, stop: &Arc<AtomicBool>) {
        let _ = (view, stop);
    }

    /// Returns the player's next attempt. This function is called again, with new tries, until the
    /// player's turn ends.
    ///
    /// `tries` are the attempts worth making now ([`PlayerView::tries_into`]).
    /// If there are none, the player returns [`Attempt::Resign`].
    fn attempt(&mut self, view: &PlayerView, tries: &[Try]) -> Attempt;
}

impl<P: Player + ?Sized> Player for Box<P> {
    fn open(&mut self, opening: &SeatOpening<'_>) {
        (**self).open(opening);
    }

    fn set_clock(&mut self, left: Duration) {
        (**self).set_clock(left);
    }

    fn hear(&mut self, heard: &Heard) {
        (**self).hear(heard);
    }

    fn hears(&self) -> bool {
        (**self).hears()
    }

    fn begin_turn(&mut self, budget: Budget) {
        (**self).begin_turn(budget);
    }

    fn accepts_draw(&self, view: &PlayerView) -> bool {
        (**self).accepts_draw(view)
    }

    fn set_memory(&mut self, bytes: usize) {
        (**self).set_memory(bytes);
    }

    fn allow_thinking_ahead(&mut self) {
        (**self).allow_thinking_ahead();
    }

    fn think_ahead(&mut self, view: &PlayerView, stop: &Arc<AtomicBool>) {
        (**self).think_ahead(view, stop);
    }

    fn attempt(&mut self, view: &PlayerView, tries: &[Try]) -> Attempt {
        (**self).attempt(view, tries)
    }
}
