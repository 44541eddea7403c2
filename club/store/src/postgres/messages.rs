//! Messages, mutes and settings in a Postgres database.

use async_trait::async_trait;
use sqlx::postgres::PgRow;

use super::PostgresStore;
use crate::{
    account::{AccountId, CHANGES_KEPT},
    error::{StoreError, damaged},
    message::{
        AccountNote, MAX_AGE_OF_GROUP, MAX_CHANGES, MAX_MUTES, MAX_NOTES, MAX_OF_GROUP,
        MAX_WAITING, MAX_WAITING_OF_GUEST, MAX_WAITING_OF_GUESTS, MAX_WAITING_OF_SENDER,
        MessageChanges, MessageStore, MessageTo, NOTES_PERIOD, NewMessage, StoredMessage,
    },
    sql::messages::{self as sql, group_word},
};

const ADD_MESSAGE: &str = "select add_message($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
const SET_MUTE: &str = "select set_mute($1, $2, $3, $4, $5)";

#[async_trait]
impl MessageStore for PostgresStore {
    async fn add_message(&self, message: &NewMessage) -> Result<u32, StoreError> {
        let (game, people, recipient) = match message.to {
            MessageTo::Group(game, group) => {
                (Some(game.to_string()), Some(group_word(group)), None)
            }
            MessageTo::Account(account) => (None, None, Some(account.0)),
        };
        let added = sqlx::query_scalar(ADD_MESSAGE)
            .bind(game)
            .bind(people)
            .bind(recipient)
            .bind(message.from.0)
            .bind(message.at)
            .bind(&message.text)
            .bind(i64::from(MAX_OF_GROUP))
            .bind(message.at - MAX_AGE_OF_GROUP)
            .bind(i64::from(MAX_WAITING))
            .bind(i64::from(MAX_WAITING_OF_SENDER))
            .bind(i64::from(MAX_WAITING_OF_GUESTS))
            .bind(i64::from(MAX_WAITING_OF_GUEST));
        let n: i64 = self.in_time(added.fetch_one(&self.pool)).await?;
        let n = match u32::try_from(n) {
            Ok(0) => return Err(StoreError::Taken),
            Ok(n) => n,
            Err(_) => return Err(damaged("the number of a message is too large")),
        };
        if let Some(recipient) = recipient {
            // If this statement fails, the row that was kept counts as one waiting message until a
            // message is added or removed.
            let kept = sqlx::query(sql::REMOVE_KEPT_TO).bind(recipient);
            let _later = self.in_time(kept.execute(&self.pool)).await;
        }
        Ok(n)
    }

    async fn messages(&self, to: MessageTo, after: u32) -> Result<Vec<StoredMessage>, StoreError> {
        let read = || {
            let query = match to {
                MessageTo::Group(game, group) => sqlx::query(sql::OF_GROUP)
                    .bind(game.to_string())
                    .bind(group_word(group)),
                MessageTo::Account(account) => sqlx::query(sql::TO).bind(account.0),
            };
            query.bind(i64::from(after)).fetch_all(&self.pool)
        };
        let found = self.repeated(read).await?;
        found.iter().map(sql::message).collect()
    }

    async fn messages_by(&self, sender: AccountId) -> Result<Vec<StoredMessage>, StoreError> {
        let read = || sqlx::query(sql::BY).bind(sender.0).fetch_all(&self.pool);
        let found = self.repeated(read).await?;
        found.iter().map(sql::message).collect()
    }

    async fn remove_messages(&self, to: AccountId, last: u32) -> Result<(), StoreError> {
        for statement in [sql::KEEP_LAST_TO, sql::REMOVE_TO] {
            let removed = || {
                let removed = sqlx::query(statement).bind(to.0);
                removed.bind(i64::from(last)).execute(&self.pool)
            };
            self.repeated(removed).await?;
        }
        Ok(())
    }

    async fn message_changes(&self, after: i64) -> Result<MessageChanges, StoreError> {
        let last = || sqlx::query_scalar(sql::LAST_NUMBER).fetch_one(&self.pool);
        let last: i64 = self.repeated(last).await?;
        if last <= after {
            return sql::changes::<PgRow>(last, &[]);
        }
        let read = || {
            let found = sqlx::query(sql::AFTER).bind(after).bind(MAX_CHANGES);
            found.fetch_all(&self.pool)
        };
        sql::changes(last, &self.repeated(read).await?)
    }

    async fn set_mute(
        &self,
        account: AccountId,
        muted: AccountId,
        on: bool,
    ) -> Result<(), StoreError> {
        let set = || {
            sqlx::query_scalar(SET_MUTE)
                .bind(account.0)
                .bind(muted.0)
                .bind(on)
                .bind(i64::from(MAX_MUTES))
                .bind(CHANGES_KEPT)
                .fetch_one(&self.pool)
        };
        match self.repeated(set).await? {
            true => Ok(()),
            false => Err(StoreError::Taken),
        }
    }

    async fn mutes(&self, account: AccountId) -> Result<Vec<AccountId>, StoreError> {
        let read = || {
            let found = sqlx::query_scalar(sql::MUTES).bind(account.0);
            found.fetch_all(&self.pool)
        };
        let found: Vec<i64> = self.repeated(read).await?;
        Ok(found.into_iter().map(AccountId).collect())
    }

    async fn keep_settings(
        &self,
        account: AccountId,
        door: &str,
        text: &str,
    ) -> Result<(), StoreError> {
        let kept = || {
            let kept = sqlx::query(sql::KEEP_SETTINGS).bind(account.0);
            kept.bind(door).bind(text).execute(&self.pool)
        };
        self.repeated(kept).await.map(drop)
    }

    async fn add_note(&self, note: &AccountNote) -> Result<(), StoreError> {
        let added = sqlx::query(sql::ADD_NOTE)
            .bind(note.about.0)
            .bind(note.writer.map(|writer| writer.0))
            .bind(note.game.map(|game| game.to_string()))
            .bind(note.at)
            .bind(&note.text)
            .bind(note.at - NOTES_PERIOD)
            .bind(i64::from(MAX_NOTES));
        let added = self.in_time(added.execute(&self.pool)).await?;
        match added.rows_affected() {
            0 => Err(StoreError::Taken),
            _ => Ok(()),
        }
    }

    async fn notes(&self, about: Option<AccountId>) -> Result<Vec<AccountNote>, StoreError> {
        let read = || {
            let found = sqlx::query(sql::NOTES).bind(about.map(|about| about.0));
            found.fetch_all(&self.pool)
        };
        let found = self.repeated(read).await?;
        found.iter().map(sql::note).collect()
    }

    async fn settings(&self, account: AccountId, door: &str) -> Result<Option<String>, StoreError> {
        let read = || {
            let found = sqlx::query_scalar(sql::SETTINGS).bind(account.0);
            found.bind(door).fetch_optional(&self.pool)
        };
        self.repeated(read).await
    }

    async fn all_settings(&self, door: &str) -> Result<Vec<String>, StoreError> {
        let read = || {
            let found = sqlx::query_scalar(sql::ALL_SETTINGS);
            found.bind(door).fetch_all(&self.pool)
        };
        self.repeated(read).await
    }

    async fn accounts_with(&self, door: &str, text: &str) -> Result<Vec<AccountId>, StoreError> {
        let read = || {
            let found = sqlx::query_scalar(sql::ACCOUNTS_WITH).bind(door);
            found.bind(text).fetch_all(&self.pool)
        };
        let found: Vec<i64> = self.repeated(read).await?;
        Ok(found.into_iter().map(AccountId).collect())
    }
}
