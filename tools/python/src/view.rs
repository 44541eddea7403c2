//! What a seat knows, for Python.

use std::sync::Arc;

use notation::{Diagram, Men, row_words, start_words, words};
use numpy::{PyArray2, PyArrayDyn};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PyList, PyString},
};
use rules::{
    Announcement, Attempt, Heard, Listener, Own, Reply, Reserve, Start, Wings,
    chess::{Board, Color},
};
use views::PlayerView;
use wire::ParsedHeard;

use crate::{
    actions, arrays,
    errors::error,
    hearings, json,
    knowledge::{Knowledge, Mask, Observation},
    log::Log,
    outcome::Outcome,
    ruleset::Ruleset,
    svg,
};

/// White is `True` and Black is `False`, as in python-chess.
pub const fn color(seat: bool) -> Color {
    if seat { Color::White } else { Color::Black }
}

pub const fn seat(color: Color) -> bool {
    matches!(color, Color::White)
}

/// What a seat heard, and what it knows from it.
#[derive(Clone)]
pub(crate) struct Seat {
    pub start: Arc<Start>,
    pub known: Knowledge,
    pub heard: Log<Heard>,
}

impl Seat {
    pub fn open(ruleset: &Ruleset, color: Color, start: Start) -> Seat {
        Seat {
            known: Knowledge::new(PlayerView::open(*ruleset.choices(), color, &start)),
            start: Arc::new(start),
            heard: Log::new(),
        }
    }

    pub fn color(&self) -> Color {
        self.known.color()
    }

    /// The seat's own attempts since its turn began. None of them was a move.
    pub fn refused(&self) -> Vec<Attempt> {
        let color = self.color();
        let mut attempts = Vec::new();
        for heard in self.heard.iter() {
            match *heard {
                Heard::Announced(Announcement::Turn { .. }) => attempts.clear(),
                Heard::Reply(Reply::Verdict { by, attempt, .. }) if by == color => {
                    attempts.extend(attempt);
                }
                Heard::Reply(Reply::Any { by, .. }) if by == color => attempts.push(Attempt::Any),
                Heard::Reply(_)
                | Heard::Announced(_)
                | Heard::Lost { .. }
                | Heard::Draw(_)
                | Heard::Over(_) => {}
            }
        }
        attempts
    }

    #[inline]
    pub fn hear(&mut self, heard: &Heard) {
        self.known.hear(heard);
        self.heard.push(*heard);
    }
}

/// Reads an action: an id, or the text of an attempt as the seat may type it.
pub fn attempt_of(action: &Bound<'_, PyAny>, known: &Knowledge) -> PyResult<Attempt> {
    if let Ok(text) = action.cast::<PyString>() {
        let text = text.to_cow()?;
        return text.parse().or_else(|_| {
            notation::read_attempt(&text, known.view.own(), known.view.choices()).map_err(error)
        });
    }
    let id: usize = action
        .extract()
        .map_err(|_| PyTypeError::new_err("an action is an id (int) or an attempt (str)"))?;
    actions::attempt(id).ok_or_else(|| {
        error(format!(
            "{id} is not an action id; ids are 0 to {}",
            actions::COUNT - 1
        ))
    })
}

/// What one seat knows: made from what the seat heard, and from nothing else.
///
/// `Game.view(seat)` is the view of a seat now; later attempts do not change it. `View(ruleset, seat)`
/// is a view of a game that begins in the usual position; `hear` gives it what the seat hears, in
/// order. Views that heard the same give equal strings, tensors and masks, byte for byte.
///
/// `seat` is `True` (`WHITE`) or `False` (`BLACK`).
#[pyclass(module = "kriegspiel")]
pub(crate) struct View {
    pub ruleset: Ruleset,
    pub seat: Seat,
}

impl View {
    fn hear_one(&mut self, item: &Bound<'_, PyAny>) -> PyResult<()> {
        match json::heard_from_python(item, self.ruleset.choices())? {
            ParsedHeard::Heard(heard) => self.seat.hear(&heard),
            ParsedHeard::Start(start) => {
                if self.seat.heard.len() > 0 {
                    return Err(error("`start` must be the first thing heard"));
                }
                let color = self.seat.color();
                if start.own.is_some_and(|own| own.color != color) {
                    return Err(error("`start` has the men of the other seat"));
                }
                self.seat = Seat::open(&self.ruleset, color, start);
            }
        }
        Ok(())
    }

