//! A consistent snapshot of the store, while others read and write.

use std::path::Path;

use sqlx::{SqliteConnection, sqlite::SqliteRow};

use super::{
    columns,
    open::{self, BEGIN_READING},
    schema, sql,
};
use crate::{
    account::{Account, AccountId},
    game::GameRecord,
    id::GameId,
    store::StoreError,
};

/// A connection inside one read-only transaction.
pub(super) struct Snapshot {
    connection: SqliteConnection,
}

impl Snapshot {
    pub(super) async fn take(path: &Path) -> Result<Snapshot, StoreError> {
        let mut connection = open::reader(path).await?;
        schema::expect_current(&mut connection).await?;
        sqlx::query(BEGIN_READING).execute(&mut connection).await?;
        Ok(Snapshot { connection })
    }

    /// Returns the faults that SQLite's own checks find.
    pub(super) async fn integrity(&mut self) -> Result<Vec<String>, StoreError> {
        open::integrity(&mut self.connection).await
    }

    pub(super) async fn accounts(&mut self) -> Result<u64, StoreError> {
        let count: i64 = sqlx::query_scalar(sql::COUNT_ACCOUNTS)
            .fetch_one(&mut self.connection)
            .await?;
        Ok(count.unsigned_abs())
    }

    /// Returns the faults of the accounts, offers and sessions that cannot be read.
    pub(super) async fn unreadable(&mut self) -> Result<Vec<String>, StoreError> {
        let to = &mut self.connection;
        let accounts = sqlx::query(sql::ACCOUNTS).fetch_all(&mut *to).await?;
        let offers = sqlx::query(sql::ALL_OFFERS).fetch_all(&mut *to).await?;
        let sessions = sqlx::query(sql::SESSIONS).fetch_all(&mut *to).await?;
        let faults = accounts
            .iter()
            .filter_map(|row| columns::account(row).err())
            .chain(offers.iter().filter_map(|row| columns::offer(row).err()))
            .chain(
                sessions
                    .iter()
                    .filter_map(|row| columns::session(row).err()),
            );
        Ok(faults.map(|fault| fault.to_string()).collect())
    }

    /// Returns every game, oldest first. For a game that cannot be read, the list contains
    /// an error.
    pub(super) async fn games(
        &mut self,
    ) -> Result<Vec<Result<GameRecord, StoreError>>, StoreError> {
        let found = sqlx::query(sql::GAMES)
            .fetch_all(&mut self.connection)
            .await?;
        Ok(found.iter().map(columns::game).collect())
    }

    /// Returns the rows of a game's log without parsing their texts.
    pub(super) async fn log(&mut self, game: GameId) -> Result<Vec<SqliteRow>, StoreError> {
        Ok(sqlx::query(sql::EVENTS)
            .bind(game.to_string())
            .bind(0_i64)
            .fetch_all(&mut self.connection)
            .await?)
    }

    pub(super) async fn account(&mut self, id: AccountId) -> Result<Account, StoreError> {
        let found = sqlx::query(sql::ACCOUNT).bind(id.0);
        columns::account(&found.fetch_one(&mut self.connection).await?)
    }
}
