//! Thousands of games at once.

use bots::{Bot, Dice};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyUntypedArrayMethods};
use pyo3::{prelude::*, types::PyTuple};
use referee::{Opened, StartPosition};
use rules::{Attempt, Audience, CallSink, Heard, Listener, Over, Try, Winner, chess::Color};
use views::PlayerView;

use crate::{
    actions,
    errors::error,
    knowledge::{Knowledge, OBSERVATION},
    players::{self, Program},
    ruleset::Ruleset,
    view::{color, seat},
};

/// The referee and both views of a game, without a log.
#[derive(Clone)]
struct Position {
    referee: referee::Game,
    white: Knowledge,
    black: Knowledge,
}

impl Position {
    fn open(ruleset: &Ruleset, start: StartPosition) -> Position {
        let choices = *ruleset.choices();
        let referee = referee::Game::open(Opened::new(&ruleset.0, choices, start));
        let open = |color: Color| {
            let view = PlayerView::open(choices, color, &referee.start(color.into()));
            let mut known = Knowledge::new(view);
            for call in &referee.opening_calls() {
                if call.audience.includes(color.into()) {
                    known.hear(&call.heard);
                }
            }
            known
        };
        Position {
            white: open(Color::White),
            black: open(Color::Black),
            referee,
        }
    }

    fn known(&self, color: Color) -> &Knowledge {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

/// Passes each call to the seats that hear it, and to the list of the opponent.
struct Hearers<'a> {
    white: &'a mut Knowledge,
    black: &'a mut Knowledge,
    opponent: Option<(Listener, &'a mut Vec<Heard>)>,
}

impl CallSink for Hearers<'_> {
    #[inline]
    fn call(&mut self, audience: Audience, heard: &Heard) {
        if audience.includes(Listener::White) {
            self.white.hear(heard);
        }
        if audience.includes(Listener::Black) {
            self.black.hear(heard);
        }
        if let Some((listener, list)) = &mut self.opponent
            && audience.includes(*listener)
        {
            list.push(*heard);
        }
    }
}

struct Opponent {
    program: Program,
    color: Color,
    heard: Vec<Heard>,
}

/// One of the games.
struct Table {
    position: Position,
    opponent: Option<Opponent>,
    seed: u64,
    /// Number of games that ended here.
    games: u64,
    attempts: u32,
    /// Ids of the mask.
    legal: Vec<u16>,
    dice: Dice,
}

/// What is the same for all games.
struct Terms {
    first: Position,
    bot: Option<&'static Bot>,
    seat: Option<Color>,
    nodes: Option<u64>,
    max_attempts: u32,
}

/// The places of one game in the arrays.
struct Row<'a> {
    observation: &'a mut [u8],
    mask: &'a mut [bool],
    reward: &'a mut f32,
    terminated: &'a mut bool,
    truncated: &'a mut bool,
    seat: &'a mut bool,
}

const fn reward(over: Over, color: Color) -> f32 {
    match (over.winner, color) {
        (Winner::White, Color::White) | (Winner::Black, Color::Black) => 1.0,
        (Winner::White, Color::Black) | (Winner::Black, Color::White) => -1.0,
        (Winner::Draw | Winner::Unfinished, _) => 0.0,
    }
}

impl Table {
    /// Makes an attempt of the side to move. Returns false if the referee refuses it.
    #[inline]
    fn attempt(&mut self, attempt: Attempt) -> bool {
        let Position {
            referee,
            white,
            black,
        } = &mut self.position;
        let by = referee.turn();
        let mut hearers = Hearers {
            white,
            black,
            opponent: self
                .opponent
                .as_mut()
                .map(|opponent| (opponent.color.into(), &mut opponent.heard)),
        };
        let done = referee.attempt_before(by, attempt, &mut hearers).is_ok();
        self.attempts += u32::from(done);
        done
    }

    /// Lets the opponent play until the agent is to move or the game ends.
    fn reply(&mut self, terms: &Terms) {
        while self.position.referee.over().is_none() && self.attempts < terms.max_attempts {
            let Some(opponent) = &mut self.opponent else {
                return;
            };
            for heard in opponent.heard.drain(..) {
                opponent.program.hear(&heard);
            }
            if self.position.referee.turn() != opponent.color {
                return;
            }
            let known = self.position.known(opponent.color);
            let attempt = opponent
                .program
                .attempt(&known.view, known.plies, terms.nodes);
            // No player makes attempts that are refused. If one did, the game would not go on.
            if !self.attempt(attempt) {
                self.attempt(Attempt::Resign);
            }
        }
    }

