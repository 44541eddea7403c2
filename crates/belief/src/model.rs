//! How the opponent is believed to choose among its legal moves.

use referee::kernel::Position;
use rules::chess::{Role, Square};

use crate::{expand::Expansion, moves::Moves};

/// How the opponent is believed to choose among its legal moves.
///
/// Attempts drawn without replacement until one is legal have exactly the law
/// of the uniform model.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub enum Model {
    /// Every legal move is equally likely.
    #[default]
    Uniform,
}

impl Model {
    /// The probability of each move, in the order of the list, drops last;
    /// `None` if all are equal.
    pub(crate) fn shares(
        &self,
        _expansion: &Expansion<'_>,
        _position: &Position,
        _moves: &Moves,
        _drops: &[(Role, Square)],
    ) -> Option<Vec<f64>> {
        match self {
            Model::Uniform => None,
        }
    }
}
