//! Messages between people: the checks of a text, the rate limit, and the messages of each game
//! while somebody reads them.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    sync::{
        Arc, Mutex, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use limits::Buckets;
use store::{AccountId, GameId, MAX_OF_GROUP, MessageGroup, MessageTo, Millis, StoredMessage};
use tokio::sync::watch;
use wire::RefusalCode;

use crate::{account::Account, error::ClubError, inner::Inner, sync::lock};

/// Longest message, in characters.
pub(crate) const MAX_MESSAGE_CHARS: usize = 400;
/// Number of messages of one account within [`SPAN`].
const MESSAGES: u32 = 10;
const SPAN: Duration = Duration::from_secs(20);
/// Maximum number of accounts in the cache of mutes.
const MAX_ACCOUNTS: usize = 10_000;

/// A message from one person to others.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Message {
    /// Number among the messages to the same readers, from 1.
    pub n: u32,
    /// The sender.
    pub from: Account,
    /// Time at which the message was written.
    pub at: Millis,
    /// The text: one line of at most 400 characters.
    pub text: String,
}

/// Whether a character is forbidden in messages. A forbidden character changes how the text is
/// shown, is not visible, or has no meaning of its own.
fn is_control(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            // Separators of lines, and signs that change the direction of the text.
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // Signs that are not visible.
            | '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
            // Signs for private use.
            | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}'
        )
}

/// Checks the text of a message. Returns the text without spaces at its ends.
pub(crate) fn checked(text: &str) -> Result<&str, ClubError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(ClubError::new(
            RefusalCode::Invalid,
            "message-empty",
            "a message needs a text",
        ));
    }
    if text.chars().count() > MAX_MESSAGE_CHARS {
        let why =
            format!("a message has at most {MAX_MESSAGE_CHARS} characters: write several messages");
        return Err(ClubError::new(RefusalCode::TooLarge, "message-long", why));
    }
    if text.contains(is_control) {
        return Err(ClubError::new(
            RefusalCode::Invalid,
            "message-form",
            "a message is one line of plain text: leave out control characters and invisible signs",
        ));
    }
    Ok(text)
}

/// Whether a text is one line without invisible signs.
pub(crate) fn is_line(text: &str) -> bool {
    !text.contains(is_control)
}

/// The messages of one group at one game, while somebody reads them.
pub(crate) struct GroupMessages {
    to: MessageTo,
    kept: Mutex<VecDeque<Message>>,
    /// Number of the last message. Changes only when there is a new message.
    last: watch::Sender<u32>,
    /// Held while the store is read.
    reading: tokio::sync::Mutex<()>,
}

impl GroupMessages {
    /// Returns the number of the last message.
    pub(crate) fn last(&self) -> u32 {
        *self.last.borrow()
    }

    pub(crate) fn subscribe(&self) -> watch::Receiver<u32> {
        self.last.subscribe()
    }

    /// Returns the first kept message after number `after`.
    pub(crate) fn after(&self, after: u32) -> Option<Message> {
        let kept = lock(&self.kept);
        let at = kept.partition_point(|message| message.n <= after);
        kept.get(at).cloned()
    }

    /// Reads new messages from the store. If `anew` is true, reads all messages again.
    async fn read(&self, club: &Inner, anew: bool) -> Result<(), ClubError> {
        let _turn = self.reading.lock().await;
        let after = if anew { 0 } else { *self.last.borrow() };
        let found = club.store.messages(self.to, after).await?;
        let last = found.last().map_or(0, |message| message.n);
        let mut messages = Vec::with_capacity(found.len());
        for message in found {
            messages.extend(club.shown(message).await?);
        }
        let mut kept = lock(&self.kept);
        if anew {
            kept.clear();
        }
        kept.extend(messages);
        while kept.len() > MAX_OF_GROUP as usize {
            kept.pop_front();
        }
        drop(kept);
        self.last.send_if_modified(|old| {
            let is_new = last > *old;
            *old = last.max(*old);
            is_new
        });
        Ok(())
    }
}

type Mutes = Arc<HashSet<AccountId>>;

/// Data about messages that the club keeps in memory.
#[derive(Default)]
pub(crate) struct Messages {
    groups: Mutex<HashMap<MessageTo, Weak<GroupMessages>>>,
    rates: Buckets<AccountId>,
    mutes: Mutex<HashMap<AccountId, Mutes>>,
    /// Number of times that cached mutes were forgotten. A task that reads mutes compares this
    /// number to find out whether its result is too old to be cached.
    forgotten: AtomicU64,
    /// Number of the last message of the store that this club has seen.
    pub(crate) last: tokio::sync::Mutex<i64>,
}

impl Messages {
    pub(crate) fn new(last: i64) -> Messages {
        Messages {
            last: tokio::sync::Mutex::new(last),
            ..Messages::default()
        }
    }

    /// Counts `messages` messages of an account. Refuses them if the account has written too many.
    pub(crate) fn count(&self, by: AccountId, messages: u32) -> Result<(), ClubError> {
        let counted = self.rates.take(by, messages, MESSAGES, SPAN);
        counted.map_err(|wait| {
            ClubError::too_soon(wait, "messages-fast", |seconds| {
                format!(
                    "too many messages: nobody has read this one; write it again in {seconds} s"
                )
            })
        })
    }

