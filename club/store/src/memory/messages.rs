//! Messages, mutes and settings in memory.

use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;

use super::{MemoryStore, Tables};
use crate::{
    account::{AccountId, AccountKind},
    error::StoreError,
    message::{
        AccountNote, MAX_AGE_OF_GROUP, MAX_CHANGES, MAX_MUTES, MAX_NOTES, MAX_OF_GROUP,
        MAX_WAITING, MAX_WAITING_OF_GUEST, MAX_WAITING_OF_GUESTS, MAX_WAITING_OF_SENDER,
        MessageChanges, MessageStore, MessageTo, NOTES_PERIOD, NewMessage, StoredMessage,
    },
};

/// The tables of messages, mutes and settings.
#[derive(Debug, Default)]
pub(super) struct MessageTables {
    last: i64,
    /// Messages by their numbers in the store.
    messages: BTreeMap<i64, StoredMessage>,
    mutes: BTreeSet<(AccountId, AccountId)>,
    notes: Vec<AccountNote>,
    settings: BTreeMap<(AccountId, String), String>,
}

fn is_of_group(message: &StoredMessage) -> bool {
    matches!(message.to, MessageTo::Group(..))
}

/// Whether the recipient has removed the message, or the account of the sender was deleted. While
/// the message is the last one, it stays without its text and its sender. So no number is used
/// twice.
fn is_removed(message: &StoredMessage) -> bool {
    !is_of_group(message) && message.text.is_empty()
}

impl MessageTables {
    /// Returns the number of the last message to each group and account.
    fn last_numbers(&self) -> BTreeMap<MessageTo, u32> {
        let all = self.messages.values();
        all.map(|message| (message.to, message.n)).collect()
    }

    /// Deletes everything of an account that is deleted.
    pub(super) fn forget(&mut self, account: AccountId) {
        let last = self.last_numbers();
        self.messages.retain(|_, message| {
            let is_last = last.get(&message.to) == Some(&message.n);
            is_of_group(message)
                || (message.to != MessageTo::Account(account)
                    && (is_last || message.from != account))
        });
        for message in self.messages.values_mut() {
            if message.from == account {
                message.text.clear();
                if let MessageTo::Account(recipient) = message.to {
                    message.from = recipient;
                }
            }
        }
        self.mutes
            .retain(|(of, muted)| *of != account && *muted != account);
        self.settings.retain(|(of, _), _| *of != account);
        self.notes
            .retain(|note| note.about != account && note.writer != Some(account));
    }

    fn add(
        &mut self,
        new: &NewMessage,
        is_guest: impl Fn(AccountId) -> bool,
    ) -> Result<u32, StoreError> {
        let same = || self.messages.values().filter(|old| old.to == new.to);
        if matches!(new.to, MessageTo::Account(_)) {
            let by_guest = is_guest(new.from);
            let (most, most_of_sender) = match by_guest {
                true => (MAX_WAITING_OF_GUESTS, MAX_WAITING_OF_GUEST),
                false => (MAX_WAITING, MAX_WAITING_OF_SENDER),
            };
            let waiting = || same().filter(|old| !is_removed(old));
            let alike = waiting().filter(|old| is_guest(old.from) == by_guest);
            let alike = alike.count();
            let of_sender = waiting().filter(|old| old.from == new.from).count();
            if alike >= most as usize || of_sender >= most_of_sender as usize {
                return Err(StoreError::Taken);
            }
        }
        let n = same().map(|old| old.n).max().unwrap_or(0) + 1;
        self.last += 1;
        let message = StoredMessage {
            n,
            from: new.from,
            to: new.to,
            at: new.at,
            text: new.text.clone(),
        };
        let group = is_of_group(&message);
        self.messages.insert(self.last, message);
        if !group {
            self.messages
                .retain(|_, old| old.to != new.to || !is_removed(old));
        }
        if group {
            let is_old =
                |old: &StoredMessage| is_of_group(old) && old.at < new.at - MAX_AGE_OF_GROUP;
            let last = self.last_numbers();
            self.messages.retain(|_, old| {
                let is_last = last.get(&old.to) == Some(&old.n);
                (is_last || !is_old(old)) && (old.to != new.to || old.n + MAX_OF_GROUP > n)
            });
            for old in self.messages.values_mut().filter(|old| is_old(old)) {
                old.text.clear();
            }
        }
        Ok(n)
    }
}

#[async_trait]
impl MessageStore for MemoryStore {
    async fn add_message(&self, message: &NewMessage) -> Result<u32, StoreError> {
        let mut tables = self.tables();
        tables.account(message.from)?;
        match message.to {
            MessageTo::Group(game, _) if !tables.games.contains_key(&game) => {
                return Err(StoreError::Absent);
            }
            MessageTo::Group(..) => {}
            MessageTo::Account(account) => {
                tables.account(account)?;
            }
        }
        let Tables {
            accounts, messages, ..
        } = &mut *tables;
        let is_guest = |id| {
            let mut guests = accounts.iter().filter(|a| a.kind == AccountKind::Guest);
            guests.any(|guest| guest.id == id)
        };
        messages.add(message, is_guest)
    }