    fn reset(&mut self, terms: &Terms) {
        self.position.clone_from(&terms.first);
        self.attempts = 0;
        self.opponent = terms.bot.map(|bot| {
            let agent = terms.seat.unwrap_or(if self.games.is_multiple_of(2) {
                Color::White
            } else {
                Color::Black
            });
            Opponent {
                program: Program::new(bot, self.seed, self.games),
                color: agent.other(),
                heard: Vec::new(),
            }
        });
        self.games += 1;
        self.reply(terms);
    }

    fn step(&mut self, terms: &Terms, action: i64, row: &mut Row<'_>, tries: &mut Vec<Try>) {
        // Begun before the attempt, so that the processor fetches the row meanwhile.
        self.clear(row);
        let by = self.position.referee.turn();
        let attempt = actions::attempt(action as usize).unwrap_or(Attempt::Resign);
        self.attempt(attempt);
        self.reply(terms);
        let over = self.position.referee.over();
        *row.terminated = over.is_some();
        *row.truncated = over.is_none() && self.attempts >= terms.max_attempts;
        *row.reward = over.map_or(0.0, |over| reward(over, by));
        if *row.terminated || *row.truncated {
            self.reset(terms);
        }
        self.show(row, tries);
    }

    /// Sets the observation and the mask to zero.
    #[inline]
    fn clear(&mut self, row: &mut Row<'_>) {
        row.observation.fill(0);
        for id in self.legal.drain(..) {
            row.mask[usize::from(id)] = false;
        }
    }

    /// Writes what the side to move knows to a cleared row. `tries` is a buffer for all games.
    #[inline]
    fn show(&mut self, row: &mut Row<'_>, tries: &mut Vec<Try>) {
        let color = self.position.referee.turn();
        let known = self.position.known(color);
        known.observe(row.observation);
        let (legal, mask) = (&mut self.legal, &mut row.mask);
        known.legal(tries, |id| {
            mask[id] = true;
            legal.push(id as u16);
        });
        *row.seat = seat(color);
    }
}

/// Many games of one ruleset, stepped together. A game that ends begins again at once.
///
/// `num_envs` games; `ruleset` and `fen` as in `Game`. `opponent` is `None` for self-play (each
/// action is one of the side to move) or the name of a player, whose attempts are made inside `step`.
/// `seat` is then the agent's seat; `None` changes it from game to game. `seed` is a number, or one
/// for each game; it chooses the opponent's random numbers and those of `sample`. `nodes` is the
/// opponent's budget for each turn. A game is truncated after `max_attempts` attempts of both sides.
/// `threads` is how many threads share the work; 0 means one for each processor.
///
/// The arrays are made once and written by each `step`, without copies: copy what you keep.
/// Raises `KriegspielError` for values that cannot be used.
#[pyclass(module = "kriegspiel")]
pub(crate) struct VecEnv {
    terms: Terms,
    tables: Vec<Table>,
    threads: usize,
    observations: Py<PyArray2<u8>>,
    masks: Py<PyArray2<bool>>,
    rewards: Py<PyArray1<f32>>,
    terminated: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
    seats: Py<PyArray1<bool>>,
    actions: Py<PyArray1<i64>>,
}

