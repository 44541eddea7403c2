//! Notices: what people hear of on a device while no page of theirs is open.

use store::{AccountId, GameId};
use tokio::sync::broadcast;

/// Maximum number of notices that one subscriber has not read yet. If there are more, the oldest are
/// lost.
pub(crate) const NOTICE_QUEUE_CAPACITY: usize = 1024;

/// What a notice is about.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum AwayKind {
    /// It is the person's turn.
    Turn,
    /// The person is challenged.
    Challenge,
    /// Somebody has written to the person.
    Message,
}

/// A notice for a person. It is made when the person could hear the same on a page, so that its time
/// tells nothing more.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct AwayNotice {
    /// The person.
    pub to: AccountId,
    /// What it is about.
    pub kind: AwayKind,
    /// The game, if it is about one.
    pub game: Option<GameId>,
}

/// Subscription to the notices for all people.
pub struct NoticeWatch(pub(crate) broadcast::Receiver<AwayNotice>);

impl NoticeWatch {
    /// Waits for the next notice. `None` after the club was dropped. Cancel safe.
    pub async fn next(&mut self) -> Option<AwayNotice> {
        loop {
            match self.0.recv().await {
                Ok(notice) => return Some(notice),
                Err(broadcast::error::RecvError::Lagged(_)) => {}
                Err(broadcast::error::RecvError::Closed) => return None,
            }
        }
    }
}
