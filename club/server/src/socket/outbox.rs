//! Outgoing messages of a socket: a bounded queue, and the task that writes them.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message};
use futures_util::{Sink, SinkExt};
use tokio::{
    sync::{mpsc, oneshot, watch},
    task::JoinHandle,
    time::{Instant, MissedTickBehavior, interval_at, timeout},
};
use wire::ServerSays;

/// Capacity of the queue, in messages.
const QUEUE_CAPACITY: usize = 256;

/// The queue may stay full at most for this time. The write of one frame may not take longer
/// either.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// Interval between pings.
const PING_INTERVAL: Duration = Duration::from_secs(20);

/// Reason for closing a socket: a status code of RFC 6455, section 7.4.1, and a text that says when
/// to connect again.
#[derive(Clone, Debug)]
pub struct Goodbye(pub u16, pub &'static str);

/// What is written to a connection.
#[derive(Debug)]
pub enum Outgoing {
    /// A message.
    Message(Box<ServerSays>),
    /// A ping, to find out whether the client still exists.
    Ping,
    /// A close frame.
    Close(Goodbye),
}

impl From<Outgoing> for Message {
    /// Converts the item to a frame of a WebSocket.
    fn from(outgoing: Outgoing) -> Message {
        match outgoing {
            Outgoing::Message(says) => {
                let text = serde_json::to_string(&says).expect("a message has only string keys");
                Message::Text(text.into())
            }
            Outgoing::Ping => Message::Ping(Default::default()),
            Outgoing::Close(Goodbye(code, why)) => Message::Close(Some(CloseFrame {
                code,
                reason: why.into(),
            })),
        }
    }
}

/// A message in the queue, and the channel that reports that the message was written. The queue
/// allocates 32 places at once. So that an almost empty queue stays small, a place contains only a
/// pointer to the message.
type Queued = (Box<ServerSays>, Option<oneshot::Sender<()>>);

/// The sending end of the queue.
#[derive(Clone)]
pub struct Outbox {
    messages: mpsc::Sender<Queued>,
    goodbye: watch::Sender<Option<Goodbye>>,
    write_timeout: Duration,
}

impl Outbox {
    /// Starts the task that writes to `sink`. The task ends after a goodbye, or when nothing can be
    /// written any more. If `write_timeout` is given, it replaces [`WRITE_TIMEOUT`].
    pub fn open<S>(sink: S, write_timeout: Option<Duration>) -> (Outbox, JoinHandle<()>)
    where
        S: Sink<Outgoing> + Unpin + Send + 'static,
    {
        let write_timeout = write_timeout.unwrap_or(WRITE_TIMEOUT);
        let (messages, waiting) = mpsc::channel(QUEUE_CAPACITY);
        let goodbye = watch::Sender::new(None);
        let told = goodbye.subscribe();
        let task = tokio::spawn(write(sink, waiting, told, write_timeout));
        let outbox = Outbox {
            messages,
            goodbye,
            write_timeout,
        };
        (outbox, task)
    }

    /// Puts a message into the queue. If the queue stays full for too long, the client is
    /// disconnected. Returns false if nothing can be sent any more.
    pub async fn say(&self, says: ServerSays) -> bool {
        self.put((Box::new(says), None)).await
    }

    /// Puts a large message into the queue and waits until it is written. So each connection has at
    /// most one large message in memory.
    pub async fn say_whole(&self, says: ServerSays) -> bool {
        let (written, on_written) = oneshot::channel();
        // `on_written` reports that the message was written. An error means that nothing more is
        // written.
        self.put((Box::new(says), Some(written))).await && on_written.await.is_ok()
    }

    async fn put(&self, waits: Queued) -> bool {
        match self.messages.send_timeout(waits, self.write_timeout).await {
            Ok(()) => true,
            Err(mpsc::error::SendTimeoutError::Closed(_)) => false,
            Err(mpsc::error::SendTimeoutError::Timeout(_)) => {
                self.leave(Goodbye(
                    1008,
                    "you read too slowly: connect again, with the last number that you heard",
                ));
                false
            }
        }
    }

    /// Disconnects the client after a goodbye. Only the first goodbye counts.
    pub fn leave(&self, goodbye: Goodbye) {
        self.goodbye.send_if_modified(|before| {
            let first = before.is_none();
            before.get_or_insert(goodbye);
            first
        });
    }
}

async fn write<S: Sink<Outgoing> + Unpin>(
    mut sink: S,
    mut waiting: mpsc::Receiver<Queued>,
    mut goodbye: watch::Receiver<Option<Goodbye>>,
    write_timeout: Duration,
) {
    let mut pings = interval_at(Instant::now() + PING_INTERVAL, PING_INTERVAL);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let (message, waiting_sender) = tokio::select! {
            biased;
            _ = goodbye.wait_for(Option::is_some) => break,
            says = waiting.recv() => match says {
                Some((says, sender)) => (Outgoing::Message(says), sender),
                None => break,
            },
            _ = pings.tick() => (Outgoing::Ping, None),
        };
        // A goodbye does not wait until the current message is written, because the client may
        // never read that message.
        let written = tokio::select! {
            written = timeout(write_timeout, sink.send(message)) => matches!(written, Ok(Ok(()))),
            _ = goodbye.wait_for(Option::is_some) => break,
        };
        if !written {
            break;
        }
        if let Some(sender) = waiting_sender {
            // The task that sent the message may have stopped waiting.
            let _gone = sender.send(());
        }
    }
    let last = goodbye.borrow().clone();
    // A client that does not read does not get the goodbye.
    let _heard = timeout(Duration::from_secs(1), leave(&mut sink, &mut waiting, last)).await;
}

async fn leave<S>(sink: &mut S, waiting: &mut mpsc::Receiver<Queued>, last: Option<Goodbye>)
where
    S: Sink<Outgoing> + Unpin,
{
    // Messages that are already in the queue are still sent.
    while let Ok((says, _)) = waiting.try_recv() {
        if sink.send(Outgoing::Message(says)).await.is_err() {
            return;
        }
    }
    if let Some(goodbye) = last {
        let why = goodbye.1.into();
        let bye = Outgoing::Message(Box::new(ServerSays::Bye { why }));
        if sink.send(bye).await.is_ok() {
            let _gone = sink.send(Outgoing::Close(goodbye)).await;
        }
    }
    let _closed = sink.close().await;
}

#[cfg(test)]
mod tests {
    use futures_util::sink;

    use super::*;

    /// If a client reads nothing, only a limited number of messages is kept, and then the client is
    /// disconnected.
    #[tokio::test(start_paused = true)]
    async fn queue_of_a_client_that_reads_nothing_is_bounded() {
        let never = sink::unfold((), |(), _: Outgoing| {
            std::future::pending::<Result<(), ()>>()
        });
        let (outbox, task) = Outbox::open(Box::pin(never), None);
        let begun = Instant::now();
        let mut kept = 0;
        while outbox.say(ServerSays::Pong {}).await {
            kept += 1;
            assert!(kept <= QUEUE_CAPACITY + 2, "{kept} messages are kept");
        }
        assert!(begun.elapsed() >= WRITE_TIMEOUT);
        timeout(WRITE_TIMEOUT, task).await.unwrap().unwrap();
        assert!(!outbox.say_whole(ServerSays::Pong {}).await);
    }
}
