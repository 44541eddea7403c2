//! One file with the records of all games of a run.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use zstd::stream::write::Encoder;

use crate::{results::ResultsError, schedule::Schedule};

/// Ending of the name of a file with the records of all games.
const ENDING: &str = ".jsonl";

/// Ending of the name of such a file if it is compressed by Zstandard.
const COMPRESSED_ENDING: &str = ".jsonl.zst";

/// Compression level. Level 3 is the default of Zstandard.
const LEVEL: i32 = 3;

/// Whether `out` names one file for the records of all games.
pub(crate) fn is_games_file(out: &Path) -> bool {
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    let longer = |ending: &str| name.len() > ending.len() && name.ends_with(ending);
    longer(ENDING) || longer(COMPRESSED_ENDING)
}

/// One file with the records of all games of a run, open for writing. The games are ordered by
/// their numbers, not by the time of their end.
#[derive(Debug)]
pub(crate) struct GamesFile {
    path: PathBuf,
    schedule: Schedule,
    queue: Mutex<Queue>,
}

struct Queue {
    output: Output,
    /// Number of the next game to write.
    next: u64,
    /// Records of finished games that wait because a game with a smaller number has not ended.
    waiting: BTreeMap<u64, Vec<u8>>,
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue")
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}

enum Output {
    Plain(File),
    Compressed(Box<Encoder<'static, File>>),
    Finished,
}

impl Output {
    fn write_all(&mut self, record: &[u8]) -> io::Result<()> {
        match self {
            Output::Plain(file) => file.write_all(record),
            Output::Compressed(encoder) => encoder.write_all(record),
            Output::Finished => Err(io::Error::other("the file is finished")),
        }
    }
}

impl GamesFile {
    /// Creates the file. A file that exists is never overwritten.
    pub fn create(path: &Path, schedule: Schedule) -> Result<GamesFile, ResultsError> {
        let write = |fault| ResultsError::Write {
            path: path.to_owned(),
            fault,
        };
        let file = File::create_new(path).map_err(|fault| {
            if fault.kind() == io::ErrorKind::AlreadyExists {
                let path = path.to_owned();
                ResultsError::FileExists { path }
            } else {
                write(fault)
            }
        })?;
        let compressed = path.to_string_lossy().ends_with(COMPRESSED_ENDING);
        let output = if compressed {
            Output::Compressed(Box::new(Encoder::new(file, LEVEL).map_err(write)?))
        } else {
            Output::Plain(file)
        };
        let queue = Mutex::new(Queue {
            output,
            next: 0,
            waiting: BTreeMap::new(),
        });
        Ok(GamesFile {
            path: path.to_owned(),
            schedule,
            queue,
        })
    }

    /// Adds the record of a game to the waiting records. Then writes the waiting records in the
    /// order of the games, up to the first game whose record is still missing.
    pub fn keep(&self, number: u64, record: &[u8]) -> Result<(), ResultsError> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let queue = &mut *queue;
        queue.waiting.insert(number, record.to_owned());
        loop {
            if let Some(record) = queue.waiting.remove(&queue.next) {
                queue
                    .output
                    .write_all(&record)
                    .map_err(|fault| self.write_error(fault))?;
            } else if queue.waiting.is_empty() || self.schedule.meeting(queue.next).is_some() {
                return Ok(());
            }
            queue.next += 1;
        }
    }

    /// Writes the records that wait for an earlier game, and completes the file. Called when the
    /// run will play no more games.
    pub fn finish(&self) -> Result<(), ResultsError> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = std::mem::take(&mut queue.waiting);
        for record in waiting.values() {
            queue
                .output
                .write_all(record)
                .map_err(|fault| self.write_error(fault))?;
        }
        let finished = match std::mem::replace(&mut queue.output, Output::Finished) {
            Output::Plain(file) => file.sync_all(),
            Output::Compressed(encoder) => encoder.finish().and_then(|file| file.sync_all()),
            Output::Finished => Ok(()),
        };
        finished.map_err(|fault| self.write_error(fault))
    }

    fn write_error(&self, fault: io::Error) -> ResultsError {
        ResultsError::Write {
            path: self.path.clone(),
            fault,
        }
    }
}
