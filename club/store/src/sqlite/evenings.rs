//! Evenings in the club's file.

use sqlx::sqlite::SqliteRow;

use super::{SqliteStore, change::Change, evening_change::bind};
use crate::{
    account::AccountId,
    copy::Value,
    error::StoreError,
    evening::{Evening, EveningGame, EveningId, EveningPlayer, EveningStore},
    id::GameId,
    sql::evenings::{self as sql, EveningChange, evening_store},
    store::Fence,
};

impl SqliteStore {
    async fn change_evening(&self, change: EveningChange) -> Result<(), StoreError> {
        self.write(Change::Evening(change)).await.map(drop)
    }

    async fn read_evenings<T>(
        &self,
        statement: &'static str,
        value: Option<Value>,
        parse: fn(&SqliteRow) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let query = value.into_iter().fold(sqlx::query(statement), bind);
        let found = query.fetch_all(&self.readers).await?;
        found.iter().map(parse).collect()
    }
}

evening_store!(SqliteStore);
