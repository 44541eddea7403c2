//! Levels of playing strength, from a beginner's to that of the full engine.
//!
//! A weaker level makes no random blunders. It keeps fewer possible positions,
//! so that it forgets what it heard earlier: when none of the few positions
//! agrees with what it hears, it goes on with positions that agree only with
//! what it heard in this turn. The lowest levels do not think of the opponent's
//! next capture, and look at only a few positions when they choose.

/// How well a player plays.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Strength {
    /// Maximum number of positions in the belief.
    pub limit: usize,
    /// Maximum number of values computed in a turn. A value is that of one
    /// attempt in one position.
    pub nodes: usize,
    /// How much the opponent's next capture counts, from 0 to 1.
    pub caution: f32,
    /// Whether the player knows how to mate a lone king.
    pub knows_endings: bool,
    /// Greatest random part of an attempt's value, in pawns.
    pub noise: f32,
}

/// Strength of `master`.
pub(crate) const MASTER: Strength = Strength {
    limit: 20_000,
    nodes: 12_000,
    caution: 1.0,
    knows_endings: true,
    noise: 0.02,
};

/// Strengths of `level-1` to `level-6`.
pub(crate) const LEVELS: [Strength; 6] = [
    Strength {
        limit: 4,
        nodes: 160,
        caution: 0.08,
        knows_endings: false,
        noise: 0.5,
    },
    Strength {
        limit: 12,
        nodes: 400,
        caution: 0.2,
        knows_endings: false,
        noise: 0.35,
    },
    Strength {
        limit: 30,
        nodes: 800,
        caution: 0.35,
        knows_endings: false,
        noise: 0.25,
    },
    Strength {
        limit: 150,
        nodes: 2_000,
        caution: 0.5,
        knows_endings: true,
        noise: 0.12,
    },
    Strength {
        limit: 800,
        nodes: 5_000,
        caution: 0.75,
        knows_endings: true,
        noise: 0.05,
    },
    MASTER,
];
