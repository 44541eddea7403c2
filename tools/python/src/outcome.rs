//! The end of a game, for Python.

use pyo3::prelude::*;
use rules::{Over, Winner};

/// The end of a game.
#[pyclass(module = "kriegspiel", frozen, eq)]
#[derive(Clone, PartialEq)]
pub(crate) struct Outcome(pub Over);

#[pymethods]
impl Outcome {
    /// The side that won: `True` for White; `None` for a draw and for a game without a result.
    #[getter]
    fn winner(&self) -> Option<bool> {
        match self.0.winner {
            Winner::White => Some(true),
            Winner::Black => Some(false),
            Winner::Draw | Winner::Unfinished => None,
        }
    }

    /// Why the game ended: `checkmate`, `stalemate`, `insufficient`, `threefold`, `fifty`,
    /// `resignation`, `agreement`, `time`, `exhausted-tries`, `aborted` or `abandoned`.
    #[getter]
    fn termination(&self) -> &'static str {
        self.0.reason.name()
    }

    /// `1-0`, `0-1`, `1/2-1/2`, or `*` for a game without a result.
    fn result(&self) -> &'static str {
        self.0.winner.score()
    }

    fn __repr__(&self) -> String {
        format!("Outcome('{}', '{}')", self.result(), self.termination())
    }
}
