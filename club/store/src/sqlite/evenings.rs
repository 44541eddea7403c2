//! Evenings in the club's file.

use sqlx::{
    Sqlite, SqliteConnection,
    query::Query,
    sqlite::{SqliteArguments, SqliteRow},
};

use super::{SqliteStore, change::Change, not_done::NotDone};
use crate::{
    account::AccountId,
    copy::Value,
    error::StoreError,
    evening::{Evening, EveningGame, EveningId, EveningPlayer, EveningStore},
    id::GameId,
    sql::evenings::{self as sql, EveningChange, evening_store},
    store::Fence,
    writer::Done,
};

type Statement = Query<'static, Sqlite, SqliteArguments>;

fn bind(query: Statement, value: Value) -> Statement {
    match value {
        Value::Text(text) => query.bind(text),
        Value::Number(number) => query.bind(number),
        Value::Truth(truth) => query.bind(truth),
    }
}

/// Writes a change of evenings.
pub(super) async fn change(
    to: &mut SqliteConnection,
    change: &EveningChange,
) -> Result<Done, NotDone> {
    let mut changed = 0;
    for (statement, values) in change.statements() {
        let query = values.into_iter().fold(sqlx::query(statement), bind);
        changed = query.execute(&mut *to).await?.rows_affected();
    }
    match change.missed() {
        Some(error) if changed == 0 => Err(error.into()),
        Some(_) | None => Ok(Done::Nothing),
    }
}

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
