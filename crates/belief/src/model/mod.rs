//! How the opponent is believed to choose among its legal moves.

mod cues;
mod feature;
mod fit;
mod opponent;

use std::sync::Arc;

use referee::kernel::Position;

pub(crate) use self::cues::Cues;
pub use self::{
    fit::{Decisions, Likelihood, Study},
    opponent::{Opponent, OpponentError},
};
use crate::{expand::Expansion, moves::Moves};

/// How the opponent is believed to choose among its legal moves.
///
/// Attempts drawn without replacement until one is legal have exactly the law
/// of the uniform model; with weights of their own they have that of the
/// fitted one.
///
/// ```
/// use belief::{Model, Settings};
///
/// let settings = Settings { model: Model::fitted(), ..Settings::default() };
/// assert_ne!(settings.model, Model::Uniform);
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Model {
    /// Every legal move is equally likely.
    #[default]
    Uniform,
    /// By a fitted model.
    Fitted(Arc<Opponent>),
}

impl Model {
    /// The fitted model that comes with the crate.
    pub fn fitted() -> Model {
        Model::Fitted(Opponent::shipped())
    }

    /// Writes the probability of each move to `shares`, in the order of
    /// `moves`, then of the drops; false if all are equal.
    #[inline]
    pub(crate) fn shares(
        &self,
        expansion: &Expansion<'_>,
        position: &Position,
        moves: &Moves,
        drops: usize,
        shares: &mut Vec<f64>,
    ) -> bool {
        match self {
            Model::Uniform => false,
            Model::Fitted(opponent) => {
                let own = position.own(position.turn());
                let scene = feature::Scene::new(&own, expansion.turn.cues);
                opponent.shares(&scene, expansion.known, position, moves, drops, shares);
                true
            }
        }
    }
}