    async fn messages(&self, to: MessageTo, after: u32) -> Result<Vec<StoredMessage>, StoreError> {
        let tables = self.tables();
        let messages = tables.messages.messages.values();
        let found = messages
            .filter(|message| message.to == to && message.n > after && !is_removed(message));
        Ok(found.cloned().collect())
    }

    async fn messages_by(&self, sender: AccountId) -> Result<Vec<StoredMessage>, StoreError> {
        let tables = self.tables();
        let messages = tables.messages.messages.values();
        let found = messages.filter(|message| message.from == sender && !message.text.is_empty());
        Ok(found.cloned().collect())
    }

    async fn remove_messages(&self, to: AccountId, last: u32) -> Result<(), StoreError> {
        let mut tables = self.tables();
        let account = to;
        let to = MessageTo::Account(account);
        let newest = tables.messages.last_numbers().get(&to).copied();
        let messages = &mut tables.messages.messages;
        messages.retain(|_, old| old.to != to || old.n > last || Some(old.n) == newest);
        let removed = |old: &&mut StoredMessage| old.to == to && old.n <= last;
        for old in messages.values_mut().filter(removed) {
            old.text.clear();
            old.from = account;
        }
        Ok(())
    }

    async fn message_changes(&self, after: i64) -> Result<MessageChanges, StoreError> {
        let tables = self.tables();
        let later = tables.messages.messages.range(after.saturating_add(1)..);
        let most = usize::try_from(MAX_CHANGES).unwrap_or(usize::MAX);
        let later = later.filter(|(_, message)| !is_removed(message));
        let found: Vec<_> = later.take(most).collect();
        let end = found.last().map_or(0, |(number, _)| **number);
        Ok(MessageChanges {
            last: match found.len() < most {
                true => tables.messages.last,
                false => end,
            },
            to: found.iter().map(|(_, message)| message.to).collect(),
        })
    }

    async fn set_mute(
        &self,
        account: AccountId,
        muted: AccountId,
        on: bool,
    ) -> Result<(), StoreError> {
        let mut tables = self.tables();
        tables.account(account)?;
        tables.account(muted)?;
        let mutes = &mut tables.messages.mutes;
        let others = mutes
            .iter()
            .filter(|(of, who)| *of == account && *who != muted);
        if on && others.count() >= MAX_MUTES as usize {
            return Err(StoreError::Taken);
        }
        match on {
            true => mutes.insert((account, muted)),
            false => mutes.remove(&(account, muted)),
        };
        tables.account_changes.push(account);
        Ok(())
    }

    async fn mutes(&self, account: AccountId) -> Result<Vec<AccountId>, StoreError> {
        let tables = self.tables();
        let mutes = tables.messages.mutes.iter();
        let own = mutes.filter(|(of, _)| *of == account);
        Ok(own.map(|(_, muted)| *muted).collect())
    }

    async fn keep_settings(
        &self,
        account: AccountId,
        door: &str,
        text: &str,
    ) -> Result<(), StoreError> {
        let mut tables = self.tables();
        tables.account(account)?;
        let key = (account, door.to_owned());
        tables.messages.settings.insert(key, text.to_owned());
        Ok(())
    }

    async fn add_note(&self, note: &AccountNote) -> Result<(), StoreError> {
        let mut tables = self.tables();
        tables.account(note.about)?;
        if note
            .game
            .is_some_and(|game| !tables.games.contains_key(&game))
        {
            return Err(StoreError::Absent);
        }
        let notes = &mut tables.messages.notes;
        let is_own =
            |old: &&AccountNote| old.writer == note.writer && old.at > note.at - NOTES_PERIOD;
        if note.writer.is_some() && notes.iter().filter(is_own).count() >= MAX_NOTES as usize {
            return Err(StoreError::Taken);
        }
        notes.push(note.clone());
        Ok(())
    }

    async fn notes(&self, about: Option<AccountId>) -> Result<Vec<AccountNote>, StoreError> {
        let tables = self.tables();
        let notes = tables.messages.notes.iter();
        let asked = notes.filter(|note| about.is_none_or(|about| note.about == about));
        let mut asked: Vec<_> = asked.cloned().collect();
        asked.sort_by_key(|note| note.about);
        Ok(asked)
    }

    async fn settings(&self, account: AccountId, door: &str) -> Result<Option<String>, StoreError> {
        let tables = self.tables();
        let key = (account, door.to_owned());
        Ok(tables.messages.settings.get(&key).cloned())
    }

    async fn all_settings(&self, door: &str) -> Result<Vec<String>, StoreError> {
        let tables = self.tables();
        let all = tables.messages.settings.iter();
        let found = all.filter(|((_, at), _)| at == door);
        Ok(found.map(|(_, kept)| kept.clone()).collect())
    }

    async fn accounts_with(&self, door: &str, text: &str) -> Result<Vec<AccountId>, StoreError> {
        let tables = self.tables();
        let all = tables.messages.settings.iter();
        let found = all.filter(|((_, at), kept)| at == door && *kept == text);
        Ok(found.map(|((account, _), _)| *account).collect())
    }
}
