//! Rights and limits that the operator gives an account by a setting.

use store::AccountId;
use wire::RefusalCode;

use crate::{
    error::ClubError,
    inner::{Club, Inner},
};

/// Name of the setting of an account that sees the operator's page, if it is [`SET`].
pub const OPERATOR: &str = "operator";
/// Name of the setting of an account that may write no messages, if it is [`SET`].
pub const MUTED: &str = "operator-mute";
/// Value of these settings.
pub const SET: &str = "yes";

impl Inner {
    async fn is_set(&self, of: AccountId, name: &str) -> Result<bool, ClubError> {
        Ok(self.store.settings(of, name).await?.as_deref() == Some(SET))
    }

    /// Fails if the operator has muted the account.
    pub(super) async fn may_write(&self, by: AccountId) -> Result<(), ClubError> {
        if self.is_set(by, MUTED).await? {
            let why = "the club's operator does not let you write: ask them why";
            return Err(ClubError::new(RefusalCode::Forbidden, "operator-mute", why));
        }
        Ok(())
    }
}

impl Club {
    /// Whether an account sees the operator's page.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn is_operator(&self, account: AccountId) -> Result<bool, ClubError> {
        self.0.is_set(account, OPERATOR).await
    }
}
