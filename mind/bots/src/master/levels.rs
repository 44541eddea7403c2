//! Levels of playing strength, from a beginner to the full strength of `master`.
//!
//! A weaker level keeps fewer possible positions. If no kept position agrees with an announcement,
//! the sample is rejuvenated, or drawn again from the census of the belief. The lowest levels have further weaknesses. They give
//! little or no weight to the opponent's next capture, examine only a few positions, value attempts
//! less exactly, and overlook some of their own moves. No level overlooks a pawn capture in a turn
//! with an announced pawn try.

use std::{sync::Arc, time::Duration};

use super::weights::Weights;

/// Time for the update of one position on a slow machine, in microseconds.
const SLOW_PACE: usize = 10;

/// Returns the number of positions that can be updated in this time on a slow
/// machine. The result does not depend on a clock.
pub(crate) fn positions_within(time: Duration) -> usize {
    usize::try_from(time.as_micros()).unwrap_or(usize::MAX) / SLOW_PACE
}

/// Parameters of the playing strength.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Strength {
    /// Maximum number of positions in the belief.
    pub limit: usize,
    /// Maximum number of values that are computed in a turn. Each attempt has one value in each
    /// examined position.
    pub nodes: usize,
    /// Weight of the opponent's next capture in the value of a position, from 0 to 1.
    pub caution: f32,
    /// Weight of the opponent's next capture with a pawn, from 0 to 1. A person often sees the
    /// squares that the opponent's pawns can attack.
    pub pawn_caution: f32,
    /// Whether the player knows how to mate a lone king.
    pub knows_endings: bool,
    /// Whether a further pawn counts less for the player if a side is already far ahead.
    pub saturates: bool,
    /// Whether the player uses the weights of `weights.txt`. If not, it uses [`Weights::USUAL`].
    pub fitted: bool,
    /// Whether the player searches two moves ahead.
    pub searches: bool,
    /// Greatest random part of an attempt's value, in pawns.
    pub noise: f32,
    /// Probability that the player overlooks an attempt in a turn, in thousandths. A random number
    /// is drawn for each attempt.
    pub overlooks: u32,
    /// Whether the player, if a pawn try is announced, also tries pawn captures that are illegal in
    /// every position of its belief.
    pub persists: bool,
}

impl Strength {
    /// Returns the weights of a player with this strength.
    pub fn weights(&self) -> Arc<Weights> {
        match self.fitted {
            true => Weights::shipped(),
            false => Weights::usual(),
        }
    }
}

/// Strength of `master`.
pub(crate) const MASTER: Strength = Strength {
    limit: 20_000,
    nodes: 12_000,
    caution: 1.0,
    pawn_caution: 1.0,
    knows_endings: true,
    saturates: true,
    fitted: true,
    searches: true,
    noise: 0.02,
    overlooks: 0,
    persists: false,
};

/// Strengths of `level-1` to `level-6`.
pub(crate) const LEVELS: [Strength; 6] = [
    Strength {
        limit: 1,
        nodes: 40,
        caution: 0.0,
        pawn_caution: 0.0,
        knows_endings: false,
        saturates: false,
        fitted: false,
        searches: false,
        noise: 1.0,
        overlooks: 700,
        persists: false,
    },
    Strength {
        limit: 2,
        nodes: 100,
        caution: 0.02,
        pawn_caution: 0.25,
        knows_endings: false,
        saturates: false,
        fitted: false,
        searches: false,
        noise: 0.85,
        overlooks: 400,
        persists: true,
    },
    Strength {
        limit: 7,
        nodes: 280,
        caution: 0.14,
        pawn_caution: 0.6,
        knows_endings: false,
        saturates: false,
        fitted: false,
        searches: false,
        noise: 0.4,
        overlooks: 130,
        persists: true,
    },
    Strength {
        limit: 60,
        nodes: 1_100,
        caution: 0.42,
        pawn_caution: 0.8,
        knows_endings: true,
        saturates: false,
        fitted: false,
        searches: false,
        noise: 0.2,
        overlooks: 38,
        persists: true,
    },
    Strength {
        limit: 400,
        nodes: 4_000,
        caution: 0.8,
        pawn_caution: 0.8,
        knows_endings: true,
        saturates: false,
        fitted: false,
        searches: false,
        noise: 0.08,
        overlooks: 5,
        persists: true,
    },
    MASTER,
];

/// Returns [`Strength::knows_endings`] of the bot with this name. Returns false if the bot is
/// neither `master` nor a level.
pub(crate) fn knows_endings(name: &str) -> bool {
    let strength = match name.strip_prefix("level-") {
        Some(number) => number
            .parse()
            .ok()
            .and_then(|number: usize| LEVELS.get(number.checked_sub(1)?)),
        None => (name == "master").then_some(&MASTER),
    };
    strength.is_some_and(|strength| strength.knows_endings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_1_to_5_have_the_usual_weights_and_level_6_the_file() {
        let of = LEVELS.map(|strength| strength.weights());
        for weights in &of[..5] {
            assert_eq!(**weights, Weights::USUAL);
        }
        let file: Weights = include_str!("weights.txt").parse().expect("valid weights");
        assert_eq!(*of[5], file);
        assert_eq!(*MASTER.weights(), file);
        assert_ne!(file, Weights::USUAL);
    }

    #[test]
    fn bots_that_know_endings_are_found_by_name() {
        let names = [
            "master", "level-3", "level-4", "level-6", "level-0", "random",
        ];
        let known = names.map(knows_endings);
        assert_eq!(known, [true, false, true, true, false, false]);
    }
}
