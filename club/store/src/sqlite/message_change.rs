//! The changes of messages, mutes and settings, and the function that writes them.

use sqlx::SqliteConnection;

use super::{account_note::note_account, not_done::NotDone};
use crate::{
    account::AccountId,
    error::{StoreError, damaged},
    message::{
        AccountNote, MAX_AGE_OF_GROUP, MAX_MUTES, MAX_NOTES, MAX_OF_GROUP, MAX_WAITING,
        MAX_WAITING_OF_GUEST, MAX_WAITING_OF_GUESTS, MAX_WAITING_OF_SENDER, MessageTo,
        NOTES_PERIOD, NewMessage,
    },
    sql::messages::{self as sql, group_word},
    writer::Done,
};

/// A change of messages, mutes or settings.
#[derive(Debug)]
pub(super) enum MessageChange {
    Add(NewMessage),
    Remove {
        to: AccountId,
        last: u32,
    },
    Mute {
        account: AccountId,
        muted: AccountId,
        on: bool,
    },
    Settings {
        account: AccountId,
        door: String,
        text: String,
    },
    Note(AccountNote),
}

async fn count(
    to: &mut SqliteConnection,
    statement: &'static str,
    of: &[i64],
) -> Result<i64, NotDone> {
    let mut query = sqlx::query_scalar(statement);
    for id in of {
        query = query.bind(*id);
    }
    Ok(query.fetch_one(to).await?)
}

async fn add(to: &mut SqliteConnection, new: &NewMessage) -> Result<Done, NotDone> {
    let (game, people, recipient, n): (_, _, _, i64) = match new.to {
        MessageTo::Group(game, group) => {
            let (game, people) = (game.to_string(), group_word(group));
            let next = sqlx::query_scalar(sql::NEXT_OF_GROUP)
                .bind(&game)
                .bind(people);
            let next = next.fetch_one(&mut *to).await?;
            (Some(game), Some(people), None, next)
        }
        MessageTo::Account(account) => {
            let by_guest = count(to, sql::COUNT_GUEST, &[new.from.0]).await? > 0;
            let (alike, most, most_of_sender) = match by_guest {
                true => (
                    sql::COUNT_TO_BY_GUESTS,
                    MAX_WAITING_OF_GUESTS,
                    MAX_WAITING_OF_GUEST,
                ),
                false => (sql::COUNT_TO_BY_OTHERS, MAX_WAITING, MAX_WAITING_OF_SENDER),
            };
            let waiting = count(to, alike, &[account.0]).await?;
            let of_sender = count(to, sql::COUNT_TO_BY, &[account.0, new.from.0]).await?;
            if waiting >= i64::from(most) || of_sender >= i64::from(most_of_sender) {
                return Err(StoreError::Taken.into());
            }
            let next = count(to, sql::NEXT_TO, &[account.0]).await?;
            (None, None, Some(account.0), next)
        }
    };
    let number: i64 = sqlx::query_scalar(sql::NEXT_NUMBER)
        .fetch_one(&mut *to)
        .await?;
    let added = sqlx::query(sql::ADD)
        .bind(number)
        .bind(&game)
        .bind(people)
        .bind(recipient)
        .bind(n)
        .bind(new.from.0)
        .bind(new.at)
        .bind(&new.text);
    added.execute(&mut *to).await?;
    if recipient.is_some() {
        let removed = sqlx::query(sql::REMOVE_KEPT_TO).bind(recipient);
        removed.execute(&mut *to).await?;
    }
    if game.is_some() {
        let forgotten = sqlx::query(sql::FORGET_OF_GROUP)
            .bind(&game)
            .bind(people)
            .bind(n - i64::from(MAX_OF_GROUP));
        forgotten.execute(&mut *to).await?;
        for statement in [sql::FORGET_OLD, sql::FORGET_LAST] {
            let forgotten = sqlx::query(statement).bind(new.at - MAX_AGE_OF_GROUP);
            forgotten.execute(&mut *to).await?;
        }
    }
    Ok(Done::Message(u32::try_from(n).map_err(|_| {
        damaged("the number of a message is too large")
    })?))
}

impl MessageChange {
    pub(super) async fn write(&self, to: &mut SqliteConnection) -> Result<Done, NotDone> {
        match self {
            MessageChange::Add(message) => return add(to, message).await,
            MessageChange::Remove { to: reader, last } => {
                for statement in [sql::KEEP_LAST_TO, sql::REMOVE_TO] {
                    let removed = sqlx::query(statement).bind(reader.0);
                    removed.bind(i64::from(*last)).execute(&mut *to).await?;
                }
            }
            MessageChange::Mute { account, muted, on } => {
                let others = count(to, sql::COUNT_MUTES, &[account.0, muted.0]).await?;
                if *on && others >= i64::from(MAX_MUTES) {
                    return Err(StoreError::Taken.into());
                }
                let statement = if *on { sql::ADD_MUTE } else { sql::REMOVE_MUTE };
                let changed = sqlx::query(statement).bind(account.0).bind(muted.0);
                changed.execute(&mut *to).await?;
                note_account(to, *account).await?;
            }
            MessageChange::Settings {
                account,
                door,
                text,
            } => {
                let kept = sqlx::query(sql::KEEP_SETTINGS).bind(account.0);
                kept.bind(door).bind(text).execute(to).await?;
            }
            MessageChange::Note(note) => {
                let added = sqlx::query(sql::ADD_NOTE)
                    .bind(note.about.0)
                    .bind(note.writer.map(|writer| writer.0))
                    .bind(note.game.map(|game| game.to_string()))
                    .bind(note.at)
                    .bind(&note.text)
                    .bind(note.at - NOTES_PERIOD)
                    .bind(i64::from(MAX_NOTES));
                if added.execute(to).await?.rows_affected() == 0 {
                    return Err(StoreError::Taken.into());
                }
            }
        }
        Ok(Done::Nothing)
    }
}
