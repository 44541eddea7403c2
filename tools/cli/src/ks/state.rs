//! State of one end (the program of one player) that survives a crash.

use std::{
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, bail};
use doors::ks::{GuestState, HostState, StateFile};

use super::super::{kept, usage};

/// State file for games in which this end is the host.
const HOST: &str = "host.json";
/// State file for games in which this end is the guest.
const GUEST: &str = "guest.json";

/// Returns the folder that contains all games of `ks`.
pub(super) fn folder(given: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    if let Some(folder) = given {
        return Ok(folder);
    }
    let base = kept::base()
        .ok_or_else(|| usage("there is no home folder for the game: give a folder with --state"))?;
    Ok(base.join("ks"))
}

/// Stored state of the games between two people, at one end.
#[derive(Debug)]
pub(super) struct State {
    /// Folder of these two people.
    pub(super) folder: PathBuf,
    /// State of games in which this end is the host.
    pub(super) host: StateFile<HostState>,
    /// State of games in which this end is the guest.
    pub(super) guest: StateFile<GuestState>,
    /// Lock on the folder against other processes. The lock is released when this value is dropped.
    _lock: File,
}

impl State {
    /// Opens the folder of two people. If `new` is true, renames the folder of the last game, and
    /// uses the key of the last game for the new game.
    pub(super) fn open(base: &Path, [me, opponent]: [&str; 2], new: bool) -> anyhow::Result<State> {
        let mine = base.join(me);
        make(&mine)?;
        let lock = File::create(mine.join(format!("-{opponent}.lock")))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!(
                "another `kriegspiel ks` of {me} with {opponent} is running: continue there, or end that process"
            ),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let folder = mine.join(opponent);
        let key = if new { set_aside(&folder)? } else { None };
        make(&folder)?;
        let mut state = State {
            host: StateFile::open(folder.join(HOST))?,
            guest: StateFile::open(folder.join(GUEST))?,
            folder,
            _lock: lock,
        };
        if key.is_some() {
            state.keep_key(key)?;
        }
        Ok(state)
    }

    /// Returns the path of the club's file, which only the host uses.
    pub(super) fn file(&self) -> PathBuf {
        self.folder.join("game.db")
    }

    /// Returns `Some(true)` if this end has begun a game as the host, `Some(false)`
    /// if it has begun a game as the guest.
    pub(super) fn is_host(&self) -> Option<bool> {
        let (host, guest) = (self.host.value(), self.guest.value());
        if host.game.is_some() || host.bound.is_some() {
            Some(true)
        } else if guest.game.is_some() || guest.bound.is_some() {
            Some(false)
        } else {
            None
        }
    }

    /// Returns the key of the last game.
    pub(super) fn key(&self) -> Option<&str> {
        let host = self.host.value().key.as_deref();
        host.or(self.guest.value().key.as_deref())
    }

    /// Stores a key, or deletes the stored key if `key` is `None`.
    pub(super) fn keep_key(&mut self, key: Option<String>) -> anyhow::Result<()> {
        self.host.change(|state| state.key.clone_from(&key))?;
        self.guest.change(|state| state.key = key)?;
        Ok(())
    }
}

/// Deletes the stored key, because it did not match the other end's key.
pub(super) fn forget_key(folder: &Path) -> anyhow::Result<()> {
    let mut host: StateFile<HostState> = StateFile::open(folder.join(HOST))?;
    let mut guest: StateFile<GuestState> = StateFile::open(folder.join(GUEST))?;
    host.change(|state| state.key = None)?;
    guest.change(|state| state.key = None)?;
    Ok(())
}

fn make(folder: &Path) -> anyhow::Result<()> {
    kept::make(folder).with_context(|| format!("the folder {}", folder.display()))
}

/// Renames the folder of a game. Returns the key that was stored in it.
fn set_aside(folder: &Path) -> anyhow::Result<Option<String>> {
    if !folder.exists() {
        return Ok(None);
    }
    // A folder with unreadable files is renamed too; its key is lost.
    let host = StateFile::<HostState>::open(folder.join(HOST));
    let guest = StateFile::<GuestState>::open(folder.join(GUEST));
    let key = host.ok().and_then(|file| file.value().key.clone());
    let key = key.or_else(|| guest.ok().and_then(|file| file.value().key.clone()));
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
    // The name of a player cannot begin with `-`, so the new name is not the folder of another
    // player.
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let aside = folder.with_file_name(format!("-{name}-{now}"));
    fs::rename(folder, &aside)?;
    Ok(key)
}
