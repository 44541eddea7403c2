//! Subscriptions and secrets in memory.

use async_trait::async_trait;

use super::{MemoryStore, Tables};
use crate::{
    account::{AccountId, TokenHash},
    error::StoreError,
    push::{MAX_SUBSCRIPTIONS, PushStore, PushSubscription},
};

impl Tables {
    /// Returns the account of a subscription whose session has not ended.
    fn subscriber(&self, subscription: &PushSubscription) -> Option<AccountId> {
        let session = self.sessions.get(&subscription.session)?;
        self.valid(session).then_some(session.account)
    }

    fn subscriptions(&self, account: AccountId) -> Vec<PushSubscription> {
        let all = self.subscriptions.iter();
        let own = all.filter(|one| self.subscriber(one) == Some(account));
        let mut own: Vec<_> = own.cloned().collect();
        own.sort_by_key(|one| (one.at, one.session.0));
        own
    }
}

#[async_trait]
impl PushStore for MemoryStore {
    async fn subscribe(&self, new: &PushSubscription) -> Result<(), StoreError> {
        let mut tables = self.tables();
        let account = tables.subscriber(new).ok_or(StoreError::Absent)?;
        let all = &mut tables.subscriptions;
        all.retain(|old| old.session != new.session && old.endpoint != new.endpoint);
        all.push(new.clone());
        let own = tables.subscriptions(account);
        let old = own.len().saturating_sub(MAX_SUBSCRIPTIONS as usize);
        tables.subscriptions.retain(|one| !own[..old].contains(one));
        Ok(())
    }

    async fn unsubscribe(
        &self,
        session: TokenHash,
        endpoint: Option<&str>,
    ) -> Result<(), StoreError> {
        let is_named = |one: &PushSubscription| {
            one.session == session && endpoint.is_none_or(|endpoint| one.endpoint == endpoint)
        };
        self.tables().subscriptions.retain(|one| !is_named(one));
        Ok(())
    }

    async fn subscriptions(&self, account: AccountId) -> Result<Vec<PushSubscription>, StoreError> {
        Ok(self.tables().subscriptions(account))
    }

    async fn secret(&self, name: &str, fresh: &str) -> Result<String, StoreError> {
        let mut tables = self.tables();
        let secret = tables.secrets.entry(name.to_owned());
        Ok(secret.or_insert_with(|| fresh.to_owned()).clone())
    }
}
