//! Merges the results of several parts of a run.

use std::{collections::BTreeMap, fs, path::PathBuf, time::Duration};

use referee::Event;

use crate::{
    cost::Cost,
    results::{FinishedGame, RESULTS_NAME, ResultsError, Settings, read_results},
    run::{Outcome, spend},
    schedule::{Schedule, Shard},
    sprt::{Sprt, SprtTracker},
};

/// The merged results of several parts of a run.
#[derive(Debug)]
pub struct Merged {
    /// The games and the costs of the players. The elapsed time is zero.
    pub outcome: Outcome,
    /// Names of the players.
    pub names: Vec<String>,
    /// Id of the ruleset.
    pub rules: String,
    /// Seed of the run.
    pub seed: u64,
    /// Number of plies after which a game was stopped.
    pub max_plies: u32,
}

/// Error in a merge.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// Results cannot be read.
    #[error(transparent)]
    Results(#[from] ResultsError),
    /// Two results belong to different runs.
    #[error(
        "{} and {} are of different runs: `{setting}` is {values}",
        .first.display(), .second.display()
    )]
    DifferentRuns {
        /// The first file.
        first: PathBuf,
        /// The second file.
        second: PathBuf,
        /// The first setting that differs.
        setting: String,
        /// The two values of the setting.
        values: String,
    },
    /// A game occurs in two files.
    #[error(
        "game {game} is in {} and in {}; give each part of the run once",
        .first.display(), .second.display()
    )]
    Twice {
        /// Number of the game, from 1.
        game: u64,
        /// The first file.
        first: PathBuf,
        /// The second file.
        second: PathBuf,
    },
    /// A file has no results.
    #[error("{} has no results of kriegspiel arena", .path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

/// Merges results. Each path is a file, or a directory that was given as `--out`.
///
/// # Errors
/// A file cannot be read, the files belong to different runs, or a game occurs twice.
pub fn merge(paths: &[PathBuf], sprt: Option<Sprt>) -> Result<Merged, MergeError> {
    let mut known: Option<(PathBuf, Settings)> = None;
    let mut games: BTreeMap<u64, (usize, FinishedGame)> = BTreeMap::new();
    let mut files = Vec::new();
    for path in paths {
        let path = if path.is_dir() {
            path.join(RESULTS_NAME)
        } else {
            path.clone()
        };
        let error = |fault| ResultsError::Read {
            path: path.clone(),
            fault,
        };
        // A path that is not a file is refused: it can be a device, and reading a device may never
        // end.
        if !fs::metadata(&path).map_err(error)?.is_file() {
            return Err(MergeError::Empty { path });
        }
        let text = fs::read_to_string(&path).map_err(error)?;
        let read = read_results(&path, &text)?;
        let Some(settings) = read.settings else {
            return Err(MergeError::Empty { path });
        };
        match &known {
            None => known = Some((path.clone(), settings)),
            Some((first, ours)) => {
                if let Some((setting, ours, theirs)) = ours.difference(&settings, false) {
                    return Err(MergeError::DifferentRuns {
                        first: first.clone(),
                        second: path,
                        setting,
                        values: format!("{ours} and {theirs}"),
                    });
                }
            }
        }
        files.push(path);
        let file = files.len() - 1;
        for finished in read.games {
            let number = finished.game.number;
            if let Some((other, _)) = games.insert(number, (file, finished)) {
                return Err(MergeError::Twice {
                    game: number + 1,
                    first: files[other].clone(),
                    second: files[file].clone(),
                });
            }
        }
    }
    let Some((path, settings)) = known else {
        let path = PathBuf::new();
        return Err(MergeError::Empty { path });
    };
    let fault = |why: String| {
        let path = path.clone();
        ResultsError::Line { path, line: 1, why }
    };
    let rules = match settings.start.parse() {
        Ok(Event::Opened(opened)) => opened.rules.to_string(),
        Ok(_) => return Err(fault("`start` is not the opening event of a game".to_owned()).into()),
        Err(error) => return Err(fault(format!("{error}")).into()),
    };
    if settings.players.len() < 2 {
        return Err(fault("a run has at least two players".to_owned()).into());
    }
    // The number of games is not a setting: all games of the files are used.
    let last = games.keys().next_back().copied().unwrap_or(0);
    let mut schedule = Schedule {
        players: settings.players.len(),
        swap: settings.swap,
        games: 0,
        shard: Shard::WHOLE,
    };
    schedule.games = 2 * (last / 2 / schedule.pairings() as u64 + 1);

    let mut outcome = Outcome {
        schedule,
        games: Vec::with_capacity(games.len()),
        costs: vec![Cost::default(); schedule.players],
        resumed: games.len() as u64,
        new_attempts: 0,
        sprt: sprt.map(|sprt| SprtTracker::new(sprt, schedule)),
        time: Duration::ZERO,
        processor_time: Duration::ZERO,
        fault: None,
    };
    for (_, (_, FinishedGame { game, costs })) in games {
        if let Some(tracker) = &mut outcome.sprt {
            tracker.add(&game);
        }
        spend(&mut outcome.costs, &schedule, &game, &costs);
        outcome.games.push(game);
    }
    Ok(Merged {
        outcome,
        names: settings.players,
        rules,
        seed: settings.seed,
        max_plies: settings.max_plies,
    })
}
