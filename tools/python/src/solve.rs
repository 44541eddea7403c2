//! Forced mates, for Python. The one file that uses the crate `solver`, but for the question.

use problems::certify::policy_words;
use pyo3::prelude::*;
use rules::{
    Try,
    chess::{Bitboard, Color, Role, Square},
};
use solver::{
    endgame::{Estimate, OwnMen, Tables, equal_weights},
    search::{Decision, SearchLimits, Solver},
};

use crate::{belief::Belief, errors::error};

/// The answer of `solve`.
#[pyclass(module = "kriegspiel", frozen)]
pub(crate) struct Solution {
    mate: Option<bool>,
    policy: Vec<String>,
    nodes: u64,
}

#[pymethods]
impl Solution {
    /// Whether mate can be forced; `None` if the limit of nodes ended the search.
    #[getter]
    fn mate(&self) -> Option<bool> {
        self.mate
    }

    /// What to try, and what then, in lines; empty without a mate.
    #[getter]
    fn policy(&self) -> Vec<String> {
        self.policy.clone()
    }

    /// Number of positions examined.
    #[getter]
    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn __repr__(&self) -> String {
        let mate = match self.mate {
            Some(true) => "mate",
            Some(false) => "no mate",
            None => "undecided",
        };
        format!("<Solution {mate}, {} nodes>", self.nodes)
    }
}

/// Whether the seat of a belief can force mate within a number of own moves, whichever of the possible
/// positions is the true one and whatever the opponent plays. The seat must be to move, and the belief
/// must hold all possible positions.
///
/// `nodes` limits the search. Other threads of Python run meanwhile. Raises `KriegspielError` if the
/// question cannot be asked.
#[pyfunction]
#[pyo3(signature = (belief: "Belief", moves: "int", *, nodes: "int | None" = None) -> "Solution")]
pub fn solve(py: Python<'_>, belief: &Belief, moves: u8, nodes: Option<u64>) -> PyResult<Solution> {
    let question = belief.question(moves)?;
    let seat = belief.seat();
    let (mate, policy, nodes) = py
        .detach(|| {
            let limits = SearchLimits {
                nodes: nodes.unwrap_or(u64::MAX),
                stop: &|| false,
            };
            let outcome = Solver::with_bytes(64 << 20).solve(&question, limits)?;
            let (mate, policy) = match &outcome.decision {
                Decision::Mate(policy) => (Some(true), policy_words(policy, seat)),
                Decision::NoMate(_) => (Some(false), Vec::new()),
                Decision::Undecided => (None, Vec::new()),
            };
            Ok::<_, solver::search::QuestionError>((mate, policy, outcome.nodes))
        })
        .map_err(error)?;
    // Some positions of a superset are not possible, so only a mate is proved.
    let mate = mate.filter(|mate| *mate || !belief.is_superset());
    Ok(Solution {
        mate,
        policy,
        nodes,
    })
}

/// The answer of `endgame`.
#[pyclass(module = "kriegspiel", frozen)]
pub(crate) struct Advice {
    advice: solver::endgame::Advice,
}

#[pymethods]
impl Advice {
    /// What to try, in order: each only if all before it were refused.
    #[getter]
    fn tries(&self) -> Vec<String> {
        self.advice.tries.iter().map(Try::to_string).collect()
    }

    /// Number of own moves within which mate is forced; `None` if no forced mate is known.
    #[getter]
    fn mate_in(&self) -> Option<u8> {
        match self.advice.estimate {
            Estimate::MateIn(moves) => Some(moves),
            Estimate::Chance { .. } => None,
        }
    }

    /// Estimated probability of mate; 1 if it is forced.
    #[getter]
    fn probability(&self) -> f32 {
        match self.advice.estimate {
            Estimate::MateIn(_) => 1.0,
            Estimate::Chance { mate, .. } => mate,
        }
    }

    fn __repr__(&self) -> String {
        let tries = self.tries().join(" ");
        match self.mate_in() {
            Some(moves) => format!("<Advice mate in {moves}: {tries}>"),
            None => format!("<Advice {:.2}: {tries}>", self.probability()),
        }
    }
}

fn man(letter: char, square: u32) -> PyResult<(Role, Square)> {
    let role = Role::from_char(letter).ok_or_else(|| error(format!("`{letter}` is no man")))?;
    let square = Square::try_from(square).map_err(|_| error(format!("{square} is no square")))?;
    Ok((role, square))
}

/// What White should try with these men against the lone king. Known are a queen, a rook, a pawn, two
/// bishops on both colours, and bishop and knight.
///
/// `men` is White's men by square (`{a1: "K", ...}`, squares 0 to 63), `kings` the squares on which the
/// lone king can be (`None`: every possible square), `halfmoves` the half-moves since the last capture
/// or pawn move. The first call builds tables, which takes seconds. Raises `KriegspielError` if the
/// ending is not known.
#[pyfunction]
#[pyo3(signature = (
    men: "dict[int, str]", kings: "Iterable[int] | None" = None, *, halfmoves: "int" = 0,
) -> "Advice")]
pub fn endgame(
    py: Python<'_>,
    men: std::collections::BTreeMap<u32, char>,
    kings: Option<Vec<u32>>,
    halfmoves: u32,
) -> PyResult<Advice> {
    let mut king = None;
    let mut others = Vec::new();
    for (square, letter) in men {
        let (role, square) = man(letter, square)?;
        if role == Role::King && king.is_none() {
            king = Some(square);
        } else {
            others.push((role, square));
        }
    }
    let own = king
        .and_then(|king| OwnMen::new(king, &others))
        .ok_or_else(|| error("give White's king and one or two other men"))?;
    let possible = own.possible_kings();
    let kings = match kings {
        None => possible,
        Some(kings) => kings
            .into_iter()
            .map(|square| man('k', square).map(|(_, square)| square))
            .collect::<PyResult<Bitboard>>()?,
    };
    if let Some(wrong) = (kings & !possible).first() {
        return Err(error(format!(
            "the lone king cannot be on {wrong}, because a man attacks or occupies that square"
        )));
    }
    let weights = equal_weights(kings, Color::White);
    let advice = py.detach(|| Tables::shared().advice(own, &weights, halfmoves, &[]));
    let advice = advice.ok_or_else(|| error(format!("no advice is known for {own}")))?;
    Ok(Advice { advice })
}
