//! A connection that sees the database at one moment.

use async_trait::async_trait;
use sqlx::PgConnection;

use crate::{
    account::{Account, AccountId},
    error::StoreError,
    game::GameRecord,
    id::GameId,
    snapshot::{Snapshot, StoredLog, snapshot_of},
    sql::{self, columns},
};

/// A connection inside one read-only transaction.
pub(crate) struct PostgresSnapshot {
    pub(crate) connection: PgConnection,
}

/// Counts the events of games that do not exist. Foreign keys prevent all other references to
/// missing rows.
const WITHOUT_GAME: &str = "\
select count(*) from events where not exists (select from games where games.id = events.game)";

async fn integrity(connection: &mut PgConnection) -> Result<Vec<String>, StoreError> {
    let rows: i64 = sqlx::query_scalar(WITHOUT_GAME)
        .fetch_one(connection)
        .await?;
    Ok(match rows {
        0 => Vec::new(),
        _ => vec![format!(
            "{rows} rows refer to a missing row of another table"
        )],
    })
}

snapshot_of!(PostgresSnapshot, integrity);
