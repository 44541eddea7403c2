//! The truth about a game, for the umpire.

use pyo3::{prelude::*, types::PyDict};
use referee::{Event, Sheet};
use rules::chess::Color;

use crate::{
    actions,
    log::Log,
    svg,
    view::{diagram, piece_map, seat},
};

/// The true position of a game at one moment, and its log: what the umpire knows, and no seat may.
/// Only `Game.truth()` makes it.
#[pyclass(module = "kriegspiel", frozen)]
pub(crate) struct Truth {
    pub sheet: Sheet,
    pub to_move: Option<Color>,
    pub opened: Event,
    pub events: Log<Event>,
}

/// Texts of the events, the opening first.
pub fn lines(opened: &Event, events: &Log<Event>) -> Vec<String> {
    let all = std::iter::once(opened).chain(events.iter());
    all.map(ToString::to_string).collect()
}

#[pymethods]
impl Truth {
    /// The true position as FEN.
    fn fen(&self) -> String {
        self.sheet.fen()
    }

    /// The men of both sides, as the board part of a FEN.
    fn board_fen(&self) -> String {
        self.sheet.board().board_fen().to_string()
    }

    /// The men of both sides: symbol by square (a1 is 0).
    #[pyo3(signature = () -> "dict[int, str]")]
    fn piece_map<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        piece_map(py, &self.sheet.board())
    }

    /// The side to move: `True` for White; `None` if the game is over.
    #[getter]
    fn turn(&self) -> Option<bool> {
        self.to_move.map(seat)
    }

    /// The legal moves of the side to move, as text.
    #[pyo3(signature = () -> "list[str]")]
    fn legal_tries(&self) -> Vec<String> {
        let tries = self.sheet.legal_tries();
        tries.iter().map(ToString::to_string).collect()
    }

    /// The legal moves of the side to move, as action ids.
    #[pyo3(signature = () -> "list[int]")]
    fn legal_actions(&self) -> Vec<usize> {
        let tries = self.sheet.legal_tries();
        tries.into_iter().filter_map(actions::id_of_try).collect()
    }

    /// The log of the game: the opening, then each attempt with what the referee decided, as text.
    /// `Game.replay` makes an equal game from it.
    #[pyo3(signature = () -> "list[str]")]
    fn events(&self) -> Vec<String> {
        lines(&self.opened, &self.events)
    }

    fn _repr_svg_(&self) -> String {
        svg::board(&self.sheet.board(), |_| 0.0)
    }

    fn __str__(&self) -> String {
        diagram(&self.sheet.board())
    }

    fn __repr__(&self) -> String {
        format!("<Truth {}>", self.fen())
    }
}
