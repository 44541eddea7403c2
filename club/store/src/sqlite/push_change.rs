//! The changes of subscriptions and secrets, and the function that writes them.

use sqlx::SqliteConnection;

use super::not_done::NotDone;
use crate::{
    account::TokenHash,
    error::StoreError,
    push::{MAX_SUBSCRIPTIONS, PushSubscription},
    sql::{columns::hex, push as sql},
    writer::Done,
};

/// A change of subscriptions or secrets.
#[derive(Debug)]
pub(super) enum PushChange {
    Subscribe(PushSubscription),
    Unsubscribe(TokenHash, Option<String>),
    Secret(String, String),
}

impl PushChange {
    pub(super) async fn write(&self, to: &mut SqliteConnection) -> Result<Done, NotDone> {
        match self {
            PushChange::Subscribe(new) => {
                let session = hex(new.session);
                let removed = sqlx::query(sql::REMOVE_ENDPOINT).bind(&new.endpoint);
                removed.bind(&session).execute(&mut *to).await?;
                let added = sqlx::query(sql::ADD)
                    .bind(&session)
                    .bind(&new.endpoint)
                    .bind(&new.p256dh)
                    .bind(&new.auth)
                    .bind(&new.language)
                    .bind(new.at);
                if added.execute(&mut *to).await?.rows_affected() == 0 {
                    return Err(StoreError::Absent.into());
                }
                let removed = sqlx::query(sql::REMOVE_OLD).bind(&session);
                let removed = removed.bind(i64::from(MAX_SUBSCRIPTIONS));
                removed.execute(to).await?;
            }
            PushChange::Unsubscribe(session, endpoint) => {
                let removed = sqlx::query(sql::REMOVE).bind(hex(*session));
                removed.bind(endpoint).execute(to).await?;
            }
            PushChange::Secret(name, fresh) => {
                let added = sqlx::query(sql::ADD_SECRET).bind(name).bind(fresh);
                added.execute(to).await?;
            }
        }
        Ok(Done::Nothing)
    }
}
