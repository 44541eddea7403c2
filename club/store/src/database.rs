//! A store of either kind: an SQLite file, opened by its name, or a Postgres database, opened by
//! its address.

use std::{
    fmt,
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    check::Report,
    copy::{Source, Target},
    error::StoreError,
    export::{ExportError, ExportForm, ExportGames},
    postgres::{Address, PostgresStore},
    sqlite::SqliteStore,
    store::Store,
};

/// Place of a club's data: a file, or a Postgres database.
///
/// `Display` and `Debug` do not show the password.
#[derive(Clone, Debug)]
pub struct Location(Place);

#[derive(Clone, Debug)]
enum Place {
    File(PathBuf),
    Database(Address),
}

/// Schemes of addresses of Postgres databases.
const SCHEMES: [&str; 2] = ["postgres:", "postgresql:"];

impl Location {
    /// Reads a name. If a name begins with `postgres:` or `postgresql:`, it is the address of a
    /// database. Any other name is the name of a file.
    ///
    /// # Errors
    /// The address cannot be parsed, or the name looks like an address of another kind. The error
    /// does not quote the name, because it may contain a password.
    pub fn parse(name: &Path) -> Result<Location, StoreError> {
        let text = name.to_str().unwrap_or_default();
        if SCHEMES.iter().any(|scheme| text.starts_with(scheme)) {
            return Ok(Location(Place::Database(text.parse()?)));
        }
        let is_address = text.contains("://")
            || ["host=", "dbname=", "password="]
                .iter()
                .any(|option| text.contains(option));
        if is_address {
            return Err(StoreError::Other(
                "the address of a database begins with postgres:// or postgresql://; anything else \
                 is the name of a file, and such a name must not contain `://` or `host=`"
                    .to_owned(),
            ));
        }
        Ok(Location(Place::File(name.to_owned())))
    }

    /// Whether the place is a file.
    pub fn is_file(&self) -> bool {
        matches!(self.0, Place::File(_))
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Place::File(path) => path.display().fmt(f),
            Place::Database(address) => address.fmt(f),
        }
    }
}

/// A store in a file or in a Postgres database.
#[derive(Clone, Debug)]
pub enum Database {
    /// A store in one SQLite file.
    File(SqliteStore),
    /// A store in a Postgres database.
    Server(PostgresStore),
}

/// Result of a copy.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Copied {
    /// Number of accounts.
    pub accounts: u64,
    /// Number of games.
    pub games: u64,
    /// Number of rows in all logs.
    pub rows: u64,
}

impl Database {
    /// Opens the store and migrates its tables. If the file does not exist, creates the file.
    ///
    /// # Errors
    /// As for [`SqliteStore::open`] and [`PostgresStore::open`].
    pub async fn open(location: &Location) -> Result<Database, StoreError> {
        Ok(match &location.0 {
            Place::File(path) => Database::File(SqliteStore::open(path).await?),
            Place::Database(address) => {
                Database::Server(PostgresStore::connect(address.clone(), true).await?)
            }
        })
    }

    /// Opens an existing store for checks and exports; see [`SqliteStore::open_to_read`].
    ///
    /// # Errors
    /// As for [`Database::open_existing`].
    pub async fn open_to_read(location: &Location) -> Result<Database, StoreError> {
        match &location.0 {
            Place::File(path) => Ok(Database::File(SqliteStore::open_to_read(path).await?)),
            Place::Database(_) => Database::open_existing(location).await,
        }
    }

    /// Opens an existing store without changing its tables.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if the file does not exist, or if the database has no tables of a club.
    pub async fn open_existing(location: &Location) -> Result<Database, StoreError> {
        Ok(match &location.0 {
            Place::File(path) => Database::File(SqliteStore::open_existing(path).await?),
            Place::Database(address) => {
                Database::Server(PostgresStore::connect(address.clone(), false).await?)
            }
        })
    }

    /// Whether [`Database::open`] has created the file. Always false for Postgres.
    pub fn is_new(&self) -> bool {
        match self {
            Database::File(store) => store.is_new(),
            Database::Server(_) => false,
        }
    }

    /// Returns the store as clubs use it.
    pub fn store(&self) -> Arc<dyn Store> {
        match self {
            Database::File(store) => Arc::new(store.clone()),
            Database::Server(store) => Arc::new(store.clone()),
        }
    }

