//! Which attempts a weaker level overlooks, and what the level does after an announced pawn try.
//!
//! A person can miss a move, but does not miss what the referee has just said. So a level overlooks
//! no pawn capture in a turn with an announced pawn try.

use rules::{Choices, PawnTries, Tries, Try};
use views::PlayerView;

use super::{Master, levels::Strength, turn::Plan};

/// If a level overlooks an attempt, this amount is subtracted from the value of the attempt, in
/// pawns. Then the attempt is made only if all other attempts are much worse.
const OVERLOOKED: f32 = 20.0;

impl Master {
    /// Returns for each try what is added to its value, in pawns: a random part, minus
    /// [`OVERLOOKED`] if the try is overlooked.
    ///
    /// If a pawn try is announced, or if the player can still ask Any?, a level overlooks no pawn
    /// capture. Then the random part of each pawn capture is the greatest possible number. So a
    /// pawn capture comes first unless the level sees a reason for another attempt.
    pub(super) fn attention(&mut self, view: &PlayerView, tries: &[Try]) -> Vec<f32> {
        let Strength {
            noise, overlooks, ..
        } = self.strength;
        let told = view.turn().tries;
        let may_ask = told == Tries::Untold && view.choices().pawn_tries == PawnTries::OnRequest;
        let attends = overlooks > 0 && (may_ask || is_pawn_try_announced(told, view.choices()));
        let each = tries.iter().map(|t| {
            let random = noise * self.dice.below(1000) as f32 * 0.001;
            let is_overlooked = overlooks > 0 && self.dice.below(1000) < overlooks;
            if attends && view.own().is_pawn_capture(*t) {
                noise
            } else if is_overlooked {
                random - OVERLOOKED
            } else {
                random
            }
        });
        each.collect()
    }

    /// Adds pawn captures to the plan of a level, if a pawn try is announced.
    ///
    /// A pawn capture is missing in the plan if it is illegal in every position that the level
    /// keeps. These positions can be wrong, so the level also tries the missing captures. They are
    /// added in random order, after the pawn captures with which the plan begins. If the plan has a
    /// pawn capture but begins with another attempt, nothing is added.
    pub(super) fn add_pawn_captures(&mut self, view: &PlayerView, tries: &[Try], plan: &mut Plan) {
        if !self.strength.persists {
            return;
        }
        let announced = is_pawn_try_announced(view.turn().tries, view.choices());
        for (list, is_announced) in [
            (&mut plan.usual, announced),
            (&mut plan.after_yes, plan.asks),
        ] {
            if !is_announced {
                continue;
            }
            let is_capture = |t: &Try| view.own().is_pawn_capture(*t);
            let first = list.iter().take_while(|t| is_capture(t)).count();
            if first == 0 && list.iter().any(is_capture) {
                continue;
            }
            let mut missing: Vec<Try> = tries.iter().copied().filter(is_capture).collect();
            missing.retain(|t| !list.contains(t));
            for last in (1..missing.len()).rev() {
                let other = self.dice.below(last as u32 + 1) as usize;
                missing.swap(last, other);
            }
            list.splice(first..first, missing);
        }
    }
}

/// Whether the referee has announced a pawn try in this turn.
fn is_pawn_try_announced(told: Tries, choices: &Choices) -> bool {
    told != Tries::Untold && told.landings(choices.pawn_try_square).any()
}
