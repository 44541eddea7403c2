//! Migrations of the tables, compiled into the program.

use sqlx::{
    SqlSafeStr as _,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
};

use crate::error::{StoreError, damaged};

/// Name and text of each migration, from version 1 on. A released migration is never edited. Each
/// change of the tables is a new file at the end of the list.
pub(crate) type Files = [(&'static str, &'static str)];

/// The migrations that the database has.
pub(crate) const APPLIED: &str =
    "select version, checksum, success from _sqlx_migrations order by version";

/// A migration that the database has: version, checksum, and whether it succeeded.
pub(crate) type Applied = (i64, Vec<u8>, bool);

/// Version of the tables of a program without [`Migrator`].
pub(crate) const EARLIER_VERSION: &str = "select coalesce(max(version), 0) from schema_version";

/// Returns the migrator. The caller must lock the database. The callers use `run_direct`: the futures
/// of `run` and `skip` are not `Send` for every lifetime.
pub(crate) fn migrator(files: &Files) -> Migrator {
    let migrations = (1..).zip(files).map(|(version, (name, sql))| {
        let (name, sql) = ((*name).into(), (*sql).into_sql_str());
        Migration::new(version, name, MigrationType::Simple, sql, false)
    });
    let mut migrator = Migrator::with_migrations(migrations.collect());
    migrator.set_locking(false);
    migrator
}

/// Fails if the database does not have exactly this program's migrations. `what` is the file or the
/// database.
pub(crate) fn expect_applied(
    files: &Files,
    applied: &[Applied],
    what: &str,
) -> Result<(), StoreError> {
    let version = applied.last().map_or(0, |(version, ..)| *version);
    let known = i64::try_from(files.len()).unwrap_or(i64::MAX);
    if version > known {
        return Err(later(version, known));
    }
    if version < known {
        return Err(StoreError::Other(format!(
            "the tables are those of an earlier program: back the {what} up, then start the club \
             once; the start updates the tables"
        )));
    }
    let right = migrator(files);
    let is_right = applied.len() == files.len()
        && right.iter().zip(applied).all(|(right, applied)| {
            (right.version, &*right.checksum, true) == (applied.0, &applied.1[..], applied.2)
        });
    match is_right {
        true => Ok(()),
        false => Err(damaged(format_args!(
            "the record of its migrations is damaged: keep the {what}, and go back to the last backup"
        ))),
    }
}

fn later(version: i64, known: i64) -> StoreError {
    StoreError::Other(format!(
        "the tables have version {version}, but this program knows only versions up to {known}: use \
         the program that made the tables"
    ))
}

/// Returns the error for tables that are older than the first migration.
pub(crate) fn too_old(version: i64) -> StoreError {
    StoreError::Other(format!(
        "the tables have the old version {version}, which this program cannot update: start the \
         program of November 2026 once"
    ))
}

/// Converts the error of a migration.
pub(crate) fn not_migrated(files: &Files, error: MigrateError) -> StoreError {
    if let MigrateError::VersionMissing(version) = error {
        return later(version, i64::try_from(files.len()).unwrap_or(i64::MAX));
    }
    let (MigrateError::Execute(why) | MigrateError::ExecuteMigration(why, _)) = error else {
        return damaged(error);
    };
    why.into()
}
