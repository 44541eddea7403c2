//! Messages that wait for people who are away.

use std::collections::{HashMap, VecDeque};

use store::{AccountId, Millis};

use crate::account::Account;

/// Longest message, in characters.
pub(crate) const MAX_MESSAGE_CHARS: usize = 400;
/// Maximum number of messages that wait for one account.
const MAX_WAITING: usize = 20;
/// Maximum number of messages of one sender that wait for one account.
const MAX_OF_ONE_SENDER: usize = 5;
/// Maximum number of accounts for which messages wait.
const MAX_ACCOUNTS: usize = 10_000;

/// A message from one account to another.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Message {
    /// The sender.
    pub from: Account,
    /// Time at which the message was left.
    pub at: Millis,
    /// The text.
    pub text: String,
}

/// Messages that were not read yet, by recipient.
#[derive(Debug, Default)]
pub(crate) struct Messages(HashMap<AccountId, VecDeque<Message>>);

impl Messages {
    /// Adds a message. Returns false if too many messages wait.
    pub(crate) fn add(&mut self, to: AccountId, message: Message) -> bool {
        if !self.0.contains_key(&to) && self.0.len() >= MAX_ACCOUNTS {
            return false;
        }
        let waiting = self.0.entry(to).or_default();
        let same = waiting.iter().filter(|m| m.from.id == message.from.id);
        if waiting.len() >= MAX_WAITING || same.count() >= MAX_OF_ONE_SENDER {
            return false;
        }
        waiting.push_back(message);
        true
    }

    /// Removes the messages for an account, the oldest first.
    pub(crate) fn take(&mut self, of: AccountId) -> Vec<Message> {
        self.0.remove(&of).map_or_else(Vec::new, Vec::from)
    }
}
