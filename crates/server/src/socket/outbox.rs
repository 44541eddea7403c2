//! Outgoing messages of a socket: a bounded queue, and the task that empties it.

use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message};
use futures_util::{Sink, SinkExt};
use tokio::{
    sync::{mpsc, oneshot, watch},
    task::JoinHandle,
    time::{Instant, MissedTickBehavior, interval_at, timeout},
};
use wire::ServerSays;

/// Capacity of the queue.
const QUEUE_CAPACITY: usize = 256;

/// Time that the queue may stay full, and that a frame may take to go.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// Interval between pings.
const PING_INTERVAL: Duration = Duration::from_secs(20);

/// Reason for closing a socket: a code of RFC 6455, section 7.4.1, and words that say when to come
/// again.
#[derive(Clone, Debug)]
pub struct Goodbye(pub u16, pub &'static str);

/// Item that goes out on a connection.
#[derive(Debug)]
pub enum Goes {
    /// A message.
    Says(Box<ServerSays>),
    /// The question whether the other end is there.
    Ping,
    /// The end of the connection.
    Close(Goodbye),
}

impl From<Goes> for Message {
    /// As a frame of a WebSocket.
    fn from(goes: Goes) -> Message {
        match goes {
            Goes::Says(says) => {
                let text = serde_json::to_string(&says).expect("a message has only string keys");
                Message::Text(text.into())
            }
            Goes::Ping => Message::Ping(Default::default()),
            Goes::Close(Goodbye(code, why)) => Message::Close(Some(CloseFrame {
                code,
                reason: why.into(),
            })),
        }
    }
}

/// A message in the queue, and who is to know when it has left.
type Waits = (ServerSays, Option<oneshot::Sender<()>>);

/// Sending end of the queue.
#[derive(Clone)]
pub struct Outbox {
    messages: mpsc::Sender<Waits>,
    goodbye: watch::Sender<Option<Goodbye>>,
    write_timeout: Duration,
}

impl Outbox {
    /// Begins to write to the socket; the task ends after a goodbye, or when
    /// nothing can be written any more.
    pub fn open<S>(sink: S, write_timeout: Option<Duration>) -> (Outbox, JoinHandle<()>)
    where
        S: Sink<Goes> + Unpin + Send + 'static,
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

    /// Puts a message into the queue. A reader who lets it stay full is sent
    /// away; `false` if nothing can be said any more.
    pub async fn say(&self, says: ServerSays) -> bool {
        self.put((says, None)).await
    }

    /// Says something large, and waits until it has left: no two of them are held.
    pub async fn say_whole(&self, says: ServerSays) -> bool {
        let (told, left) = oneshot::channel();
        // It has left, or nothing leaves any more.
        self.put((says, Some(told))).await && left.await.is_ok()
    }

    async fn put(&self, waits: Waits) -> bool {
        match self.messages.send_timeout(waits, self.write_timeout).await {
            Ok(()) => true,
            Err(mpsc::error::SendTimeoutError::Closed(_)) => false,
            Err(mpsc::error::SendTimeoutError::Timeout(_)) => {
                self.leave(Goodbye(
                    1008,
                    "you read too slowly: come again, with the last number you heard",
                ));
                false
            }
        }
    }

    /// Says goodbye; the first one counts.
    pub fn leave(&self, goodbye: Goodbye) {
        self.goodbye.send_if_modified(|before| {
            let first = before.is_none();
            before.get_or_insert(goodbye);
            first
        });
    }
}

async fn write<S: Sink<Goes> + Unpin>(
    mut sink: S,
    mut waiting: mpsc::Receiver<Waits>,
    mut goodbye: watch::Receiver<Option<Goodbye>>,
    write_timeout: Duration,
) {
    let mut pings = interval_at(Instant::now() + PING_INTERVAL, PING_INTERVAL);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let (message, told) = tokio::select! {
            biased;
            _ = goodbye.wait_for(Option::is_some) => break,
            says = waiting.recv() => match says {
                Some((says, told)) => (Goes::Says(Box::new(says)), told),
                None => break,
            },
            _ = pings.tick() => (Goes::Ping, None),
        };
        // What is being written is not waited for when there is a goodbye.
        let written = tokio::select! {
            written = timeout(write_timeout, sink.send(message)) => matches!(written, Ok(Ok(()))),
            _ = goodbye.wait_for(Option::is_some) => break,
        };
        if !written {
            break;
        }
        if let Some(told) = told {
            // The receiver may be gone.
            let _gone = told.send(());
        }
    }
    let last = goodbye.borrow().clone();
    // A reader who does not read will not hear it.
    let _heard = timeout(Duration::from_secs(1), leave(&mut sink, &mut waiting, last)).await;
}

async fn leave<S>(sink: &mut S, waiting: &mut mpsc::Receiver<Waits>, last: Option<Goodbye>)
where
    S: Sink<Goes> + Unpin,
{
    // Answers that are ready are still said.
    while let Ok((says, _)) = waiting.try_recv() {
        if sink.send(Goes::Says(Box::new(says))).await.is_err() {
            return;
        }
    }
    if let Some(goodbye) = last {
        let why = goodbye.1.into();
        let bye = Goes::Says(Box::new(ServerSays::Bye { why }));
        if sink.send(bye).await.is_ok() {
            let _gone = sink.send(Goes::Close(goodbye)).await;
        }
    }
    let _closed = sink.close().await;
}
