//! Changes of evenings and studies in the club's file.

use sqlx::{Sqlite, SqliteConnection, query::Query, sqlite::SqliteArguments};

use super::not_done::NotDone;
use crate::{copy::Value, sql::evenings::Statements, writer::Done};

type Statement = Query<'static, Sqlite, SqliteArguments>;

/// Binds a value to a statement.
pub(super) fn bind(query: Statement, value: Value) -> Statement {
    match value {
        Value::Text(text) => query.bind(text),
        Value::Number(number) => query.bind(number),
        Value::Truth(truth) => query.bind(truth),
    }
}

/// Writes a change.
pub(super) async fn change(
    to: &mut SqliteConnection,
    change: &dyn Statements,
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
