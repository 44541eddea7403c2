//! Messages, mutes and settings in the club's file.

use async_trait::async_trait;

use super::{SqliteStore, change::Change, message_change::MessageChange};
use crate::{
    account::AccountId,
    error::{StoreError, damaged},
    message::{
        AccountNote, MAX_CHANGES, MessageChanges, MessageStore, MessageTo, NewMessage,
        StoredMessage,
    },
    sql::messages::{self as sql, group_word},
    writer::Done,
};

#[async_trait]
impl MessageStore for SqliteStore {
    async fn add_message(&self, message: &NewMessage) -> Result<u32, StoreError> {
        let change = Change::Message(MessageChange::Add(message.clone()));
        match self.write(change).await? {
            Done::Message(n) => Ok(n),
            Done::Nothing | Done::Claimed(_) | Done::Renewed(_) | Done::Account(_) => {
                Err(damaged("a message was added without a number"))
            }
        }
    }

    async fn messages(&self, to: MessageTo, after: u32) -> Result<Vec<StoredMessage>, StoreError> {
        let query = match to {
            MessageTo::Group(game, group) => sqlx::query(sql::OF_GROUP)
                .bind(game.to_string())
                .bind(group_word(group)),
            MessageTo::Account(account) => sqlx::query(sql::TO).bind(account.0),
        };
        let found = query
            .bind(i64::from(after))
            .fetch_all(&self.readers)
            .await?;
        found.iter().map(sql::message).collect()
    }

    async fn messages_by(&self, sender: AccountId) -> Result<Vec<StoredMessage>, StoreError> {
        let found = sqlx::query(sql::BY).bind(sender.0);
        let found = found.fetch_all(&self.readers).await?;
        found.iter().map(sql::message).collect()
    }

    async fn remove_messages(&self, to: AccountId, last: u32) -> Result<(), StoreError> {
        let change = MessageChange::Remove { to, last };
        self.write(Change::Message(change)).await.map(drop)
    }

    async fn message_changes(&self, after: i64) -> Result<MessageChanges, StoreError> {
        let last: i64 = sqlx::query_scalar(sql::LAST_NUMBER)
            .fetch_one(&self.readers)
            .await?;
        if last <= after {
            return sql::changes::<sqlx::sqlite::SqliteRow>(last, &[]);
        }
        let found = sqlx::query(sql::AFTER).bind(after).bind(MAX_CHANGES);
        sql::changes(last, &found.fetch_all(&self.readers).await?)
    }

    async fn set_mute(
        &self,
        account: AccountId,
        muted: AccountId,
        on: bool,
    ) -> Result<(), StoreError> {
        let change = MessageChange::Mute { account, muted, on };
        self.write(Change::Message(change)).await.map(drop)
    }

    async fn mutes(&self, account: AccountId) -> Result<Vec<AccountId>, StoreError> {
        let found: Vec<i64> = sqlx::query_scalar(sql::MUTES)
            .bind(account.0)
            .fetch_all(&self.readers)
            .await?;
        Ok(found.into_iter().map(AccountId).collect())
    }

    async fn keep_settings(
        &self,
        account: AccountId,
        door: &str,
        text: &str,
    ) -> Result<(), StoreError> {
        let change = MessageChange::Settings {
            account,
            door: door.to_owned(),
            text: text.to_owned(),
        };
        self.write(Change::Message(change)).await.map(drop)
    }

    async fn add_note(&self, note: &AccountNote) -> Result<(), StoreError> {
        let change = MessageChange::Note(note.clone());
        self.write(Change::Message(change)).await.map(drop)
    }

    async fn notes(&self, about: Option<AccountId>) -> Result<Vec<AccountNote>, StoreError> {
        let found = sqlx::query(sql::NOTES).bind(about.map(|about| about.0));
        let found = found.fetch_all(&self.readers).await?;
        found.iter().map(sql::note).collect()
    }

    async fn settings(&self, account: AccountId, door: &str) -> Result<Option<String>, StoreError> {
        let found = sqlx::query_scalar(sql::SETTINGS).bind(account.0).bind(door);
        Ok(found.fetch_optional(&self.readers).await?)
    }

    async fn all_settings(&self, door: &str) -> Result<Vec<String>, StoreError> {
        let found = sqlx::query_scalar(sql::ALL_SETTINGS).bind(door);
        Ok(found.fetch_all(&self.readers).await?)
    }

    async fn accounts_with(&self, door: &str, text: &str) -> Result<Vec<AccountId>, StoreError> {
        let found = sqlx::query_scalar(sql::ACCOUNTS_WITH).bind(door).bind(text);
        let found = found.fetch_all(&self.readers).await?;
        Ok(found.into_iter().map(AccountId).collect())
    }
}
