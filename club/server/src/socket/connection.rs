//! One connection of a client. Its messages are answered in order.

use std::{
    collections::HashMap,
    error::Error,
    future::{pending, ready},
    net::IpAddr,
    time::Duration,
};

use axum::{
    extract::ws::{Message, WebSocket},
    http::StatusCode,
};
use client::ServerPipe;
use club::{AccountId, AccountKind, EndReason, GameId, Listening, LobbyItem, request_id};
use futures_channel::mpsc;
use futures_util::{
    Sink, SinkExt, StreamExt,
    stream::{SplitStream, iter},
};
use limits::Bucket;
use tokio::{
    sync::watch,
    task::AbortHandle,
    time::{Instant, sleep_until, timeout},
};
use tokio_tungstenite::tungstenite::error::{Error as WebSocketError, ProtocolError};
use wire::{ClientSays, PROTOCOL, RefusalCode, ServerSays, TalkGroupJson};

use crate::{
    app::App,
    body::parse,
    reader::{ConnectionCounters, Reader},
    refusal::{Refusal, RefusedMessage},
    routes::game_id,
    socket::{
        MAX_FRAME,
        outbox::{Goodbye, Outbox, Outgoing},
        talks::Talks,
    },
    watching::Watching,
};

/// A client that sends no frame for this time, not even a pong, is disconnected.
const IDLE_TIMEOUT: Duration = Duration::from_secs(65);

/// Maximum number of games that one socket may follow.
const MAX_GAMES: usize = 16;

/// A client with more strikes than this is disconnected. A message beyond the limit adds a strike;
/// a message within the limit removes one.
const MAX_STRIKES: u32 = 100;

/// The answer to a try waits until the hearing that the try caused is sent, but at most for this
/// time.
const ORDER_TIMEOUT: Duration = Duration::from_secs(1);

/// After a goodbye, a connection is still read for this time.
const LINGER_TIME: Duration = Duration::from_secs(1);

/// Minimum interval between two lobby messages.
const LOBBY_INTERVAL: Duration = Duration::from_millis(200);

/// One connection of a client.
pub struct Connection {
    /// The club, the configuration and the counters.
    pub app: App,
    /// Reader who uses this connection.
    pub reader: Reader,
    /// Token of the reader's session; `None` for a visitor and for a built-in bot.
    pub token: Option<String>,
    /// Counts the connection as long as this value exists.
    pub counters: ConnectionCounters,
    /// Address of the client; `None` for a built-in bot.
    pub address: Option<IpAddr>,
}

/// A subscription to one game.
struct Subscription {
    task: AbortHandle,
    /// Number of the last hearing that was sent completely, with all messages that follow from it.
    sent: watch::Receiver<u32>,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// State of a connection while it is served.
struct Conversation {
    app: App,
    reader: Reader,
    counters: ConnectionCounters,
    outbox: Outbox,
    subscriptions: HashMap<GameId, Subscription>,
    talks: Talks,
    lobby: Option<AbortHandle>,
    bucket: Bucket,
    strikes: u32,
}

impl Connection {
    /// Serves the socket until one side disconnects.
    pub async fn serve(self, socket: WebSocket) {
        let counters = self.counters.clone();
        let (sink, mut stream) = socket.split();
        let sink = sink.with(|outgoing: Outgoing| ready(Ok::<_, axum::Error>(outgoing.into())));
        let heard = &mut stream;
        self.run(sink, move |conversation| conversation.listen(heard))
            .await;
        // This reads the rest of what the client sends. If bytes were left unread, the operating
        // system could discard the goodbye. After a frame that cannot be read, nothing more can be
        // read. Then the connection only stays open for a moment.
        let rest = async {
            while let Some(frame) = stream.next().await {
                match frame {
                    Err(error) if is_gone(&error) => return,
                    Err(_) => pending().await,
                    Ok(_) => {}
                }
            }
        };
        let _gone = timeout(LINGER_TIME, rest).await;
        drop(counters);
    }

