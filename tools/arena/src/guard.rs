//! Catches panics of bots.

use std::panic::{AssertUnwindSafe, catch_unwind};

use bots::{Budget, Player};
use rules::{Heard, Try};
use views::PlayerView;

use crate::seat::{Seat, SeatAnswer};

/// Wraps a bot and catches its panics, so that a panic does not end the run. After a panic, every
/// answer of the seat is [`SeatAnswer::Panicked`]. The message of the panic is written to standard
/// error.
pub struct GuardedPlayer {
    /// `None` after a panic.
    player: Option<Box<dyn Player>>,
}

impl GuardedPlayer {
    /// Calls `create` to get the bot. A panic of `create` is treated as a panic of the bot.
    pub fn new(create: impl FnOnce() -> Box<dyn Player>) -> GuardedPlayer {
        GuardedPlayer {
            player: catch_unwind(AssertUnwindSafe(create)).ok(),
        }
    }

    /// Calls the bot; `None` if it panics or has panicked.
    fn guard<T>(&mut self, call: impl FnOnce(&mut dyn Player) -> T) -> Option<T> {
        let player = self.player.as_mut()?;
        let done = catch_unwind(AssertUnwindSafe(|| call(&mut **player))).ok();
        if done.is_none() {
            let broken = self.player.take();
            // The bot may panic again when it is dropped.
            let _again = catch_unwind(AssertUnwindSafe(|| drop(broken)));
        }
        done
    }
}

impl Seat for GuardedPlayer {
    fn hear(&mut self, heard: &Heard) {
        self.guard(|player| player.hear(heard));
    }

    fn hears(&self) -> bool {
        let hears = |player: &dyn Player| catch_unwind(AssertUnwindSafe(|| player.hears()));
        self.player
            .as_ref()
            .is_some_and(|player| hears(&**player).unwrap_or(true))
    }

    fn begin_turn(&mut self, budget: Budget) {
        self.guard(|player| player.begin_turn(budget));
    }

    fn answer(&mut self, view: &PlayerView, tries: &[Try]) -> SeatAnswer {
        self.guard(|player| player.attempt(view, tries))
            .map_or(SeatAnswer::Panicked, SeatAnswer::Attempt)
    }
}
