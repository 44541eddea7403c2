//! Evenings and studies in a Postgres database.

use sqlx::{
    Postgres,
    postgres::{PgArguments, PgRow},
    query::Query,
};

use super::PostgresStore;
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

type Statement = Query<'static, Postgres, PgArguments>;

fn bind(query: Statement, value: &Value) -> Statement {
    match value {
        Value::Text(text) => query.bind(text.clone()),
        Value::Number(number) => query.bind(*number),
        Value::Truth(truth) => query.bind(*truth),
    }
}

impl PostgresStore {
    async fn change_rows(&self, change: Box<dyn Statements>) -> Result<(), StoreError> {
        let mut changed = 0;
        for (statement, values) in change.statements() {
            let query = values.iter().fold(sqlx::query(statement), bind);
            let done = self.in_time(query.execute(&self.pool)).await?;
            changed = done.rows_affected();
        }
        match change.missed() {
            Some(error) if changed == 0 => Err(error),
            Some(_) | None => Ok(()),
        }
    }

    async fn read_rows<T>(
        &self,
        statement: &'static str,
        value: Option<Value>,
        parse: fn(&PgRow) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let read = || {
            let query = value.iter().fold(sqlx::query(statement), bind);
            query.fetch_all(&self.pool)
        };
        let found = self.repeated(read).await?;
        found.iter().map(parse).collect()
    }
}

evening_store!(PostgresStore);
study_store!(PostgresStore);
