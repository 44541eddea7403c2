//! Opens connections. This module contains everything that is special to
//! SQLite.

use std::{
    fs::OpenOptions,
    io::{self, Read, Seek},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use sqlx::{
    ConnectOptions, Connection, SqliteConnection, SqlitePool,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use tokio::time::timeout;

use super::fault::not_writable;
use crate::error::{StoreError, damaged};

/// Time that a connection waits while another process writes to the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Longest time for the check of a file when a club opens the file.
const OPENING_CHECK_TIMEOUT: Duration = Duration::from_millis(500);

/// Maximum size of a file that is checked when a club opens the file, in bytes.
const OPENING_CHECK_MAX_BYTES: u64 = 32 * 1024 * 1024;

/// The check looks at the clock each time that SQLite has executed this number of instructions.
const OPENING_CHECK_STEPS: i32 = 1000;

/// Number of rows that the reading thread sends before it waits for the receiver. The number is
/// large, because each wait makes two threads wake up.
const READ_BATCH_ROWS: usize = 1024;

/// Number of connections that only read. There is one more connection, which
/// writes.
pub(super) const READ_CONNECTIONS: u32 = 4;

pub(super) const BEGIN_WRITING: &str = "begin immediate";
pub(super) const BEGIN_READING: &str = "begin deferred";
pub(super) const COMMIT: &str = "commit";
pub(super) const ROLL_BACK: &str = "rollback";

const PRAGMAS: &str = "select journal_mode, synchronous, foreign_keys, query_only
from pragma_journal_mode, pragma_synchronous, pragma_foreign_keys, pragma_query_only";

/// SQLite settings, as a connection reports them.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Pragmas {
    /// `journal_mode`; must be `wal`.
    pub journal_mode: String,
    /// `synchronous`; must be 2 (FULL).
    pub synchronous: i64,
    /// `foreign_keys`; must be 1 (on).
    pub foreign_keys: i64,
    /// `query_only`; 1 if the connection only reads.
    pub query_only: i64,
}

impl Pragmas {
    /// Reads the settings of a connection.
    async fn of(connection: &mut SqliteConnection) -> Result<Pragmas, sqlx::Error> {
        let (journal_mode, synchronous, foreign_keys, query_only) =
            sqlx::query_as(PRAGMAS).fetch_one(connection).await?;
        Ok(Pragmas {
            journal_mode,
            synchronous,
            foreign_keys,
            query_only,
        })
    }

    /// Returns a message about the first setting that breaks durability.
    fn wrong(&self) -> Option<String> {
        if self.journal_mode != "wal" {
            return Some(format!(
                "the file's journal is `{}` and not `wal`: put the file on a disk of this machine",
                self.journal_mode
            ));
        }
        if self.synchronous != 2 || self.foreign_keys != 1 {
            return Some(format!(
                "SQLite did not accept the settings that durability depends on: synchronous = {}, foreign_keys = {}",
                self.synchronous, self.foreign_keys
            ));
        }
        None
    }
}

/// Reads the settings of a connection and fails if one is wrong.
pub(super) async fn verified(connection: &mut SqliteConnection) -> Result<Pragmas, sqlx::Error> {
    let pragmas = Pragmas::of(connection).await?;
    match pragmas.wrong() {
        Some(wrong) => Err(sqlx::Error::Configuration(wrong.into())),
        None => Ok(pragmas),
    }
}

fn options(path: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(false)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT)
        .row_buffer_size(READ_BATCH_ROWS)
        // Statements are not logged, because they contain the true positions of running games.
        .disable_statement_logging()
}

/// Creates the file, readable only by its owner. Returns whether it did not exist before. It gets its
/// name only when it is a file of SQLite, so a program that is killed leaves no empty file.
///
/// # Errors
/// The file cannot be created, or exists and is empty: SQLite would make a new club of a file that
/// was cut.
pub(super) async fn create(path: &Path) -> Result<bool, StoreError> {
    match std::fs::metadata(path) {
        Ok(file) if file.is_file() && file.len() == 0 => {
            let path = path.display();
            return Err(StoreError::Other(format!(
                "the file {path} is empty: put a backup in its place, or remove it (with {path}-wal and \
                 {path}-shm) if a new club is to begin"
            )));
        }
        Ok(_) => return Ok(false),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(of_io(path, &error)),
    }
    let new = beside(path, &format!(".new{}", std::process::id()));
    let failed = |error: io::Error| of_io(path, &error);
    // A program with this number may have been killed here.
    drop(std::fs::remove_file(&new));
    private_file().open(&new).map_err(failed)?;
    // The mode of the journal is written into the head of the file.
    let made = match options(&new).connect().await {
        Ok(connection) => connection.close().await,
        Err(error) => Err(error),
    };
    let named = std::fs::hard_link(&new, path);
    std::fs::remove_file(&new).map_err(failed)?;
    made?;
    match named {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        // Some file systems have no links.
        Err(_) => private_file().open(path).map(|_| true).map_err(failed),
    }
}

