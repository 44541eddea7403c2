//! A connection to a club. If the connection is lost, the client opens a new connection.

use std::{
    collections::VecDeque,
    future::poll_fn,
    io,
    task::{Context, Poll},
    time::Duration,
};

use futures_util::{FutureExt, SinkExt, StreamExt, future::BoxFuture};
use tokio::time::{Instant, sleep_until, timeout, timeout_at};
use wire::{ClientSays, Millis, PROTOCOL, PlayerJson, ServerSays};

use crate::{
    memory::{Memory, is_write},
    transport::{ConnectError, Transport},
};

/// Timeouts of a connection, and pauses before a new connection is opened.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct RetryPolicy {
    /// Maximum time to open a connection, including the server's welcome.
    pub connect_timeout: Duration,
    /// The connection is treated as lost after this time without a received message. `None`: no
    /// limit. After a third of this time, the client sends a ping.
    pub idle_timeout: Option<Duration>,
    /// Pause before the first attempt to connect after a connection was lost. Each further attempt
    /// doubles the pause.
    pub first_pause: Duration,
    /// Maximum pause. After a connection that lasted at least this long, the pauses start again
    /// with `first_pause`.
    pub longest_pause: Duration,
}

impl RetryPolicy {
    /// A connection must be opened within one minute. A connection is treated as lost after one
    /// minute of silence. The pauses grow from half a second to ten seconds.
    pub const DEFAULT: RetryPolicy = RetryPolicy {
        connect_timeout: Duration::from_secs(60),
        idle_timeout: Some(Duration::from_secs(60)),
        first_pause: Duration::from_millis(500),
        longest_pause: Duration::from_secs(10),
    };
}

/// Event of a client.
#[derive(Clone, Eq, PartialEq, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "an event is matched at once and not kept"
)]
pub enum ClientEvent {
    /// A connection is open. The caller need not repeat subscriptions, tries or acts: the client
    /// sends its subscriptions and its unanswered tries and acts again.
    Connected {
        /// Account of this client, according to the server; `None` for a visitor.
        you: Option<PlayerJson>,
        /// Server time, in milliseconds since 1970.
        now: Millis,
    },
    /// A new message of the server. After a change of the lobby, the event contains the whole
    /// lobby, although the server sends only the change.
    ///
    /// A welcome or a pong is not an event. Each hearing and each answer is an event only once.
    Says(ServerSays),
    /// The connection was lost, or could not be opened. The client tries again after a pause.
    Lost {
        /// Reason as text.
        why: String,
    },
}

/// Error: the server refuses this client. The client does not try again.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct ClientRefused {
    /// Reason as text.
    pub why: String,
}

/// A client of a club, over any number of connections.
///
/// [`say`](Client::say) accepts messages whether or not a connection is open.
/// [`next`](Client::next) does all the work. On a new connection, the client subscribes to each
/// game again, after the last hearing that it has received. The client repeats each unanswered try
/// or act with the same id. So no hearing is missed and no try is judged twice.
///
/// Dropping the client closes the connection, or stops the attempt to open a connection.
pub struct Client {
    connect: Box<dyn FnMut() -> Connecting + Send>,
    policy: RetryPolicy,
    state: State,
    pause: Duration,
    memory: Memory,
    /// Messages to be sent over the open connection. If no connection is open, the messages to
    /// people (`Write`) that wait for the next connection.
    queue: VecDeque<ClientSays>,
}

type Connecting = BoxFuture<'static, Result<Transport, ConnectError>>;

