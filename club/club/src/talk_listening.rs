//! Subscription of one reader to the messages of a group at a game.

use std::sync::Arc;

use store::AccountId;
use tokio::sync::watch;

use crate::{
    inner::{Club, Life, closing},
    messages::{GroupMessages, Message},
};

/// Subscription of one reader to the messages of a group at a game.
pub struct TalkListening {
    club: Club,
    reader: Option<AccountId>,
    messages: Arc<GroupMessages>,
    changed: watch::Receiver<u32>,
    life: watch::Receiver<Life>,
    /// Number of the last message that was returned.
    after: u32,
}

impl TalkListening {
    pub(crate) fn new(
        club: Club,
        reader: Option<AccountId>,
        messages: Arc<GroupMessages>,
        after: u32,
    ) -> TalkListening {
        let changed = messages.subscribe();
        TalkListening {
            life: club.0.life.subscribe(),
            club,
            reader,
            messages,
            changed,
            after,
        }
    }

    /// Leaves out the messages up to number `after`.
    pub fn skip_to(&mut self, after: u32) {
        self.after = self.after.max(after);
    }

    /// Waits for the next message: first the stored messages, then new messages. Leaves out the
    /// messages of accounts that the reader mutes. Returns `None` when the club closes. Cancel safe:
    /// the future may be dropped and the method called again.
    pub async fn next(&mut self) -> Option<Message> {
        loop {
            // The state is marked as seen before it is read, so that any later change wakes this
            // task.
            self.changed.mark_unchanged();
            if let Some(message) = self.ready().await {
                return Some(message);
            }
            tokio::select! {
                changed = self.changed.changed() => changed.ok()?,
                () = closing(&mut self.life) => return None,
            }
        }
    }

    /// Returns the next message if there is one now; does not wait for messages.
    pub async fn ready(&mut self) -> Option<Message> {
        while let Some(message) = self.messages.after(self.after) {
            let mutes = match self.reader {
                // If the store fails now, no account counts as muted.
                Some(reader) => self.club.0.mutes(reader).await.unwrap_or_default(),
                None => Arc::default(),
            };
            self.after = message.n;
            if !mutes.contains(&message.from.id) {
                return Some(message);
            }
        }
        None
    }
}
