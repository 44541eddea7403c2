//! A consistent snapshot of the file, while others read and write.

use std::path::Path;

use async_trait::async_trait;
use sqlx::SqliteConnection;

use super::{
    open::{self, BEGIN_READING},
    schema,
};
use crate::{
    account::{Account, AccountId},
    error::StoreError,
    game::GameRecord,
    id::GameId,
    snapshot::{Snapshot, StoredLog, snapshot_of},
    sql::{self, columns},
};

/// A connection inside one read-only transaction.
pub(crate) struct SqliteSnapshot {
    pub(crate) connection: SqliteConnection,
}

impl SqliteSnapshot {
    pub(super) async fn take(path: &Path, is_frozen: bool) -> Result<SqliteSnapshot, StoreError> {
        let mut connection = if is_frozen {
            open::frozen(path).await?
        } else {
            open::reader(path).await?
        };
        schema::expect_current(&mut connection).await?;
        sqlx::query(BEGIN_READING).execute(&mut connection).await?;
        Ok(SqliteSnapshot { connection })
    }
}

snapshot_of!(SqliteSnapshot, open::integrity);
