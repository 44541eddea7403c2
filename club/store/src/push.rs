//! Browsers that get notices (Web Push), and secrets of the club.

use async_trait::async_trait;

use crate::{
    account::{AccountId, TokenHash},
    error::StoreError,
    row::Millis,
};

/// Maximum number of browsers of one account that get notices.
pub const MAX_SUBSCRIPTIONS: u32 = 5;

/// A browser that gets notices.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct PushSubscription {
    /// Session of the browser; the subscription ends with it.
    pub session: TokenHash,
    /// Address at the browser's push service.
    pub endpoint: String,
    /// Public key of the browser, in base64url.
    pub p256dh: String,
    /// Secret that the browser shares with the club, in base64url.
    pub auth: String,
    /// Code of the language of the notices.
    pub language: String,
    /// Time of the subscription.
    pub at: Millis,
}

/// Storage of subscriptions and secrets. It is a part of every [`Store`](crate::Store).
#[async_trait]
pub trait PushStore: Send + Sync + 'static {
    /// Stores a subscription in place of the earlier one of its session, and of others with the
    /// same endpoint. Of those of one account, keeps the newest [`MAX_SUBSCRIPTIONS`].
    ///
    /// # Errors
    /// [`StoreError::Absent`] if there is no such session.
    async fn subscribe(&self, subscription: &PushSubscription) -> Result<(), StoreError>;

    /// Deletes the subscription of a session, if it has one with this endpoint (`None`: any).
    async fn unsubscribe(
        &self,
        session: TokenHash,
        endpoint: Option<&str>,
    ) -> Result<(), StoreError>;

    /// Returns the subscriptions of an account, oldest first.
    async fn subscriptions(&self, account: AccountId) -> Result<Vec<PushSubscription>, StoreError>;

    /// Returns the secret with this name. The first call for a name stores `fresh`.
    async fn secret(&self, name: &str, fresh: &str) -> Result<String, StoreError>;
}
