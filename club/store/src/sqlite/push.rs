//! Subscriptions and secrets in the club's file.

use async_trait::async_trait;
use sqlx::SqliteConnection;

use super::{SqliteStore, change::Change, not_done::NotDone};
use crate::{
    account::{AccountId, TokenHash},
    error::StoreError,
    push::{MAX_SUBSCRIPTIONS, PushStore, PushSubscription},
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

#[async_trait]
impl PushStore for SqliteStore {
    async fn subscribe(&self, subscription: &PushSubscription) -> Result<(), StoreError> {
        let change = PushChange::Subscribe(subscription.clone());
        self.write(Change::Push(change)).await.map(drop)
    }

    async fn unsubscribe(
        &self,
        session: TokenHash,
        endpoint: Option<&str>,
    ) -> Result<(), StoreError> {
        let change = PushChange::Unsubscribe(session, endpoint.map(str::to_owned));
        self.write(Change::Push(change)).await.map(drop)
    }

    async fn subscriptions(&self, account: AccountId) -> Result<Vec<PushSubscription>, StoreError> {
        let found = sqlx::query(sql::OF).bind(account.0);
        let found = found.fetch_all(&self.readers).await?;
        found.iter().map(sql::subscription).collect()
    }

    async fn secret(&self, name: &str, fresh: &str) -> Result<String, StoreError> {
        let read = || sqlx::query_scalar(sql::SECRET).bind(name);
        if let Some(found) = read().fetch_optional(&self.readers).await? {
            return Ok(found);
        }
        let change = PushChange::Secret(name.to_owned(), fresh.to_owned());
        self.write(Change::Push(change)).await?;
        Ok(read().fetch_one(&self.readers).await?)
    }
}
