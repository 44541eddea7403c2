//! File with the results of a run. With this file, a run can be continued after it was killed.
//!
//! The first line contains the settings of the run. Each further line contains the result of one
//! game. The line of a game is written with one write call when the game has finished. So only the
//! last line of the file can be incomplete.

use std::{
    collections::HashSet,
    fs::{self, File, TryLockError},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use bots::Budget;
use rules::{
    Over,
    chess::{ByColor, Color},
};
use serde::{Deserialize, Serialize};
use wire::{OverJson, Side};

use crate::{
    cost::{Cost, Times},
    game::{GameOfRun, file_name},
    games_file::{GamesFile, is_games_file},
    play::{FaultKind, Played, PlayerFault},
    schedule::Schedule,
};

/// Name of the file with the results in a directory.
pub const RESULTS_NAME: &str = "run.results";

/// Ending of the names of files with results.
const RESULTS_ENDING: &str = "results";

/// Version of the format.
pub(crate) const RESULTS_VERSION: u32 = 1;

/// Error in the results of a run.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The directory of the run cannot be created.
    #[error("--out {}: {fault}", .path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// Error of the operating system.
        fault: io::Error,
    },
    /// A file cannot be read.
    #[error("{} cannot be read: {fault}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Error of the operating system.
        fault: io::Error,
    },
    /// A file cannot be written.
    #[error("{} cannot be written: {fault}", .path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Error of the operating system.
        fault: io::Error,
    },
    /// A line cannot be read.
    #[error("{}, line {line}: {why}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: usize,
        /// Description of the error.
        why: String,
    },
    /// The file contains the results of a run with other settings.
    #[error(
        "{} has games of another run: `{setting}` is {theirs} there and {ours} here; \
         choose another --out",
        .path.display()
    )]
    OtherRun {
        /// The file.
        path: PathBuf,
        /// The first setting that differs.
        setting: String,
        /// Value of the setting in the file.
        theirs: String,
        /// Value of the setting in this run.
        ours: String,
    },
    /// The directory has records of games, but no results.
    #[error("{} has games of another run; choose another --out", .path.display())]
    OtherGames {
        /// The directory.
        path: PathBuf,
    },
    /// The file for the records of all games exists already.
    #[error(
        "{} exists; choose another --out, or remove the file (a run whose --out is a directory \
         can be continued)",
        .path.display()
    )]
    FileExists {
        /// The file.
        path: PathBuf,
    },
    /// The file for the result of a task exists already, without the scores of its games.
    #[error("{} exists; choose another --out, or remove the file", .path.display())]
    OutExists {
        /// The file.
        path: PathBuf,
    },
    /// Another process has the results open for writing.
    #[error("{} is in use by another run; wait until that run ends", .path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
}

/// Settings of a run, as in the first line of its results. The number of games is not a
/// setting, because a run can be continued with more games.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    /// Version of the format.
    pub results: u32,
    /// The opening event, with ruleset, choices and start position.
    pub start: String,
    pub players: Vec<String>,
    pub swap: bool,
    pub seed: u64,
    pub random_moves: u32,
    /// Budget of a turn, for example `usual`, `1.5 s` or `1000 nodes`.
    pub budget: String,
    pub max_plies: u32,
    /// The part of the run, for example `3/16`.
    pub shard: String,
    /// Maximum number of positions of the beliefs in the records.
    #[serde(default)]
    pub marginals: Option<usize>,
}

/// Returns the text of a budget.
pub(crate) fn budget_text(budget: Budget) -> String {
    match budget {
        Budget::Usual => "usual".to_owned(),
        Budget::Within(time) => format!("usual, within {} s", time.as_secs_f64()),
        Budget::Time(time) => format!("{} s", time.as_secs_f64()),
        Budget::Nodes(nodes) => format!("{nodes} nodes"),
    }
}

