//! Statements on messages, mutes and settings, in SQL that SQLite and Postgres both accept.

use crate::{
    account::AccountId,
    error::{StoreError, damaged},
    message::{AccountNote, MAX_CHANGES, MessageChanges, MessageGroup, MessageTo, StoredMessage},
    sql::columns::{StoredRow, game_id},
};

pub(crate) const NEXT_NUMBER: &str = "\
insert into message_counter (id, last) values (1, 1)
on conflict (id) do update set last = message_counter.last + 1 returning last";
pub(crate) const LAST_NUMBER: &str = "select coalesce(max(last), 0) from message_counter";
pub(crate) const ADD: &str = "\
insert into messages (number, game, people, recipient, n, sender, at, text)
values ($1, $2, $3, $4, $5, $6, $7, $8)";
pub(crate) const NEXT_OF_GROUP: &str =
    "select coalesce(max(n), 0) + 1 from messages where game = $1 and people = $2";
pub(crate) const NEXT_TO: &str =
    "select coalesce(max(n), 0) + 1 from messages where recipient = $1";
pub(crate) const COUNT_GUEST: &str =
    "select count(*) from accounts where id = $1 and kind = 'guest'";
pub(crate) const COUNT_TO_BY_GUESTS: &str = "\
select count(*) from messages join accounts on accounts.id = messages.sender
where messages.recipient = $1 and messages.text <> '' and accounts.kind = 'guest'";
pub(crate) const COUNT_TO_BY_OTHERS: &str = "\
select count(*) from messages join accounts on accounts.id = messages.sender
where messages.recipient = $1 and messages.text <> '' and accounts.kind <> 'guest'";
pub(crate) const COUNT_TO_BY: &str =
    "select count(*) from messages where recipient = $1 and text <> '' and sender = $2";
pub(crate) const FORGET_OF_GROUP: &str =
    "delete from messages where game = $1 and people = $2 and n <= $3";
pub(crate) const FORGET_OLD: &str = "\
delete from messages where game is not null and at < $1 and n < (
    select max(later.n) from messages as later
    where later.game = messages.game and later.people = messages.people)";
pub(crate) const FORGET_LAST: &str = "\
update messages set text = '' where game is not null and at < $1 and text <> ''";
pub(crate) const OF_GROUP: &str =
    "select * from messages where game = $1 and people = $2 and n > $3 order by n";
pub(crate) const TO: &str =
    "select * from messages where recipient = $1 and n > $2 and text <> '' order by n";
pub(crate) const BY: &str =
    "select * from messages where sender = $1 and text <> '' order by number";
/// Removes the text and the sender of the last message to an account. The row stays, so that no
/// number is used twice. This statement must run before [`REMOVE_TO`].
pub(crate) const KEEP_LAST_TO: &str = "\
update messages set text = '', sender = recipient
where recipient = $1 and n <= $2 and n = (
    select max(later.n) from messages as later where later.recipient = $1)";
pub(crate) const REMOVE_TO: &str = "\
delete from messages where recipient = $1 and n <= $2 and n < (
    select max(later.n) from messages as later where later.recipient = $1)";
/// Deletes a row that [`KEEP_LAST_TO`] has kept and that is no longer the last one.
pub(crate) const REMOVE_KEPT_TO: &str = "\
delete from messages where recipient = $1 and text = '' and n < (
    select max(later.n) from messages as later where later.recipient = $1)";
pub(crate) const AFTER: &str = "\
select * from messages where number > $1 and (recipient is null or text <> '')
order by number limit $2";
pub(crate) const ALL: &str = "select * from messages order by number";

pub(crate) const COUNT_MUTES: &str =
    "select count(*) from mutes where account = $1 and muted <> $2";
pub(crate) const ADD_MUTE: &str =
    "insert into mutes (account, muted) values ($1, $2) on conflict do nothing";
pub(crate) const REMOVE_MUTE: &str = "delete from mutes where account = $1 and muted = $2";
pub(crate) const MUTES: &str = "select muted from mutes where account = $1 order by muted";

