//! The bot `random`: makes random moves and never asks a question.

use rules::{Attempt, Try};
use views::PlayerView;

use crate::{
    dice::{Dice, Seed},
    player::Player,
};

/// A bot that makes any try worth making, each equally likely. It never asks a
/// question.
#[derive(Clone, Debug)]
pub struct Random {
    dice: Dice,
}

impl Random {
    /// Returns a player with this seed.
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
