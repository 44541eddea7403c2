//! Plays many games on several threads.

use std::{
    fs, io,
    panic::resume_unwind,
    path::{Path, PathBuf},
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{RecvTimeoutError, channel},
    },
    thread::{self, ScopedJoinHandle},
    time::{Duration, Instant},
};

use bots::Seed;
use rules::chess::Color;

use crate::{
    contestant::Contestant,
    play::{Buffers, Opening, Played, play_game},
    processor,
    record::Record,
};

/// Time limit for each answer of a program.
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// Interval between two progress reports.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// A run of games between two contestants.
#[derive(Clone, Debug)]
pub struct Run {
    /// Start of all games.
    pub opening: Opening,
    /// Contestant that plays White in the first game.
    pub white: Contestant,
    /// Contestant that plays Black in the first game.
    pub black: Contestant,
    /// Whether the contestants swap colours after every game.
    pub swap: bool,
    /// Number of games.
    pub games: u64,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Number of threads. It does not affect the games of built-in bots.
    pub threads: usize,
    /// Number of plies after which a game is stopped.
    pub max_plies: u32,
    /// Directory to which every game is written, one file per game.
    pub out: Option<PathBuf>,
    /// Time limit for each answer of a program.
    pub answer_timeout: Duration,
}

/// One game of a run.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct GameOfRun {
    /// Number of the game in the run, from 0.
    pub number: u64,
    /// Colour of the contestant `white` of the [`Run`] in this game; Black if colours were swapped.
    pub first: Color,
    /// Result of the game.
    pub played: Played,
}

/// Result of a run.
#[derive(Debug)]
pub struct Outcome {
    /// Games that were played, in order of their numbers.
    pub games: Vec<GameOfRun>,
    /// Elapsed time of the run.
    pub time: Duration,
    /// Processor time that this process used during the run, on all threads.
    pub processor_time: Duration,
    /// Error that stopped the run, if any.
    pub fault: Option<RunError>,
}

/// Error that stops a run.
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
    /// The directory cannot be created.
    #[error("the directory {} cannot be created: {fault}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// Error of the operating system.
        fault: io::Error,
    },
    /// The file of a game cannot be written.
    #[error("{} cannot be written: {fault}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Error of the operating system.
        fault: io::Error,
    },
}

impl Run {
    /// Plays all games. Calls `progress` with the number of finished games, every
    /// 100 ms.
    pub fn play(&self, mut progress: impl FnMut(u64)) -> Outcome {
        let begun = Instant::now();
        let used = processor::time_used();
        let mut outcome = Outcome {
            games: Vec::new(),
            time: Duration::ZERO,
            processor_time: Duration::ZERO,
            fault: None,
        };
        if let Some(path) = &self.out
            && let Err(fault) = fs::create_dir_all(path)
        {
            let path = path.clone();
            outcome.fault = Some(RunError::Directory { path, fault });
            return outcome;
        }

        let (next, finished) = (AtomicU64::new(0), AtomicU64::new(0));
        let stopped = AtomicBool::new(false);
        let done = thread::scope(|scope| {
            let (at_work, rest) = channel::<()>();
            let worker = || {
                let at_work = at_work.clone();
                let (next, finished, stopped) = (&next, &finished, &stopped);
                scope.spawn(move || {
                    let done = self.work(next, finished, stopped);
                    drop(at_work);
                    done
                })
            };
            let workers: Vec<_> = (0..self.threads.max(1)).map(|_| worker()).collect();
            drop(at_work);
            while rest.recv_timeout(PROGRESS_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                progress(finished.load(Ordering::Relaxed));
            }
            let done = workers.into_iter().map(ScopedJoinHandle::join);
            done.map(|done| done.unwrap_or_else(|panic| resume_unwind(panic)))
                .collect::<Vec<_>>()
        });

        let (games, faults): (Vec<_>, Vec<_>) = done.into_iter().unzip();
        outcome.games = games.into_iter().flatten().collect();
        outcome.games.sort_unstable_by_key(|game| game.number);
        let first = faults
            .into_iter()
            .flatten()
            .min_by_key(|(number, _)| *number);
        outcome.fault = first.map(|(_, error)| error);
        outcome.time = begun.elapsed();
        outcome.processor_time = processor::time_used().saturating_sub(used);
        outcome
    }

    /// Runs one thread: plays the next game until there is none left.
    fn work(
        &self,
        next: &AtomicU64,
        finished: &AtomicU64,
        stopped: &AtomicBool,
    ) -> (Vec<GameOfRun>, Option<(u64, RunError)>) {
        let mut games = Vec::new();
        let (mut buffers, mut record) = (Buffers::default(), Record::default());
        while !stopped.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.games {
                break;
            }
            match self.game(number, &mut buffers, &mut record) {
                Ok(game) => games.push(game),
                Err(error) => {
                    stopped.store(true, Ordering::Relaxed);
                    return (games, Some((number, error)));
                }
            }
            finished.fetch_add(1, Ordering::Relaxed);
        }
        (games, None)
    }

    /// Plays one game, and writes its file if the run has an output directory.
    fn game(
        &self,
        number: u64,
        buffers: &mut Buffers,
        record: &mut Record,
    ) -> Result<GameOfRun, RunError> {
        let seat = |contestant: &Contestant, side: u64| {
            let seed = Seed {
                seed: self.seed,
                stream: number * 2 + side,
            };
            contestant
                .seat(seed, self.answer_timeout)
                .map_err(|fault| RunError::Start {
                    program: contestant.to_string(),
                    fault,
                })
        };
        let (mut white, mut black) = (seat(&self.white, 0)?, seat(&self.black, 1)?);
        let first = if self.swap && number % 2 == 1 {
            std::mem::swap(&mut white, &mut black);
            Color::Black
        } else {
            Color::White
        };
        let (opening, max_plies) = (&self.opening, self.max_plies);
        let played = match &self.out {
            None => play_game(
                opening,
                max_plies,
                &mut *white,
                &mut *black,
                &mut (),
                buffers,
            ),
            Some(directory) => {
                let played = play_game(
                    opening,
                    max_plies,
                    &mut *white,
                    &mut *black,
                    record,
                    buffers,
                );
                keep(directory, number, record.text())?;
                played
            }
        };
        Ok(GameOfRun {
            number,
            first,
            played,
        })
    }
}

/// Returns the name of the file of a game, given its number from 0.
pub fn file_name(number: u64) -> String {
    format!("game-{:06}.jsonl", number + 1)
}

/// Writes the file of a game. It is renamed when complete, so a file with this name is
/// never incomplete.
fn keep(directory: &Path, number: u64, text: &[u8]) -> Result<(), RunError> {
    let path = directory.join(file_name(number));
    let part = path.with_extension("part");
    fs::write(&part, text)
        .and_then(|()| fs::rename(&part, &path))
        .map_err(|fault| {
            let _never_made = fs::remove_file(&part);
            RunError::Write { path, fault }
        })
}
