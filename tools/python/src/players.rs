//! Programs that play, for Python. The one file that calls the crate `bots`.

use std::sync::{Mutex, PoisonError};

use bots::{Bot, Budget, Dice, Seed};
use notation::nearest;
use pyo3::{prelude::*, types::PyDict};
use rules::{Attempt, Choices, Heard, chess::Color};
use views::PlayerView;

use crate::{
    errors::error,
    view::{View, seat},
};

/// A program in one seat of one game.
pub(crate) struct Program {
    /// Never locked: the mutex only says that threads may share a program.
    player: Mutex<Box<dyn bots::Player>>,
    /// Number of completed moves when the program began its turn.
    began: Option<u32>,
    tries: Vec<rules::Try>,
}

/// Finds the program with this name.
pub fn program(name: &str) -> PyResult<&'static Bot> {
    bots::by_name(name).ok_or_else(|| {
        let names: Vec<&str> = bots::ALL.iter().map(|bot| bot.name).collect();
        let hint = nearest(name, &names);
        let hint = hint.map_or_else(String::new, |near| format!(" (do you mean `{near}`?)"));
        error(format!(
            "there is no player `{name}`{hint}; the players are {}",
            bots::names()
        ))
    })
}

/// Random numbers of a stream of a seed.
pub fn dice(seed: u64, stream: u64) -> Dice {
    Dice::new(Seed { seed, stream })
}

impl Program {
    pub fn new(bot: &Bot, seed: u64, stream: u64) -> Program {
        Program {
            player: Mutex::new(bot.seat(Seed { seed, stream })),
            began: None,
            tries: Vec::new(),
        }
    }

    fn player(&mut self) -> &mut dyn bots::Player {
        &mut **self
            .player
            .get_mut()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub fn hear(&mut self, heard: &Heard) {
        self.player().hear(heard);
    }

    /// The next attempt of the program's turn. `plies` is the number of completed moves.
    pub fn attempt(&mut self, view: &PlayerView, plies: u32, nodes: Option<u64>) -> Attempt {
        if self.began != Some(plies) {
            self.began = Some(plies);
            let budget = nodes.map_or(Budget::Usual, Budget::Nodes);
            self.player().begin_turn(budget);
        }
        let mut tries = std::mem::take(&mut self.tries);
        view.tries_into(&mut tries);
        let attempt = self.player().attempt(view, &tries);
        self.tries = tries;
        attempt
    }
}

/// Computes the tables that a program needs in many games.
pub fn prepare(bot: &Bot, choices: &Choices) {
    bot.prepare(choices);
}

/// Description of every player, by name: `title`, `about`, `rating` (Elo, or `None`).
#[pyfunction]
#[pyo3(signature = () -> "dict[str, dict[str, Any]]")]
pub fn players(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for bot in bots::ALL {
        let one = PyDict::new(py);
        one.set_item("title", bot.title)?;
        one.set_item("about", bot.about)?;
        one.set_item("rating", bot.rating.map(|rating| rating.points))?;
        all.set_item(bot.name, one)?;
    }
    Ok(all)
}

/// A program that plays one seat of one game: `random`, `master`, `level-1` to `level-6`;
/// `players()` describes them. It hears what its seat hears, and knows nothing else.
///
/// `seed` and `stream` choose its random numbers: with equal numbers, equal hearings and `nodes` given
/// it makes equal attempts. `nodes` is its budget for each turn; `None` is its usual thinking.
///
/// Raises `KriegspielError` if there is no such player.
#[pyclass(module = "kriegspiel")]
pub(crate) struct Player {
    program: Program,
    name: &'static str,
    color: Option<Color>,
    heard: usize,
    nodes: Option<u64>,
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (name: "str", seed: "int" = 0, stream: "int" = 0, nodes: "int | None" = None))]
    fn new(name: &str, seed: u64, stream: u64, nodes: Option<u64>) -> PyResult<Player> {
        let bot = program(name)?;
        Ok(Player {
            program: Program::new(bot, seed, stream),
            name: bot.name,
            color: None,
            heard: 0,
            nodes,
        })
    }

    /// The name.
    #[getter]
    fn name(&self) -> &'static str {
        self.name
    }

    /// The next attempt, as text, in the seat of the view. The player first hears what the view has
    /// heard since the last call, so views of one game must be given in order.
    ///
    /// Other threads of Python run while the player thinks. Raises `KriegspielError` if it is not the
    /// seat's turn, or if the view is of another seat or an earlier moment than before.
    fn attempt(&mut self, py: Python<'_>, view: &View) -> PyResult<String> {
        let known = &view.seat.known;
        let color = known.color();
        if *self.color.get_or_insert(color) != color {
            return Err(error("a player plays one seat of one game"));
        }
        if known.view.to_move() != Some(color) {
            return Err(error("it is not the turn of this seat"));
        }
        if view.seat.heard.len() < self.heard {
            return Err(error("the view is older than the view of the last call"));
        }
        for heard in view.seat.heard.iter().skip(self.heard) {
            self.program.hear(heard);
        }
        self.heard = view.seat.heard.len();
        let (program, nodes) = (&mut self.program, self.nodes);
        Ok(py.detach(|| program.attempt(&known.view, known.plies, nodes).to_string()))
    }

    fn __repr__(&self) -> String {
        match self.color.map(seat) {
            None => format!("<Player {}>", self.name),
            Some(true) => format!("<Player {} WHITE>", self.name),
            Some(false) => format!("<Player {} BLACK>", self.name),
        }
    }
}
