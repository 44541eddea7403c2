//! The journal of one player in one game.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use serde::{Deserialize, Serialize};
use wire::HearingJson;

use super::state_file::{private, sync_folder};

/// A request to the referee, with its own id. A request that is sent again has
/// the same id, so the referee judges it only once.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JournalRequest {
    /// Id of the request.
    pub id: String,
    /// Number of the last hearing before the request.
    pub after: u32,
    /// The attempt, in coordinates or as a word.
    pub text: String,
}

/// One line of a journal.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JournalEntry {
    /// The player heard something.
    Heard(HearingJson),
    /// The player requests something. This entry is written before the request
    /// is sent.
    Asked(JournalRequest),
    /// The request with this id was answered.
    Answered(String),
}

/// Log of a player's hearings and requests in one game, one entry per line.
/// Each entry is on disk before the program acts on it.
#[derive(Debug)]
pub struct Journal(File);

impl Journal {
    /// Opens a journal and reads its entries. An incomplete last line is
    /// removed.
    ///
    /// # Errors
    /// The file cannot be read or written, or a complete line is not an entry.
    pub fn open(path: &Path) -> io::Result<(Journal, Vec<JournalEntry>)> {
        let mut text = Vec::new();
        let mut file = private()
            .read(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        file.read_to_end(&mut text)?;
        let whole = text
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |at| at + 1);
        let mut entries = Vec::new();
        for line in text[..whole].split_inclusive(|b| *b == b'\n') {
            entries.push(serde_json::from_slice(line)?);
        }
        file.set_len(whole as u64)?;
        if entries.is_empty() {
            // The journal may be new. Then the name of its file must be on the disk, too.
            file.sync_all()?;
            sync_folder(path)?;
        }
        let mut options = private();
        options.append(true);
        Ok((Journal(options.open(path)?), entries))
    }

    /// Appends an entry. When this returns, the entry is on disk.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self, entry: &JournalEntry) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        self.0.write_all(&line)?;
        self.0.sync_data()
    }
}