    /// Serves a client in this process until one side disconnects. The rate of its messages is
    /// not limited.
    pub async fn serve_pipe(self, pipe: ServerPipe) {
        let sink = pipe.outgoing.with_flat_map(|outgoing| match outgoing {
            Outgoing::Message(says) => iter(Some(Ok(*says))),
            Outgoing::Ping | Outgoing::Close(_) => iter(None),
        });
        self.run(sink, |conversation| {
            conversation.listen_to_pipe(pipe.incoming)
        })
        .await;
    }

    /// Reads and writes until one side disconnects.
    async fn run<S, F>(self, sink: S, listen: impl FnOnce(Conversation) -> F)
    where
        S: Sink<Outgoing> + Unpin + Send + 'static,
        F: Future<Output = Option<Goodbye>>,
    {
        let (outbox, mut writing) = Outbox::open(sink, self.app.config().client_timeout);
        let (messages, span) = self.app.counter().messages();
        let conversation = Conversation {
            bucket: Bucket::new(messages, span),
            app: self.app,
            reader: self.reader,
            counters: self.counters,
            outbox,
            subscriptions: HashMap::new(),
            talks: Talks::default(),
            lobby: None,
            strikes: 0,
        };
        let (goodbye, counters) = (conversation.outbox.clone(), conversation.counters.clone());
        let app = conversation.app.clone();
        let address = self.address;
        let _open = conversation
            .reader
            .id()
            .map(|id| app.open_socket(id, address));
        if conversation
            .reader
            .0
            .as_ref()
            .is_some_and(|own| own.kind != AccountKind::Guest)
        {
            counters.keep(u32::MAX);
        }
        tokio::select! {
            why = listen(conversation) => if let Some(why) = why {
                goodbye.leave(why);
            },
            _ = &mut writing => {}
            () = app.session_ends(self.token.as_deref()) => goodbye.leave(Goodbye(1008, "your session has ended: sign in again")),
            () = app.closing() => goodbye.leave(Goodbye(1001, closing_words(&app))),
            () = counters.must_leave() => {
                goodbye.leave(Goodbye(1013, "the club is full: sign in, or connect again later"));
            }
        }
        drop(goodbye);
        if !writing.is_finished() {
            // The writing task ends by itself, within the configured timeout.
            let _written = writing.await;
        }
    }
}

/// Returns why the server closes, and when a client should connect again.
fn closing_words(app: &App) -> &'static str {
    match app.club().ended() {
        Some(EndReason::RowsLost) => {
            "the club's database was removed or replaced, and the last answers are lost: load the game \
             again; it continues from the last answer that is stored"
        }
        Some(EndReason::Fenced) => {
            "another server of the club continues every game: connect again at once"
        }
        None => {
            "the club closes; the clocks are stopped and nothing is lost: connect again in a minute"
        }
    }
}

impl Conversation {
    async fn welcome(&self) -> bool {
        let welcome = ServerSays::Welcome {
            version: PROTOCOL,
            you: self.reader.0.as_ref().map(present::player),
            now: self.app.club().now(),
        };
        self.outbox.say(welcome).await
    }

    /// Answers a client in this process until it disconnects.
    async fn listen_to_pipe(mut self, mut says: mpsc::Receiver<ClientSays>) -> Option<Goodbye> {
        let mut goes_on = self.welcome().await;
        while goes_on {
            let answer = match says.next().await {
                Some(says) => self.answer(says).await,
                None => return None,
            };
            if let Some(says) = answer {
                goes_on = self.outbox.say(says).await;
            }
        }
        None
    }

