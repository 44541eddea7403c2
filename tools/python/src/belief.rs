//! Beliefs, for Python. The one file that uses the crate `belief`.

use belief::{Origin, Overflow, Regime, Settings, Situation, Watch};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::{
    prelude::*,
    types::{PyList, PyString},
};
use rules::{
    Own,
    chess::{Board, ByRole, Color, Role, Square},
};

use crate::{
    errors::error,
    svg,
    view::{View, attempt_of},
};

/// Which positions are possible for a seat, and how probable each is: made from what the seat heard.
///
/// `Belief(view)` is the belief of the view's seat now; `update(later_view)` goes on. `start` says where
/// the game began: `None` for the usual position, a list of FENs for one of several positions, or the
/// opponent's men on unknown squares, as in `{"k": 1, "q": 1}`. While at most `limit` positions are
/// possible, all are kept (the belief is exact); then a weighted sample of them, or with
/// `sampled=False` only the squares on which men can be. `model` is how the opponent chooses moves:
/// `"uniform"` or `"fitted"`. `threads` share the work; the result does not depend on them, nor on
/// time: equal hearings give equal beliefs.
///
/// Positions are in the order of `positions`, `weights` and `boards`. Raises `KriegspielError` if the
/// start does not fit what the seat heard.
#[pyclass(module = "kriegspiel")]
pub(crate) struct Belief {
    belief: belief::Belief,
    heard: usize,
    plies: u32,
    ruleset: String,
}

/// Most positions of one call of `sample`.
const MAX_DRAWS: usize = 1 << 20;

fn origin(start: Option<&Bound<'_, PyAny>>, view: &View) -> PyResult<Origin> {
    let Some(start) = start else {
        let own = view.seat.start.own;
        let usual = Board::new();
        let color = view.seat.color();
        return if own.is_some_and(|own| {
            own == Own::of(&usual, color, rules::Wings::BOTH, rules::Reserve::EMPTY)
        }) {
            Ok(Origin::Usual)
        } else {
            Err(error(
                "the game did not begin in the usual position; start says in which positions it can have begun: a list of FENs, or the opponent's men as in {\"k\": 1, \"q\": 1}",
            ))
        };
    };
    if let Ok(fens) = start.extract::<Vec<String>>() {
        return Ok(Origin::OneOf(fens));
    }
    let counts: std::collections::BTreeMap<char, u8> = start.extract().map_err(|_| {
        error("start must be a list of FENs, or the opponent's men as in {\"k\": 1, \"q\": 1}")
    })?;
    let mut men = ByRole::default();
    for (letter, count) in counts {
        let role = Role::from_char(letter).ok_or_else(|| error(format!("`{letter}` is no man")))?;
        *men.get_mut(role) = count;
    }
    let first = view.seat.heard.iter().find_map(|heard| match heard {
        rules::Heard::Announced(rules::Announcement::Turn { to_move }) => Some(*to_move),
        rules::Heard::Announced(_)
        | rules::Heard::Reply(_)
        | rules::Heard::Lost { .. }
        | rules::Heard::Draw(_)
        | rules::Heard::Over(_) => None,
    });
    Ok(Origin::Unknown {
        to_move: first.unwrap_or(Color::White),
        men,
    })
}

impl Belief {
    fn hear(&mut self, py: Python<'_>, view: &View) -> PyResult<()> {
        let (belief, heard) = (&mut self.belief, view.seat.heard.iter().skip(self.heard));
        py.detach(|| {
            heard
                .copied()
                .try_for_each(|heard| belief.hear(&heard, &Watch::default()))
        })
        .map_err(error)?;
        self.heard = view.seat.heard.len();
        self.plies = view.seat.known.plies;
        Ok(())
    }

    fn fen(&self, one: &Situation) -> String {
        one.fen(one.quiet.into(), 1 + self.plies / 2)
    }

    /// Draws positions according to their weights, with replacement.
    fn draw(&self, n: usize, seed: u64) -> PyResult<Vec<Situation>> {
        if self.belief.kept() == 0 {
            return Err(error("no position is kept, so none can be drawn"));
        }
        if n > MAX_DRAWS {
            return Err(error(format!(
                "at most {MAX_DRAWS} positions are drawn at once"
            )));
        }
        Ok(self.belief.draw(n, seed))
    }
}

/// Writes a position as 64 numbers: 1 pawn to 6 king, negative for Black.
fn write_board(one: &Situation, cells: &mut [i8]) {
    cells.fill(0);
    let sides = one.sides();
    for (own, sign) in [(&sides.white, 1), (&sides.black, -1)] {
        for (role, squares) in own.men.zip_role() {
            for square in squares {
                cells[square.to_usize()] = sign * role as i8;
            }
        }
    }
}

