//! Games in which `master` plays with changed weights. Only the scores of these games are stored.

mod log;

use std::{
    collections::BTreeMap,
    panic::resume_unwind,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
};

use bots::{Budget, Seed, Weights};
use referee::Event;
use rules::{Winner, chess::Color};

pub(crate) use self::log::{GameSettings, ScoreLog, ScoreSettings, write_out};
use crate::{
    contestant::{Contestant, WeightedMaster, fingerprint},
    forced::random_moves,
    play::{Buffers, Opening, PlaySettings, play_game},
    results::budget_text,
    run::{ANSWER_TIMEOUT, RunError},
};

/// Games in which `master` plays with changed weights: the settings that all tasks with such games
/// have.
#[derive(Clone, Debug)]
pub struct ScoredGames {
    /// Start of all games.
    pub opening: Opening,
    /// The weights that are changed.
    pub weights: Weights,
    /// Opponent of `master`. If there is none, `master` plays against itself.
    pub against: Option<Contestant>,
    /// Number of games.
    pub count: u64,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of random opening moves of each side.
    pub random_moves: u32,
    /// Number of nodes of each turn.
    pub nodes: u64,
    /// Number of threads. It does not affect the result.
    pub threads: usize,
    /// Number of plies after which a game is stopped. A stopped game counts as a draw.
    pub max_plies: u32,
    /// File for the result. The scores of the games are stored beside this file, so that an
    /// interrupted task can be continued.
    pub out: PathBuf,
}

/// The players of a game, and its random numbers.
pub(crate) struct Pairing {
    pub first: Contestant,
    pub second: Contestant,
    pub first_is_white: bool,
    /// Number of the random opening moves.
    pub opening: u64,
    /// Number of the random numbers of the two players.
    pub stream: u64,
}

/// Returns `master` with these weights.
pub(crate) fn weighted(weights: Weights) -> Contestant {
    Contestant::Weighted(WeightedMaster {
        name: "changed".to_owned(),
        weights: Arc::new(weights),
    })
}

/// State that the threads share.
struct Shared {
    /// Numbers of the games that must be played.
    games: Vec<u64>,
    /// Index of the next game in `games`.
    next: AtomicUsize,
    /// Number of games that have a score already.
    stored: u64,
    scores: Mutex<Vec<(u64, f64)>>,
}

impl ScoredGames {
    /// Returns the settings, as in the first line of the stored scores.
    pub(crate) fn settings(&self) -> GameSettings {
        let opened = Event::Opened(Box::new(self.opening.opened().clone()));
        GameSettings {
            start: opened.to_string(),
            weights: fingerprint(&self.weights),
            against: self.against.as_ref().map(Contestant::identity),
            seed: self.seed,
            random_moves: self.random_moves,
            budget: budget_text(Budget::Nodes(self.nodes)),
            max_plies: self.max_plies,
        }
    }

    /// Returns a sentence that says how the result was made, for the file with the result.
    pub(crate) fn made_by(&self, task: &str) -> String {
        let (games, seed) = (self.count, self.seed);
        let budget = budget_text(Budget::Nodes(self.nodes));
        let rules = &self.opening.opened().rules;
        format!("kriegspiel arena {task}: {games} games, {rules}, {budget}, seed {seed}")
    }

    /// Plays the games of `wanted` that have no score yet, on several threads. Adds their scores to
    /// `scores` and to the stored scores. If `interrupt` becomes true, some scores are missing.
    ///
    /// `play` plays the game with a number, and returns its score. At the start and after each game,
    /// `progress` is called with the number of all scores.
    pub(crate) fn play_missing(
        &self,
        wanted: impl Iterator<Item = u64>,
        scores: &mut BTreeMap<u64, f64>,
        log: &ScoreLog,
        interrupt: &AtomicBool,
        progress: &(impl Fn(u64) + Sync),
        play: impl Fn(u64, &mut Buffers) -> Result<Option<f64>, RunError> + Sync,
    ) -> Result<(), RunError> {
        let shared = Shared {
            games: wanted.filter(|game| !scores.contains_key(game)).collect(),
            next: AtomicUsize::new(0),
            stored: scores.len() as u64,
            scores: Mutex::default(),
        };
        progress(shared.stored);
        let work = || {
            let worked = shared.work(log, interrupt, progress, &play);
            if worked.is_err() {
                // The other threads begin no further game.
                shared.next.store(shared.games.len(), Ordering::Relaxed);
            }
            worked
        };
        thread::scope(|scope| {
            let threads = self.threads.clamp(1, shared.games.len().max(1));
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let ended = workers.into_iter().map(|worker| worker.join());
            ended
                .map(|ended| ended.unwrap_or_else(|panic| resume_unwind(panic)))
                .collect::<Result<Vec<()>, RunError>>()
        })?;
        let new = shared.scores.into_inner();
        scores.extend(new.unwrap_or_else(PoisonError::into_inner));
        Ok(())
    }

    /// Plays a game. Returns the score of the first player, minus 0.5. Returns `None` if the game
    /// was interrupted.
    pub(crate) fn score(
        &self,
        pairing: &Pairing,
        interrupt: &AtomicBool,
        buffers: &mut Buffers,
    ) -> Result<Option<f64>, RunError> {
        let seat = |contestant: &Contestant, side: u64| {
            let seed = Seed {
                seed: self.seed,
                stream: 2 * pairing.stream + side,
            };
            contestant.seat(seed, ANSWER_TIMEOUT)
        };
        let (mut white, mut black) = (seat(&pairing.first, 0)?, seat(&pairing.second, 1)?);
        if !pairing.first_is_white {
            std::mem::swap(&mut white, &mut black);
        }
        let forced = match self.random_moves {
            0 => Vec::new(),
            moves => random_moves(self.opening.opened(), moves, self.seed, pairing.opening),
        };
        let settings = PlaySettings {
            max_plies: self.max_plies,
            budget: Budget::Nodes(self.nodes),
            forced: &forced,
            stop: Some(interrupt),
        };
        let (white, black) = (&mut *white, &mut *black);
        let played = play_game(&self.opening, &settings, white, black, &mut (), buffers);
        let complete = played.over.is_some() && played.fault.is_none();
        if !complete && interrupt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let color = if pairing.first_is_white {
            Color::White
        } else {
            Color::Black
        };
        Ok(Some(match played.over.map(|over| over.winner) {
            Some(winner) if winner == Winner::from(color) => 0.5,
            Some(Winner::White | Winner::Black) => -0.5,
            Some(Winner::Draw | Winner::Unfinished) | None => 0.0,
        }))
    }
}

impl Shared {
    /// Runs one thread: plays games until no game is left.
    fn work(
        &self,
        log: &ScoreLog,
        interrupt: &AtomicBool,
        progress: &impl Fn(u64),
        play: &impl Fn(u64, &mut Buffers) -> Result<Option<f64>, RunError>,
    ) -> Result<(), RunError> {
        let mut buffers = Buffers::default();
        while !interrupt.load(Ordering::Relaxed) {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(game) = self.games.get(next) else {
                break;
            };
            let Some(score) = play(*game, &mut buffers)? else {
                break;
            };
            log.keep(*game, score)?;
            let mut scores = self.scores.lock().unwrap_or_else(PoisonError::into_inner);
            scores.push((*game, score));
            progress(self.stored + scores.len() as u64);
        }
        Ok(())
    }
}