impl VecEnv {
    /// Calls `work` for each game with its places in the arrays, in several threads.
    fn each(
        &mut self,
        py: Python<'_>,
        work: impl Fn(&Terms, &mut Table, usize, &mut Row<'_>, &mut Vec<Try>) + Sync,
    ) -> PyResult<()> {
        let busy = |e: numpy::BorrowError| error(format!("an array of the VecEnv is in use: {e}"));
        let mut observations = self.observations.bind(py).try_readwrite().map_err(busy)?;
        let mut masks = self.masks.bind(py).try_readwrite().map_err(busy)?;
        let mut rewards = self.rewards.bind(py).try_readwrite().map_err(busy)?;
        let mut terminated = self.terminated.bind(py).try_readwrite().map_err(busy)?;
        let mut truncated = self.truncated.bind(py).try_readwrite().map_err(busy)?;
        let mut seats = self.seats.bind(py).try_readwrite().map_err(busy)?;
        let rows = observations
            .as_slice_mut()?
            .chunks_exact_mut(OBSERVATION)
            .zip(masks.as_slice_mut()?.chunks_exact_mut(actions::COUNT))
            .zip(rewards.as_slice_mut()?)
            .zip(terminated.as_slice_mut()?)
            .zip(truncated.as_slice_mut()?)
            .zip(seats.as_slice_mut()?)
            .map(
                |(((((observation, mask), reward), terminated), truncated), seat)| Row {
                    observation,
                    mask,
                    reward,
                    terminated,
                    truncated,
                    seat,
                },
            );
        let mut rows: Vec<Row<'_>> = rows.collect();
        let (terms, tables, threads) = (&self.terms, &mut self.tables, self.threads);
        let share = tables.len().div_ceil(threads);
        py.detach(|| {
            let run = |first: usize, tables: &mut [Table], rows: &mut [Row<'_>]| {
                let mut tries = Vec::new();
                for (i, (table, row)) in tables.iter_mut().zip(rows).enumerate() {
                    work(terms, table, first + i, row, &mut tries);
                }
            };
            std::thread::scope(|scope| {
                let shares = tables.chunks_mut(share).zip(rows.chunks_mut(share));
                let mut shares = shares.enumerate();
                // The first share is for this thread.
                let own = shares.next();
                for (i, (tables, rows)) in shares {
                    scope.spawn(move || run(i * share, tables, rows));
                }
                if let Some((_, (tables, rows))) = own {
                    run(0, tables, rows);
                }
            });
        });
        Ok(())
    }
}

fn seeds(seed: Option<&Bound<'_, PyAny>>, count: usize) -> PyResult<Vec<u64>> {
    let Some(seed) = seed else {
        return Ok((0..count as u64).collect());
    };
    if let Ok(seed) = seed.extract::<u64>() {
        return Ok((0..count as u64).map(|i| seed.wrapping_add(i)).collect());
    }
    let seeds: Vec<u64> = seed.extract()?;
    if seeds.len() == count {
        Ok(seeds)
    } else {
        Err(error(format!("{} seeds for {count} games", seeds.len())))
    }
}

#[pymethods]
impl VecEnv {
    #[new]
    #[pyo3(signature = (
        num_envs: "int", ruleset: "Ruleset | str | None" = None, *, fen: "str | None" = None,
        opponent: "str | None" = None, seat: "bool | None" = None,
        seed: "int | Sequence[int] | None" = None, nodes: "int | None" = None,
        max_attempts: "int" = 2000, threads: "int" = 0,
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        py: Python<'_>,
        num_envs: usize,
        ruleset: Option<&Bound<'_, PyAny>>,
        fen: Option<&str>,
        opponent: Option<&str>,
        seat: Option<bool>,
        seed: Option<&Bound<'_, PyAny>>,
        nodes: Option<u64>,
        max_attempts: u32,
        threads: usize,
    ) -> PyResult<VecEnv> {
        if !(1..=1 << 20).contains(&num_envs) || max_attempts == 0 {
            return Err(error(
                "num_envs must be 1 to 1048576, and max_attempts at least 1",
            ));
        }
        let ruleset = Ruleset::or_default(ruleset)?;
        let start = match fen {
            Some(fen) => StartPosition::from_fen(fen, ruleset.choices()).map_err(error)?,
            None => StartPosition::of_ruleset(&ruleset.0).map_err(error)?,
        };
        let first = Position::open(&ruleset, start);
        if first.referee.over().is_some() {
            return Err(error("the game is over in the start position"));
        }
        let bot = opponent.map(players::program).transpose()?;
        if let Some(bot) = bot {
            py.detach(|| players::prepare(bot, ruleset.choices()));
        }
        let terms = Terms {
            bot,
            seat: seat.map(color),
            nodes,
            max_attempts,
            first,
        };
        let tables = seeds(seed, num_envs)?.into_iter().map(|seed| Table {
            position: terms.first.clone(),
            opponent: None,
            seed,
            games: 0,
            attempts: 0,
            legal: Vec::new(),
            dice: players::dice(seed, u64::MAX),
        });
        let available = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { available } else { threads };
        let mut env = VecEnv {
            tables: tables.collect(),
            terms,
            threads: threads.clamp(1, num_envs.min(256)),
            observations: PyArray2::zeros(py, [num_envs, OBSERVATION], false).unbind(),
            masks: PyArray2::zeros(py, [num_envs, actions::COUNT], false).unbind(),
            rewards: PyArray1::zeros(py, num_envs, false).unbind(),
            terminated: PyArray1::zeros(py, num_envs, false).unbind(),
            truncated: PyArray1::zeros(py, num_envs, false).unbind(),
            seats: PyArray1::zeros(py, num_envs, false).unbind(),
            actions: PyArray1::zeros(py, num_envs, false).unbind(),
        };
        env.reset(py)?;
        Ok(env)
    }