    /// Answers a client until it disconnects. Returns a goodbye if the server must disconnect the
    /// client.
    async fn listen(mut self, stream: &mut SplitStream<WebSocket>) -> Option<Goodbye> {
        if !self.welcome().await {
            return None;
        }
        let mut last = Instant::now();
        loop {
            let frame = tokio::select! {
                frame = stream.next() => frame,
                () = sleep_until(last + IDLE_TIMEOUT) => {
                    return Some(Goodbye(1001, "you have sent nothing for too long: connect again"));
                }
            };
            last = Instant::now();
            let goes_on = match frame? {
                Ok(Message::Text(text)) => self.hear(text.as_str()).await,
                Ok(Message::Binary(_)) => {
                    let refusal = self.strike().unwrap_or_else(|| {
                        Refusal::new(
                            RefusalCode::Malformed,
                            "this was a binary frame: the socket accepts only JSON in text frames",
                        )
                    });
                    self.outbox
                        .say(refusal.says(RefusedMessage::default()))
                        .await
                }
                Ok(Message::Ping(_) | Message::Pong(_)) => {
                    // A ping is answered with a pong, and a pong with nothing. Both count towards
                    // the limit of messages. Beyond the limit, each of them is a strike, but no
                    // refusal is sent.
                    let _strike = self.strike();
                    true
                }
                Ok(Message::Close(_)) => return None,
                Err(error) => return broken(&error),
            };
            if self.strikes > MAX_STRIKES {
                return Some(Goodbye(
                    1008,
                    "too many messages, for too long: connect again, and send fewer",
                ));
            }
            if !goes_on {
                return None;
            }
        }
    }

    /// Counts a message towards the limit of messages. If the limit is reached, counts a strike and
    /// returns the refusal.
    fn strike(&mut self) -> Option<Refusal> {
        match self.bucket.take(1.0) {
            Ok(()) => {
                self.strikes = self.strikes.saturating_sub(1);
                None
            }
            Err(wait) => {
                self.strikes += 1;
                Some(Refusal::too_many("too many messages on this socket", wait))
            }
        }
    }

    /// Answers one text frame. Returns false if nothing can be sent any more.
    async fn hear(&mut self, text: &str) -> bool {
        let refusal = match self.strike() {
            Some(_) if self.may_wait(text).await => {
                // The next frame is read only when this frame is answered, so a wait here also
                // limits the rate.
                self.strikes = self.strikes.saturating_sub(1);
                self.bucket.ready().await;
                self.bucket.owe(1);
                None
            }
            refusal => refusal,
        };
        let says = if let Some(refusal) = refusal {
            refusal.says(named(text))
        } else if text.len() > MAX_FRAME {
            Refusal::new(
                RefusalCode::TooLarge,
                format!("a frame is at most {MAX_FRAME} bytes"),
            )
            .says(RefusedMessage::default())
        } else {
            match parse::<ClientSays>(text.as_bytes()) {
                Ok(says) => match self.answer(says).await {
                    Some(says) => says,
                    None => return true,
                },
                Err(refusal) => refusal.says(named(text)),
            }
        };
        self.outbox.say(says).await
    }

    /// Whether a frame beyond the rate limit waits instead of being refused. `watch` and `leave`
    /// wait, and an attempt waits if [`Club::is_unlimited`](club::Club::is_unlimited) returns true.
    async fn may_wait(&self, text: &str) -> bool {
        if text.len() > MAX_FRAME {
            return false;
        }
        let (id, game, after, text) = match parse(text.as_bytes()) {
            Ok(ClientSays::Watch { .. } | ClientSays::Leave { .. }) => return true,
            Ok(ClientSays::Try {
                id,
                game,
                after,
                text,
                ..
            }) => (id, game, after, text),
            Ok(
                ClientSays::Lobby { .. }
                | ClientSays::Act { .. }
                | ClientSays::Talk { .. }
                | ClientSays::Write { .. }
                | ClientSays::Ping {},
            )
            | Err(_) => return false,
        };
        let (Some(by), Ok(id), Ok(game)) = (self.reader.id(), request_id(&id), game_id(&game))
        else {
            return false;
        };
        self.app
            .club()
            .is_unlimited(game, by, id, after, &text)
            .await
    }

    /// Carries out a message. Returns the direct answer, or `None` if the messages of a
    /// subscription are the answer.
    async fn answer(&mut self, says: ClientSays) -> Option<ServerSays> {
        let named = RefusedMessage::from(&says);
        let answer = self.carry_out(says).await;
        answer.unwrap_or_else(|refusal| Some(refusal.says(named)))
    }

