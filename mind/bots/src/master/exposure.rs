//! Estimate of what the opponent knows about our men.

use rules::{
    Try,
    chess::{Color, Square},
};

use super::heard::MoveFacts;

/// Factor by which the opponent's knowledge of a man's square is multiplied at each move of either
/// side.
const FADES: f32 = 0.96;

/// For each square, how much the opponent knows about our man on it, from 0 to 1.
/// A capture of ours reveals the square of the man that captured; a check or a drop reveals less.
/// When the man moves again, the opponent no longer knows its square.
#[derive(Clone, Debug)]
pub(crate) struct Exposure {
    known: [f32; 64],
}

impl Default for Exposure {
    fn default() -> Exposure {
        Exposure { known: [0.0; 64] }
    }
}

impl Exposure {
    /// Returns how much the opponent knows about our man on a square, from 0 to 1.
    pub fn of(&self, square: Square) -> f32 {
        self.known[square.to_usize()]
    }

    /// Updates the estimate with a move of ours.
    pub fn moved_own(&mut self, played: Try, takes: bool, checks: bool) {
        self.fade();
        if let Try::Step { from, .. } = played {
            self.known[from.to_usize()] = 0.0;
        }
        let mut known: f32 = 0.0;
        if takes {
            known = 1.0;
        }
        if checks {
            known = known.max(0.6);
        }
        if matches!(played, Try::Drop { .. }) {
            known = known.max(0.2);
        }
        self.known[played.to().to_usize()] = known;
    }

    /// Updates the estimate with a completed move of either side. `us` is our colour.
    pub fn moved(&mut self, us: Color, told: &MoveFacts) {
        if let Some((square, _)) = told.lost {
            self.known[square.to_usize()] = 0.0;
        }
        match told.played.filter(|_| told.by == us) {
            Some(played) => self.moved_own(played, told.capture.is_some(), told.check.is_some()),
            None => self.fade(),
        }
    }

    /// Decreases the opponent's knowledge of all our men.
    fn fade(&mut self) {
        for known in &mut self.known {
            *known *= FADES;
        }
    }
}
