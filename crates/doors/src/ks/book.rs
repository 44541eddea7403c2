//! What an end must not forget: small files, whole or as they were.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use wire::{HearingJson, Side};

use super::coin::{Bytes32, Lot};

/// A file of one JSON value, replaced as a whole.
#[derive(Debug)]
pub struct Book<T> {
    path: PathBuf,
    /// What it says.
    page: T,
}

impl<T: Serialize + DeserializeOwned + Default> Book<T> {
    /// Opens a book; one that is not there says the default.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Book<T>> {
        let path = path.into();
        let page = match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                let file = path.display();
                let why = format!("{file} cannot be read ({error}): --new sets the game aside");
                io::Error::new(io::ErrorKind::InvalidData, why)
            })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => T::default(),
            Err(error) => return Err(error),
        };
        Ok(Book { path, page })
    }

    /// What it says.
    pub fn page(&self) -> &T {
        &self.page
    }

    /// Changes it: when this returns, the disk has it.
    ///
    /// # Errors
    /// If it cannot be written; then it says what it said before.
    pub fn change(&mut self, change: impl FnOnce(&mut T)) -> io::Result<()>
    where
        T: Clone,
    {
        let mut page = self.page.clone();
        change(&mut page);
        write_whole(&self.path, &serde_json::to_vec(&page)?)?;
        self.page = page;
        Ok(())
    }
}

/// Writes a file for its owner's eyes: it is there as a whole, or as it was.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let written = path.with_extension("new");
    let mut file = private().create(true).truncate(true).open(&written)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&written, path)?;
    if let Some(folder) = path.parent() {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// A file for its owner's eyes only.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// What the host's end keeps beside the club's file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostPage {
    /// The game's key.
    pub key: Option<String>,
    /// What it has laid down for the game that is to begin.
    pub lot: Option<Lot>,
    /// To what the guest has bound himself for it.
    pub bound: Option<Bytes32>,
    /// What the guest has shown.
    pub shown: Option<Lot>,
    /// The game, until both have heard its end.
    pub game: Option<GamePage>,
    /// Whether the guest has heard it.
    #[serde(default)]
    pub ended: bool,
}

/// What the guest's end keeps.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuestPage {
    /// The game's key.
    pub key: Option<String>,
    /// What it has laid down for the game that is to begin.
    pub lot: Option<Lot>,
    /// To what the host has bound itself for it.
    pub bound: Option<Bytes32>,
    /// Whether this end has shown its lot: then it keeps to all of it.
    pub shown: bool,
    /// What the host has shown.
    pub his: Option<Lot>,
    /// The game, until its end is heard.
    pub game: Option<GamePage>,
}

/// A game.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GamePage {
    /// Its name.
    pub game: String,
    /// The seat of whoever keeps this.
    pub seat: Side,
    /// Its ruleset.
    pub rules: String,
    /// What the coin has decided, in words; nothing if nothing.
    pub tossed: String,
}

/// A line of a journal.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Entry {
    /// Something was heard.
    Heard(HearingJson),
    /// Something was asked: it stands here before it is sent.
    Asked {
        /// Its id.
        id: String,
        /// The number of the last thing heard before.
        after: u32,
        /// What.
        text: String,
    },
    /// That was answered.
    Answered(String),
}

/// What a player heard and asked in one game, line by line; each line is on
/// the disk before anything follows from it.
#[derive(Debug)]
pub struct Journal(File);

impl Journal {
    /// Opens a journal, with all that stands in it. A last line that was not
    /// written to its end is taken off.
    ///
    /// # Errors
    /// If it cannot be read, or a line before the last is none of ours.
    pub fn open(path: &Path) -> io::Result<(Journal, Vec<Entry>)> {
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
        // From here on it grows at its end, wherever that is.
        let mut options = private();
        options.append(true);
        Ok((Journal(options.open(path)?), entries))
    }

    /// Writes a line: when this returns, the disk has it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, entry: &Entry) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        self.0.write_all(&line)?;
        self.0.sync_data()
    }
}
