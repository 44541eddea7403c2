//! Messages between people, mutes, and the settings of accounts at doors (ways to use the club with
//! lines of text).

use async_trait::async_trait;

use crate::{account::AccountId, error::StoreError, id::GameId, row::Millis};

/// The people at a game who read each other's messages.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum MessageGroup {
    /// The two players.
    Players,
    /// The spectators; after the end of the game also the players.
    Spectators,
}

/// Readers of a message.
#[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
pub enum MessageTo {
    /// A group at a game.
    Group(GameId, MessageGroup),
    /// One account, which reads the message later.
    Account(AccountId),
}

/// New message.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct NewMessage {
    /// Account of the sender.
    pub from: AccountId,
    /// Readers.
    pub to: MessageTo,
    /// Time at which the message was written.
    pub at: Millis,
    /// Text.
    pub text: String,
}

/// Stored message.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct StoredMessage {
    /// Number among the messages to the same readers, from 1. Each number is used once, with one
    /// exception: if the account that wrote the last message to another account is deleted, the
    /// number of this message can be used again.
    pub n: u32,
    /// Account of the sender.
    pub from: AccountId,
    /// Readers.
    pub to: MessageTo,
    /// Time at which the message was written.
    pub at: Millis,
    /// Text; empty if the message is old or the account of the sender was deleted.
    pub text: String,
}

/// The newest messages of the whole store, without their texts.
#[derive(Clone, Eq, PartialEq, Debug, Default)]
pub struct MessageChanges {
    /// Number of the last message that these changes include, among all messages of the store.
    pub last: i64,
    /// Readers of each message, in the order of writing.
    pub to: Vec<MessageTo>,
}

/// Maximum number of messages that are kept for one group at one game.
pub const MAX_OF_GROUP: u32 = 200;
/// Messages to groups are deleted at this age: 30 days, in milliseconds. Old messages are deleted
/// when the next message to any group is written. The last message of a group stays, but without
/// its text. So the next message does not get the same number.
pub const MAX_AGE_OF_GROUP: Millis = 30 * 24 * 3600 * 1000;
/// Maximum number of messages that wait for one account, not counting the messages of guests. A
/// message to an account waits until [`MessageStore::remove_messages`] deletes it.
pub const MAX_WAITING: u32 = 20;
/// Maximum number of messages of one sender that wait for one account.
pub const MAX_WAITING_OF_SENDER: u32 = 5;
/// Maximum number of messages of all guests together that wait for one account.
pub const MAX_WAITING_OF_GUESTS: u32 = 6;
/// Maximum number of messages of one guest that wait for one account.
pub const MAX_WAITING_OF_GUEST: u32 = 2;
/// Maximum number of accounts that one account mutes.
pub const MAX_MUTES: u32 = 100;
/// Maximum number of notes that one account writes in [`NOTES_PERIOD`].
pub const MAX_NOTES: u32 = 10;
/// Period in which the notes of an account are counted: a day, in milliseconds.
pub const NOTES_PERIOD: Millis = 24 * 3600 * 1000;
/// Maximum number of messages that [`MessageStore::message_changes`] returns together.
pub(crate) const MAX_CHANGES: i64 = 1000;

/// A note about an account, which only the operator reads: a report, or what the operator did.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct AccountNote {
    /// The account.
    pub about: AccountId,
    /// Account that reports; `None` for the operator.
    pub writer: Option<AccountId>,
    /// Game that a report is about.
    pub game: Option<GameId>,
    /// Time of writing.
    pub at: Millis,
    /// Text: one line.
    pub text: String,
}

/// Storage of messages, mutes, settings and notes. It is a part of every [`Store`](crate::Store).
#[async_trait]
pub trait MessageStore: Send + Sync + 'static {
    /// Adds a message. Returns its number among the messages to the same readers. If the message is
    /// to a group, also deletes old messages to all groups.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if too many messages wait for the account; messages of guests and
    /// messages of others are counted separately. [`StoreError::Absent`] if there is no such game or
    /// account.
    async fn add_message(&self, message: &NewMessage) -> Result<u32, StoreError>;

    /// Returns the kept messages to these readers after number `after`, oldest first. Messages to a
    /// group can have an empty text; messages to an account cannot.
    async fn messages(&self, to: MessageTo, after: u32) -> Result<Vec<StoredMessage>, StoreError>;

    /// Returns the kept messages of a sender, oldest first.
    async fn messages_by(&self, sender: AccountId) -> Result<Vec<StoredMessage>, StoreError>;

    /// Deletes the messages to an account up to number `last`. The store keeps the number of the
    /// last message, so that a repeated call deletes no newer message.
    async fn remove_messages(&self, to: AccountId, last: u32) -> Result<(), StoreError>;

    /// Returns the readers of the messages that were added after the message with this number,
    /// through this store or another one.
    async fn message_changes(&self, after: i64) -> Result<MessageChanges, StoreError>;

    /// If `on` is true, makes `account` mute the account `muted`. Otherwise ends this mute. Records
    /// that `account` was changed.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if `account` mutes [`MAX_MUTES`] accounts already;
    /// [`StoreError::Absent`] if one of the two accounts does not exist.
    async fn set_mute(
        &self,
        account: AccountId,
        muted: AccountId,
        on: bool,
    ) -> Result<(), StoreError>;

    /// Returns the accounts that an account mutes, in the order of their numbers.
    async fn mutes(&self, account: AccountId) -> Result<Vec<AccountId>, StoreError>;

    /// Stores the settings of an account at a door, in place of the earlier settings.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if there is no such account.
    async fn keep_settings(
        &self,
        account: AccountId,
        door: &str,
        text: &str,
    ) -> Result<(), StoreError>;

    /// Adds a note. Notes about an account, and the notes that it wrote, are deleted with the account.
    ///
    /// # Errors
    /// [`StoreError::Taken`] if the writer has written [`MAX_NOTES`] notes in the last
    /// [`NOTES_PERIOD`], or if another note about the account is added at the same moment;
    /// [`StoreError::Absent`] if there is no such account or game.
    async fn add_note(&self, note: &AccountNote) -> Result<(), StoreError>;

    /// Returns the notes about an account, oldest first, or about all accounts, in the order of their
    /// numbers.
    async fn notes(&self, about: Option<AccountId>) -> Result<Vec<AccountNote>, StoreError>;

    /// Returns the settings of an account at a door, if any are stored.
    async fn settings(&self, account: AccountId, door: &str) -> Result<Option<String>, StoreError>;

    /// Returns the settings of all accounts at a door, in no order.
    async fn all_settings(&self, door: &str) -> Result<Vec<String>, StoreError>;

    /// Returns the accounts whose settings at a door are exactly `text`, in the order of their numbers.
    async fn accounts_with(&self, door: &str, text: &str) -> Result<Vec<AccountId>, StoreError>;
}
