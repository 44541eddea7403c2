//! Migrations of the club's tables, compiled into the program.

use sqlx::{Connection, SqliteConnection, migrate::MigrateError, sqlite::SqliteConnectOptions};

use super::open::{BEGIN_WRITING, Holds, holds};
use crate::{
    error::{StoreError, damaged},
    sql::migrations::{self, APPLIED, Applied, EARLIER_VERSION, Files, migrator},
};

const MIGRATIONS: &Files = &[
    ("club", include_str!("../../migrations/0001_club.sql")),
    ("owner", include_str!("../../migrations/0002_owner.sql")),
    ("end", include_str!("../../migrations/0003_end.sql")),
    ("ratings", include_str!("../../migrations/0004_ratings.sql")),
    (
        "sessions",
        include_str!("../../migrations/0005_sessions.sql"),
    ),
    ("days", include_str!("../../migrations/0006_days.sql")),
    ("notes", include_str!("../../migrations/0007_notes.sql")),
    ("push", include_str!("../../migrations/0008_push.sql")),
    (
        "evenings",
        include_str!("../../migrations/0009_evenings.sql"),
    ),
    ("studies", include_str!("../../migrations/0010_studies.sql")),
    ("lists", include_str!("../../migrations/0011_lists.sql")),
];

/// The first migration makes the tables that earlier programs called this version.
const FIRST: i64 = 5;

const IS_MIGRATED: &str = "\
select exists (select 1 from sqlite_master where name = '_sqlx_migrations')";

fn strange() -> StoreError {
    damaged("the file is not a club's file: name another file")
}

/// Migrates the tables to the version of this program. All steps are one transaction.
pub(super) async fn migrate(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    if holds(connection).await? == Holds::Else {
        return Err(strange());
    }
    steps(connection).await?;
    expect_current(connection).await
}

pub(super) async fn steps(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut steps = connection.begin_with(BEGIN_WRITING).await?;
    let failed = |error: MigrateError| migrations::not_migrated(MIGRATIONS, error);
    let migrator = migrator(MIGRATIONS);
    if holds(&mut steps).await? == Holds::Club && !is_migrated(&mut steps).await? {
        let version = sqlx::query_scalar(EARLIER_VERSION);
        match version.fetch_one(&mut *steps).await? {
            FIRST => migrator
                .run_direct(Some(1), &mut *steps, true)
                .await
                .map_err(failed)?,
            version => return Err(migrations::too_old(version)),
        }
    }
    migrator
        .run_direct(None, &mut *steps, false)
        .await
        .map_err(failed)?;
    Ok(steps.commit().await?)
}

async fn is_migrated(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(IS_MIGRATED).fetch_one(connection).await
}

/// Reads the definitions of all tables and indexes as bytes, because a damaged definition may
/// not be text.
const DEFINITIONS: &str = "\
select cast(name as blob), cast(sql as blob) from sqlite_master where sql is not null";

type Definition = (Vec<u8>, Vec<u8>);

/// Fails if the definition of a table or an index differs from the migrations. The definitions are
/// checked before the tables are read, because the driver's thread panics if it meets a definition
/// that is not text.
async fn expect_defined(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let found: Vec<Definition> = sqlx::query_as(DEFINITIONS)
        .fetch_all(&mut *connection)
        .await?;
    let mut model = SqliteConnection::connect_with(&SqliteConnectOptions::new()).await?;
    steps(&mut model).await?;
    let right: Vec<Definition> = sqlx::query_as(DEFINITIONS).fetch_all(&mut model).await?;
    model.close().await?;
    match right.iter().find(|definition| !found.contains(definition)) {
        None => Ok(()),
        Some((name, _)) => Err(damaged(format_args!(
            "the definition of `{}` is not that of a club's file: keep the file, and go back to \
             the last backup",
            String::from_utf8_lossy(name)
        ))),
    }
}

/// Fails if the version of the tables is not the version of this program, or if their
/// definitions are damaged.
pub(super) async fn expect_current(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    if holds(connection).await? != Holds::Club {
        return Err(strange());
    }
    expect_version(connection).await?;
    expect_defined(connection).await
}

async fn expect_version(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let applied: Vec<Applied> = match is_migrated(connection).await? {
        true => sqlx::query_as(APPLIED).fetch_all(connection).await?,
        false => Vec::new(),
    };
    migrations::expect_applied(MIGRATIONS, &applied, "file")
}
