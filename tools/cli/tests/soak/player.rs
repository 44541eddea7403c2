//! Players and spectators. They use the crate `client`, and record each message and its time.

use std::{
    collections::HashMap,
    io,
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use client::{Client, ClientEvent, ConnectError, RetryPolicy, Transport};
use futures_util::{SinkExt, StreamExt, future::ready};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::time::{sleep_until, timeout};
use tokio_tungstenite::tungstenite::{self, Message};
use wire::{ClientSays, RefusalCode, ServerSays, Side, TryJson};

use crate::{
    ground::{Ground, address},
    running::{
        http::Line,
        journal::{Book, Journal},
        seat::{Desk, Door, Life, Seat},
        socket::open_from,
    },
};

/// Retry policy of a player while the club is away.
const POLICY: RetryPolicy = RetryPolicy {
    connect_timeout: Duration::from_secs(10),
    idle_timeout: Some(Duration::from_secs(30)),
    first_pause: Duration::from_millis(50),
    longest_pause: Duration::from_millis(100),
};
/// Bounds of the time for which a player thinks before an attempt, in milliseconds.
const THINKS: (u64, u64) = (50, 400);
/// Pause after the club could not store a request. After the pause, the request is sent again.
const RETRY_PAUSE: Duration = Duration::from_millis(200);
/// Maximum time until the last request of a player is answered.
const LAST_ANSWER_TIMEOUT: Duration = Duration::from_secs(20);
/// Number of games that a spectator watches at the same time.
const WATCHED_GAMES: usize = 4;

/// Opens the socket of a client.
async fn transport(
    ground: Arc<Ground>,
    from: IpAddr,
    token: String,
) -> Result<Transport, ConnectError> {
    let away = || ConnectError::Unreachable("the club is away".to_owned());
    let to = match *ground.life.borrow() {
        Life::Down => return Err(away()),
        Life::Up(to) | Life::Last(to) => to,
    };
    let socket = open_from(from, to, &token).await;
    let socket = socket.map_err(|error| {
        if let tungstenite::Error::Http(response) = &error
            && response.status() == 401
        {
            return ConnectError::Refused("the session is lost".to_owned());
        }
        ConnectError::Unreachable(error.to_string())
    })?;
    let (sink, stream) = socket.split();
    let says = |came| match came {
        Ok(Message::Text(text)) => Some(serde_json::from_str(&text).map_err(io::Error::from)),
        Ok(
            Message::Ping(_)
            | Message::Pong(_)
            | Message::Binary(_)
            | Message::Close(_)
            | Message::Frame(_),
        ) => None,
        Err(error) => Some(Err(io::Error::other(error))),
    };
    let text = |says: ClientSays| Ok(Message::text(serde_json::to_string(&says)?));
    Ok(Transport::new(
        stream.filter_map(move |came| ready(says(came))),
        sink.sink_map_err(io::Error::other)
            .with(move |says| ready(text(says))),
    ))
}

/// Creates a client of the club. Without a token, the client is a visitor.
fn client(ground: &Arc<Ground>, from: IpAddr, token: &str) -> Client {
    let (ground, token) = (Arc::clone(ground), token.to_owned());
    Client::new(
        move || transport(Arc::clone(&ground), from, token.clone()),
        POLICY,
    )
}

/// Times at which messages were sent and received.
#[derive(Debug, Default)]
pub struct Times {
    /// Time at which a request was first sent, by the id of the request.
    pub sent: HashMap<String, Instant>,
    /// Time at which the answer to a request came, by the id of the request.
    pub answered: HashMap<String, Instant>,
    /// Times at which the hearings of a game came, in order.
    pub heard: HashMap<String, Vec<Instant>>,
    /// Events of the connection, with their times: the connection was opened or lost, or a request
    /// was refused for a while.
    pub connection: Vec<(Instant, String)>,
}

impl Times {
    fn note(&mut self, what: &str) {
        self.connection.push((Instant::now(), what.to_owned()));
    }
}

/// Everything that a player has recorded.
pub struct Record {
    pub journal: Journal,
    pub times: Times,
}

/// What a player does after a message.
enum Then {
    /// Thinks, and moves if it is the player's turn.
    Think,
    /// Sends the open request again.
    SendAgain,
    /// Connects again, because a subscription to a game was refused.
    Reconnect,
}

/// A player at a table.
pub struct Player {
    pub ground: Arc<Ground>,
    pub seat: Seat,
    pub from: IpAddr,
    pub times: Times,
}

impl Player {
    pub fn sit_down(&mut self, game: String, side: Side) {
        self.ground.begins(&game);
        self.seat.sit_down(game, side);
    }

    /// Plays until the end of the run.
    pub async fn play(mut self) -> Record {
        let mut life = self.ground.life.clone();
        let mut client = client(&self.ground, self.from, &self.seat.token);
        let game = self.seat.game.clone();
        client.say(ClientSays::Watch { game, after: 0 });
        let mut desk = Desk::default();
        let mut line: Option<Line> = None;
        // Time of the next move.
        let mut moves: Option<Instant> = None;
        // Time at which the open request is sent again.
        let mut again: Option<Instant> = None;
        // After the end of the run, the player waits for the last answer until this time.
        let mut leaves: Option<Instant> = None;
        loop {
            if leaves.is_some() && self.seat.journal.open().is_none() {
                break;
            }
            let wakes = [moves, again, leaves].into_iter().flatten().min();
            let wake = async {
                match wakes {
                    Some(at) => sleep_until(at.into()).await,
                    None => std::future::pending().await,
                }
            };
            let reply = async {
                match &mut line {
                    Some(line) => line.replies.recv().await,
                    None => std::future::pending().await,
                }
            };
            let says = tokio::select! {
                event = client.next() => match event {
                    Ok(ClientEvent::Says(says)) => says,
                    Ok(ClientEvent::Connected { .. }) => {
                        self.times.note("connected");
                        // The client itself sends unanswered requests again, but not those that
                        // were sent over HTTP.
                        let open = self.seat.journal.ask_again();
                        if self.seat.door == Door::Http && open.is_some() {
                            again = Some(Instant::now());
                        }
                        line = None;
                        // The player repeats the last answered request, and must get the same
                        // answer.
                        if open.is_none()
                            && let Some(last) = self.seat.journal.asks.last()
                            && last.answer.is_some()
                        {
                            let says = last.says();
                            self.say(&mut client, &mut line, says);
                        }
                        continue;
                    }
                    Ok(ClientEvent::Lost { why }) => {
                        self.times.note(&why);
                        desk = Desk::default();
                        continue;
                    }
                    Err(refused) => {
                        self.seat.journal.fault(format!("sent away: {refused}"));
                        break;
                    }
                },
                reply = reply => match reply {
                    Some(says) => says,
                    None => {
                        line = None;
                        if self.seat.journal.ask_again().is_some() {
                            again = Some(Instant::now() + RETRY_PAUSE);
                        }
                        continue;
                    }
                },
                changed = life.changed(), if leaves.is_none() => {
                    if changed.is_err() || self.ground.is_over() {
                        leaves = Some(Instant::now() + LAST_ANSWER_TIMEOUT);
                    }
                    continue;
                }
                () = wake => {
                    let now = Instant::now();
                    if leaves.is_some_and(|at| at <= now) {
                        let why = format!("no answer at the end to {:?}", self.seat.journal.open());
                        self.seat.journal.fault(why);
                        break;
                    }
                    if again.take_if(|at| *at <= now).is_some()
                        && let Some(says) = self.seat.journal.open().map(|ask| ask.says())
                    {
                        self.say(&mut client, &mut line, says);
                    }
                    if moves.take_if(|at| *at <= now).is_some()
                        && leaves.is_none()
                    {
                        let game = self.seat.game.clone();
                        if let Some(says) = self.seat.go_on(&mut desk) {
                            self.say(&mut client, &mut line, says);
                        }
                        // One socket can listen to a limited number of games only, so the player
                        // leaves the old game.
                        if self.seat.game != game {
                            client.say(ClientSays::Leave { game });
                        }
                    }
                    continue;
                }
            };
            match self.hear(says, &mut desk) {
                Then::Think => {
                    let thinks = self.seat.dice.random_range(THINKS.0..THINKS.1);
                    moves.get_or_insert(Instant::now() + Duration::from_millis(thinks));
                }
                Then::SendAgain => again = Some(Instant::now() + RETRY_PAUSE),
                Then::Reconnect => client.give_up("the club could not tell of a game"),
            }
        }
        Record {
            journal: self.seat.journal,
            times: self.times,
        }
    }

    /// Sends a message. A player with [`Door::Http`] sends tries over HTTP. All other messages go
    /// over the WebSocket.
    fn say(&mut self, client: &mut Client, line: &mut Option<Line>, says: ClientSays) {
        let now = Instant::now();
        if let ClientSays::Try { id, .. } | ClientSays::Act { id, .. } = &says {
            self.times.sent.entry(id.clone()).or_insert(now);
        }
        if let ClientSays::Watch { game, .. } = &says {
            self.ground.begins(game);
        }
        match says {
            ClientSays::Try {
                id,
                game,
                after,
                text,
                ..
            } if self.seat.door == Door::Http => {
                let to = match *self.ground.life.borrow() {
                    Life::Up(to) | Life::Last(to) => to,
                    // When the club is open again, the request is sent again.
                    Life::Down => return,
                };
                let line =
                    line.get_or_insert_with(|| Line::open_from(self.from, to, &self.seat.token));
                line.post(
                    game,
                    TryJson {
                        id,
                        after,
                        text,
                        ask: false,
                    },
                );
            }
            says @ (ClientSays::Try { .. }
            | ClientSays::Act { .. }
            | ClientSays::Watch { .. }
            | ClientSays::Leave { .. }
            | ClientSays::Lobby { .. }
            | ClientSays::Talk { .. }
            | ClientSays::Write { .. }
            | ClientSays::Ping {}) => client.say(says),
        }
    }

    /// Records a message. Returns the player's next step.
    fn hear(&mut self, says: ServerSays, desk: &mut Desk) -> Then {
        let now = Instant::now();
        match &says {
            ServerSays::Refused { id, code, .. } if *code == RefusalCode::Unavailable => {
                self.ground.count("requests refused at first");
                self.times.note("refused for a while");
                return match id {
                    Some(_) => Then::SendAgain,
                    None => Then::Reconnect,
                };
            }
            // The club is being shut down by SIGTERM.
            ServerSays::Bye { .. } => return Then::Think,
            ServerSays::Answer { id, .. } => {
                self.times.answered.entry(id.clone()).or_insert(now);
            }
            ServerSays::Heard { game, hearing } => {
                let times = self.times.heard.entry(game.clone()).or_default();
                if hearing.n as usize == times.len() + 1 {
                    times.push(now);
                }
            }
            ServerSays::Welcome { .. }
            | ServerSays::Lobby { .. }
            | ServerSays::LobbyChanges { .. }
            | ServerSays::Game { .. }
            | ServerSays::View { .. }
            | ServerSays::Message { .. }
            | ServerSays::Refused { .. }
            | ServerSays::Pong {} => {}
        }
        self.seat.hear(says, desk);
        Then::Think
    }
}

/// Watches games until the end of the run. Returns what a spectator heard.
pub async fn watch(ground: Arc<Ground>, number: usize, seed: u64) -> Journal {
    let mut client = client(&ground, address(3, number), "");
    let mut dice = StdRng::seed_from_u64(seed);
    let mut journal = Journal {
        name: format!("spectator {number}"),
        ..Journal::default()
    };
    let mut watched: Vec<String> = Vec::new();
    while !ground.is_over() {
        let games = ground.games();
        let new = games.iter().rev().take(12);
        let new = new.filter(|game| !journal.books.contains_key(*game));
        let new: Vec<&String> = new.collect();
        if !new.is_empty() && (watched.len() < WATCHED_GAMES || dice.random_bool(0.02)) {
            if watched.len() >= WATCHED_GAMES {
                let game = watched.remove(0);
                client.say(ClientSays::Leave { game });
            }
            let game = new[dice.random_range(0..new.len())].clone();
            let book = Book {
                side: Side::White,
                heard: Vec::new(),
            };
            journal.books.insert(game.clone(), book);
            watched.push(game.clone());
            client.say(ClientSays::Watch { game, after: 0 });
        }
        match timeout(Duration::from_millis(500), client.next()).await {
            Ok(Ok(ClientEvent::Says(ServerSays::Heard { game, hearing }))) => {
                journal.hear(&game, hearing);
            }
            Ok(Ok(ClientEvent::Says(ServerSays::Refused { code, why, .. })))
                if !code.is_temporary() =>
            {
                journal.fault(format!("refused: {why}"));
            }
            Ok(Ok(_)) | Err(_) => {}
            Ok(Err(refused)) => {
                journal.fault(format!("sent away: {refused}"));
                break;
            }
        }
    }
    journal
}

/// Compares what spectators heard. All spectators of one game must hear the same.
pub fn disagreements(spectators: &[Journal]) -> Vec<String> {
    let mut found = Vec::new();
    for (place, one) in spectators.iter().enumerate() {
        for other in &spectators[place + 1..] {
            for (game, book) in &one.books {
                let Some(same) = other.books.get(game) else {
                    continue;
                };
                let mut pairs = book.heard.iter().zip(&same.heard);
                if let Some((a, b)) = pairs.find(|(a, b)| a != b) {
                    found.push(format!("game {game}: spectators heard {a:?} and {b:?}"));
                }
            }
        }
    }
    found
}
