//! Plays many games on several threads.

use std::{
    io,
    panic::resume_unwind,
    path::PathBuf,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{RecvTimeoutError, channel},
    },
    thread::{self, ScopedJoinHandle},
    time::{Duration, Instant},
};

use bots::{Budget, Seed};
use referee::Event;
use rules::chess::{ByColor, Color};
use wire::{RunJson, named_choices};

use crate::{
    contestant::Contestant,
    cost::Cost,
    factors::FitError,
    forced::random_moves,
    game::GameOfRun,
    play::{Buffers, Opening, PlaySettings, play_game},
    processor,
    record::Record,
    results::{Keeper, RESULTS_VERSION, ResultsError, Settings, budget_text},
    schedule::{Schedule, Shard},
    sprt::{Sprt, SprtTracker},
};

/// Maximum time for each answer of a program. If the budget of a turn is a time, the budget is added
/// to this maximum.
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// If a run has at least this number of games to play, the bots can compute their tables before the
/// first game. The games of all pairs of players are counted together. In a shorter run,
/// it is probable that no game uses the tables, because most games end earlier.
const GAMES_TO_PREPARE: u64 = 20;

/// Interval between two progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// A run of games between two or more players.
#[derive(Clone, Debug)]
pub struct Run {
    /// Start of all games.
    pub opening: Opening,
    /// The players. Two players play a match; the first of them plays White in the
    /// first game. More players play a round robin.
    pub players: Vec<Contestant>,
    /// Whether the players of each pair swap colours after every game.
    pub swap: bool,
    /// Number of games of each pair of players.
    pub games: u64,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of random opening moves of each side. The games of a unit (two
    /// games with swapped colours) begin with the same moves.
    pub random_moves: u32,
    /// Budget of each turn.
    pub budget: Budget,
    /// Number of threads. This number does not affect the games of built-in bots, unless the budget
    /// is a time.
    pub threads: usize,
    /// Number of plies after which a game is stopped.
    pub max_plies: u32,
    /// The part of the run that is played.
    pub shard: Shard,
    /// Test that ends a match as soon as the test is decided.
    pub sprt: Option<Sprt>,
    /// Output for the results: a directory, which also gets one file for each game, or a file whose
    /// name ends in `.results`. A game that already has a result in the output is not played again.
    /// If the name ends in `.jsonl` or `.jsonl.zst`, the output is one new file. This file contains
    /// the records of all games, but not the results.
    pub out: Option<PathBuf>,
    /// Maximum number of positions of the beliefs from which the marginals in the records are
    /// computed; `None` records no marginals.
    pub marginals: Option<usize>,
    /// Maximum time for each answer of a program. If the budget of a turn is a time, the budget is
    /// added to this maximum.
    pub answer_timeout: Duration,
}

/// Result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// The players and colours of each game.
    pub schedule: Schedule,
    /// Finished games, in order of their numbers. Includes the games whose results an earlier run
    /// has stored.
    pub games: Vec<GameOfRun>,
    /// Cost of each player, in the order of the players. If a test ended the run, the costs include
    /// the games that other threads were playing at that time.
    pub costs: Vec<Cost>,
    /// Number of games that were not played again, because an earlier run has stored their results.
    pub resumed: u64,
    /// Number of attempts in the games that this run played. Games of an earlier run are not
    /// included.
    pub new_attempts: u64,
    /// State of the test, if the run has one.
    pub sprt: Option<SprtTracker>,
    /// Elapsed time.
    pub time: Duration,
    /// Processor time of the whole process during the run; zero if the system does
    /// not report it.
    pub processor_time: Duration,
    /// Error that stopped the run early. `games` contains all finished games, also games that
    /// finished after this error.
    pub fault: Option<RunError>,
}

/// Error that stopped a run.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A program cannot be started.
    #[error("`{program}` cannot be started: {fault}")]
    Start {
        /// Command line of the program.
        program: String,
        /// Error of the operating system.
        fault: io::Error,
    },
    /// The results or the record of a game cannot be read or written.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// The gains of factors cannot be computed from the scores of the games.
    #[error(transparent)]
    Fit(#[from] FitError),
}

/// State that the threads of a run share.
struct Shared<'a> {
    schedule: Schedule,
    keeper: Option<&'a Keeper>,
    /// Number of the next game.
    next: AtomicU64,
    finished: AtomicU64,
    stopped: AtomicBool,
    /// If this becomes true, the run stops.
    interrupt: &'a AtomicBool,
    sprt: Option<Mutex<SprtTracker>>,
}

/// Result of one thread: the games, the cost of each player in these games, and the error if an
/// error stopped the thread. The number beside the error is the number of the game with the error.
type Worked = (Vec<GameOfRun>, Vec<Cost>, Option<(u64, RunError)>);

impl Run {
    /// Returns the schedule: the players and colours of each game.
    pub fn schedule(&self) -> Schedule {
        Schedule {
            players: self.players.len(),
            swap: self.swap,
            games: self.games,
            shard: self.shard,
        }
    }