/// Returns the options that create a new file which only its owner can read. The file contains
/// password hashes and the true positions of running games.
pub(super) fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

pub(super) fn of_io(path: &Path, error: &io::Error) -> StoreError {
    let said = format!("{}: {error}", path.display());
    #[allow(
        clippy::wildcard_enum_match_arm,
        reason = "every other kind of error has the same message"
    )]
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::Full,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            StoreError::ReadOnly(not_writable(&said))
        }
        io::ErrorKind::NotFound => {
            let folder = path.parent().unwrap_or(path).display();
            StoreError::Other(format!(
                "the folder {folder} does not exist: create it, or name a file in another folder"
            ))
        }
        _ => StoreError::Other(said),
    }
}

/// Opens the connection that writes; the file must exist.
pub(super) async fn writer(path: &Path) -> Result<SqliteConnection, StoreError> {
    let mut connection = options(path).connect().await?;
    verified(&mut connection).await?;
    Ok(connection)
}

fn reading(path: &Path) -> SqliteConnectOptions {
    options(path).pragma("query_only", "1")
}

/// Opens a connection that only reads.
pub(super) async fn reader(path: &Path) -> Result<SqliteConnection, StoreError> {
    let mut connection = reading(path).connect().await?;
    verified(&mut connection).await?;
    Ok(connection)
}

/// Opens a connection to a file that nobody can change, for example a backup on a read-only disk.
/// SQLite then needs no file beside it.
pub(super) async fn frozen(path: &Path) -> Result<SqliteConnection, StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .read_only(true)
        .immutable(true)
        .row_buffer_size(READ_BATCH_ROWS)
        .disable_statement_logging();
    Ok(options.connect().await?)
}

/// Returns the path of the file beside `path` whose name ends with `end`.
fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.to_owned();
    name.as_mut_os_string().push(end);
    name
}

/// Whether the file at `path` holds everything: no rows are left in its write-ahead log.
pub(super) fn is_closed(path: &Path) -> bool {
    std::fs::metadata(beside(path, "-wal")).map_or(true, |log| log.len() == 0)
}

/// The file system's numbers for a file: they change if another file takes its place. `None` if
/// there is no file, or the system has no such numbers.
pub(super) type FileNumbers = Option<(u64, u64)>;

/// Returns the numbers of the file at `path`.
pub(super) fn file_numbers(path: &Path) -> FileNumbers {
    #[cfg(unix)]
    {
        let file = std::fs::metadata(path).ok()?;
        Some(std::os::unix::fs::MetadataExt::dev(&file))
            .zip(Some(std::os::unix::fs::MetadataExt::ino(&file)))
    }
    #[cfg(not(unix))]
    std::fs::metadata(path).ok().map(|_| (0, 0))
}

/// Place of SQLite's `user_version` in the head of a file, in bytes.
const MARK_AT: u64 = 60;

/// Mark of a backup. A backup has no write-ahead log.
const BACKUP_MARK: i32 = -1;

/// Returns the mark of a file with this number: the `user_version` of a club's file. A file that took
/// its place has another mark.
#[allow(
    clippy::cast_possible_truncation,
    reason = "the number is less than 2^31"
)]
fn mark_of(numbers: FileNumbers) -> i32 {
    numbers.map_or(0, |(_, inode)| (inode % 0x7fff_fffe) as i32 + 1)
}

fn mark(path: &Path) -> io::Result<i32> {
    let mut file = std::fs::File::open(path)?;
    file.seek(io::SeekFrom::Start(MARK_AT))?;
    let mut mark = [0; 4];
    file.read_exact(&mut mark)?;
    Ok(i32::from_be_bytes(mark))
}

