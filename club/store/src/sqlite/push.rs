//! Subscriptions and secrets in the club's file.

use async_trait::async_trait;

use super::{SqliteStore, change::Change, push_change::PushChange};
use crate::{
    account::{AccountId, TokenHash},
    error::StoreError,
    push::{PushStore, PushSubscription},
    sql::push as sql,
};

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