pub(crate) const KEEP_SETTINGS: &str = "\
insert into door_settings (account, door, text) values ($1, $2, $3)
on conflict (account, door) do update set text = excluded.text";
pub(crate) const SETTINGS: &str = "select text from door_settings where account = $1 and door = $2";
pub(crate) const ALL_SETTINGS: &str = "select text from door_settings where door = $1";
pub(crate) const ACCOUNTS_WITH: &str =
    "select account from door_settings where door = $1 and text = $2 order by account";

/// Adds a note, if the writer $2 has written fewer than $7 notes since $6.
pub(crate) const ADD_NOTE: &str = "\
insert into notes (about, n, writer, game, at, text)
select $1, coalesce(max(n), 0) + 1, $2, $3, $4, $5 from notes where about = $1
having (select count(*) from notes as own where own.writer = $2 and own.at > $6) < $7
on conflict do nothing";
pub(crate) const NOTES: &str =
    "select * from notes where about = $1 or $1 is null order by about, n";

/// Statements that delete the messages, mutes, settings and notes of a deleted account. If the last
/// message to another account is from the deleted account, this message stays without its text and
/// its sender. The messages to groups stay without their texts. So no number is used twice.
pub(crate) const DELETE_ALL_OF_ACCOUNT: [&str; 6] = [
    "delete from messages where recipient = $1 or (
        recipient is not null and sender = $1 and n < (
            select max(later.n) from messages as later
            where later.recipient = messages.recipient))",
    "update messages set text = '', sender = recipient
    where recipient is not null and sender = $1",
    "update messages set text = '' where sender = $1",
    "delete from mutes where account = $1 or muted = $1",
    "delete from door_settings where account = $1",
    "delete from notes where about = $1 or writer = $1",
];

pub(crate) const fn group_word(group: MessageGroup) -> &'static str {
    match group {
        MessageGroup::Players => "players",
        MessageGroup::Spectators => "spectators",
    }
}

/// Parses the readers of a stored message.
pub(crate) fn readers(row: &impl StoredRow) -> Result<MessageTo, StoreError> {
    let strange = || damaged("the readers of a message cannot be read");
    match (
        row.text_or_null("game")?,
        row.text_or_null("people")?,
        row.number_or_null("recipient")?,
    ) {
        (Some(game), Some(people), None) => {
            let groups = [MessageGroup::Players, MessageGroup::Spectators];
            let group = groups.into_iter().find(|g| group_word(*g) == people);
            Ok(MessageTo::Group(game_id(game)?, group.ok_or_else(strange)?))
        }
        (None, None, Some(account)) => Ok(MessageTo::Account(AccountId(account))),
        _ => Err(strange()),
    }
}

/// Parses a stored message.
pub(crate) fn message(row: &impl StoredRow) -> Result<StoredMessage, StoreError> {
    let n = u32::try_from(row.number("n")?);
    Ok(StoredMessage {
        n: n.map_err(|_| damaged("the number of a message is not a number"))?,
        from: AccountId(row.number("sender")?),
        to: readers(row)?,
        at: row.number("at")?,
        text: row.text("text")?.to_owned(),
    })
}

/// Parses a stored note.
pub(crate) fn note(row: &impl StoredRow) -> Result<AccountNote, StoreError> {
    Ok(AccountNote {
        about: AccountId(row.number("about")?),
        writer: row.number_or_null("writer")?.map(AccountId),
        game: row.text_or_null("game")?.map(game_id).transpose()?,
        at: row.number("at")?,
        text: row.text("text")?.to_owned(),
    })
}

/// Returns the readers of the messages that were found. `last` is the number of the newest message
/// in the store.
pub(crate) fn changes<R: StoredRow>(last: i64, found: &[R]) -> Result<MessageChanges, StoreError> {
    let is_all = i64::try_from(found.len()).is_ok_and(|count| count < MAX_CHANGES);
    let end = found.last().map(|row| row.number("number")).transpose()?;
    Ok(MessageChanges {
        last: match end {
            Some(end) if is_all => end.max(last),
            Some(end) => end,
            None => last,
        },
        to: found.iter().map(readers).collect::<Result<_, _>>()?,
    })
}
