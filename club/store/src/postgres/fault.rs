//! Conversion of the errors that Postgres reports into errors of the store.

use sqlx::postgres::PgDatabaseError;

use crate::error::{StoreError, damaged};

/// Converts an error that Postgres has reported. The text of the result
/// contains no values of the SQL statement.
pub(crate) fn reported(said: &PgDatabaseError) -> StoreError {
    let (code, message) = (said.code(), said.message());
    match code {
        "53100" => StoreError::Full,
        "25006" => StoreError::ReadOnly("the server is a standby or read-only".to_owned()),
        "42501" => StoreError::ReadOnly(format!(
            "{message}: grant the club's role the rights to create and use tables"
        )),
        "23503" => StoreError::Absent,
        "28P01" | "28000" => StoreError::Other(format!(
            "{message}: check the name and the password in the address"
        )),
        "3D000" => StoreError::Other(format!("{message}: create it (`createdb`)")),
        "3F000" => StoreError::Other(format!("{message}: create the schema")),
        "53300" => StoreError::NoAnswer(format!(
            "{message}: raise max_connections of the server, or stop other programs"
        )),
        "42P01" | "42703" | "42883" => {
            damaged(format_args!("{message}: is this a club's database?"))
        }
        _ if is_passing(code) => StoreError::NoAnswer(message.to_owned()),
        _ => StoreError::Other(format!("{message} (SQLSTATE {code})")),
    }
}

/// Whether the same statement may succeed a moment later. The statement may succeed if the
/// connection was lost, if the server starts or stops, or if another transaction made the statement
/// fail.
fn is_passing(code: &str) -> bool {
    ["08", "40", "53", "57"]
        .iter()
        .any(|class| code.starts_with(class))
        || code == "55P03"
}
