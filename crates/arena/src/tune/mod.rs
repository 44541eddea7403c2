//! Tuning of the weights of `master` by games: `kriegspiel arena tune`.

mod log;
mod spsa;

use std::{
    fmt,
    panic::resume_unwind,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    thread,
    time::Instant,
};

use bots::{Budget, Seed, Weights};
use referee::Event;
use rules::{Winner, chess::Color};
use serde::Serialize;

use self::{
    log::{TuningLog, TuningSettings},
    spsa::{Axis, Spsa},
};
use crate::{
    contestant::{Contestant, WeightedMaster, fingerprint},
    forced::random_moves,
    play::{Buffers, Opening, PlaySettings, play_game},
    results::budget_text,
    run::{ANSWER_TIMEOUT, RunError},
};

/// Number of pairs of games in an iteration. All pairs of an iteration start from the same weights,
/// so they can be played at the same time. The last iteration can have fewer pairs.
const BATCH: u64 = 8;

/// Unit of the steps of a weight that is 0 at the start ([`Axis::size`]), as a share of the range
/// of the weight.
const SIZE_OF_ZERO: f64 = 0.01;

/// A tuning of weights by games.
#[derive(Clone, Debug)]
pub struct Tuning {
    /// Start of all games.
    pub opening: Opening,
    /// The weights at the start.
    pub weights: Weights,
    /// Names of the weights that are tuned.
    pub names: Vec<String>,
    /// Player against whom both sets of weights of a pair play. `None` if the two sets play each
    /// other.
    pub against: Option<Contestant>,
    /// Number of games; an even number.
    pub games: u64,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of random opening moves of each side. Both games of a pair begin with the same moves.
    pub random_moves: u32,
    /// Number of nodes of each turn.
    pub nodes: u64,
    /// First step of a weight, as a share of its value at the start.
    pub step: f64,
    /// Limit for the first change of a weight, as a share of the first step.
    pub rate: f64,
    /// Number of threads. It does not affect the result.
    pub threads: usize,
    /// Number of plies after which a game is stopped. A stopped game counts as a draw.
    pub max_plies: u32,
    /// File for the weights at the end. The scores of the games are stored beside this file, so
    /// that an interrupted tuning can be continued.
    pub out: PathBuf,
}

/// Result of a tuning.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Tuned {
    /// Number of finished games.
    pub games: u64,
    /// Number of finished pairs of games.
    pub pairs: u64,
    /// Number of pairs of games in which one of the two sets of weights had a greater score.
    pub decided: u64,
    /// Number of games that were not played again, because an earlier run has stored their scores.
    pub resumed: u64,
    /// Elapsed time, in seconds.
    pub seconds: f64,
    /// The tuned weights.
    pub weights: Vec<TunedWeight>,
}

/// A weight before and after the tuning.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TunedWeight {
    /// Name of the weight.
    pub name: String,
    /// Value at the start.
    pub start: f32,
    /// Value at the end.
    pub end: f32,
}

impl fmt::Display for Tuned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tuned {
            games,
            pairs,
            decided,
            seconds,
            ..
        } = self;
        writeln!(
            f,
            "  {games} games in {seconds:.0} s; {decided} of {pairs} pairs were decided"
        )?;
        writeln!(
            f,
            "\n  {:20}{:>10}{:>10}{:>10}",
            "weight", "start", "end", "change"
        )?;
        for TunedWeight { name, start, end } in &self.weights {
            let change = match *start {
                0.0 => "new".to_owned(),
                start => format!("{:+.1} %", 100.0 * (end / start - 1.0)),
            };
            writeln!(f, "  {name:20}{start:>10}{end:>10}{change:>10}")?;
        }
        Ok(())
    }
}

/// State that the threads of an iteration share.
struct Shared<'a> {
    /// Numbers of the games that must be played.
    games: Vec<u64>,
    /// Index of the next game in `games`.
    next: AtomicU64,
    /// If this becomes true, the tuning stops.
    interrupt: &'a AtomicBool,
    scores: Mutex<Vec<(u64, f64)>>,
}

