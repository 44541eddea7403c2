//! Converts errors of SQLite and of the drivers to errors of the store.

use sqlx::{error::DatabaseError, postgres::PgDatabaseError};

use crate::{
    error::{StoreError, damaged},
    postgres,
};

/// Primary result codes of SQLite that the store converts to specific errors.
const ERROR: u32 = 1;
const BUSY: u32 = 5;
const READ_ONLY: u32 = 8;
const CORRUPT: u32 = 11;
const FULL: u32 = 13;
const CANNOT_OPEN: u32 = 14;
const PERMISSION: u32 = 3;
const NOT_A_DATABASE: u32 = 26;
const TOO_BIG: u32 = 18;
const MISMATCH: u32 = 20;
/// Extended result code: the file ends before its last page.
const SHORT_READ: u32 = 10 | (2 << 8);
/// Extended result code: SQLite could not enlarge the shared-memory file that belongs to the
/// database. SQLite reports this error if the disk is full when the database is opened.
const SHARED_MEMORY_SIZE: u32 = 10 | (19 << 8);

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        if let Some(said) = error.as_database_error() {
            return match said.try_downcast_ref::<PgDatabaseError>() {
                Some(said) => postgres::reported(said),
                None => reported(said),
            };
        }
        if let sqlx::Error::Configuration(why) = &error {
            return StoreError::Other(why.to_string());
        }
        if matches!(error, sqlx::Error::RowNotFound) {
            return StoreError::Absent;
        }
        if matches!(
            error,
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_)
        ) {
            return damaged(error);
        }
        #[allow(
            clippy::wildcard_enum_match_arm,
            reason = "the other errors do not come from a network"
        )]
        match error {
            // The store uses the network only for Postgres. So an error of the network means that
            // the database did not answer.
            sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::PoolTimedOut => {
                StoreError::NoAnswer(error.to_string())
            }
            _ => StoreError::Other(error.to_string()),
        }
    }
}

/// Adds the remedy to the reason why a file cannot be written.
pub(super) fn not_writable(why: &str) -> String {
    format!("{why}: the file and its folder must be writable")
}

/// Converts an error that SQLite has reported.
fn reported(said: &dyn DatabaseError) -> StoreError {
    let code: Option<u32> = said.code().and_then(|code| code.parse().ok());
    if code == Some(SHARED_MEMORY_SIZE) {
        return StoreError::Full;
    }
    let damage = || {
        damaged(format_args!(
            "{}: stop the club, keep the file, and go back to the last backup",
            said.message()
        ))
    };
    if code == Some(SHORT_READ) {
        return damage();
    }
    match code.map(|code| code & 0xff) {
        Some(FULL) => StoreError::Full,
        Some(READ_ONLY | CANNOT_OPEN | PERMISSION) => {
            StoreError::ReadOnly(not_writable(said.message()))
        }
        Some(CORRUPT | TOO_BIG | MISMATCH) => damage(),
        // Every statement is correct for the tables that the migrations create. So this error means
        // that the tables are damaged.
        Some(ERROR)
            if ["no such table", "no such column"]
                .iter()
                .any(|start| said.message().starts_with(start)) =>
        {
            damage()
        }
        Some(NOT_A_DATABASE) => damaged("the file is not a club's file: name another file"),
        Some(BUSY) => StoreError::Other(
            "another program has locked the file for too long: does a backup or a database shell use it?"
                .to_owned(),
        ),
        _ => StoreError::Other(said.to_string()),
    }
}
