//! Messages for people who are away.

use store::{AccountId, AccountKind};

use crate::{
    account::Account,
    error::{ClubError, Code, StoreAnswer},
    inner::Club,
    messages::{MAX_MESSAGE_CHARS, Message},
    sync::lock,
};

impl Club {
    /// Leaves a message for the person with this name. The message waits in
    /// memory until the person takes it, or until the club closes. Returns the
    /// recipient.
    ///
    /// # Errors
    /// [`Code::NotFound`] if no person has the name, [`Code::TooLarge`] if the
    /// text is too long, [`Code::Invalid`] if it is empty, [`Code::TooMany`] if
    /// too many messages wait.
    pub async fn leave_message(
        &self,
        from: &Account,
        name: &str,
        text: &str,
    ) -> Result<Account, ClubError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(ClubError::new(Code::Invalid, "a message needs a text"));
        }
        if text.chars().count() > MAX_MESSAGE_CHARS {
            let why = format!("a message has at most {MAX_MESSAGE_CHARS} characters");
            return Err(ClubError::new(Code::TooLarge, why));
        }
        let found = self.0.store.account_named(name).await.found()?;
        let person = found.filter(|account| account.kind == AccountKind::Person);
        let to = Account::from(person.ok_or_else(|| {
            ClubError::new(
                Code::NotFound,
                "no person with an account here has this name: write the whole name",
            )
        })?);
        let message = Message {
            from: from.clone(),
            at: self.now(),
            text: text.to_owned(),
        };
        if lock(&self.0.messages).add(to.id, message) {
            Ok(to)
        } else {
            Err(ClubError::new(
                Code::TooMany,
                "too many messages wait for this person: try again when the person was here",
            ))
        }
    }

    /// Removes the messages that wait for an account, and returns them, the
    /// oldest first.
    pub fn take_messages(&self, of: AccountId) -> Vec<Message> {
        lock(&self.0.messages).take(of)
    }
}