    /// Returns the settings, as in the first line of the results.
    fn settings(&self) -> Settings {
        let opened = Event::Opened(Box::new(self.opening.opened().clone()));
        Settings {
            results: RESULTS_VERSION,
            start: opened.to_string(),
            players: self.players.iter().map(Contestant::identity).collect(),
            swap: self.swap,
            seed: self.seed,
            random_moves: self.random_moves,
            budget: budget_text(self.budget),
            max_plies: self.max_plies,
            shard: self.shard.to_string(),
            marginals: self.marginals,
        }
    }

    /// Plays all games that have no result in [`out`](Run::out) yet. Every 100 ms,
    /// calls `progress` with the number of finished games.
    pub fn play(&self, progress: impl FnMut(u64)) -> Outcome {
        self.play_until(&AtomicBool::new(false), progress)
    }

    /// Does the same as [`play`](Run::play), but stops when `interrupt` becomes true. Games that
    /// are not over at that time are not part of the outcome.
    pub fn play_until(&self, interrupt: &AtomicBool, mut progress: impl FnMut(u64)) -> Outcome {
        let begun = Instant::now();
        let used = processor::time_used();
        let schedule = self.schedule();
        let mut outcome = Outcome {
            schedule,
            games: Vec::new(),
            costs: vec![Cost::default(); self.players.len()],
            resumed: 0,
            new_attempts: 0,
            sprt: None,
            time: Duration::ZERO,
            processor_time: Duration::ZERO,
            fault: None,
        };
        let keeper = match &self.out {
            None => None,
            Some(out) => match Keeper::open(out, &self.settings(), &schedule) {
                Ok((keeper, read)) => {
                    for finished in &read {
                        spend(
                            &mut outcome.costs,
                            &schedule,
                            &finished.game,
                            &finished.costs,
                        );
                        outcome.games.push(finished.game);
                    }
                    Some(keeper)
                }
                Err(fault) => {
                    outcome.fault = Some(fault.into());
                    return outcome;
                }
            },
        };
        outcome.resumed = outcome.games.len() as u64;
        self.prepare(schedule.count().saturating_sub(outcome.resumed));

        let mut tracker = self.sprt.map(|sprt| SprtTracker::new(sprt, schedule));
        if let Some(tracker) = &mut tracker {
            outcome.games.iter().for_each(|game| tracker.add(game));
        }
        let decided = tracker.as_ref().is_some_and(SprtTracker::is_decided);
        let shared = Shared {
            schedule,
            keeper: keeper.as_ref(),
            next: AtomicU64::new(0),
            finished: AtomicU64::new(outcome.resumed),
            stopped: AtomicBool::new(decided),
            interrupt,
            sprt: tracker.map(Mutex::new),
        };
        let mut known: Vec<u64> = outcome.games.iter().map(|game| game.number).collect();
        known.sort_unstable();
        let done = thread::scope(|scope| {
            let (at_work, rest) = channel::<()>();
            let worker = || {
                let at_work = at_work.clone();
                let (shared, known) = (&shared, known.as_slice());
                scope.spawn(move || {
                    let done = self.work(shared, known);
                    drop(at_work);
                    done
                })
            };
            let workers: Vec<_> = (0..self.threads.max(1)).map(|_| worker()).collect();
            drop(at_work);
            while rest.recv_timeout(PROGRESS_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                progress(shared.finished.load(Ordering::Relaxed));
            }
            let done = workers.into_iter().map(ScopedJoinHandle::join);
            done.map(|done| done.unwrap_or_else(|panic| resume_unwind(panic)))
                .collect::<Vec<Worked>>()
        });

        let mut first_fault: Option<(u64, RunError)> = None;
        for (games, costs, fault) in done {
            outcome.new_attempts += games.iter().map(|game| game.played.attempts).sum::<u64>();
            outcome.games.extend(games);
            for (all, more) in outcome.costs.iter_mut().zip(&costs) {
                all.merge(more);
            }
            if let Some((number, error)) = fault
                && first_fault
                    .as_ref()
                    .is_none_or(|(first, _)| number < *first)
            {
                first_fault = Some((number, error));
            }
        }
        let finished = keeper.as_ref().map_or(Ok(()), Keeper::finish);
        outcome.fault = match first_fault {
            Some((_, error)) => Some(error),
            None => finished.err().map(RunError::from),
        };
        outcome.games.sort_unstable_by_key(|game| game.number);
        outcome.sprt = shared
            .sprt
            .map(|sprt| sprt.into_inner().unwrap_or_else(PoisonError::into_inner));
        if let Some(end) = outcome.sprt.as_ref().and_then(SprtTracker::end) {
            // Other threads may have finished games after the game that decided the
            // test. The results must not depend on these games.
            outcome.games.retain(|game| game.number < end);
        }
        outcome.time = begun.elapsed();
        outcome.processor_time = processor::time_used().saturating_sub(used);
        outcome
    }