impl Tuning {
    /// Returns the settings, as in the first line of the stored scores.
    fn settings(&self) -> TuningSettings {
        let opened = Event::Opened(Box::new(self.opening.opened().clone()));
        TuningSettings {
            tuning: log::TUNING_VERSION,
            start: opened.to_string(),
            weights: fingerprint(&self.weights),
            names: self.names.clone(),
            against: self.against.as_ref().map(Contestant::identity),
            games: self.games,
            seed: self.seed,
            random_moves: self.random_moves,
            budget: budget_text(Budget::Nodes(self.nodes)),
            step: self.step,
            rate: self.rate,
            max_plies: self.max_plies,
        }
    }

    /// Returns the optimiser before the first iteration.
    fn optimiser(&self) -> Spsa {
        let axis = |name: &String| {
            let start = f64::from(self.weights.get(name).unwrap_or_default());
            let range = Weights::range(name).unwrap_or(0.0..=0.0);
            let (least, most) = (f64::from(*range.start()), f64::from(*range.end()));
            Axis {
                start,
                size: if start == 0.0 {
                    SIZE_OF_ZERO * (most - least)
                } else {
                    start
                },
                least,
                most,
            }
        };
        let axes = self.names.iter().map(axis).collect();
        let iterations = (self.games / 2).div_ceil(BATCH);
        Spsa::new(axes, iterations, self.step, self.rate, self.seed)
    }

    /// Returns the start weights with these values of the tuned weights, rounded to five digits.
    fn weights_with(&self, values: &[f64]) -> Weights {
        let mut weights = self.weights.clone();
        for (name, value) in self.names.iter().zip(values) {
            let range = Weights::range(name).unwrap_or(0.0..=0.0);
            let rounded: f32 = format!("{value:.4e}").parse().unwrap_or(*value as f32);
            let value = rounded.clamp(*range.start(), *range.end());
            // The name and the range were checked before, so there is no error.
            let _ = weights.set(name, value);
        }
        weights
    }

    /// Returns the text of the new file of weights. A comment says how the weights were made.
    fn file_text(&self, end: &Weights) -> String {
        let (games, seed) = (self.games, self.seed);
        let budget = budget_text(Budget::Nodes(self.nodes));
        let rules = &self.opening.opened().rules;
        let made =
            format!("# kriegspiel arena tune: {games} games, {rules}, {budget}, seed {seed}");
        end.to_string().replacen('\n', &format!("\n{made}\n"), 1)
    }

    /// Plays all games whose scores are not stored yet, and writes the weights at the end. Returns
    /// `None` if `interrupt` became true before the end. After each game, calls `progress` with the
    /// number of finished games.
    ///
    /// # Errors
    /// A player cannot be started, or a file cannot be read or written.
    pub fn tune(
        &self,
        interrupt: &AtomicBool,
        progress: impl Fn(u64) + Sync,
    ) -> Result<Option<Tuned>, RunError> {
        let begun = Instant::now();
        let (log, mut scores) = TuningLog::open(&self.out, &self.settings())?;
        let resumed = scores.len() as u64;
        let mut optimiser = self.optimiser();
        let pairs = self.games / 2;
        let mut decided = 0;
        for first in (0..pairs).step_by(BATCH as usize) {
            let batch = first..(first + BATCH).min(pairs);
            let games = (2 * batch.start..2 * batch.end).filter(|game| !scores.contains_key(game));
            let shared = Shared {
                games: games.collect(),
                next: AtomicU64::new(0),
                interrupt,
                scores: Mutex::default(),
            };
            let finished = scores.len() as u64;
            thread::scope(|scope| {
                let work = || self.work(&shared, &optimiser, &log, &|new| progress(finished + new));
                let threads = self.threads.clamp(1, shared.games.len().max(1));
                let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
                let ended = workers.into_iter().map(|worker| worker.join());
                ended
                    .map(|ended| ended.unwrap_or_else(|panic| resume_unwind(panic)))
                    .collect::<Result<Vec<()>, RunError>>()
            })?;
            scores.extend(
                shared
                    .scores
                    .into_inner()
                    .unwrap_or_else(PoisonError::into_inner),
            );
            let mut results = Vec::new();
            for pair in batch {
                let (Some(plus), Some(minus)) =
                    (scores.get(&(2 * pair)), scores.get(&(2 * pair + 1)))
                else {
                    return Ok(None);
                };
                let result = plus + minus;
                decided += u64::from(result != 0.0);
                results.push((pair, result));
            }
            optimiser.advance(&results);
        }
        let end = self.weights_with(optimiser.values());
        log.finish(&self.out, &self.file_text(&end))?;
        let weight = |name: &String| TunedWeight {
            name: name.clone(),
            start: self.weights.get(name).unwrap_or_default(),
            end: end.get(name).unwrap_or_default(),
        };
        Ok(Some(Tuned {
            games: scores.len() as u64,
            pairs,
            decided,
            resumed,
            seconds: begun.elapsed().as_secs_f64(),
            weights: self.names.iter().map(weight).collect(),
        }))
    }

