//! The record of changed accounts. Every club reads the record to notice the changes.

use sqlx::SqliteConnection;

use super::not_done::NotDone;
use crate::{
    account::{AccountId, CHANGES_KEPT},
    sql,
};

/// Records that an account was changed, or that a session of the account was ended.
pub(super) async fn note_account(to: &mut SqliteConnection, id: AccountId) -> Result<(), NotDone> {
    let noted = sqlx::query(sql::ADD_ACCOUNT_CHANGE).bind(id.0);
    noted.execute(&mut *to).await?;
    let forgotten = sqlx::query(sql::FORGET_ACCOUNT_CHANGES).bind(CHANGES_KEPT);
    forgotten.execute(to).await?;
    Ok(())
}
