//! Migrations of the club's tables, compiled into the program.

use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use super::open::{BEGIN_WRITING, COMMIT, Holds, holds};
use crate::store::{StoreError, damaged};

/// Migrations, each from one version to the next. A released migration is never edited. Each change
/// of the tables is a new file at the end of this list.
const MIGRATIONS: &[&str] = &[
    include_str!("../../migrations/0001_club.sql"),
    include_str!("../../migrations/0002_accounts.sql"),
    include_str!("../../migrations/0003_messages.sql"),
    include_str!("../../migrations/0004_bots.sql"),
    include_str!("../../migrations/0005_presence.sql"),
    include_str!("../../migrations/0006_owner.sql"),
];

const VERSIONS: &str = "\
create table if not exists schema_version (version bigint not null primary key)";
const VERSION: &str = "select coalesce(max(version), 0) from schema_version";
const ADD_VERSION: &str = "insert into schema_version (version) values ($1)";

fn strange() -> StoreError {
    damaged("the file is not a club's file: name another file")
}

fn newest() -> i64 {
    i64::try_from(MIGRATIONS.len()).expect("the migrations are few")
}

/// Migrates the tables to the version of this program. All steps are one transaction.
pub(super) async fn migrate(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    if holds(connection).await? == Holds::Else {
        return Err(strange());
    }
    steps(connection).await?;
    expect_current(connection).await
}

async fn steps(connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
    sqlx::query(BEGIN_WRITING).execute(&mut *connection).await?;
    sqlx::query(VERSIONS).execute(&mut *connection).await?;
    let version: i64 = sqlx::query_scalar(VERSION)
        .fetch_one(&mut *connection)
        .await?;
    for (number, sql) in (1_i64..).zip(MIGRATIONS) {
        if number > version {
            sqlx::raw_sql(*sql).execute(&mut *connection).await?;
            sqlx::query(ADD_VERSION)
                .bind(number)
                .execute(&mut *connection)
                .await?;
        }
    }
    // If a step fails, the caller drops the connection, and the transaction is rolled back.
    sqlx::query(COMMIT).execute(connection).await?;
    Ok(())
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
    let version: i64 = sqlx::query_scalar(VERSION).fetch_one(connection).await?;
    let known = newest();
    if version > known {
        return Err(StoreError::Other(format!(
            "the tables have version {version}, but this program knows only versions up to {known}: use the program that made the tables"
        )));
    }
    if version < known {
        return Err(StoreError::Other(format!(
            "the tables have version {version}, but this program needs version {known}: back the file up, then start the club once; the start updates the tables"
        )));
    }
    Ok(())
}