    fn listener(&self) -> Listener {
        Listener::from(self.seat.color())
    }
}

#[pymethods]
impl View {
    #[new]
    #[pyo3(signature = (ruleset: "Ruleset | str", seat: "bool"))]
    fn new(ruleset: &Bound<'_, PyAny>, seat: bool) -> PyResult<View> {
        let ruleset = Ruleset::extract(ruleset)?;
        let own = Own::of(&Board::new(), color(seat), Wings::BOTH, Reserve::EMPTY);
        let start = Start {
            rules: ruleset.0.id.clone(),
            own: Some(own),
            reserves: Default::default(),
        };
        let seat = Seat::open(&ruleset, color(seat), start);
        Ok(View { ruleset, seat })
    }

    /// Hears one item, or a list of items, in the form of `heard`. An item `start` is accepted only
    /// first. Raises `KriegspielError` for an item that is none; the items before it were heard.
    #[pyo3(signature = (items: "Heard | list[Heard]") -> "None")]
    fn hear(&mut self, items: &Bound<'_, PyAny>) -> PyResult<()> {
        if items.cast::<PyDict>().is_ok() {
            return self.hear_one(items);
        }
        for item in items.try_iter()? {
            self.hear_one(&item?)?;
        }
        Ok(())
    }

    /// The ruleset.
    #[getter]
    fn ruleset(&self) -> Ruleset {
        self.ruleset.clone()
    }

    /// The seat: `True` for White.
    #[getter]
    fn seat(&self) -> bool {
        seat(self.seat.color())
    }

    /// The side to move: `True` for White; `None` if the game is over.
    #[getter]
    fn turn(&self) -> Option<bool> {
        self.seat.known.view.to_move().map(seat)
    }

    /// Number of moves that both sides have completed.
    fn ply(&self) -> u32 {
        self.seat.known.plies
    }

