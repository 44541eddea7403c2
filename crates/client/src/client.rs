//! One connection to a club, opened again whenever it is lost.

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
    memory::Memory,
    transport::{ConnectError, Transport},
};

/// Timeouts of a connection, and pauses before the next one.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct RetryPolicy {
    /// Time that a connection may take to open, the server's welcome included.
    pub connect_timeout: Duration,
    /// A connection on which nothing has come for this long is lost; `None` to wait for ever.
    /// The client sends a ping after a third of it.
    pub idle_timeout: Option<Duration>,
    /// The pause before the first new attempt. Each further attempt doubles it.
    pub first_pause: Duration,
    /// The longest pause. A connection that has held for this long begins anew with the first.
    pub longest_pause: Duration,
}

impl RetryPolicy {
    /// A minute to open, a minute of silence, pauses from half a second to ten seconds.
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
    /// There is a connection; what was listened to and asked goes out again by itself.
    Connected {
        /// The account that the server takes this client for; `None` for a visitor.
        you: Option<PlayerJson>,
        /// The server's time, in milliseconds since 1970.
        now: Millis,
    },
    /// The server says something new.
    ///
    /// Never a welcome or a pong, never the same hearing or the same answer twice.
    Says(ServerSays),
    /// The connection is lost, or none was opened; it is tried again after a pause.
    Lost {
        /// The reason, in words.
        why: String,
    },
}

/// The server refuses this client; the client does not try again.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct ClientRefused {
    /// The reason, in words.
    pub why: String,
}

/// A client of a club, over any number of connections.
///
/// Messages are said with [`say`](Client::say) whether there is a connection or not, and
/// [`next`](Client::next) does all the work. On a new connection the client listens on from the
/// number of the last hearing of each game, and sends each request in flight again with its id, so
/// that nothing is missed and no request is judged twice.
///
/// Dropping it closes the connection and ends every attempt to open one.
pub struct Client {
    connect: Box<dyn FnMut() -> Connecting + Send>,
    policy: RetryPolicy,
    state: State,
    pause: Duration,
    memory: Memory,
    /// Messages that wait for the transport.
    queue: VecDeque<ClientSays>,
}

type Connecting = BoxFuture<'static, Result<Transport, ConnectError>>;

enum State {
    /// Time of the next attempt to connect.
    Waiting(Instant),
    /// An attempt, with the event that tells of its success.
    Connecting(BoxFuture<'static, Result<(Transport, ClientEvent), ConnectError>>),
    Open(Open),
    /// The connection is to be given up, for that reason.
    GivenUp(String),
    Refused(ClientRefused),
}

struct Open {
    transport: Transport,
    since: Instant,
    /// Time of the last message.
    last_heard: Instant,
    /// Whether a ping was sent since then.
    has_pinged: bool,
}

impl Client {
    /// A client that opens its connections with `connect`.
    ///
    /// Nothing is opened before the first call of [`next`](Client::next).
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

    /// Says something: now, or as soon as there is a connection.
    ///
    /// Subscriptions, tries and acts outlive a lost connection; a ping does not.
    pub fn say(&mut self, says: ClientSays) {
        self.memory.said(&says);
        if let State::Open(_) = self.state {
            self.queue.push_back(says);
        }
    }

    /// Gives the connection up, as if it were lost for that reason.
    ///
    /// The next event is [`ClientEvent::Lost`]. For a caller who could not do something beside the
    /// connection, and does not want to ask again too soon.
    pub fn give_up(&mut self, why: impl Into<String>) {
        self.lose();
        self.state = State::GivenUp(why.into());
    }

    /// The next event. May be dropped and called again: nothing is lost.
    ///
    /// # Errors
    /// The server refuses this client, for good.
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
                        self.queue = self.memory.again();
                        let now = Instant::now();
                        self.state = State::Open(Open {
                            transport,
                            since: now,
                            last_heard: now,
                            has_pinged: false,
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
                        Ok(says) if self.memory.heard(&says) => return Ok(ClientEvent::Says(says)),
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

    /// A connection that has held begins anew with the first pause.
    fn lose(&mut self) {
        self.queue.clear();
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
                    "the club speaks version {version}, and this program version {PROTOCOL}"
                )));
            }
            Some(Ok(ServerSays::Bye { why })) => why,
            Some(Ok(_)) => "the club did not begin with a welcome".to_owned(),
            Some(Err(error)) => error.to_string(),
            None => LOST.to_owned(),
        };
        Err(ConnectError::Unreachable(why))
    };
    timeout(within, opening)
        .await
        .unwrap_or_else(|_| Err(ConnectError::Unreachable("no answer".to_owned())))
}

/// Reason given for a lost connection when no more is known.
const LOST: &str = "the connection was lost";

impl Open {
    /// Sends what waits, and gives the next message. May be dropped and called again.
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
        let sent = self.send(queue, cx);
        // A server that says why it closes may take nothing more.
        match self.transport.incoming.poll_next_unpin(cx) {
            Poll::Ready(came) => Poll::Ready(came.unwrap_or_else(|| Err(io::Error::other(LOST)))),
            Poll::Pending => sent.map_or_else(|error| Poll::Ready(Err(error)), |()| Poll::Pending),
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