impl Settings {
    /// Returns the first setting that differs, with its two values as JSON. The
    /// shards are compared only if `shards` is true.
    pub fn difference(&self, other: &Settings, shards: bool) -> Option<(String, String, String)> {
        difference(self, other, if shards { "" } else { "shard" })
    }
}

/// Returns the name of the first setting that differs, with its two values as JSON. The setting
/// `skipped` is not compared.
pub(crate) fn difference<T: Serialize>(
    one: &T,
    other: &T,
    skipped: &str,
) -> Option<(String, String, String)> {
    let fields = |settings: &T| {
        let value = serde_json::to_value(settings).expect("settings have text keys");
        value.as_object().cloned().unwrap_or_default()
    };
    let other = fields(other);
    fields(one)
        .into_iter()
        .filter(|(name, _)| name != skipped)
        .find_map(|(name, value)| {
            let different = other.get(&name).filter(|other| **other != value)?;
            let different = different.to_string();
            Some((name, value.to_string(), different))
        })
}

/// Result of one game, as in a line of the results.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameLine {
    /// Number of the game, from 1.
    game: u64,
    first: Side,
    over: Option<OverJson>,
    plies: u32,
    attempts: u64,
    fault: Option<FaultLine>,
    white: CostLine,
    black: CostLine,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultLine {
    by: Side,
    kind: String,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CostLine {
    turns: u64,
    attempts: u64,
    overruns: u64,
    longest_us: u64,
    /// Buckets of the histogram of times. Each pair consists of the number of a bucket, and
    /// the number of times in this bucket.
    times: Vec<(u16, u32)>,
}

impl From<&Cost> for CostLine {
    fn from(cost: &Cost) -> CostLine {
        CostLine {
            turns: cost.turns,
            attempts: cost.attempts,
            overruns: cost.overruns,
            longest_us: u64::try_from(cost.longest.as_micros()).unwrap_or(u64::MAX),
            times: cost.times.buckets(),
        }
    }
}

impl CostLine {
    fn cost(&self) -> Option<Cost> {
        Some(Cost {
            turns: self.turns,
            attempts: self.attempts,
            overruns: self.overruns,
            longest: Duration::from_micros(self.longest_us),
            times: Times::from_buckets(&self.times)?,
        })
    }
}

/// A game of a run, with the costs of its players.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct FinishedGame {
    pub game: GameOfRun,
    pub costs: ByColor<Cost>,
}

impl GameLine {
    fn new(game: &GameOfRun, costs: &ByColor<Cost>) -> GameLine {
        GameLine {
            game: game.number + 1,
            first: game.first.into(),
            over: game.played.over.map(OverJson::from),
            plies: game.played.plies,
            attempts: game.played.attempts,
            fault: game.played.fault.map(|fault| FaultLine {
                by: fault.by.into(),
                kind: fault.kind.name().to_owned(),
            }),
            white: CostLine::from(&costs.white),
            black: CostLine::from(&costs.black),
        }
    }

    fn finished(&self) -> Result<FinishedGame, &'static str> {
        let number = self.game.checked_sub(1).ok_or("game 0 does not exist")?;
        let fault = match &self.fault {
            None => None,
            Some(fault) => {
                let kind = FaultKind::ALL.into_iter().find(|k| k.name() == fault.kind);
                let kind = kind.ok_or("the kind of the fault is unknown")?;
                let by = Color::from(fault.by);
                Some(PlayerFault { by, kind })
            }
        };
        let cost = |line: &CostLine| line.cost().ok_or("a time is out of range");
        Ok(FinishedGame {
            game: GameOfRun {
                number,
                first: self.first.into(),
                played: Played {
                    plies: self.plies,
                    attempts: self.attempts,
                    over: self.over.map(Over::from),
                    fault,
                },
            },
            costs: ByColor {
                white: cost(&self.white)?,
                black: cost(&self.black)?,
            },
        })
    }
}

