//! File with the scores of the games of a tuning. With this file, a tuning can be continued after
//! it was interrupted.
//!
//! The first line contains the settings. Each further line contains the score of one game. The
//! line of a game is written with one write call. So only the last line can be incomplete.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};

use crate::results::{ResultsError, difference, line, may_begin_with, open_locked};

/// Version of the format.
pub(super) const TUNING_VERSION: u32 = 1;

/// Reason why a line cannot be read: the file is of another kind.
const OTHER_FILE: &str =
    "the file does not contain scores of kriegspiel arena tune; choose another --out";

/// Settings of a tuning, as in the first line of the scores.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TuningSettings {
    /// Version of the format.
    pub tuning: u32,
    /// The opening event, with ruleset, choices and start position.
    pub start: String,
    /// Text that identifies the weights at the start; see
    /// [`fingerprint`](crate::contestant::fingerprint).
    pub weights: String,
    /// Names of the tuned weights.
    pub names: Vec<String>,
    /// Player against whom both sets of weights play; `None` if the two sets play each other.
    pub against: Option<String>,
    pub games: u64,
    pub seed: u64,
    pub random_moves: u32,
    pub budget: String,
    pub step: f64,
    pub rate: f64,
    pub max_plies: u32,
}

/// Score of one game, as in a line of the file.
#[derive(Copy, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScoreLine {
    /// Number of the game, from 1.
    game: u64,
    /// What the game adds to the result of its pair, from -0.5 to 0.5.
    score: f64,
}

/// The scores of a tuning, open for writing.
#[derive(Debug)]
pub(super) struct TuningLog {
    path: PathBuf,
    file: Mutex<File>,
}

/// Returns the name of the file with the scores.
pub(super) fn log_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".games");
    PathBuf::from(name)
}

impl TuningLog {
    /// Opens the scores beside `out`, and returns the scores that the file already contains.
    /// Creates the file if it does not exist.
    pub fn open(
        out: &Path,
        ours: &TuningSettings,
    ) -> Result<(TuningLog, BTreeMap<u64, f64>), ResultsError> {
        let path = log_path(out);
        if out.exists() && !path.exists() {
            let path = out.to_owned();
            return Err(ResultsError::WeightsExist { path });
        }
        let write = |fault| ResultsError::Write {
            path: path.clone(),
            fault,
        };
        let wrong = |line: usize, why: &str| ResultsError::Line {
            path: path.clone(),
            line,
            why: why.to_owned(),
        };
        let (mut file, text) = open_locked(&path)?;
        let complete = text.rfind('\n').map_or("", |end| &text[..=end]);
        let mut scores = BTreeMap::new();
        for (n, line) in (1..).zip(complete.lines()) {
            if n == 1 {
                let theirs: TuningSettings =
                    serde_json::from_str(line).map_err(|_| wrong(n, OTHER_FILE))?;
                if let Some((setting, theirs, ours)) = difference(&theirs, ours, "") {
                    return Err(ResultsError::OtherRun {
                        path,
                        setting,
                        theirs,
                        ours,
                    });
                }
                continue;
            }
            let line: ScoreLine =
                serde_json::from_str(line).map_err(|fault| wrong(n, &fault.to_string()))?;
            let number = line.game.checked_sub(1).filter(|game| *game < ours.games);
            let number = number.ok_or_else(|| wrong(n, "there is no game with this number"))?;
            if !(-0.5..=0.5).contains(&line.score) {
                return Err(wrong(n, "a score must be a number from -0.5 to 0.5"));
            }
            if scores.insert(number, line.score).is_some() {
                return Err(wrong(n, "this game has a score already; remove the line"));
            }
        }
        // The first line may be incomplete. If it is complete, it was checked above.
        if complete.is_empty() && !may_begin_with(&text, "{\"tuning\":") {
            return Err(wrong(1, OTHER_FILE));
        }
        file.set_len(complete.len() as u64).map_err(write)?;
        file.seek(SeekFrom::End(0)).map_err(write)?;
        if complete.is_empty() {
            file.write_all(&line(ours)).map_err(write)?;
        }
        let file = Mutex::new(file);
        Ok((TuningLog { path, file }, scores))
    }

    /// Stores the score of a game.
    pub fn keep(&self, game: u64, score: f64) -> Result<(), ResultsError> {
        let line = line(&ScoreLine {
            game: game + 1,
            score,
        });
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.write_all(&line).map_err(|fault| ResultsError::Write {
            path: self.path.clone(),
            fault,
        })
    }

    /// Writes the weights at the end of the tuning.
    pub fn finish(&self, out: &Path, weights: &str) -> Result<(), ResultsError> {
        fs::write(out, weights).map_err(|fault| ResultsError::Write {
            path: out.to_owned(),
            fault,
        })
    }
}