    /// Everything that the seat heard, as dictionaries in the form of docs/json.md. The first is the
    /// start. `since` leaves out the first items.
    #[pyo3(signature = (since: "int" = 0) -> "list[Heard]")]
    fn heard<'py>(&self, py: Python<'py>, since: usize) -> PyResult<Bound<'py, PyList>> {
        json::list(py, &self.seat.start, self.seat.heard.iter(), since)
    }

    /// Everything that the seat heard, as English sentences.
    #[pyo3(signature = (since: "int" = 0) -> "list[str]")]
    fn words(&self, since: usize) -> Vec<String> {
        let say = |heard| words(heard, self.ruleset.choices(), self.listener());
        std::iter::once(Some(start_words(&self.seat.start)))
            .chain(self.seat.heard.iter().map(say))
            .skip(since)
            .flatten()
            .collect()
    }

    /// The attempts worth making now, as text (`e2e4`, `e7e8q`, `N@f3`); empty in the opponent's
    /// turn. Contains every legal move. Questions and draws are not listed.
    #[pyo3(signature = () -> "list[str]")]
    fn tries(&self) -> Vec<String> {
        let tries = self.seat.known.view.tries();
        tries.iter().map(ToString::to_string).collect()
    }

    /// The action ids of the mask: `tries`, and Any? where it may be asked and was not asked in this
    /// turn; or resignation, if there is none of these. Empty in the opponent's turn and after the
    /// end.
    #[pyo3(signature = () -> "list[int]")]
    fn legal_actions(&self) -> Vec<usize> {
        let mut ids = Vec::new();
        self.seat.known.legal(&mut Vec::new(), |id| ids.push(id));
        ids
    }

    /// Mask of `legal_actions`: shape `(NUM_ACTIONS,)`, bool.
    ///
    /// `out` is an array to write to, of `NUM_ACTIONS` elements, C-contiguous, of type bool, uint8,
    /// int8 or float32; it is returned. Raises `KriegspielError` if its size is wrong or it cannot be
    /// written, `TypeError` if its type is wrong.
    #[pyo3(signature = (out: "np.ndarray | None" = None) -> "np.ndarray")]
    fn legal_mask<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        arrays::write::<bool, _>(py, out, &Mask(&self.seat.known))
    }

    /// The current knowledge of the seat: shape `(OBSERVATION_SIZE,)`, uint8, counts at most 255.
    /// `OBSERVATION_PARTS` says what is where. Not a perfect memory; see `information_state_tensor`.
    ///
    /// `out`: as in `legal_mask`, of `OBSERVATION_SIZE` elements.
    #[pyo3(signature = (out: "np.ndarray | None" = None) -> "np.ndarray")]
    fn observation_tensor<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        arrays::write::<u8, _>(py, out, &Observation(&self.seat.known))
    }

    /// Everything that the seat heard, one row for each item: shape `INFORMATION_STATE_SHAPE`,
    /// int16. The columns are kind (index in `INFORMATION_STATE_KINDS`), side (1 White, 2 Black),
    /// action id + 1, square + 1 (a1 is 1), man (1 pawn to 6 king, 7 a piece), value. Unused places
    /// are 0, and rows after the last item are empty. If there are more items than rows, the oldest
    /// are left out; `information_state_string` has all.
    ///
    /// `out`: an array of this size and type to write to; it is returned.
    #[pyo3(signature = (out: "np.ndarray | None" = None) -> "np.ndarray")]
    fn information_state_tensor<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        const SIZE: usize = hearings::ROWS * hearings::COLUMNS;
        let mut all = Vec::new();
        let (start, heard) = (&self.seat.start, self.seat.heard.iter());
        hearings::rows(start, self.seat.color(), heard, &mut |row| all.extend(row));
        let last = &all[all.len().saturating_sub(SIZE)..];
        let write = |cells: &mut [i16]| {
            let (used, rest) = cells.split_at_mut(last.len());
            used.copy_from_slice(last);
            rest.fill(0);
        };
        let out = match out {
            Some(out) => out,
            None => {
                let shape = [hearings::ROWS, hearings::COLUMNS];
                PyArray2::<i16>::zeros(py, shape, false).into_any()
            }
        };
        let array = out
            .cast::<PyArrayDyn<i16>>()
            .map_err(|_| PyTypeError::new_err("out must be a numpy array of int16"))?;
        arrays::with_slice(array, SIZE, write)?;
        Ok(out)
    }

    /// Everything that the seat heard, as one text: the information state with perfect memory. Later
    /// states of the same game begin with the text of earlier ones.
    fn information_state_string(&self) -> String {
        hearings::text(&self.seat.start, self.seat.color(), self.seat.heard.iter())
    }

    /// Why an attempt would be nonsense now, as far as the seat can know; `None` if it would not.
    #[pyo3(signature = (action: "int | str") -> "str | None")]
    fn explain(&self, action: &Bound<'_, PyAny>) -> PyResult<Option<&'static str>> {
        let attempt = attempt_of(action, &self.seat.known)?;
        let row = attempt
            .as_try()
            .and_then(|t| self.seat.known.view.explain(t));
        Ok(row.map(|row| row_words(row, self.ruleset.choices())))
    }

    /// The end of the game; `None` if it is not over.
    fn outcome(&self) -> Option<Outcome> {
        self.seat.known.view.over().map(Outcome)
    }

    /// Whether the game is over.
    fn is_game_over(&self) -> bool {
        self.seat.known.view.over().is_some()
    }

    /// The seat's own men, as the board part of a FEN.
    fn board_fen(&self) -> String {
        self.seat.known.view.own().board().board_fen().to_string()
    }

    /// The seat's own men: symbol (`P` or `p`) by square (a1 is 0, h8 is 63).
    #[pyo3(signature = () -> "dict[int, str]")]
    fn piece_map<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        piece_map(py, &self.seat.known.view.own().board())
    }

    fn _repr_svg_(&self) -> String {
        let view = &self.seat.known.view;
        let capture = view.this_turn().capture.and_then(|capture| capture.square);
        svg::board(&view.own().board(), |square| {
            if Some(square) == capture { 0.5 } else { 0.0 }
        })
    }

    fn __str__(&self) -> String {
        diagram(&self.seat.known.view.own().board())
    }

    fn __repr__(&self) -> String {
        let name = if self.seat() { "WHITE" } else { "BLACK" };
        let heard = self.seat.heard.len();
        format!("<View {} {name}, {heard} items heard>", self.ruleset.0.id)
    }
}

/// Symbol of each man by square.
pub fn piece_map<'py>(py: Python<'py>, board: &Board) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (square, piece) in board.clone() {
        dict.set_item(square.to_u32(), piece.char().to_string())?;
    }
    Ok(dict)
}

/// The board as text.
pub fn diagram(board: &Board) -> String {
    Diagram::new(board, Color::White, Men::Letters).to_string()
}
