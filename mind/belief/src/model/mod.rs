//! Models of how the opponent chooses among its legal moves.

mod cues;
mod feature;
mod fit;
mod opponent;

use std::sync::Arc;

use position::Position;

pub(crate) use self::{cues::Cues, feature::Scene, opponent::guarded};
pub use self::{
    fit::{Decisions, Likelihood, Study},
    opponent::{Opponent, OpponentError},
};
use crate::{expand::Expansion, moves::Moves};

/// How the opponent is assumed to choose among its legal moves.
///
/// The models have a simple meaning. Imagine a player who draws tries at random, each at most once,
/// until a try is legal. If all tries are equally likely to be drawn, the played move has exactly
/// the distribution of the uniform model. If tries are drawn by weight, the played move has the
/// distribution of the softmax in the fitted model.
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
    /// The probabilities come from a fitted model.
    Fitted(Arc<Opponent>),
}

impl Model {
    /// Returns the fitted model that is built into the crate.
    pub fn fitted() -> Model {
        Model::Fitted(Opponent::shipped())
    }

    /// Writes probabilities to `shares`: first one for each move, in the order of `moves`, then one
    /// for each drop. If all moves have the same probability, writes nothing and returns false.
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
                let known = expansion.known;
                let attacked = guarded(known, position);
                let scene = Scene::new(&own, expansion.turn.cues, &known.own, attacked);
                opponent.shares(&scene, known, moves, drops, shares);
                true
            }
        }
    }
}