/// Fails if a write-ahead log or an index of one lies beside the file, but belongs to another file:
/// the file does not exist, is a backup, or was not the club's file when it was last opened. SQLite
/// would write that log into the file.
pub(super) fn expect_own_log(path: &Path) -> Result<(), StoreError> {
    let all = ["-wal", "-shm"].map(|end| beside(path, end));
    // An empty log has nothing to write; a program that only read may leave it.
    if path.exists() && std::fs::metadata(&all[0]).is_ok_and(|log| log.len() == 0) {
        return Ok(());
    }
    let Some(other) = all.iter().find(|other| other.exists()) else {
        return Ok(());
    };
    // A file that is too short for a mark, or that cannot be read, has another error later.
    let is_own = match path.exists().then(|| mark(path)) {
        None => false,
        Some(Err(_)) => true,
        Some(Ok(mark)) => mark == 0 || mark == mark_of(file_numbers(path)),
    };
    if is_own {
        return Ok(());
    }
    let (other, path) = (other.display(), path.display());
    Err(StoreError::Other(format!(
        "{other} belongs to another file than {path}: stop every program that uses the file, and \
         move {path}-wal and {path}-shm away (if they were copied together with it, first \
         `sqlite3 {path} 'pragma wal_checkpoint(truncate)'`)"
    )))
}

/// Writes the mark of the file at `path` into the file, so that [`expect_own_log`] knows it.
pub(super) async fn write_mark(
    connection: &mut SqliteConnection,
    path: &Path,
) -> Result<(), StoreError> {
    let new = mark_of(file_numbers(path));
    if mark(path).is_ok_and(|old| old == new) {
        return Ok(());
    }
    set_mark(connection, new).await?;
    // If another connection prevents this now, the next opening writes the mark again.
    sqlx::query("pragma wal_checkpoint(truncate)")
        .execute(connection)
        .await?;
    Ok(())
}

async fn set_mark(connection: &mut SqliteConnection, mark: i32) -> Result<(), StoreError> {
    sqlx::query(sqlx::AssertSqlSafe(format!("pragma user_version = {mark}")))
        .execute(connection)
        .await?;
    Ok(())
}

/// Creates the pool of connections that read. The settings of each connection are verified when it
/// is opened. A connection is never replaced because of its age: if another file has taken the place
/// of the open one, a new connection would write the log of the open one into it.
pub(super) fn readers(path: &Path) -> SqlitePool {
    SqlitePoolOptions::new()
        .max_connections(READ_CONNECTIONS)
        .idle_timeout(None)
        .max_lifetime(None)
        .after_connect(|connection, _| {
            Box::pin(async move { verified(connection).await.map(drop) })
        })
        .connect_lazy_with(reading(path))
}

/// What a file contains, according to the names of its tables.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Holds {
    /// No tables yet.
    Nothing,
    /// Tables of a club.
    Club,
    /// Tables of another program.
    Else,
}

/// Determines what the file contains.
pub(super) async fn holds(connection: &mut SqliteConnection) -> Result<Holds, sqlx::Error> {
    let names: Vec<String> = sqlx::query_scalar("select name from sqlite_master")
        .fetch_all(connection)
        .await?;
    Ok(if names.is_empty() {
        Holds::Nothing
    } else if names.iter().any(|name| name == "schema_version") {
        Holds::Club
    } else {
        Holds::Else
    })
}

/// Runs SQLite's integrity check and its check of foreign keys. Returns one sentence for each
/// fault.
pub(super) async fn integrity(
    connection: &mut SqliteConnection,
) -> Result<Vec<String>, StoreError> {
    let said: Vec<String> = sqlx::query_scalar("pragma integrity_check")
        .fetch_all(&mut *connection)
        .await?;
    let mut found: Vec<String> = said.into_iter().filter(|line| line != "ok").collect();
    let astray = sqlx::query("pragma foreign_key_check")
        .fetch_all(connection)
        .await?;
    if !astray.is_empty() {
        let rows = astray.len();
        found.push(format!(
            "{rows} rows refer to a missing row of another table"
        ));
    }
    Ok(found)
}

/// Longest time for opening a file, including the wait for another program.
const OPENING_TIMEOUT: Duration = Duration::from_secs(8);

