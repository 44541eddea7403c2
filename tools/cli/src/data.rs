//! The option that names the club's data.

use std::{
    env,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use club::{Club, Settings, SystemClock};
use store::{Database, Location, Store, StoreError};
use tokio::time::timeout;

use super::usage;

/// Environment variable that names the club's data.
const VARIABLE: &str = "KRIEGSPIEL_DATA";
/// File of the club's data if the user names no other file.
const DEFAULT_FILE: &str = "kriegspiel.db";

/// Returns where the club's data are, for a command without an option that names them.
pub(super) fn default_data() -> PathBuf {
    let named = env::var_os(VARIABLE).filter(|name| !name.is_empty());
    named.map_or_else(|| DEFAULT_FILE.into(), PathBuf::from)
}

/// The option that names the club's data, for `serve`, `store` and `accounts`.
#[derive(Debug, clap::Args)]
pub(super) struct Data {
    /// File of the club, with all accounts and games, or the address of its Postgres database
    #[arg(
        long = "data",
        value_name = "FILE|ADDRESS",
        env = VARIABLE,
        hide_env_values = true,
        default_value = DEFAULT_FILE
    )]
    pub(super) file: PathBuf,
}

/// Parses the name of a file or the address of a database.
pub(super) fn location(name: &Path) -> anyhow::Result<Location> {
    Location::parse(name).map_err(usage)
}

/// Opens the data of a club. If there are none, returns an error.
pub(super) async fn open_existing(at: &Location) -> anyhow::Result<Database> {
    opened(at, Database::open_existing(at).await)
}

/// Like [`open_existing`], but also opens a file that cannot be written, such as a backup.
pub(super) async fn open_to_read(at: &Location) -> anyhow::Result<Database> {
    opened(at, Database::open_to_read(at).await)
}

fn opened(at: &Location, opened: Result<Database, StoreError>) -> anyhow::Result<Database> {
    match opened {
        Ok(store) => Ok(store),
        Err(StoreError::Absent) if at.is_file() => Err(usage(format_args!(
            "{at}: there is no such file; give the club's file with --data or KRIEGSPIEL_DATA"
        ))),
        Err(StoreError::Absent) => Err(usage(format_args!(
            "{at}: no club has used this database; give the club's database with --data or \
             KRIEGSPIEL_DATA"
        ))),
        Err(error) => Err(error).with_context(|| at.to_string()),
    }
}

/// Time after which another program certainly uses the club.
const OPEN_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens a club that no other program uses.
pub(super) async fn open_club(store: Arc<dyn Store>) -> anyhow::Result<Club> {
    let opened = Club::open(store, Arc::new(SystemClock), Settings::default());
    let opened = timeout(OPEN_TIMEOUT, opened).await;
    Ok(opened.context("another program uses this file: end it, or name another file")??)
}
