//! State of one end that survives a crash.

use std::{
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use anyhow::{Context, bail};
use doors::ks::{GuestState, HostState, StateFile};

use super::super::{kept, usage};

/// File of the games whose host this end is.
const HOST: &str = "host.json";
/// File of the games in which it is the guest.
const GUEST: &str = "guest.json";

/// The folder of all games of `ks`.
pub(super) fn folder(given: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    if let Some(folder) = given {
        return Ok(folder);
    }
    let base = kept::base().ok_or_else(|| {
        usage("there is no home folder to keep the game in: say one with --state")
    })?;
    Ok(base.join("ks"))
}

/// Stored state of the games of two people, at one end.
#[derive(Debug)]
pub(super) struct State {
    /// The folder.
    pub(super) folder: PathBuf,
    /// State of games whose host this end is.
    pub(super) host: StateFile<HostState>,
    /// State of games in which it is the guest.
    pub(super) guest: StateFile<GuestState>,
    /// As long as this lives no other process has the folder.
    _lock: File,
}

impl State {
    /// Opens the folder of two people. `new`: a game that is not over is set
    /// aside; its key is kept.
    pub(super) fn open(base: &Path, [me, opponent]: [&str; 2], new: bool) -> anyhow::Result<State> {
        let mine = base.join(me);
        make(&mine)?;
        let lock = File::create(mine.join(format!("-{opponent}.lock")))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!(
                "another `kriegspiel ks` of {me} with {opponent} is running: go on there, or end it"
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

    /// The club's file, at the host's end.
    pub(super) fn file(&self) -> PathBuf {
        self.folder.join("game.db")
    }

    /// Whether this end has begun as the host (true) or as the guest.
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

    /// The key of the last game.
    pub(super) fn key(&self) -> Option<&str> {
        let host = self.host.value().key.as_deref();
        host.or(self.guest.value().key.as_deref())
    }

    /// Keeps a key, or forgets it.
    pub(super) fn keep_key(&mut self, key: Option<String>) -> anyhow::Result<()> {
        self.host.change(|state| state.key.clone_from(&key))?;
        self.guest.change(|state| state.key = key)?;
        Ok(())
    }
}

/// Forgets a key that does not fit.
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

/// Renames a folder; the key that stood in it.
fn set_aside(folder: &Path) -> anyhow::Result<Option<String>> {
    if !folder.exists() {
        return Ok(None);
    }
    // What cannot be read is set aside all the same, and its key is forgotten.
    let host = StateFile::<HostState>::open(folder.join(HOST));
    let guest = StateFile::<GuestState>::open(folder.join(GUEST));
    let key = host.ok().and_then(|file| file.value().key.clone());
    let key = key.or_else(|| guest.ok().and_then(|file| file.value().key.clone()));
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
    // No name of a player begins so.
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let aside = folder.with_file_name(format!("-{name}-{now}"));
    fs::rename(folder, &aside)?;
    Ok(key)
}