    async fn carry_out(&mut self, says: ClientSays) -> Result<Option<ServerSays>, Refusal> {
        Ok(match says {
            ClientSays::Ping {} => Some(ServerSays::Pong {}),
            ClientSays::Watch { game, after } => {
                self.watch(&game, after).await?;
                None
            }
            ClientSays::Leave { game } => {
                let id = game_id(&game)?;
                self.subscriptions.remove(&id);
                self.talks.leave(id);
                None
            }
            ClientSays::Lobby { on } => {
                self.listen_to_lobby(on);
                None
            }
            ClientSays::Try {
                id,
                game,
                after,
                text,
                ask,
            } => {
                let begun = Instant::now();
                let answer = self.try_it(&id, &game, after, &text, ask).await;
                self.observe("socket: try", begun, &answer);
                Some(answer?)
            }
            ClientSays::Talk { game, group, after } => {
                self.listen_to_talk(&game, group, after).await?;
                None
            }
            ClientSays::Write {
                id,
                game,
                group,
                text,
            } => {
                self.write(&id, &game, group, &text).await?;
                Some(ServerSays::Answer {
                    id,
                    game,
                    n: None,
                    answer: "written".to_owned(),
                    cause: None,
                    why: String::new(),
                })
            }
            ClientSays::Act { id, game, act } => {
                let begun = Instant::now();
                let answer = self.act(&id, &game, act).await;
                self.observe("socket: act", begun, &answer);
                Some(answer?)
            }
        })
    }

    /// Passes an answer to the observer, if there is one.
    fn observe(&self, route: &str, begun: Instant, answer: &Result<ServerSays, Refusal>) {
        if let Some(observe) = self.app.observer() {
            let status = match answer {
                Ok(_) => StatusCode::OK,
                Err(refusal) => refusal.status(),
            };
            observe("SOCKET", route, status.as_u16(), begun.elapsed());
        }
    }

    async fn watch(&mut self, game: &str, after: u32) -> Result<(), Refusal> {
        let game = game_id(game)?;
        let known = self.subscriptions.contains_key(&game);
        if !known && self.subscriptions.len() >= MAX_GAMES {
            return Err(Refusal::new(
                RefusalCode::TooMany,
                format!("a socket listens to {MAX_GAMES} games at most: leave one first"),
            ));
        }
        let (club, reader) = (self.app.club(), self.reader.id());
        let listening = club.listen(game, reader, after).await?;
        if listening.is_playing() {
            // A quarter of the places is kept for accounts with a password.
            self.counters
                .keep(self.app.counter().limits.connections_in_all / 4 * 3);
        }
        self.subscribe(game, listening, after);
        Ok(())
    }

    fn subscribe(&mut self, game: GameId, listening: Listening, after: u32) {
        let mut watching = Watching::new(game, listening, after);
        let outbox = self.outbox.clone();
        let (sent, sending) = watch::channel(after);
        let task = tokio::spawn(async move {
            while let Some(says) = watching.next().await {
                if !outbox.say(says).await {
                    return;
                }
                if watching.is_sent() {
                    sent.send_replace(watching.heard());
                }
            }
        });
        let subscription = Subscription {
            task: task.abort_handle(),
            sent: sending,
        };
        // A second subscription to a game replaces the first.
        self.subscriptions.insert(game, subscription);
    }

    fn listen_to_lobby(&mut self, on: bool) {
        if let Some(before) = self.lobby.take() {
            before.abort();
        }
        if !on {
            return;
        }
        let (app, reader, outbox) = (self.app.clone(), self.reader.id(), self.outbox.clone());
        let task = tokio::spawn(async move {
            let mut listening = app.club().listen_to_lobby(reader);
            let mut n = 0;
            while let Some(item) = listening.next().await {
                let says = match item {
                    LobbyItem::Whole(lobby) => {
                        n = 0;
                        let lobby = app.lobby_json(&lobby);
                        ServerSays::Lobby { lobby }
                    }
                    LobbyItem::Changes(changes) => {
                        n += 1;
                        let changes = present::lobby_changes(n, &changes);
                        ServerSays::LobbyChanges { changes }
                    }
                };
                if !outbox.say_whole(says).await {
                    return;
                }
                tokio::time::sleep(LOBBY_INTERVAL).await;
            }
        });
        self.lobby = Some(task.abort_handle());
    }

