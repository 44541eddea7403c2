//! Migrations of the tables on Postgres, compiled into the program.

use sqlx::{Connection, PgConnection, Row as _};

use crate::store::{StoreError, damaged};

/// Migrations, each from one version to the next. A released migration is never edited. Each change
/// of the tables is a new file at the end of this list.
const MIGRATIONS: &[&str] = &[
    include_str!("../../migrations/postgres/0001_club.sql"),
    include_str!("../../migrations/postgres/0002_accounts.sql"),
    include_str!("../../migrations/postgres/0003_messages.sql"),
    include_str!("../../migrations/postgres/0004_races.sql"),
    include_str!("../../migrations/postgres/0005_log_end.sql"),
    include_str!("../../migrations/postgres/0006_bots.sql"),
    include_str!("../../migrations/postgres/0007_presence.sql"),
    include_str!("../../migrations/postgres/0008_request_search.sql"),
    include_str!("../../migrations/postgres/0009_message_numbers.sql"),
    include_str!("../../migrations/postgres/0010_owner.sql"),
];

/// Key of the lock that a migration holds: only one club migrates.
const LOCK: i64 = 0x6b72_6965_6773_7069;

/// Checks whether the schema has the table `schema_version`, even if the role may not use this table.
/// The statement reads the catalog as a table. Functions such as `to_regclass` are not used, because
/// they may not see a table that another club has just created.
const IS_THERE: &str = "\
select exists (
    select from pg_class where relname = 'schema_version' and relkind in ('r', 'p')
        and relnamespace = current_schema()::regnamespace)";
/// Counts the tables and views of the schema, also those that the role may not use.
const TABLES: &str = "\
select count(*) from pg_class where relkind in ('r', 'p', 'v', 'm', 'f')
    and relnamespace = current_schema()::regnamespace";
const CREATE_VERSIONS: &str = "\
create table schema_version (version bigint not null primary key)";
const VERSION: &str = "select coalesce(max(version), 0) from schema_version";
const ADD_VERSION: &str = "insert into schema_version (version) values ($1)";

fn newest() -> i64 {
    i64::try_from(MIGRATIONS.len()).expect("the migrations are few")
}

async fn is_there(connection: &mut PgConnection) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(IS_THERE).fetch_one(connection).await
}

/// Migrates the tables to the version of this program. All steps are one transaction.
pub(super) async fn migrate(connection: &mut PgConnection) -> Result<(), StoreError> {
    if is_there(connection).await? && version(connection).await? >= newest() {
        return expect_current(connection).await;
    }
    let mut steps = connection.begin().await?;
    sqlx::query("select pg_advisory_xact_lock($1)")
        .bind(LOCK)
        .execute(&mut *steps)
        .await?;
    if !is_there(&mut steps).await? {
        let tables: i64 = sqlx::query(TABLES)
            .fetch_one(&mut *steps)
            .await?
            .try_get(0)?;
        if tables > 0 {
            return Err(strange());
        }
        sqlx::query(CREATE_VERSIONS).execute(&mut *steps).await?;
    }
    let old = version(&mut steps).await?;
    for (number, sql) in (1_i64..).zip(MIGRATIONS) {
        if number > old {
            sqlx::raw_sql(*sql).execute(&mut *steps).await?;
            let added = sqlx::query(ADD_VERSION).bind(number);
            added.execute(&mut *steps).await?;
        }
    }
    steps.commit().await?;
    expect_current(connection).await
}

fn strange() -> StoreError {
    damaged(
        "the database has tables, but not a club's tables: name another database, or create an empty one",
    )
}

async fn version(connection: &mut PgConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(VERSION).fetch_one(connection).await
}

/// Fails if the version of the tables is not the version of this program.
pub(super) async fn expect_current(connection: &mut PgConnection) -> Result<(), StoreError> {
    if !is_there(connection).await? {
        return Err(StoreError::Absent);
    }
    let (version, known) = (version(connection).await?, newest());
    if version > known {
        return Err(StoreError::Other(format!(
            "the tables have version {version}, but this program knows only versions up to {known}: use the program that made the tables"
        )));
    }
    if version < known {
        return Err(StoreError::Other(format!(
            "the tables have version {version}, but this program needs version {known}: back the database up, then start a club once; the start updates the tables"
        )));
    }
    Ok(())
}