    /// Begins every game anew. Returns `observations`.
    #[pyo3(signature = () -> "np.ndarray")]
    fn reset(&mut self, py: Python<'_>) -> PyResult<Py<PyArray2<u8>>> {
        self.each(py, |terms, table, _, row, tries| {
            table.clear(row);
            table.reset(terms);
            (*row.reward, *row.terminated, *row.truncated) = (0.0, false, false);
            table.show(row, tries);
        })?;
        Ok(self.observations.clone_ref(py))
    }

    /// Makes one attempt in each game. `actions`: shape `(num_envs,)`, integers, each in the mask.
    ///
    /// Returns `(observations, rewards, terminated, truncated)`. Where a game ended, its row is
    /// already the beginning of the next game. `rewards` are of the seat that acted: 1, 0 or -1 when
    /// the game ended, else 0. Other threads of Python run meanwhile.
    ///
    /// Raises `KriegspielError` if the number of actions is wrong, or an action is not an integer or
    /// not in the mask; then no game was changed.
    #[pyo3(signature = (actions: "np.ndarray") -> "tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]")]
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let actions = match actions.cast::<PyArray1<i64>>() {
            Ok(actions) => actions.clone(),
            Err(_) => {
                let array = py.import("numpy")?.call_method1("asarray", (actions,))?;
                array
                    .call_method1("astype", ("int64", "K", "same_kind"))
                    .map_err(|_| error("actions must be integers: action ids, one for each game"))?
                    .cast_into::<PyArray1<i64>>()
                    .map_err(|_| error("actions must have one dimension"))?
            }
        };
        let actions: PyReadonlyArray1<'_, i64> = actions
            .try_readonly()
            .map_err(|e| error(format!("actions cannot be read: {e}")))?;
        if actions.len() != self.tables.len() {
            return Err(error(format!(
                "{} actions for {} games",
                actions.len(),
                self.tables.len()
            )));
        }
        let actions = actions
            .as_slice()
            .map_err(|_| error("actions must be contiguous"))?;
        for (i, (table, action)) in self.tables.iter().zip(actions).enumerate() {
            let id = u16::try_from(*action).unwrap_or(u16::MAX);
            if !table.legal.contains(&id) {
                return Err(error(format!(
                    "action {action} is not in the mask of game {i}; `masks[{i}]` has its actions, \
                     `sample()` draws one for each game"
                )));
            }
        }
        self.each(py, |terms, table, i, row, tries| {
            table.step(terms, actions[i], row, tries);
        })?;
        (
            self.observations.bind(py),
            self.rewards.bind(py),
            self.terminated.bind(py),
            self.truncated.bind(py),
        )
            .into_pyobject(py)
    }

    /// An action of the mask for each game, each equally likely: shape `(num_envs,)`, int64. The
    /// array is the same at each call.
    #[pyo3(signature = () -> "np.ndarray")]
    fn sample(&mut self, py: Python<'_>) -> PyResult<Py<PyArray1<i64>>> {
        let mut actions = self.actions.bind(py).try_readwrite()?;
        for (table, action) in self.tables.iter_mut().zip(actions.as_slice_mut()?) {
            *action = table.dice.pick(&table.legal).unwrap_or_default().into();
        }
        Ok(self.actions.clone_ref(py))
    }

    /// Number of games.
    #[getter]
    fn num_envs(&self) -> usize {
        self.tables.len()
    }

    /// Observations of the seats to move: shape `(num_envs, OBSERVATION_SIZE)`, uint8.
    #[getter]
    fn observations(&self, py: Python<'_>) -> Py<PyArray2<u8>> {
        self.observations.clone_ref(py)
    }

    /// Masks of the seats to move: shape `(num_envs, NUM_ACTIONS)`, bool.
    #[getter]
    fn masks(&self, py: Python<'_>) -> Py<PyArray2<bool>> {
        self.masks.clone_ref(py)
    }

    /// Rewards of the last step: shape `(num_envs,)`, float32.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyArray1<f32>> {
        self.rewards.clone_ref(py)
    }

    /// Whether a game ended in the last step: shape `(num_envs,)`, bool.
    #[getter]
    fn terminated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.terminated.clone_ref(py)
    }

    /// Whether a game was truncated in the last step: shape `(num_envs,)`, bool.
    #[getter]
    fn truncated(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.truncated.clone_ref(py)
    }

    /// The seats to move, whose observations and masks the rows are: shape `(num_envs,)`, bool, true
    /// for White.
    #[getter]
    fn seats(&self, py: Python<'_>) -> Py<PyArray1<bool>> {
        self.seats.clone_ref(py)
    }
}
