//! The bot `simple`: a few rules of thumb.

use std::collections::HashMap;

use rules::{
    Attempt, Heard, Own, Try,
    chess::{Bitboard, ByRole, Role, attacks},
};
use views::PlayerView;

use super::{LastLoss, free_question, pawn_capture_announced, value};
use crate::{
    dice::{Dice, Seed},
    player::Player,
};

/// Bonus for a pawn move. The unit is one square that a man reaches.
const PAWN_STEP: u32 = 2;

/// Penalty for each earlier occurrence of a placement of the own men. The unit is one square that a
/// man reaches.
const REPETITION: u32 = 4;

/// A bot with four rules. It uses the first rule that applies:
///
/// 1. Recapture with the cheapest man on the square on which the bot lost a man.
/// 2. Promote to a queen.
/// 3. Make an announced pawn capture.
/// 4. Make the try after which the bot's men reach the most squares.
///
/// The bot asks Any? if the answer yes does not oblige it to make or try a pawn capture. The bot
/// never guesses the squares of the opponent's men.
#[derive(Clone, Debug)]
pub struct Simple {
    dice: Dice,
    loss: LastLoss,
    /// How often each placement of the own men was reached.
    placements: HashMap<ByRole<Bitboard>, u32>,
    /// The placement that was counted last.
    counted: Option<ByRole<Bitboard>>,
}

impl Simple {
    /// Returns a player with this seed.
    pub fn new(seed: Seed) -> Simple {
        Simple {
            dice: Dice::new(seed),
            loss: LastLoss::default(),
            placements: HashMap::new(),
            counted: None,
        }
    }

    /// Returns the value of a try under the last rule, with a random part that breaks ties.
    fn worth(&mut self, own: &Own, t: Try) -> i64 {
        let mut after = *own;
        after.play(t);
        let seen = self.placements.get(&after.men).copied().unwrap_or(0);
        let is_pawn = match t {
            Try::Step { from, .. } => own.men.pawn.contains(from),
            Try::Drop { .. } => false,
        };
        let points = reach(&after) + u32::from(is_pawn) * PAWN_STEP;
        let points = i64::from(points) - i64::from(seen * REPETITION);
        points * 1024 + i64::from(self.dice.below(1024))
    }
}

/// Returns the number of squares that each man except the king reaches, summed over these men. Only
/// own men block lines.
fn reach(own: &Own) -> u32 {
    let all = own.all();
    let mut squares = 0;
    for (role, men) in own.men.zip_role() {
        // The king does not count, because a king that reaches many squares is in danger.
        if role != Role::King {
            for from in men {
                let reached = attacks::attacks(from, role.of(own.color), all) & !all;
                squares += reached.count() as u32;
            }
        }
    }
    squares
}

/// Returns the value of the man that makes the try.
fn mover(own: &Own, t: Try) -> f64 {
    match t {
        Try::Step { from, .. } => own.role_at(from).map_or(0.0, value),
        Try::Drop { role, .. } => value(role),
    }
}

impl Player for Simple {
    fn hear(&mut self, heard: &Heard) {
        self.loss.hear(heard);
    }

    fn attempt(&mut self, view: &PlayerView, tries: &[Try]) -> Attempt {
        if let Some(question) = free_question(view, tries) {
            return question;
        }
        let own = view.own();
        if self.counted != Some(own.men) {
            *self.placements.entry(own.men).or_default() += 1;
            self.counted = Some(own.men);
        }
        let loss = self.loss;
        let back = tries.iter().copied().filter(|t| loss.is_target_of(*t));
        if let Some(t) = back.min_by(|a, b| mover(own, *a).total_cmp(&mover(own, *b))) {
            return Attempt::Try(t);
        }
        let queens = |t: &Try| match *t {
            Try::Step { promotion, .. } => promotion == Some(Role::Queen),
            Try::Drop { .. } => false,
        };
        if let Some(t) = tries.iter().copied().find(queens) {
            return Attempt::Try(t);
        }
        if pawn_capture_announced(view) {
            let captures: Vec<Try> = tries
                .iter()
                .copied()
                .filter(|t| own.is_pawn_capture(*t))
                .collect();
            if let Some(t) = self.dice.pick(&captures) {
                return Attempt::Try(t);
            }
        }
        let best = tries
            .iter()
            .map(|t| (self.worth(own, *t), *t))
            .max_by_key(|(worth, _)| *worth);
        best.map_or(Attempt::Resign, |(_, t)| Attempt::Try(t))
    }
}
