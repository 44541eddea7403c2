//! Subscriptions and secrets in a Postgres database.

use async_trait::async_trait;

use super::PostgresStore;
use crate::{
    account::{AccountId, TokenHash},
    error::StoreError,
    push::{MAX_SUBSCRIPTIONS, PushStore, PushSubscription},
    sql::{columns::hex, push as sql},
};

#[async_trait]
impl PushStore for PostgresStore {
    async fn subscribe(&self, new: &PushSubscription) -> Result<(), StoreError> {
        let session = hex(new.session);
        let removed = || {
            let removed = sqlx::query(sql::REMOVE_ENDPOINT).bind(&new.endpoint);
            removed.bind(&session).execute(&self.pool)
        };
        self.repeated(removed).await?;
        let added = || {
            sqlx::query(sql::ADD)
                .bind(&session)
                .bind(&new.endpoint)
                .bind(&new.p256dh)
                .bind(&new.auth)
                .bind(&new.language)
                .bind(new.at)
                .execute(&self.pool)
        };
        if self.repeated(added).await?.rows_affected() == 0 {
            return Err(StoreError::Absent);
        }
        let removed = || {
            let removed = sqlx::query(sql::REMOVE_OLD).bind(&session);
            let removed = removed.bind(i64::from(MAX_SUBSCRIPTIONS));
            removed.execute(&self.pool)
        };
        self.repeated(removed).await.map(drop)
    }

    async fn unsubscribe(
        &self,
        session: TokenHash,
        endpoint: Option<&str>,
    ) -> Result<(), StoreError> {
        let removed = || {
            let removed = sqlx::query(sql::REMOVE).bind(hex(session));
            removed.bind(endpoint).execute(&self.pool)
        };
        self.repeated(removed).await.map(drop)
    }

    async fn subscriptions(&self, account: AccountId) -> Result<Vec<PushSubscription>, StoreError> {
        let read = || sqlx::query(sql::OF).bind(account.0).fetch_all(&self.pool);
        let found = self.repeated(read).await?;
        found.iter().map(sql::subscription).collect()
    }

    async fn secret(&self, name: &str, fresh: &str) -> Result<String, StoreError> {
        let added = || {
            let added = sqlx::query(sql::ADD_SECRET).bind(name).bind(fresh);
            added.execute(&self.pool)
        };
        self.repeated(added).await?;
        let read = || {
            let found = sqlx::query_scalar(sql::SECRET).bind(name);
            found.fetch_one(&self.pool)
        };
        self.repeated(read).await
    }
}