    /// Computes the tables of the bots if at least [`GAMES_TO_PREPARE`] games are left and the
    /// budget is a number of nodes or a time. Otherwise a bot computes its table in a turn. That
    /// turn can exceed its budget.
    fn prepare(&self, left: u64) {
        if left < GAMES_TO_PREPARE || !matches!(self.budget, Budget::Nodes(_) | Budget::Time(_)) {
            return;
        }
        for player in &self.players {
            player.prepare(&self.opening.opened().choices);
        }
    }

    /// Runs one thread: plays games until no game is left. `known` contains the numbers of games
    /// that must not be played, in increasing order.
    fn work(&self, shared: &Shared<'_>, known: &[u64]) -> Worked {
        let mut games = Vec::new();
        let mut costs = vec![Cost::default(); self.players.len()];
        let (mut buffers, mut record) = (Buffers::default(), Record::default());
        while !shared.is_stopped() {
            let number = shared.next.fetch_add(1, Ordering::Relaxed);
            if number >= shared.schedule.end() {
                break;
            }
            if known.binary_search(&number).is_ok() {
                continue;
            }
            match self.game(number, shared, &mut buffers, &mut record) {
                Ok(None) => continue,
                Ok(Some(game)) => {
                    spend(&mut costs, &shared.schedule, &game, buffers.costs());
                    shared.finished.fetch_add(1, Ordering::Relaxed);
                    shared.test(&game);
                    games.push(game);
                }
                Err(error) => {
                    shared.stopped.store(true, Ordering::Relaxed);
                    return (games, costs, Some((number, error)));
                }
            }
        }
        (games, costs, None)
    }

    /// Plays one game, and stores its result and its record. Returns `None` if there is no game
    /// with this number, or if the run was stopped before the end of the game.
    fn game(
        &self,
        number: u64,
        shared: &Shared<'_>,
        buffers: &mut Buffers,
        record: &mut Record,
    ) -> Result<Option<GameOfRun>, RunError> {
        let Some(meeting) = shared.schedule.meeting(number) else {
            return Ok(None);
        };
        let answer_timeout = match self.budget {
            Budget::Time(time) => self.answer_timeout.saturating_add(time),
            Budget::Usual | Budget::Within(_) | Budget::Nodes(_) => self.answer_timeout,
        };
        let seat = |player: usize, side: u64| {
            let seed = Seed {
                seed: self.seed,
                stream: number * 2 + side,
            };
            self.players[player].seat(seed, answer_timeout)
        };
        let (first, second) = shared.schedule.pairing(meeting.pairing);
        let (mut white, mut black) = (seat(first, 0)?, seat(second, 1)?);
        if meeting.first == Color::Black {
            std::mem::swap(&mut white, &mut black);
        }
        let forced = match self.random_moves {
            0 => Vec::new(),
            moves => random_moves(self.opening.opened(), moves, self.seed, meeting.unit),
        };
        let settings = PlaySettings {
            max_plies: self.max_plies,
            budget: self.budget,
            forced: &forced,
            stop: Some(shared.interrupt),
        };
        let (opening, records) = (
            &self.opening,
            shared.keeper.is_some_and(Keeper::keeps_records),
        );
        let (white, black) = (&mut *white, &mut *black);
        let played = if records {
            let names = match meeting.first {
                Color::White => [first, second],
                Color::Black => [second, first],
            };
            let [white_name, black_name] = names.map(|player| self.players[player].identity());
            record.marginals = self.marginals;
            record.run = Some(RunJson {
                game: number + 1,
                white: white_name,
                black: black_name,
                seed: self.seed,
                version: opening.opened().version,
                choices: named_choices(&opening.opened().choices),
            });
            play_game(opening, &settings, white, black, record, buffers)
        } else {
            play_game(opening, &settings, white, black, &mut (), buffers)
        };
        let complete = played.over.is_some() && played.fault.is_none();
        if !complete && shared.interrupt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let game = GameOfRun {
            number,
            first: meeting.first,
            played,
        };
        if let Some(keeper) = shared.keeper {
            keeper.keep(&game, buffers.costs(), record.text())?;
        }
        Ok(Some(game))
    }
}

impl Shared<'_> {
    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || self.interrupt.load(Ordering::Relaxed)
    }

    /// Adds a game to the sequential test, if the run has one. Stops the run if the test is
    /// decided.
    fn test(&self, game: &GameOfRun) {
        let Some(tracker) = &self.sprt else {
            return;
        };
        let mut tracker = tracker.lock().unwrap_or_else(PoisonError::into_inner);
        tracker.add(game);
        if tracker.is_decided() {
            self.stopped.store(true, Ordering::Relaxed);
        }
    }
}

/// Adds the costs of one game to `all`, the costs of the players of a run.
pub(crate) fn spend(
    all: &mut [Cost],
    schedule: &Schedule,
    game: &GameOfRun,
    costs: &ByColor<Cost>,
) {
    let Some(meeting) = schedule.meeting(game.number) else {
        return;
    };
    let (first, second) = schedule.pairing(meeting.pairing);
    for (player, color) in [(first, game.first), (second, game.first.other())] {
        if let Some(cost) = all.get_mut(player) {
            cost.merge(costs.get(color));
        }
    }
}
