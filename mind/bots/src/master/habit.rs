//! Bonuses and penalties that do not depend on the opponent's men, and answers to draw offers.

use rules::{Attempt, Own, Try, chess::Role};
use views::PlayerView;

use super::Master;
use crate::player::Player;

impl Master {
    /// Returns a bonus (positive) or penalty (negative) for a try, in pawns. It does
    /// not depend on the opponent's men. `ahead` is our lead in material, in pawns;
    /// `quiet` is the half-move clock.
    pub(super) fn habit(&self, own: &Own, t: Try, ahead: f32, quiet: u8) -> f32 {
        let mut sum = 0.0;
        let mut after = *own;
        after.play(t);
        let pawn = t.from().is_some_and(|from| own.men.pawn.contains(from));
        // Avoid a draw, unless we are behind by a pawn or more.
        if ahead > -1.0 {
            // If this placement of our men occurs again, the position may occur again. A third
            // occurrence of the position can end the game in a draw.
            sum -= match self.source.past.times(&after) {
                0 => 0.0,
                1 => 0.35,
                _ => 6.0,
            };
            // A pawn move avoids a draw by the fifty-move rule. So after thirty moves of each side
            // without a capture or pawn move, the value of a pawn move increases with each
            // half-move.
            if pawn && quiet > 60 {
                sum += 0.03 * f32::from(quiet - 60);
            }
        }
        if own.is_castling(t) {
            sum += 0.6;
        }
        if let Try::Step {
            from, promotion, ..
        } = t
        {
            let early = own.men.pawn.count() >= 7 && self.source.moves < 8;
            if early && own.men.queen.contains(from) {
                sum -= 0.25;
            }
            if own.men.king.contains(from) && !own.castling.is_empty() && !own.is_castling(t) {
                sum -= 0.4;
            }
            if own.men.rook.contains(from) && !own.castling.is_empty() {
                sum -= 0.15;
            }
            // A promotion to a knight or bishop is useful only to avoid a stalemate.
            if matches!(promotion, Some(Role::Knight | Role::Bishop)) {
                sum -= 0.5;
            }
        }
        sum
    }

    /// Returns the answer to a draw offer of the opponent, if there is one.
    pub(super) fn answer_draw(&self, view: &PlayerView) -> Option<Attempt> {
        if view.draw_offer() != Some(view.color().other()) {
            return None;
        }
        Some(if self.accepts_draw(view) {
            Attempt::AcceptDraw
        } else {
            Attempt::DeclineDraw
        })
    }
}
