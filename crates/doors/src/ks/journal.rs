//! The journal of one player in one game.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use serde::{Deserialize, Serialize};
use wire::HearingJson;

use super::state_file::private;

/// A request to the referee, with its own id: sent again, it is not judged
/// again.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JournalRequest {
    /// The request's id.
    pub id: String,
    /// The number of the last thing heard before it.
    pub after: u32,
    /// The attempt, in coordinates or as a word.
    pub text: String,
}

/// One line of a journal.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JournalEntry {
    /// Something was heard.
    Heard(HearingJson),
    /// Something is asked: it stands here before it is sent.
    Asked(JournalRequest),
    /// The request of this id was answered.
    Answered(String),
}

/// Log of a player's hearings and requests in one game, an entry a line; each is on the
/// disk before anything follows from it.
#[derive(Debug)]
pub struct Journal(File);

impl Journal {
    /// Opens a journal and reads its entries. A last line that was not written
    /// to its end is removed.
    ///
    /// # Errors
    /// The file cannot be read, or a line before the last is no entry.
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
        let mut options = private();
        options.append(true);
        Ok((Journal(options.open(path)?), entries))
    }

    /// Appends an entry: when this returns, the disk has it.
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
