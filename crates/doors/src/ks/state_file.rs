//! State of an end: small JSON files, each replaced as a whole.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use wire::Side;

use super::coin::{Bytes32, CoinShare};

/// A file of one JSON value, replaced as a whole.
#[derive(Debug)]
pub struct StateFile<T> {
    path: PathBuf,
    value: T,
}

impl<T: Serialize + DeserializeOwned + Default> StateFile<T> {
    /// Opens a file; one that does not exist holds the default.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<StateFile<T>> {
        let path = path.into();
        let value = match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                let file = path.display();
                let why = format!("{file} cannot be read ({error}): --new sets the game aside");
                io::Error::new(io::ErrorKind::InvalidData, why)
            })?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => T::default(),
            Err(error) => return Err(error),
        };
        Ok(StateFile { path, value })
    }

    /// The value.
    pub fn value(&self) -> &T {
        &self.value
    }

    /// Changes the value: when this returns, the disk has it.
    ///
    /// # Errors
    /// The file cannot be written; then the value is as it was.
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

/// Writes a file that only its owner may read: afterwards it is there as a
/// whole, or as it was before.
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

/// Options to open a file that only its owner may read.
pub(super) fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// State that the host's end keeps besides the club's file.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostState {
    /// The game's key.
    pub key: Option<String>,
    /// This end's share for the game that is to begin.
    pub lot: Option<CoinShare>,
    /// The guest's commitment for that game.
    pub bound: Option<Bytes32>,
    /// The share that the guest has revealed.
    pub shown: Option<CoinShare>,
    /// The game, until both ends have its end.
    pub game: Option<AgreedGame>,
    /// Whether the guest has the end of the game.
    #[serde(default)]
    pub ended: bool,
}

/// State that the guest's end keeps.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GuestState {
    /// The game's key.
    pub key: Option<String>,
    /// This end's share for the game that is to begin.
    pub lot: Option<CoinShare>,
    /// The host's commitment for that game.
    pub bound: Option<Bytes32>,
    /// Whether this end has revealed its share. From then on the share is fixed.
    pub shown: bool,
    /// The share that the host has revealed.
    #[serde(rename = "his")]
    pub hosts: Option<CoinShare>,
    /// The game, until this end has its end.
    pub game: Option<AgreedGame>,
}

/// A game that both ends have agreed on.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgreedGame {
    /// The game's id.
    pub game: String,
    /// The seat of the end that keeps or reads this.
    pub seat: Side,
    /// The ruleset's id.
    pub rules: String,
    /// Decisions of the coin in words; empty if there are none.
    pub tossed: String,
}