enum State {
    /// Waits until this time for the next attempt to connect.
    Waiting(Instant),
    /// An attempt to connect. If the attempt succeeds, it yields the transport and the event to
    /// return.
    Connecting(BoxFuture<'static, Result<(Transport, ClientEvent), ConnectError>>),
    Open(Open),
    /// The connection is lost. The reason is not reported yet.
    GivenUp(String),
    Refused(ClientRefused),
}

struct Open {
    transport: Transport,
    since: Instant,
    /// Time at which the last message was received.
    last_heard: Instant,
    /// Whether a ping was sent since the last message was received.
    has_pinged: bool,
    /// Error that occurred when sending. The client sends nothing more, but it still receives the
    /// messages that the server has sent.
    send_error: Option<io::Error>,
}

impl Client {
    /// Creates a client that opens its connections with `connect`.
    ///
    /// The first connection is opened by the first call of [`next`](Client::next).
    pub fn new<F>(mut connect: impl FnMut() -> F + Send + 'static, policy: RetryPolicy) -> Client
    where
        F: Future<Output = Result<Transport, ConnectError>> + Send + 'static,
    {
        Client {
            connect: Box::new(move || connect().boxed()),
            policy,
            state: State::Waiting(Instant::now()),
            pause: policy.first_pause,
            memory: Memory::default(),
            queue: VecDeque::new(),
        }
    }

    /// Sends a message now, or as soon as a connection is open. If no connection is open, a ping
    /// is dropped.
    ///
    /// Subscriptions, tries and acts are sent again after a lost connection. A ping and a message
    /// to people (`Write`) are not sent again.
    pub fn say(&mut self, says: ClientSays) {
        self.memory.sent(&says);
        if matches!(self.state, State::Open(_)) || is_write(&says) {
            self.queue.push_back(says);
        }
    }

    /// Closes the connection, as if it were lost for this reason.
    ///
    /// The next event is [`ClientEvent::Lost`], and the client reconnects after a pause. Some
    /// callers must do one more step after each new connection, for example an HTTP request. If
    /// this step fails, such a caller closes the connection with this function, and repeats the
    /// step after the next connection.
    pub fn give_up(&mut self, why: impl Into<String>) {
        self.lose();
        self.state = State::GivenUp(why.into());
    }

    /// Waits for the next event. Cancel safe: the future may be dropped and the method called
    /// again.
    ///
    /// # Errors
    /// If the server refuses this client permanently.
    pub async fn next(&mut self) -> Result<ClientEvent, ClientRefused> {
        loop {
            match &mut self.state {
                State::Waiting(until) => {
                    sleep_until(*until).await;
                    let opening = open((self.connect)(), self.policy.connect_timeout);
                    self.state = State::Connecting(opening.boxed());
                }
                State::Connecting(opening) => match opening.await {
                    Ok((transport, welcome)) => {
                        let waiting = std::mem::take(&mut self.queue);
                        self.queue = self.memory.again();
                        self.queue.extend(waiting);
                        let now = Instant::now();
                        self.state = State::Open(Open {
                            transport,
                            since: now,
                            last_heard: now,
                            has_pinged: false,
                            send_error: None,
                        });
                        return Ok(welcome);
                    }
                    Err(ConnectError::Unreachable(why)) => self.give_up(why),
                    Err(ConnectError::Refused(why)) => {
                        self.state = State::Refused(ClientRefused { why })
                    }
                },
                State::Open(open) => {
                    match open.next(&mut self.queue, self.policy.idle_timeout).await {
                        Ok(says) if self.memory.received(&says) => {
                            match self.memory.take_lobby(says) {
                                Ok(says) => return Ok(ClientEvent::Says(says)),
                                // The client has missed a change of the lobby, so it asks for the
                                // whole lobby.
                                Err(()) => self.queue.push_back(ClientSays::Lobby { on: true }),
                            }
                        }
                        Ok(_) => {}
                        Err(error) => {
                            let bye = self.memory.bye.take();
                            self.give_up(bye.unwrap_or_else(|| error.to_string()));
                        }
                    }
                }
                State::GivenUp(why) => {
                    let why = std::mem::take(why);
                    self.state = State::Waiting(Instant::now() + self.pause);
                    self.pause = (self.pause * 2).min(self.policy.longest_pause);
                    return Ok(ClientEvent::Lost { why });
                }
                State::Refused(refused) => return Err(refused.clone()),
            }
        }
    }

    /// Empties the queue. Messages to people that were not sent stay in the queue; those that were
    /// sent are forgotten. If the connection has lasted long enough, sets the next pause to
    /// `first_pause`.
    fn lose(&mut self) {
        self.queue.retain(is_write);
        self.memory.lost(&self.queue);
        if let State::Open(open) = &self.state
            && open.since.elapsed() >= self.policy.longest_pause
        {
            self.pause = self.policy.first_pause;
        }
    }
}

/// Opens a connection, and waits for the server's welcome.
async fn open(
    connecting: Connecting,
    within: Duration,
) -> Result<(Transport, ClientEvent), ConnectError> {
    let opening = async {
        let mut transport = connecting.await?;
        let why = match transport.incoming.next().await {
            Some(Ok(ServerSays::Welcome { version, you, now })) if version == PROTOCOL => {
                return Ok((transport, ClientEvent::Connected { you, now }));
            }
            Some(Ok(ServerSays::Welcome { version, .. })) => {
                return Err(ConnectError::Refused(format!(
                    "the club uses protocol version {version}, but this program uses version {PROTOCOL}"
                )));
            }
            Some(Ok(ServerSays::Bye { why })) => why,
            Some(Ok(_)) => "the first message of the club was not a welcome".to_owned(),
            Some(Err(error)) => error.to_string(),
            None => LOST.to_owned(),
        };
        Err(ConnectError::Unreachable(why))
    };
    timeout(within, opening)
        .await
        .unwrap_or_else(|_| Err(ConnectError::Unreachable("no answer".to_owned())))
}

/// Reason of a lost connection if nothing else is known.
const LOST: &str = "the connection was lost";

impl Open {
    /// Sends the queued messages and waits for the next message of the server. Cancel safe.
    async fn next(
        &mut self,
        queue: &mut VecDeque<ClientSays>,
        idle_timeout: Option<Duration>,
    ) -> io::Result<ServerSays> {
        loop {
            let wakes = idle_timeout.map(|idle| match self.has_pinged {
                true => self.last_heard + idle,
                false => self.last_heard + idle / 3,
            });
            let came = match wakes {
                Some(at) => timeout_at(at, poll_fn(|cx| self.exchange(queue, cx))).await,
                None => Ok(poll_fn(|cx| self.exchange(queue, cx)).await),
            };
            match came {
                Ok(came) => {
                    (self.last_heard, self.has_pinged) = (Instant::now(), false);
                    return came;
                }
                Err(_) if self.has_pinged => return Err(io::Error::other(LOST)),
                Err(_) => {
                    self.has_pinged = true;
                    queue.push_back(ClientSays::Ping {});
                }
            }
        }
    }

    fn exchange(
        &mut self,
        queue: &mut VecDeque<ClientSays>,
        cx: &mut Context<'_>,
    ) -> Poll<io::Result<ServerSays>> {
        if self.send_error.is_none() {
            self.send_error = self.send(queue, cx).err();
        }
        // The client reads even after an error when sending, because the server may have sent the
        // reason why it closes the connection.
        match self.transport.incoming.poll_next_unpin(cx) {
            Poll::Ready(came) => Poll::Ready(came.unwrap_or_else(|| Err(io::Error::other(LOST)))),
            Poll::Pending => match self.send_error.take() {
                Some(error) => Poll::Ready(Err(error)),
                None => Poll::Pending,
            },
        }
    }

    fn send(&mut self, queue: &mut VecDeque<ClientSays>, cx: &mut Context<'_>) -> io::Result<()> {
        let outgoing = &mut self.transport.outgoing;
        while !queue.is_empty() && outgoing.poll_ready_unpin(cx)?.is_ready() {
            if let Some(says) = queue.pop_front() {
                outgoing.start_send_unpin(says)?;
            }
        }
        let _sent = outgoing.poll_flush_unpin(cx)?;
        Ok(())
    }
}
