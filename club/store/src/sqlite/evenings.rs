//! Evenings and studies in the club's file.

use sqlx::sqlite::SqliteRow;

use super::{SqliteStore, change::Change, evening_change::bind};
use crate::{
    account::AccountId,
    copy::Value,
    error::StoreError,
    evening::{Evening, EveningGame, EveningId, EveningPlayer, EveningStore},
    id::GameId,
    sql::{
        evenings::{self as sql, EveningChange, Statements, evening_store},
        studies::{self, study_store},
    },
    store::Fence,
    study::{StudyRecord, StudyStore},
};

impl SqliteStore {
    async fn change_rows(&self, change: Box<dyn Statements>) -> Result<(), StoreError> {
        self.write(Change::Statements(change)).await.map(drop)
    }

    async fn read_rows<T>(
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
study_store!(SqliteStore);
