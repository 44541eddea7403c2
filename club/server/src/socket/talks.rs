//! Subscriptions of one connection to the messages of groups at games.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use club::{AccountId, Club, GameId, TalkGroup};
use tokio::task::JoinHandle;
use wire::{RefusalCode, TalkGroupJson};

use super::outbox::Outbox;
use crate::refusal::Refusal;

/// Maximum number of groups whose messages one socket reads.
const MAX_GROUPS: usize = 16;

/// A subscription to the messages of a group at a game.
struct TalkSubscription {
    game: GameId,
    group: TalkGroup,
    /// Accounts that the reader muted when the subscription began.
    mutes: Arc<HashSet<AccountId>>,
    /// Number of the last message that was sent.
    sent: Arc<AtomicU32>,
    task: JoinHandle<()>,
}

impl Drop for TalkSubscription {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The subscriptions of one connection.
#[derive(Default)]
pub(super) struct Talks(Vec<TalkSubscription>);

impl Talks {
    /// Ends the subscriptions to the messages at a game.
    pub(super) fn leave(&mut self, game: GameId) {
        self.0.retain(|talk| talk.game != game);
    }

    /// Begins to send the messages of a group at a game, from the first message after number
    /// `after` on.
    pub(super) async fn begin(
        &mut self,
        club: &Club,
        reader: Option<AccountId>,
        outbox: &Outbox,
        game: GameId,
        group: Option<TalkGroupJson>,
        after: u32,
    ) -> Result<(), Refusal> {
        let named = group.map(present::talk_group);
        let listening = club
            .listen_to_talk(game, reader, named, Some(after))
            .await?;
        let (group, mut listening) = listening;
        let mutes = match reader {
            Some(reader) => club.muted_ids(reader).await,
            None => Arc::default(),
        };
        // A second subscription to a group replaces the first. The second subscription does not
        // send the messages that the first has sent, unless the reader's mutes have changed.
        let same = |talk: &mut TalkSubscription| (talk.game, talk.group) == (game, group);
        let first = self.0.extract_if(.., same).next();
        let mut sent = after;
        if let Some(mut first) = first {
            first.task.abort();
            // The task of the first subscription has ended here, so it sends nothing more.
            let _cancelled = (&mut first.task).await;
            if first.mutes == mutes {
                sent = sent.max(first.sent.load(Ordering::Acquire));
                listening.skip_to(sent);
            }
        }
        if self.0.len() >= MAX_GROUPS {
            return Err(Refusal::new(
                RefusalCode::TooMany,
                format!(
                    "a socket reads the messages of {MAX_GROUPS} groups at most: leave a game first"
                ),
            ));
        }
        let sent = Arc::new(AtomicU32::new(sent));
        let (outbox, sending) = (outbox.clone(), sent.clone());
        let task = tokio::spawn(async move {
            while let Some(message) = listening.next().await {
                let says = present::talk(game.to_string(), group, &message);
                if !outbox.say(says).await {
                    return;
                }
                sending.store(message.n, Ordering::Release);
            }
        });
        self.0.push(TalkSubscription {
            game,
            group,
            mutes,
            sent,
            task,
        });
        Ok(())
    }
}
