//! Migrations of the tables on Postgres, compiled into the program.

use sqlx::{Connection, PgConnection, migrate::MigrateError};

use crate::{
    error::{StoreError, damaged},
    sql::migrations::{self, APPLIED, Applied, EARLIER_VERSION, Files, migrator},
};

const MIGRATIONS: &Files = &[
    (
        "club",
        include_str!("../../migrations/postgres/0001_club.sql"),
    ),
    (
        "owner",
        include_str!("../../migrations/postgres/0002_owner.sql"),
    ),
    (
        "end",
        include_str!("../../migrations/postgres/0003_end.sql"),
    ),
    (
        "ratings",
        include_str!("../../migrations/postgres/0004_ratings.sql"),
    ),
    (
        "sessions",
        include_str!("../../migrations/postgres/0005_sessions.sql"),
    ),
    (
        "days",
        include_str!("../../migrations/postgres/0006_days.sql"),
    ),
    (
        "notes",
        include_str!("../../migrations/postgres/0007_notes.sql"),
    ),
    (
        "push",
        include_str!("../../migrations/postgres/0008_push.sql"),
    ),
    (
        "evenings",
        include_str!("../../migrations/postgres/0009_evenings.sql"),
    ),
    (
        "studies",
        include_str!("../../migrations/postgres/0010_studies.sql"),
    ),
    (
        "lists",
        include_str!("../../migrations/postgres/0011_lists.sql"),
    ),
];

/// The first migration makes the tables that earlier programs called this version.
const FIRST: i64 = 9;

/// The notices of `if exists` and `if not exists` are not logged.
const NO_NOTICES: &str = "set local client_min_messages = warning";

/// Key of the lock that a migration holds: only one club migrates.
const LOCK: i64 = 0x6b72_6965_6773_7069;

/// Checks whether the schema has the table $1, even if the role may not use it. The statement reads
/// the catalog as a table. Functions such as `to_regclass` are not used, because they may not see a
/// table that another club has just created.
const IS_THERE: &str = "\
select exists (
    select from pg_class where relname = $1 and relkind in ('r', 'p')
        and relnamespace = current_schema()::regnamespace)";
/// Counts the tables and views of the schema, also those that the role may not use.
const TABLES: &str = "\
select count(*) from pg_class where relkind in ('r', 'p', 'v', 'm', 'f')
    and relnamespace = current_schema()::regnamespace";

async fn is_there(connection: &mut PgConnection, table: &str) -> Result<bool, sqlx::Error> {
    let found = sqlx::query_scalar(IS_THERE).bind(table);
    found.fetch_one(connection).await
}

async fn applied(connection: &mut PgConnection) -> Result<Vec<Applied>, sqlx::Error> {
    match is_there(connection, "_sqlx_migrations").await? {
        true => sqlx::query_as(APPLIED).fetch_all(connection).await,
        false => Ok(Vec::new()),
    }
}

/// Migrates the tables to the version of this program. All steps are one transaction.
pub(super) async fn migrate(connection: &mut PgConnection) -> Result<(), StoreError> {
    if expect_current(connection).await.is_ok() {
        return Ok(());
    }
    let mut steps = connection.begin().await?;
    sqlx::query(NO_NOTICES).execute(&mut *steps).await?;
    sqlx::query("select pg_advisory_xact_lock($1)")
        .bind(LOCK)
        .execute(&mut *steps)
        .await?;
    let failed = |error: MigrateError| migrations::not_migrated(MIGRATIONS, error);
    let migrator = migrator(MIGRATIONS);
    if !is_there(&mut steps, "schema_version").await? {
        let tables: i64 = sqlx::query_scalar(TABLES).fetch_one(&mut *steps).await?;
        if tables > 0 {
            return Err(strange());
        }
    } else if !is_there(&mut steps, "_sqlx_migrations").await? {
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
    steps.commit().await?;
    expect_current(connection).await
}

fn strange() -> StoreError {
    damaged(
        "the database has tables, but not a club's tables: name another database, or create an empty one",
    )
}

/// Fails if the version of the tables is not the version of this program.
pub(super) async fn expect_current(connection: &mut PgConnection) -> Result<(), StoreError> {
    if !is_there(connection, "schema_version").await? {
        return Err(StoreError::Absent);
    }
    migrations::expect_applied(MIGRATIONS, &applied(connection).await?, "database")
}
