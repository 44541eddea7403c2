//! State of one end of a game (host or guest), in small JSON files. Each change replaces the whole
//! file.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use wire::Side;

use super::coin::{Bytes32, CoinShare};

/// A file that contains one JSON value. Each change replaces the whole file.
#[derive(Debug)]
pub struct StateFile<T> {
    path: PathBuf,
    value: T,
}

impl<T: Serialize + DeserializeOwned + Default> StateFile<T> {
    /// Opens a file. If the file does not exist, the value is the default.
    ///
    /// # Errors
    /// The file cannot be read or parsed.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<StateFile<T>> {
        let path = path.into();
        let value = match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                let file = path.display();
                let why = format!("{file} cannot be read ({error}): start a new game with --new");
                io::Error::new(io::ErrorKind::InvalidData, why)
            })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => T::default(),
            Err(error) => return Err(error),
        };
        Ok(StateFile { path, value })
    }

    /// Returns the value.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// Changes the value. When this returns, the new value is on disk.
    ///
    /// # Errors
    /// The file cannot be written. In this case the value in memory is unchanged.
    pub fn change(&mut self, change: impl FnOnce(&mut T)) -> io::Result<()>
    where
        T: Clone,
    {
        let mut value = self.value.clone();
        change(&mut value);
        write_whole(&self.path, &serde_json::to_vec(&value)?)?;
        self.value = value;
        Ok(())
    }
}

/// Writes a file that only its owner can read. If the process crashes during the write, the file
/// has either its complete old content or its complete new content.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let written = path.with_extension("new");
    let mut file = private().create(true).truncate(true).open(&written)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(&written, path)?;
    sync_folder(path)
}

/// Syncs the folder of a file that was created or renamed, so that the name of the file is on the
/// disk.
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

/// Returns options to write a file that only its owner can read.
pub(super) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// State that the host's end keeps in addition to the file of its club.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostState {
    /// Key of the game.
    pub key: Option<String>,
    /// This end's share in the coin toss for the next game.
    pub lot: Option<CoinShare>,
    /// Hash by which the guest has committed to its share for the next game.
    pub bound: Option<Bytes32>,
    /// The share that the guest has revealed.
    pub shown: Option<CoinShare>,
    /// The game, until the programs of both players know that the game is over.
    pub game: Option<AgreedGame>,
    /// Whether the guest's program knows that the game is over.
    #[serde(default)]
    pub ended: bool,
}

/// State that the guest's end keeps.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuestState {
    /// Key of the game.
    pub key: Option<String>,
    /// This end's share in the coin toss for the next game.
    pub lot: Option<CoinShare>,
    /// Hash by which the host has committed to its share for the next game.
    pub bound: Option<Bytes32>,
    /// Whether this end has revealed its share. A revealed share must not
    /// change.
    pub shown: bool,
    /// The share that the host has revealed.
    #[serde(rename = "his")]
    pub hosts: Option<CoinShare>,
    /// The game, until the guest's program knows that the game is over.
    pub game: Option<AgreedGame>,
}

/// A game that both ends have agreed on.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgreedGame {
    /// Id of the game.
    pub game: String,
    /// In a state file, the seat of this program's player. In a message, the seat of the receiving
    /// player.
    pub seat: Side,
    /// Id of the ruleset.
    pub rules: String,
    /// What the coin decided, in words; empty if it decided nothing.
    pub tossed: String,
}
