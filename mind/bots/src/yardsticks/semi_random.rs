//! The bot `semi-random`: random moves, but captures first.

use rules::{Attempt, Heard, Try};
use views::PlayerView;

use super::{LastLoss, free_question, pawn_capture_announced};
use crate::{
    dice::{Dice, Seed},
    player::Player,
};

/// A bot that makes random tries, but prefers captures. First it tries to recapture on the square
/// on which it lost a man. Then it tries pawn captures. It always does so if a pawn try was
/// announced, and with probability 1/2 if nothing was announced about pawn tries. Otherwise it
/// makes a random try. It asks Any? if the answer yes does not oblige it to make or try a pawn
/// capture.
#[derive(Clone, Debug)]
pub struct SemiRandom {
    dice: Dice,
    loss: LastLoss,
}

impl SemiRandom {
    /// Returns a player with this seed.
    pub fn new(seed: Seed) -> SemiRandom {
        SemiRandom {
            dice: Dice::new(seed),
            loss: LastLoss::default(),
        }
    }

    /// Returns one of the tries for which `wanted` is true.
    fn one_of(&mut self, tries: &[Try], wanted: impl Fn(Try) -> bool) -> Option<Try> {
        let wanted: Vec<Try> = tries.iter().copied().filter(|t| wanted(*t)).collect();
        self.dice.pick(&wanted)
    }
}

impl Player for SemiRandom {
    fn hear(&mut self, heard: &Heard) {
        self.loss.hear(heard);
    }

    fn attempt(&mut self, view: &PlayerView, tries: &[Try]) -> Attempt {
        if let Some(question) = free_question(view, tries) {
            return question;
        }
        let (own, loss) = (view.own(), self.loss);
        if let Some(t) = self.one_of(tries, |t| loss.is_target_of(t)) {
            return Attempt::Try(t);
        }
        let told = view.turn().tries != rules::Tries::Untold;
        let captures = pawn_capture_announced(view) || (!told && self.dice.once_in(2));
        if captures && let Some(t) = self.one_of(tries, |t| own.is_pawn_capture(t)) {
            return Attempt::Try(t);
        }
        self.dice.pick(tries).map_or(Attempt::Resign, Attempt::Try)
    }
}
