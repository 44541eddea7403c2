//! Sends hints that something has changed: to the subscribers of this store, and to other stores.

use tokio::sync::{broadcast, mpsc};

use crate::store::{HINT_QUEUE_CAPACITY, Hint};

/// Sender of the hints about the changes that this store makes.
#[derive(Clone, Debug)]
pub(crate) struct HintSender {
    here: broadcast::Sender<Hint>,
    /// Queue of the task that passes hints on to other stores, if there is such a task.
    elsewhere: Option<mpsc::Sender<Hint>>,
}

impl HintSender {
    /// Creates a sender for the subscribers of this store only.
    pub(crate) fn new() -> HintSender {
        HintSender {
            here: broadcast::Sender::new(HINT_QUEUE_CAPACITY),
            elsewhere: None,
        }
    }

    /// Creates a sender for the subscribers of this store and for other stores. Also returns the
    /// channel to the subscribers of this store, and the receiver of the hints to other stores. The
    /// receiver ends when all clones of the sender are dropped.
    #[allow(
        clippy::type_complexity,
        reason = "the two senders and the receiver belong together"
    )]
    pub(crate) fn to_others() -> (HintSender, broadcast::Sender<Hint>, mpsc::Receiver<Hint>) {
        let (elsewhere, hints) = mpsc::channel(HINT_QUEUE_CAPACITY);
        let here = broadcast::Sender::new(HINT_QUEUE_CAPACITY);
        let sender = HintSender {
            here: here.clone(),
            elsewhere: Some(elsewhere),
        };
        (sender, here, hints)
    }

    /// Sends a hint. If the queue to the other stores is full, they do not get the hint.
    pub(crate) fn send(&self, hint: Hint) {
        // There may be no subscriber.
        let _ignored = self.here.send(hint);
        self.send_elsewhere(hint);
    }

    /// Sends a hint to other stores only. The subscribers of this store already know of the change.
    pub(crate) fn send_elsewhere(&self, hint: Hint) {
        if let Some(elsewhere) = &self.elsewhere {
            // A hint that is lost here does no harm: other stores read the log again a moment
            // later.
            let _lost = elsewhere.try_send(hint);
        }
    }

    /// Subscribes to the hints.
    pub(crate) fn subscribe(&self) -> broadcast::Receiver<Hint> {
        self.here.subscribe()
    }
}