    /// Runs one thread of an iteration: plays games until no game is left.
    fn work(
        &self,
        shared: &Shared<'_>,
        optimiser: &Spsa,
        log: &TuningLog,
        progress: &impl Fn(u64),
    ) -> Result<(), RunError> {
        let mut buffers = Buffers::default();
        while !shared.interrupt.load(Ordering::Relaxed) {
            let next = shared.next.fetch_add(1, Ordering::Relaxed);
            let Some(game) = usize::try_from(next)
                .ok()
                .and_then(|next| shared.games.get(next))
            else {
                break;
            };
            let Some(score) = self.play(*game, optimiser, shared.interrupt, &mut buffers)? else {
                break;
            };
            log.keep(*game, score)?;
            let mut scores = shared.scores.lock().unwrap_or_else(PoisonError::into_inner);
            scores.push((*game, score));
            progress(scores.len() as u64);
        }
        Ok(())
    }

    /// Plays a game. Returns what it adds to the result of its pair, from -0.5 to 0.5. Returns
    /// `None` if the game was interrupted.
    ///
    /// A pair compares two sets of weights: `plus` and `minus`. The result of the pair is the score
    /// of `plus` less the score of `minus`. If the two sets play each other, they swap colours in
    /// the second game. If both sets play against another player, they have the same colour and the
    /// same random numbers. Then `plus` plays the first game of the pair.
    fn play(
        &self,
        game: u64,
        optimiser: &Spsa,
        interrupt: &AtomicBool,
        buffers: &mut Buffers,
    ) -> Result<Option<f64>, RunError> {
        let (pair, second) = (game / 2, game % 2 == 1);
        let [plus, minus] = optimiser.points(pair).map(|values| {
            Contestant::Weighted(WeightedMaster {
                name: "tuned".to_owned(),
                weights: Arc::new(self.weights_with(&values)),
            })
        });
        let (first, other, stream, is_white) = match &self.against {
            None => (&plus, &minus, game, !second),
            Some(bot) if second => (&minus, bot, pair, pair % 2 == 0),
            Some(bot) => (&plus, bot, pair, pair % 2 == 0),
        };
        let seat = |contestant: &Contestant, side: u64| {
            let seed = Seed {
                seed: self.seed,
                stream: 2 * stream + side,
            };
            contestant.seat(seed, ANSWER_TIMEOUT)
        };
        let (mut white, mut black) = (seat(first, 0)?, seat(other, 1)?);
        if !is_white {
            std::mem::swap(&mut white, &mut black);
        }
        let forced = match self.random_moves {
            0 => Vec::new(),
            moves => random_moves(self.opening.opened(), moves, self.seed, pair),
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
        let color = if is_white { Color::White } else { Color::Black };
        let score = match played.over.map(|over| over.winner) {
            Some(winner) if winner == Winner::from(color) => 0.5,
            Some(Winner::White | Winner::Black) => -0.5,
            Some(Winner::Draw | Winner::Unfinished) | None => 0.0,
        };
        // In the second game against another player, `minus` has played.
        let is_minus = self.against.is_some() && second;
        Ok(Some(if is_minus { -score } else { score }))
    }
}
