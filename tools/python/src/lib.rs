//! The Python package `kriegspiel-umpire`: the referee, the views, beliefs and players for research.
//!
//! `import kriegspiel` gets the names of this module, which are documented for Python. Wall: a
//! `View` is made from what its seat heard, and has no constructor from a game. `Game.truth()` alone
//! tells more, while a game goes on. This crate must never know about clubs, stores and servers.

mod actions;
mod arrays;
mod belief;
mod errors;
mod files;
mod game;
mod hearings;
mod json;
mod knowledge;
mod log;
mod outcome;
mod players;
mod ruleset;
mod solve;
mod svg;
mod truth;
mod vec_env;
mod view;

use pyo3::prelude::*;

/// The compiled part of the package `kriegspiel`.
#[pymodule]
mod _kriegspiel {
    use super::*;

    #[pymodule_export]
    use crate::{
        belief::Belief,
        errors::{KriegspielError, Refused, Secret},
        files::parse_games,
        game::Game,
        outcome::Outcome,
        players::{Player, players},
        ruleset::Ruleset,
        solve::{Advice, Solution, endgame, solve},
        truth::Truth,
        vec_env::VecEnv,
        view::View,
    };

    /// White: `True`, as in python-chess.
    #[pymodule_export]
    const WHITE: bool = true;
    /// Black: `False`.
    #[pymodule_export]
    const BLACK: bool = false;
    /// Version of the action ids. Ids change only with this number.
    #[pymodule_export]
    const ACTIONS_VERSION: u32 = actions::VERSION;
    /// Number of action ids.
    #[pymodule_export]
    const NUM_ACTIONS: usize = actions::COUNT;
    /// Number of values of an observation.
    #[pymodule_export]
    const OBSERVATION_SIZE: usize = knowledge::OBSERVATION;

    /// The text of an action id: `e2e4`, `e7e8q`, `any`, `N@f3`. Raises `KriegspielError` for a
    /// number that is no id.
    #[pyfunction]
    #[pyo3(signature = (action: "int") -> "str")]
    fn action_name(action: usize) -> PyResult<String> {
        let attempt = actions::attempt(action);
        attempt.map(|attempt| attempt.to_string()).ok_or_else(|| {
            errors::error(format!(
                "{action} is not an action id; ids are 0 to {}",
                actions::COUNT - 1
            ))
        })
    }

    /// The id of an attempt in text form. Raises `KriegspielError` if the text is no attempt, or an
    /// attempt that no man could make on an empty board (such attempts have no id).
    #[pyfunction]
    #[pyo3(signature = (name: "str") -> "int")]
    fn action_id(name: &str) -> PyResult<usize> {
        let attempt: rules::Attempt = name.parse().map_err(errors::error)?;
        let id = actions::id(attempt);
        id.ok_or_else(|| errors::error(format!("`{name}` has no action id")))
    }

    /// Name and shape of each part of an observation, in order.
    #[pyfunction]
    #[pyo3(signature = () -> "list[tuple[str, list[int]]]")]
    fn observation_parts() -> Vec<(&'static str, Vec<usize>)> {
        let parts = knowledge::PARTS.iter();
        parts.map(|(name, shape)| (*name, shape.to_vec())).collect()
    }

    /// Names of the kinds of rows of an information state tensor; a row's kind is the index.
    #[pyfunction]
    #[pyo3(signature = () -> "list[str]")]
    fn information_state_kinds() -> Vec<&'static str> {
        hearings::KINDS.to_vec()
    }

    /// Rows and columns of an information state tensor.
    #[pyfunction]
    fn information_state_shape() -> (usize, usize) {
        (hearings::ROWS, hearings::COLUMNS)
    }
}