/// The parsed lines of a file with results.
pub(crate) struct ReadResults {
    /// `None` if the file has no complete line.
    pub settings: Option<Settings>,
    pub games: Vec<FinishedGame>,
    /// Length of the complete lines, in bytes.
    length: u64,
}

/// Parses a file with results. An incomplete last line is ignored.
pub(crate) fn read_results(path: &Path, text: &str) -> Result<ReadResults, ResultsError> {
    let complete = text.rfind('\n').map_or("", |end| &text[..=end]);
    let fault = |line: usize, why: &dyn std::fmt::Display| ResultsError::Line {
        path: path.to_owned(),
        line: line + 1,
        why: why.to_string(),
    };
    let mut read = ReadResults {
        settings: None,
        games: Vec::new(),
        length: complete.len() as u64,
    };
    let mut numbers = HashSet::new();
    for (n, line) in complete.lines().enumerate() {
        if n == 0 {
            let settings: Settings = serde_json::from_str(line)
                .map_err(|_| fault(n, &"the file does not contain results of kriegspiel arena"))?;
            if settings.results != RESULTS_VERSION {
                return Err(fault(n, &"another version of kriegspiel wrote this file"));
            }
            read.settings = Some(settings);
            continue;
        }
        let line: GameLine = serde_json::from_str(line).map_err(|error| fault(n, &error))?;
        let finished = line.finished().map_err(|why| fault(n, &why))?;
        let number = finished.game.number;
        if !numbers.insert(number) {
            let why = format!("game {} occurs twice in this file", number + 1);
            return Err(fault(n, &why));
        }
        read.games.push(finished);
    }
    read.games.sort_by_key(|finished| finished.game.number);
    Ok(read)
}

/// Output of a run.
#[derive(Debug)]
pub(crate) enum Keeper {
    /// Results of a run that can be continued.
    Results(Results),
    /// One file with the records of all games.
    File(GamesFile),
}

impl Keeper {
    /// Opens `out`. Returns the games that already have a result in `out`.
    pub fn open(
        out: &Path,
        ours: &Settings,
        schedule: &Schedule,
    ) -> Result<(Keeper, Vec<FinishedGame>), ResultsError> {
        if is_games_file(out) {
            let file = GamesFile::create(out, *schedule)?;
            return Ok((Keeper::File(file), Vec::new()));
        }
        let (results, games) = Results::open(out, ours, schedule)?;
        Ok((Keeper::Results(results), games))
    }

    /// Returns whether the records of the games are stored.
    pub fn keeps_records(&self) -> bool {
        match self {
            Keeper::Results(results) => results.records.is_some(),
            Keeper::File(_) => true,
        }
    }

    /// Stores a game.
    pub fn keep(
        &self,
        game: &GameOfRun,
        costs: &ByColor<Cost>,
        record: &[u8],
    ) -> Result<(), ResultsError> {
        match self {
            Keeper::Results(results) => results.keep(game, costs, record),
            Keeper::File(file) => file.keep(game.number, record),
        }
    }

    /// Completes the files after the last game.
    pub fn finish(&self) -> Result<(), ResultsError> {
        match self {
            Keeper::Results(_) => Ok(()),
            Keeper::File(file) => file.finish(),
        }
    }
}

/// The results of a run, open for writing.
#[derive(Debug)]
pub(crate) struct Results {
    path: PathBuf,
    file: Mutex<File>,
    /// Directory for the records of the games; `None` if they are not stored.
    records: Option<PathBuf>,
}