#[pymethods]
impl Belief {
    #[new]
    #[pyo3(signature = (
        view: "View", *, start: "Sequence[str] | dict[str, int] | None" = None,
        limit: "int" = 2_000_000, sampled: "bool" = true, model: "str" = "uniform", threads: "int" = 1,
    ))]
    fn new(
        py: Python<'_>,
        view: &View,
        start: Option<&Bound<'_, PyAny>>,
        limit: usize,
        sampled: bool,
        model: &str,
        threads: usize,
    ) -> PyResult<Belief> {
        if limit < 100 || !(1..=256).contains(&threads) {
            return Err(error("limit must be at least 100, and threads 1 to 256"));
        }
        let model = match model {
            "uniform" => belief::Model::Uniform,
            "fitted" => belief::Model::fitted(),
            _ => {
                return Err(error(format!(
                    "model is `uniform` or `fitted`, not `{model}`"
                )));
            }
        };
        let settings = Settings {
            limit,
            model,
            threads,
            overflow: if sampled {
                Overflow::Sample
            } else {
                Overflow::Envelope
            },
            ..Settings::default()
        };
        let origin = origin(start, view)?;
        let choices = *view.ruleset.choices();
        let belief = belief::Belief::open(
            choices,
            view.seat.color(),
            &view.seat.start,
            &origin,
            settings,
        )
        .map_err(error)?;
        let mut belief = Belief {
            belief,
            heard: 0,
            plies: 0,
            ruleset: view.ruleset.0.id.to_string(),
        };
        belief.hear(py, view)?;
        Ok(belief)
    }

    /// Hears what a later view of the same seat and game has heard since. Other threads of Python run
    /// meanwhile.
    ///
    /// Raises `KriegspielError` if the view is of another seat or an earlier moment, or if no position
    /// agrees with what it heard.
    fn update(&mut self, py: Python<'_>, view: &View) -> PyResult<()> {
        if view.seat.color() != self.belief.known().seat() || view.seat.heard.len() < self.heard {
            return Err(error("the view must be of the same seat, and not earlier"));
        }
        self.hear(py, view)
    }

    /// Number of possible positions: exact, or an upper bound or an estimate (`regime` says which);
    /// `None` if it is unknown.
    #[getter]
    fn size(&self) -> Option<u64> {
        self.belief.size().count()
    }

    /// Number of positions that are kept.
    fn __len__(&self) -> usize {
        self.belief.kept()
    }

    /// `exact`: all possible positions are kept, and no others. `superset`: all, and some that a
    /// repetition may exclude. `sample`: a weighted sample. `envelope`: no position.
    #[getter]
    fn regime(&self) -> &'static str {
        self.belief.regime().name()
    }

    /// Whether all kept positions are possible and all possible positions are kept.
    #[getter]
    fn is_exact(&self) -> bool {
        self.belief.regime() == Regime::Exact
    }

    /// The kept positions, as FENs. The half-move clock is the least one possible.
    #[pyo3(signature = () -> "list[str]")]
    fn positions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut all = Vec::with_capacity(self.belief.kept());
        self.belief
            .each_position(|one, _| all.push(PyString::new(py, &self.fen(one))));
        PyList::new(py, all)
    }

    /// Probability of each kept position: shape `(len(belief),)`, float64; the sum is 1.
    #[pyo3(signature = () -> "np.ndarray")]
    fn weights<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let mut all = Vec::with_capacity(self.belief.kept());
        self.belief.each_position(|_, weight| all.push(weight));
        PyArray1::from_vec(py, all)
    }

    /// The kept positions as numbers: shape `(len(belief), 64)`, int8: 1 pawn to 6 king by square
    /// (a1 is 0), negative for Black.
    #[pyo3(signature = () -> "np.ndarray")]
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let array = PyArray2::<i8>::zeros(py, [self.belief.kept(), 64], false);
        let mut cells = array.readwrite();
        let mut rows = cells.as_slice_mut()?.chunks_exact_mut(64);
        self.belief.each_position(|one, _| {
            if let Some(row) = rows.next() {
                write_board(one, row);
            }
        });
        drop(cells);
        Ok(array)
    }

    /// Probability that the opponent has a man of a role on a square: shape `(6, 8, 8)`, float64, by
    /// role (pawn, knight, bishop, rook, queen, king), rank and file.
    #[pyo3(signature = () -> "np.ndarray")]
    fn occupancy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let marginals = self.belief.marginals();
        let array = PyArray3::<f64>::zeros(py, [6, 8, 8], false);
        let mut cells = array.readwrite();
        let squares = Role::ALL
            .into_iter()
            .flat_map(|role| Square::ALL.map(|sq| (role, sq)));
        for (cell, (role, square)) in cells.as_slice_mut()?.iter_mut().zip(squares) {
            *cell = marginals.of(role, square);
        }
        drop(cells);
        Ok(array)
    }

    /// Whether the opponent can have a man of a role on a square: shape `(6, 8, 8)`, bool. Correct in
    /// every regime: what is false is impossible.
    #[pyo3(signature = () -> "np.ndarray")]
    fn envelope<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<bool>>> {
        let envelope = self.belief.envelope();
        let array = PyArray3::<bool>::zeros(py, [6, 8, 8], false);
        let mut cells = array.readwrite();
        let squares = Role::ALL
            .into_iter()
            .flat_map(|role| Square::ALL.map(|sq| (role, sq)));
        for (cell, (role, square)) in cells.as_slice_mut()?.iter_mut().zip(squares) {
            *cell = envelope.men.get(role).contains(square);
        }
        drop(cells);
        Ok(array)
    }

    /// Draws `n` positions according to their weights, with replacement, as FENs. Equal beliefs and
    /// seeds give equal draws. Raises `KriegspielError` if no position is kept.
    #[pyo3(signature = (n: "int", seed: "int" = 0) -> "list[str]")]
    fn sample<'py>(&self, py: Python<'py>, n: usize, seed: u64) -> PyResult<Bound<'py, PyList>> {
        let all = self.draw(n, seed)?;
        PyList::new(py, all.iter().map(|one| self.fen(one)))
    }

    /// Draws like `sample`, as numbers: shape `(n, 64)`, int8, as in `boards`. The same seed draws the
    /// same positions.
    #[pyo3(signature = (n: "int", seed: "int" = 0) -> "np.ndarray")]
    fn sample_boards<'py>(
        &self,
        py: Python<'py>,
        n: usize,
        seed: u64,
    ) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let array = PyArray2::<i8>::zeros(py, [n, 64], false);
        let mut cells = array.readwrite();
        let rows = cells.as_slice_mut()?.chunks_exact_mut(64);
        for (one, row) in self.draw(n, seed)?.iter().zip(rows) {
            write_board(one, row);
        }
        drop(cells);
        Ok(array)
    }

    /// Probabilities of the answers to an attempt now: `moved` and `no`. Both are 0 if the seat's own
    /// knowledge decides the answer (nonsense). Raises `KriegspielError` for questions.
    #[pyo3(signature = (view: "View", action: "int | str") -> "dict[str, float]")]
    fn prospect(&self, view: &View, action: &Bound<'_, PyAny>) -> PyResult<Prospect> {
        let attempt = attempt_of(action, &view.seat.known)?;
        let t = attempt
            .as_try()
            .ok_or_else(|| error(format!("{attempt} is not a try")))?;
        let prospect = self.belief.prospect(t);
        Ok(Prospect {
            moved: prospect.moved,
            no: prospect.no,
        })
    }

    /// Entropy of the kept positions, in bits.
    #[getter]
    fn entropy(&self) -> f64 {
        self.belief.entropy()
    }

    /// Effective sample size: 1 divided by the sum of the squared weights.
    #[getter]
    fn effective_size(&self) -> f64 {
        self.belief.effective_size()
    }

    fn _repr_svg_(&self) -> String {
        let marginals = self.belief.marginals();
        svg::board(&self.belief.known().own.board(), |square| {
            marginals.occupied(square)
        })
    }

    fn __repr__(&self) -> String {
        let size = self
            .size()
            .map_or_else(|| "?".to_owned(), |size| size.to_string());
        format!(
            "<Belief {} {}, {size} positions>",
            self.ruleset,
            self.regime()
        )
    }
}

/// Probabilities of the answers to a try.
#[derive(IntoPyObject)]
pub(crate) struct Prospect {
    moved: f64,
    no: f64,
}

/// The kept positions of a belief, for the solver: all of them, or an error.
impl Belief {
    pub fn question(&self, moves: u8) -> PyResult<solver::search::MateQuestion> {
        let mut positions = Vec::with_capacity(self.belief.kept());
        self.belief.each_position(|one, _| positions.push(*one));
        if !matches!(self.belief.regime(), Regime::Exact | Regime::Superset) {
            return Err(error(
                "more positions are possible than limit, so a mate could not be proved; give a larger limit",
            ));
        }
        Ok(solver::search::MateQuestion {
            law: *self.belief.law(),
            positions,
            moves,
            turn: self.belief.view().turn().clone(),
        })
    }

    pub fn seat(&self) -> Color {
        self.belief.known().seat()
    }

    pub fn is_superset(&self) -> bool {
        self.belief.regime() == Regime::Superset
    }
}