    async fn listen_to_talk(
        &mut self,
        game: &str,
        group: Option<TalkGroupJson>,
        after: u32,
    ) -> Result<(), Refusal> {
        let (club, reader, game) = (self.app.club(), self.reader.id(), game_id(game)?);
        let begun = self
            .talks
            .begin(club, reader, &self.outbox, game, group, after);
        begun.await
    }

    async fn write(
        &self,
        id: &str,
        game: &str,
        group: Option<TalkGroupJson>,
        text: &str,
    ) -> Result<(), Refusal> {
        let (by, game) = (self.account()?, game_id(game)?);
        request_id(id)?;
        let group = group.map(present::talk_group);
        self.app.club().write(game, by, group, text).await?;
        Ok(())
    }

    fn account(&self) -> Result<AccountId, Refusal> {
        self.reader.id().ok_or_else(|| {
            Refusal::new(
                RefusalCode::SignIn,
                "a visitor can only watch: sign in, or play as a guest, and open the socket again",
            )
            .because("sign-in")
        })
    }

    async fn try_it(
        &mut self,
        id: &str,
        game: &str,
        after: u32,
        text: &str,
        ask: bool,
    ) -> Result<ServerSays, Refusal> {
        let (by, request, game) = (self.account()?, request_id(id)?, game_id(game)?);
        let club = self.app.club();
        if ask {
            club.ask_back(game, by, Some(&request), text).await?;
        }
        let said = club.say(game, by, request, after, text).await?;
        self.after_hearing(game, said.n).await;
        Ok(present::answer(id.to_owned(), game.to_string(), said))
    }

    async fn act(
        &mut self,
        id: &str,
        game: &str,
        act: wire::TableAct,
    ) -> Result<ServerSays, Refusal> {
        let (by, request, game) = (self.account()?, request_id(id)?, game_id(game)?);
        let said = self.app.club().act(game, by, request, act).await?;
        Ok(present::answer(id.to_owned(), game.to_string(), said))
    }

    /// Waits until the hearing that a try caused is sent, because the hearing must be sent
    /// before the answer.
    async fn after_hearing(&mut self, game: GameId, n: Option<u32>) {
        if let (Some(subscription), Some(n)) = (self.subscriptions.get_mut(&game), n) {
            // If sending the hearing takes too long, the answer is sent anyway.
            let _in_order =
                timeout(ORDER_TIMEOUT, subscription.sent.wait_for(|sent| *sent >= n)).await;
        }
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        if let Some(lobby) = self.lobby.take() {
            lobby.abort();
        }
    }
}

/// Returns the error of the WebSocket.
fn websocket_error(error: &axum::Error) -> Option<&WebSocketError> {
    error.source()?.downcast_ref()
}

/// Returns what a refusal of this frame repeats of it.
fn named(text: &str) -> RefusedMessage {
    serde_json::from_str(text).unwrap_or_default()
}

/// Whether the connection is broken, so that nothing can be sent any more.
fn is_gone(error: &axum::Error) -> bool {
    matches!(
        websocket_error(error),
        Some(
            WebSocketError::Io(_)
                | WebSocketError::ConnectionClosed
                | WebSocketError::AlreadyClosed
                | WebSocketError::Protocol(
                    ProtocolError::ResetWithoutClosingHandshake
                        | ProtocolError::ReceivedAfterClosing
                )
        )
    )
}

/// Returns the goodbye to a client whose frames cannot be parsed, or `None` if the connection is
/// broken.
fn broken(error: &axum::Error) -> Option<Goodbye> {
    if is_gone(error) {
        return None;
    }
    Some(match websocket_error(error) {
        Some(
            WebSocketError::Capacity(_)
            | WebSocketError::Protocol(ProtocolError::ControlFrameTooBig),
        ) => Goodbye(
            1009,
            "a text frame may have at most 4096 bytes, a ping 125: connect again",
        ),
        Some(WebSocketError::Utf8(_)) => Goodbye(1007, "a text frame must be UTF-8: connect again"),
        _ => Goodbye(
            1002,
            "a frame was not a WebSocket frame (RFC 6455): connect again",
        ),
    })
}