    fn read_now(&self, to: MessageTo) -> Option<Arc<GroupMessages>> {
        lock(&self.groups).get(&to).and_then(Weak::upgrade)
    }

    /// Forgets which accounts the account `of` mutes. If `of` is `None`, forgets the mutes of all
    /// accounts.
    pub(crate) fn forget_mutes(&self, of: Option<AccountId>) {
        let mut mutes = lock(&self.mutes);
        match of {
            Some(account) => drop(mutes.remove(&account)),
            None => mutes.clear(),
        }
        self.forgotten.fetch_add(1, Ordering::AcqRel);
    }
}

impl Inner {
    /// Converts a stored message. Returns `None` if its text was deleted, for example because the
    /// account of the sender was deleted.
    pub(crate) async fn shown(&self, stored: StoredMessage) -> Result<Option<Message>, ClubError> {
        if stored.text.is_empty() {
            return Ok(None);
        }
        Ok(Some(Message {
            n: stored.n,
            from: self.account(stored.from).await?,
            at: stored.at,
            text: stored.text,
        }))
    }

    /// Returns the messages of a group at a game, as the store has them now.
    pub(crate) async fn group_messages(
        &self,
        game: GameId,
        group: MessageGroup,
    ) -> Result<Arc<GroupMessages>, ClubError> {
        let to = MessageTo::Group(game, group);
        let messages = {
            let mut groups = lock(&self.messages.groups);
            groups.retain(|_, group| group.strong_count() > 0);
            let known = groups.get(&to).and_then(Weak::upgrade);
            known.unwrap_or_else(|| {
                let new = Arc::new(GroupMessages {
                    to,
                    kept: Mutex::default(),
                    last: watch::Sender::new(0),
                    reading: tokio::sync::Mutex::default(),
                });
                groups.insert(to, Arc::downgrade(&new));
                new
            })
        };
        messages.read(self, false).await?;
        Ok(messages)
    }

    /// Shows new messages to the readers who are subscribed now.
    pub(crate) async fn read_group(&self, to: MessageTo) -> Result<(), ClubError> {
        match self.messages.read_now(to) {
            Some(messages) => messages.read(self, false).await,
            None => Ok(()),
        }
    }

    /// Reads the messages of `from` again, in every group that has readers now. This function is
    /// called when the name of that account has changed, or when the account was deleted.
    pub(crate) async fn read_messages_anew(&self, from: AccountId) {
        let groups: Vec<_> = lock(&self.messages.groups).values().cloned().collect();
        for group in groups.iter().filter_map(Weak::upgrade) {
            let is_there = lock(&group.kept).iter().any(|m| m.from.id == from);
            if is_there {
                // If the store fails now, the old name is shown until the messages are read again.
                let _later = group.read(self, true).await;
            }
        }
    }

    /// Notices the messages that other clubs over the same store have added. If the store fails
    /// now, these messages are noticed about half a second later.
    pub(crate) async fn see_messages(&self) {
        let mut last = self.messages.last.lock().await;
        let Ok(changes) = self.store.message_changes(*last).await else {
            return;
        };
        let readers: HashSet<MessageTo> = changes.to.into_iter().collect();
        for to in readers {
            if self.read_group(to).await.is_err() {
                return;
            }
        }
        *last = changes.last.max(*last);
    }

    /// Returns the accounts that an account mutes.
    pub(crate) async fn mutes(&self, of: AccountId) -> Result<Mutes, ClubError> {
        let messages = &self.messages;
        if let Some(known) = lock(&messages.mutes).get(&of) {
            return Ok(known.clone());
        }
        let before = messages.forgotten.load(Ordering::Acquire);
        let mutes: Mutes = Arc::new(self.store.mutes(of).await?.into_iter().collect());
        let mut cached = lock(&messages.mutes);
        if messages.forgotten.load(Ordering::Acquire) == before {
            if cached.len() >= MAX_ACCOUNTS {
                cached.clear();
            }
            cached.insert(of, mutes.clone());
        }
        Ok(mutes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_of_plain_text() {
        for text in ["hi", " hi ", "\u{e9}\u{2654}", &"\u{e9}".repeat(400)] {
            assert_eq!(checked(text), Ok(text.trim()));
        }
        for (text, code) in [
            ("", RefusalCode::Invalid),
            (" \t ", RefusalCode::Invalid),
            (&"x".repeat(401), RefusalCode::TooLarge),
            ("a\nb", RefusalCode::Invalid),
            ("a\u{7}b", RefusalCode::Invalid),
            ("a\u{1b}[2Jb", RefusalCode::Invalid),
            ("a\u{202e}b", RefusalCode::Invalid),
            ("a\u{200f}b", RefusalCode::Invalid),
            ("\u{2800}", RefusalCode::Invalid),
            ("a\u{e0041}b", RefusalCode::Invalid),
            ("a\u{2028}b", RefusalCode::Invalid),
        ] {
            assert_eq!(checked(text).map_err(|e| e.code), Err(code), "{text:?}");
        }
    }
}