    /// From now on, starts commits only on ticks: at regular times that do not depend on requests.
    ///
    /// # Errors
    /// The store is closed, or no thread can be started.
    pub async fn commit_on_ticks(&self) -> Result<(), StoreError> {
        match self {
            Database::File(store) => store.commit_on_ticks().await,
            Database::Server(store) => store.commit_on_ticks().await,
        }
    }

    /// Writes the queued changes and closes the store.
    pub async fn close(&self) {
        match self {
            Database::File(store) => store.close().await,
            Database::Server(store) => store.close().await,
        }
    }

    /// Checks that the store is intact, that every log can be replayed, and that the index agrees
    /// with the logs.
    ///
    /// # Errors
    /// If the store cannot be read at all. Other faults are in the report.
    pub async fn check(&self) -> Result<Report, StoreError> {
        match self {
            Database::File(store) => store.check().await,
            Database::Server(store) => store.check().await,
        }
    }

    /// Writes games to `out`, oldest first, and returns their number. Only for the operator.
    ///
    /// # Errors
    /// If a log cannot be read or replayed, or `out` cannot be written.
    pub async fn export(
        &self,
        form: ExportForm,
        games: ExportGames,
        out: &mut (dyn Write + Send),
    ) -> Result<u64, ExportError> {
        match self {
            Database::File(store) => store.export(form, games, out).await,
            Database::Server(store) => store.export(form, games, out).await,
        }
    }

    /// Writes a consistent copy of the store to a new file.
    ///
    /// # Errors
    /// If the store cannot be read, or the file cannot be written. An existing file is an error too,
    /// and is not changed.
    pub async fn backup(&self, to: &Path) -> Result<(), StoreError> {
        if let Database::File(store) = self {
            return store.backup(to).await;
        }
        if to.exists() {
            return Err(StoreError::Other(format!(
                "{} exists already, and a backup overwrites nothing: give another name",
                to.display()
            )));
        }
        let copy = Database::File(SqliteStore::open(to).await?);
        let copied = self.copy_to(&copy).await;
        copy.close().await;
        if copied.is_err() {
            // If the incomplete file cannot be removed, the next backup to the same name fails.
            let _ignored = std::fs::remove_file(to);
        }
        copied.map(drop)
    }

    /// Copies everything except the ownership to an empty store. Then
    /// compares the two stores. The copy is one transaction. After the copy, let no club use the
    /// old store, because the copy does not get later rows of running games.
    ///
    /// # Errors
    /// If `to` is not empty, or if the copy differs from this store.
    pub async fn copy_to(&self, to: &Database) -> Result<Copied, StoreError> {
        let mut source = self.source().await?;
        let mut target = match to {
            Database::File(store) => Target::Sqlite(store.writing_connection().await?),
            Database::Server(store) => Target::Postgres(store.writing_connection().await?),
        };
        let copied = source.copy_to(&mut target).await?.ok_or_else(|| {
            StoreError::Other(
                "the target already has accounts or games: name an empty one".to_owned(),
            )
        })?;
        let found = to.source().await?.contents().await?;
        if found != copied {
            return Err(StoreError::Other(format!(
                "the copy differs from what was read: {copied:?} was written, {found:?} was found"
            )));
        }
        Ok(Copied {
            accounts: copied.rows("accounts"),
            games: copied.rows("games"),
            rows: copied.rows("events"),
        })
    }

    async fn source(&self) -> Result<Source, StoreError> {
        Ok(match self {
            Database::File(store) => Source::Sqlite(store.snapshot().await?),
            Database::Server(store) => Source::Postgres(store.snapshot().await?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_looks_like_an_address_is_not_a_file_name() {
        for name in [
            "postgre://club:s3cret@db/club",
            "POSTGRES://club:s3cret@db/club",
            " postgres://club:s3cret@db/club",
            "mysql://club:s3cret@db/club",
            "host=db password=s3cret dbname=club",
        ] {
            let error = Location::parse(name.as_ref()).expect_err("the address is wrong");
            let said = error.to_string();
            assert!(
                said.contains("postgres://") && !said.contains("s3cret"),
                "{said}"
            );
        }
        let file = Location::parse("games/club.db".as_ref()).unwrap();
        assert!(file.is_file());
    }
}
