//! A player that thinks during the pause before the bot's next attempt.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use bots::{Budget, Player};
use rules::{Attempt, Heard};
use tokio::{sync::Notify, time::Instant};
use views::PlayerView;

/// Part of the remaining pause that the player may use to think. The player checks the clock only
/// from time to time, so a part must be left for the work between two checks.
const THINKING_PART: f64 = 0.85;

/// A player, and the view from which the player chooses an attempt. The choice may take a long
/// time.
pub(crate) struct Thought {
    pub(crate) player: Box<dyn Player>,
    pub(crate) view: PlayerView,
    pub(crate) not_passed_on: Vec<Heard>,
    pub(crate) turn_begins: bool,
    pub(crate) pause: Option<Pause>,
    /// The bot's clock, if the game has clocks.
    pub(crate) clock: Option<Duration>,
}

/// A player that thinks while the opponent is to move.
pub(crate) struct ForeThought {
    pub(crate) player: Box<dyn Player>,
    pub(crate) view: PlayerView,
    pub(crate) not_passed_on: Vec<Heard>,
    pub(crate) stop: Stop,
}

impl ForeThought {
    /// Lets the player think until it has nothing more to compute, or until it must stop.
    pub(crate) fn think(mut self) -> Thinker {
        if self.player.hears() {
            self.not_passed_on
                .iter()
                .for_each(|heard| self.player.hear(heard));
        }
        if !self.stop.flag.load(Ordering::Relaxed) {
            self.player.think_ahead(&self.view, &self.stop.flag);
        }
        Thinker {
            accepts_draw: self.player.accepts_draw(&self.view),
            player: self.player,
            attempt: None,
        }
    }
}

/// Request to stop thinking ahead.
#[derive(Clone, Default)]
pub(crate) struct Stop {
    pub(crate) flag: Arc<AtomicBool>,
    pub(crate) notify: Arc<Notify>,
}

impl Stop {
    pub(crate) fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
        self.notify.notify_one();
    }

    /// Waits until the player must stop.
    pub(crate) async fn stopped(&self) {
        self.notify.notified().await;
    }
}

/// A player that has thought.
pub(crate) struct Thinker {
    pub(crate) player: Box<dyn Player>,
    /// The player's attempt; `None` if there was no time to think.
    pub(crate) attempt: Option<Attempt>,
    pub(crate) accepts_draw: bool,
}

impl Thought {
    /// Returns the time at which the attempt is made, even if the player still thinks; `None` if
    /// the bot waits for the player.
    pub(crate) fn ends(&self) -> Option<Instant> {
        self.pause.map(|pause| pause.until)
    }

    /// Lets the player choose its next attempt.
    pub(crate) fn think(mut self) -> Thinker {
        if self.player.hears() {
            self.not_passed_on
                .iter()
                .for_each(|heard| self.player.hear(heard));
        }
        if self.turn_begins {
            self.player
                .begin_turn(self.pause.map_or(Budget::Usual, Pause::budget));
        }
        if let Some(clock) = self.clock {
            self.player.set_clock(clock);
        }
        let attempt = self.player.attempt(&self.view, &self.view.tries());
        Thinker {
            accepts_draw: self.player.accepts_draw(&self.view),
            player: self.player,
            attempt: Some(attempt),
        }
    }

    /// Lets the player hear what is new. The player chooses no attempt.
    pub(crate) fn hear_only(mut self) -> Thinker {
        if self.player.hears() {
            self.not_passed_on
                .iter()
                .for_each(|heard| self.player.hear(heard));
        }
        Thinker {
            accepts_draw: self.player.accepts_draw(&self.view),
            player: self.player,
            attempt: None,
        }
    }
}

/// When the next attempt is made.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Pause {
    /// Earliest time of the attempt.
    pub(crate) from: Instant,
    /// Time at which the stand-in makes the attempt if the player still thinks. A bot that waits
    /// for its player does not use this time. The time is equal to `from`, with one exception: a
    /// try was refused in this turn, and only the bot heard this.
    pub(crate) until: Instant,
    /// Time from the beginning of the pause to `until`.
    pub(crate) length: Duration,
}

impl Pause {
    /// Returns the time that the player may spend on the turn. Usually the player begins to think
    /// when the pause begins. Then the budget depends only on the length of the pause, and not on a
    /// clock.
    pub(crate) fn budget(self) -> Budget {
        let left = self.until.saturating_duration_since(Instant::now());
        let usual = self.length.mul_f64(THINKING_PART);
        Budget::Within(if left >= usual {
            usual
        } else {
            left.mul_f64(THINKING_PART)
        })
    }
}
