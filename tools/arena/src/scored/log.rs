//! File with the scores of games. With this file, a task can be continued after it was interrupted.
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

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::results::{ResultsError, difference, line, may_begin_with, open_locked};

/// Settings of a task, as in the first line of the scores.
pub(crate) trait ScoreSettings: Serialize + DeserializeOwned {
    /// Name of the task: `kriegspiel arena TASK`.
    const TASK: &'static str;
    /// Name of the first setting. It tells apart the files of different tasks. Its value is the
    /// version of the format.
    const FIRST: &'static str;

    /// Returns the name of the first setting that differs, with its two values.
    fn difference(&self, ours: &Self) -> Option<(String, String, String)> {
        difference(self, ours, "")
    }
}

/// Settings that all tasks have.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct GameSettings {
    /// The opening event, with ruleset, choices and start position.
    pub start: String,
    /// Text that identifies the weights at the start; see
    /// [`fingerprint`](crate::contestant::fingerprint).
    pub weights: String,
    /// Opponent of `master`; `None` if `master` plays against itself.
    pub against: Option<String>,
    pub seed: u64,
    pub random_moves: u32,
    pub budget: String,
    pub max_plies: u32,
}

/// Score of one game, as in a line of the file.
#[derive(Copy, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScoreLine {
    /// Number of the game, from 1.
    game: u64,
    /// Score of one of the two players, minus 0.5.
    score: f64,
}

/// The scores of games, open for writing.
#[derive(Debug)]
pub(crate) struct ScoreLog {
    path: PathBuf,
    file: Mutex<File>,
}

/// Returns the name of the file with the scores.
fn log_path(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".games");
    PathBuf::from(name)
}

impl ScoreLog {
    /// Opens the scores beside `out`, and returns the scores of the first `count` games that the
    /// file already contains. Creates the file if it does not exist.
    pub fn open<S: ScoreSettings>(
        out: &Path,
        ours: &S,
        count: u64,
    ) -> Result<(ScoreLog, BTreeMap<u64, f64>), ResultsError> {
        let path = log_path(out);
        if out.exists() && !path.exists() {
            let path = out.to_owned();
            return Err(ResultsError::OutExists { path });
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
        let other_file = || {
            let task = S::TASK;
            let why = format!(
                "the file does not contain scores of kriegspiel arena {task}; choose another --out"
            );
            wrong(1, &why)
        };
        let (mut file, text) = open_locked(&path)?;
        let complete = text.rfind('\n').map_or("", |end| &text[..=end]);
        let mut scores = BTreeMap::new();
        for (n, line) in (1..).zip(complete.lines()) {
            if n == 1 {
                let theirs: S = serde_json::from_str(line).map_err(|_| other_file())?;
                if let Some((setting, theirs, ours)) = theirs.difference(ours) {
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
            let number = line.game.checked_sub(1);
            let number = number.ok_or_else(|| wrong(n, "there is no game with this number"))?;
            if !(-0.5..=0.5).contains(&line.score) {
                return Err(wrong(n, "a score must be a number from -0.5 to 0.5"));
            }
            if scores.insert(number, line.score).is_some() {
                return Err(wrong(n, "this game has a score already; remove the line"));
            }
        }
        // The first line may be incomplete. If it is complete, it was checked above.
        if complete.is_empty() && !may_begin_with(&text, &format!("{{\"{}\":", S::FIRST)) {
            return Err(other_file());
        }
        file.set_len(complete.len() as u64).map_err(write)?;
        file.seek(SeekFrom::End(0)).map_err(write)?;
        if complete.is_empty() {
            file.write_all(&line(ours)).map_err(write)?;
        }
        scores.retain(|game, _| *game < count);
        let file = Mutex::new(file);
        Ok((ScoreLog { path, file }, scores))
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
}

/// Writes the result of a task to `out`.
pub(crate) fn write_out(out: &Path, text: &str) -> Result<(), ResultsError> {
    fs::write(out, text).map_err(|fault| ResultsError::Write {
        path: out.to_owned(),
        fault,
    })
}