/// Fails if opening the file takes longer than [`OPENING_TIMEOUT`]. Opening never ends if damaged
/// data has made the driver's thread panic.
pub(super) async fn in_time<T>(
    opening: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let late =
        |_| damaged("the database does not answer: `kriegspiel store check` may find the reason");
    timeout(OPENING_TIMEOUT, opening).await.map_err(late)?
}

/// Fails if the file is damaged: runs SQLite's own check for at most [`OPENING_CHECK_TIMEOUT`]. If
/// the check has found nothing until then, the file counts as intact. A file of more than
/// [`OPENING_CHECK_MAX_BYTES`] is not checked here. Only `kriegspiel store check` checks such a file
/// completely.
pub(super) async fn expect_intact(
    connection: &mut SqliteConnection,
    path: &Path,
) -> Result<(), StoreError> {
    let is_large = |file: std::fs::Metadata| file.len() > OPENING_CHECK_MAX_BYTES;
    if std::fs::metadata(path).is_ok_and(is_large) {
        return Ok(());
    }
    let until = Instant::now() + OPENING_CHECK_TIMEOUT;
    connection
        .lock_handle()
        .await?
        .set_progress_handler(OPENING_CHECK_STEPS, move || Instant::now() < until);
    let found = integrity(connection).await;
    connection.lock_handle().await?.remove_progress_handler();
    match found {
        Err(_) if Instant::now() >= until => Ok(()),
        Err(error) => Err(error),
        Ok(found) => match found.first() {
            None => Ok(()),
            Some(first) => Err(damaged(format_args!(
                "{first}: keep the file, and go back to the last backup (`kriegspiel store check` \
                 names every fault)"
            ))),
        },
    }
}

/// Writes a consistent copy of the file to a new file, while others read and write.
pub(super) async fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    let name = |path: &Path| path.to_str().map(str::to_owned);
    let mut part = to.to_owned();
    part.as_mut_os_string().push(".part");
    let Some(target) = name(&part) else {
        return Err(StoreError::Other(format!(
            "{}: SQLite accepts only names in UTF-8",
            to.display()
        )));
    };
    // Creates the target first, so that no existing file is overwritten.
    match private_file().open(to) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(StoreError::Other(format!(
                "{} exists already, and a backup overwrites nothing: give another name",
                to.display()
            )));
        }
        Err(error) => return Err(of_io(to, &error)),
    }
    let copied = copy_to(from, &part, target).await.and_then(|()| {
        std::fs::rename(&part, to)
            .and_then(|()| sync_folder(to))
            .map_err(|error| of_io(to, &error))
    });
    if copied.is_err() {
        for left in [&part, &to.to_owned()] {
            // If one of these files cannot be removed, the next backup to the same name fails, and
            // the error names the file.
            let _ignored = std::fs::remove_file(left);
        }
    }
    copied
}

async fn copy_to(from: &Path, part: &PathBuf, name: String) -> Result<(), StoreError> {
    let file = private_file()
        .open(part)
        .map_err(|error| of_io(part, &error))?;
    let mut connection = writer(from).await?;
    sqlx::query("vacuum into $1")
        .bind(name)
        .execute(&mut connection)
        .await?;
    // The copy is complete, even if closing this connection fails.
    let _ignored = connection.close().await;
    let mut copy = SqliteConnectOptions::new()
        .filename(part)
        .disable_statement_logging()
        .connect()
        .await?;
    set_mark(&mut copy, BACKUP_MARK).await?;
    copy.close().await?;
    // SQLite itself syncs the file that `vacuum into` writes, but only with its usual settings. The
    // sync here does not depend on the settings.
    file.sync_all().map_err(|error| of_io(part, &error))
}

fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    std::fs::File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A kill after the file has its name leaves a file that can be opened, and nothing beside it.
    #[tokio::test]
    async fn a_new_file_is_never_empty() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("club.db");
        assert!(create(&path).await.unwrap());
        let names = std::fs::read_dir(folder.path()).unwrap();
        let names: Vec<_> = names.flatten().map(|file| file.file_name()).collect();
        assert_eq!(names, ["club.db"]);
        let file = std::fs::metadata(&path).unwrap();
        assert!(file.len() > 0);
        #[cfg(unix)]
        assert_eq!(
            std::os::unix::fs::PermissionsExt::mode(&file.permissions()) & 0o777,
            0o600
        );
        assert!(!create(&path).await.unwrap());
    }
}
