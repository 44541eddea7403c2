//! `random`: moves at random, never asks.

use rules::{Attempt, Try};
use views::PlayerView;

use crate::{
    dice::{Dice, Seed},
    player::Player,
};

/// Makes any attempt worth making, each equally likely; never asks anything.
#[derive(Clone, Debug)]
pub struct Random {
    dice: Dice,
}

impl Random {
    /// Takes a seat.
    pub fn new(seed: Seed) -> Random {
        Random {
            dice: Dice::new(seed),
        }
    }
}

impl Player for Random {
    fn hears(&self) -> bool {
        false
    }

    fn attempt(&mut self, _view: &PlayerView, tries: &[Try]) -> Attempt {
        self.dice.pick(tries).map_or(Attempt::Resign, Attempt::Try)
    }
}