impl Results {
    /// Opens the results of a run at `out`, and returns the games that they already contain.
    /// Creates the results if they do not exist.
    pub fn open(
        out: &Path,
        ours: &Settings,
        schedule: &Schedule,
    ) -> Result<(Results, Vec<FinishedGame>), ResultsError> {
        let is_file = out
            .extension()
            .is_some_and(|ending| ending == RESULTS_ENDING);
        let (path, records) = if is_file {
            (out.to_owned(), None)
        } else {
            let path = out.to_owned();
            fs::create_dir_all(out).map_err(|fault| ResultsError::Directory { path, fault })?;
            (out.join(RESULTS_NAME), Some(out.to_owned()))
        };
        if let Some(directory) = &records
            && !path.exists()
            && has_games(directory)
        {
            let path = directory.clone();
            return Err(ResultsError::OtherGames { path });
        }
        let write = |fault| ResultsError::Write {
            path: path.clone(),
            fault,
        };
        let (mut file, text) = open_locked(&path)?;
        let read = read_results(&path, &text)?;
        match &read.settings {
            Some(theirs) => {
                if let Some((setting, theirs, ours)) = theirs.difference(ours, true) {
                    return Err(ResultsError::OtherRun {
                        path,
                        setting,
                        theirs,
                        ours,
                    });
                }
                file.set_len(read.length).map_err(write)?;
                file.seek(SeekFrom::End(0)).map_err(write)?;
            }
            None if text.is_empty() || may_begin_with(&text, "{\"results\":") => {
                file.set_len(0).map_err(write)?;
                file.rewind().map_err(write)?;
                file.write_all(&line(ours)).map_err(write)?;
            }
            None => {
                let why = "the file does not contain results of kriegspiel arena".to_owned();
                return Err(ResultsError::Line { path, line: 1, why });
            }
        }
        let mut games = read.games;
        games.retain(|finished| schedule.meeting(finished.game.number).is_some());
        let results = Results {
            path,
            file: Mutex::new(file),
            records,
        };
        Ok((results, games))
    }

    /// Stores the result of a game, and its record if records are stored.
    pub fn keep(
        &self,
        game: &GameOfRun,
        costs: &ByColor<Cost>,
        record: &[u8],
    ) -> Result<(), ResultsError> {
        if let Some(directory) = &self.records {
            keep_record(directory, game.number, record)?;
        }
        let line = line(&GameLine::new(game, costs));
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line).map_err(|fault| ResultsError::Write {
            path: self.path.clone(),
            fault,
        })
    }
}

/// Opens a file, locks it against other processes, and returns it with its text. Creates the file if
/// it does not exist.
pub(crate) fn open_locked(path: &Path) -> Result<(File, String), ResultsError> {
    let path = path.to_owned();
    let opened = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&path);
    let mut file = match opened {
        Ok(file) => file,
        Err(fault) => return Err(ResultsError::Write { path, fault }),
    };
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(ResultsError::InUse { path }),
        Err(TryLockError::Error(fault)) => return Err(ResultsError::Write { path, fault }),
    }
    let mut text = String::new();
    match file.read_to_string(&mut text) {
        Ok(_) => Ok((file, text)),
        Err(fault) => Err(ResultsError::Read { path, fault }),
    }
}

/// Returns whether a text begins with `start`, or is an incomplete `start`.
pub(crate) fn may_begin_with(text: &str, start: &str) -> bool {
    start.starts_with(text.get(..start.len()).unwrap_or(text))
}

/// Returns a line of a file with results.
pub(crate) fn line(value: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(value).expect("the keys of a JSON line are strings");
    line.push(b'\n');
    line
}

/// Returns whether a directory has files with games.
fn has_games(directory: &Path) -> bool {
    let Ok(entries) = fs::read_dir(directory) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        is_file && name.starts_with("game-") && name.ends_with(".jsonl")
    })
}

/// Writes the record of a game to a file. The file gets its final name when it is complete,
/// so a file with this name is never incomplete.
fn keep_record(directory: &Path, number: u64, text: &[u8]) -> Result<(), ResultsError> {
    let path = directory.join(file_name(number));
    let part = path.with_extension("part");
    fs::write(&part, text)
        .and_then(|()| fs::rename(&part, &path))
        .map_err(|fault| {
            let _never_made = fs::remove_file(&part);
            ResultsError::Write { path, fault }
        })
}
