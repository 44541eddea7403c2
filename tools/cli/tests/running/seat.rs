//! A player who makes tries that the player's view proposes, without thinking time. The player
//! records everything, and reconnects when the club is running again.

use std::{
    convert::Infallible,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicI32, AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use rustix::process::{Pid, Signal, kill_process};
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};
use wire::{ClientSays, GameJson, GameStatus, SeatViewJson, ServerSays, Side, TableAct, TryJson};

use super::{
    http::Line,
    journal::{Answer, Book, Journal, RequestContent},
    socket::{Gone, Socket},
};

/// Maximum time until the next message.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// State of the club.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Life {
    Down,
    Up(SocketAddr),
    /// The club is running for the last time: the player requests all answers and
    /// hearings again, and then leaves.
    Last(SocketAddr),
}

/// Kills the server when a certain answer arrives.
#[derive(Debug, Default)]
pub struct Trigger {
    /// Number of answers until the kill. If it is 0 or less, there is no kill.
    pub answers: AtomicI64,
    pub pid: AtomicI32,
}

impl Trigger {
    fn answered(&self) {
        if self.answers.fetch_sub(1, Ordering::SeqCst) == 1
            && let Some(pid) = Pid::from_raw(self.pid.load(Ordering::SeqCst))
        {
            kill_process(pid, Signal::KILL).unwrap();
        }
    }
}

/// State shared by all players.
#[derive(Clone)]
pub struct SharedState {
    pub life: watch::Receiver<Life>,
    pub trigger: Arc<Trigger>,
    /// Number of tries that were answered for the first time.
    pub answers: Arc<AtomicU64>,
}

/// Connection over which tries are made.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Door {
    Socket,
    Http,
}

/// A player.
pub struct Seat {
    shared: SharedState,
    pub token: String,
    pub door: Door,
    pub game: String,
    pub journal: Journal,
    pub dice: StdRng,
}

/// State that the player knows during one connection.
#[derive(Default)]
pub struct Desk {
    view: Option<SeatViewJson>,
    facts: Option<GameJson>,
}

impl Seat {
    pub fn new(shared: SharedState, name: String, token: String, door: Door, seed: u64) -> Seat {
        Seat {
            shared,
            token,
            door,
            game: String::new(),
            journal: Journal {
                name,
                ..Journal::default()
            },
            dice: StdRng::seed_from_u64(seed),
        }
    }

    pub fn sit_down(&mut self, game: String, side: Side) {
        let book = Book {
            side,
            heard: Vec::new(),
        };
        self.journal.books.entry(game.clone()).or_insert(book);
        self.game = game;
    }

    /// Plays until the last run of the club.
    pub async fn play(mut self) -> Journal {
        loop {
            let life = self.shared.life.wait_for(|life| *life != Life::Down).await;
            let life = life.map_or(Life::Down, |life| *life);
            match life {
                Life::Down => return self.journal,
                Life::Up(to) => {
                    let Err(Gone) = self.sit(to).await;
                    sleep(Duration::from_millis(5)).await;
                }
                Life::Last(to) => {
                    if self.look_back(to).await.is_err() {
                        self.journal.fault("the last club went away".to_owned());
                    }
                    return self.journal;
                }
            }
        }
    }

    pub fn side(&self) -> Side {
        self.journal.books[&self.game].side
    }

    /// Plays as long as the connection lasts.
    async fn sit(&mut self, to: SocketAddr) -> Result<Infallible, Gone> {
        let mut socket = Socket::open(to, &self.token).await?;
        let mut line = match self.door {
            Door::Socket => None,
            Door::Http => Some(Line::open(to, &self.token)),
        };
        // Sometimes the player requests all hearings from the beginning again.
        let after = if self.dice.random_bool(0.25) {
            0
        } else {
            self.journal.heard(&self.game)
        };
        let game = self.game.clone();
        socket.say(&ClientSays::Watch { game, after }).await?;
        // The player sends the last answered requests again, and must get the same answers. A
        // request without an answer is also sent again.
        let asks = self.journal.asks.iter().rev();
        let answered = asks.filter(|ask| ask.answer.is_some()).take(2);
        for ask in answered.map(|ask| ask.says()).collect::<Vec<_>>() {
            socket.say(&ask).await?;
        }
        if let Some(ask) = self.journal.ask_again() {
            self.send(ask.says(), &mut socket, line.as_ref()).await?;
        }
        let mut desk = Desk::default();
        loop {
            let says = match &mut line {
                None => socket.hear().await?,
                Some(line) => tokio::select! {
                    says = socket.hear() => says?,
                    says = line.replies.recv() => says.ok_or(Gone)?,
                },
            };
            self.hear(says, &mut desk);
            if let Some(says) = self.go_on(&mut desk) {
                self.send(says, &mut socket, line.as_ref()).await?;
            }
        }
    }

    async fn send(
        &self,
        says: ClientSays,
        socket: &mut Socket,
        line: Option<&Line>,
    ) -> Result<(), Gone> {
        match (says, line) {
            (
                ClientSays::Try {
                    id,
                    game,
                    after,
                    text,
                    ask: false,
                },
                Some(line),
            ) => {
                line.post(
                    game,
                    TryJson {
                        id,
                        after,
                        text,
                        ask: false,
                    },
                );
                Ok(())
            }
            (says, _) => socket.say(&says).await,
        }
    }

    /// Records a message from the club.
    pub fn hear(&mut self, says: ServerSays, desk: &mut Desk) {
        match says {
            ServerSays::Heard { game, hearing } => self.journal.hear(&game, hearing),
            ServerSays::View { game, view } if game == self.game => desk.view = Some(view),
            ServerSays::Game { game } if game.id == self.game => desk.facts = Some(game),
            ServerSays::Answer {
                id, n, answer, why, ..
            } => {
                let first = self.journal.answered(&id, Answer { n, answer, why });
                if first && n.is_some() {
                    self.shared.answers.fetch_add(1, Ordering::Relaxed);
                    self.shared.trigger.answered();
                }
            }
            ServerSays::Refused {
                id: Some(id),
                code,
                why,
                ..
            } => self.journal.refused(&id, code, &why),
            ServerSays::Refused { id: None, why, .. } => {
                self.journal.fault(format!("refused: {why}"));
            }
            ServerSays::Bye { why } => self.journal.fault(format!("sent away: {why}")),
            ServerSays::Welcome { .. }
            | ServerSays::Lobby { .. }
            | ServerSays::LobbyChanges { .. }
            | ServerSays::View { .. }
            | ServerSays::Message { .. }
            | ServerSays::Game { .. }
            | ServerSays::Pong {} => {}
        }
    }

    /// Returns the player's next message, or `None` if the player must wait.
    pub fn go_on(&mut self, desk: &mut Desk) -> Option<ClientSays> {
        if self.journal.open().is_some() {
            return None;
        }
        let facts = desk.facts.as_ref()?;
        if facts.status == GameStatus::Over {
            let offers = facts.offers.as_ref()?;
            if let Some(next) = offers.next.clone() {
                let side = match self.side() {
                    Side::White => Side::Black,
                    Side::Black => Side::White,
                };
                self.sit_down(next.clone(), side);
                *desk = Desk::default();
                let after = self.journal.heard(&next);
                return Some(ClientSays::Watch { game: next, after });
            }
            if offers.rematch == Some(self.side()) {
                return None;
            }
            let refused = self.journal.asks.last()?;
            let known = refused.game == self.game && refused.refused.is_some();
            if known && self.dice.random_bool(0.9) {
                // Wait, because the facts that the player knows may be out of date.
                return None;
            }
            let ask = self
                .journal
                .ask(&self.game, RequestContent::Act(TableAct::Rematch));
            return Some(ask.says());
        }
        let view = desk.view.as_ref()?;
        let n = self.journal.heard(&self.game);
        if self.journal.told() > n {
            // Wait: the request was answered over HTTP, but its hearings come on the socket.
            return None;
        }
        if view.n != n || view.to_move != Some(view.seat) {
            return None;
        }
        let text = self.choose(view)?;
        let what = RequestContent::Try { after: n, text };
        Some(self.journal.ask(&self.game, what).says())
    }

    fn choose(&mut self, view: &SeatViewJson) -> Option<String> {
        let asks = [
            ("accept-draw", 0.2),
            ("decline-draw", 0.9),
            ("any", 0.3),
            ("count", 0.02),
            ("recap", 0.02),
            ("offer-draw", 0.005),
            ("resign", 0.003),
        ];
        for (word, often) in asks {
            let may = view.words.iter().any(|known| known == word);
            if may && view.refused.is_empty() && self.dice.random_bool(often) {
                return Some(word.to_owned());
            }
        }
        view.tries.choose(&mut self.dice).cloned()
    }

    /// Waits for the next message, which must come in time.
    async fn hear_soon(&mut self, socket: &mut Socket) -> Result<ServerSays, Gone> {
        let heard = timeout(ANSWER_TIMEOUT, socket.hear()).await;
        heard.unwrap_or_else(|_| {
            let last = self.journal.asks.last();
            let fault = format!("nothing more comes; the last request was {last:?}");
            self.journal.fault(fault);
            Err(Gone)
        })
    }

    /// Asks for all hearings from the beginning, and repeats all requests.
    async fn look_back(&mut self, to: SocketAddr) -> Result<(), Gone> {
        let mut socket = Socket::open(to, &self.token).await?;
        let mut desk = Desk::default();
        if let Some(ask) = self.journal.ask_again() {
            socket.say(&ask.says()).await?;
            while self.journal.open().is_some() {
                let says = self.hear_soon(&mut socket).await?;
                self.hear(says, &mut desk);
            }
        }
        let games: Vec<String> = self.journal.books.keys().cloned().collect();
        for game in games {
            let known = u64::from(self.journal.heard(&game)) + self.journal.reheard;
            let watch = ClientSays::Watch {
                game: game.clone(),
                after: 0,
            };
            socket.say(&watch).await?;
            while self.journal.reheard < known && self.journal.faults.is_empty() {
                let says = self.hear_soon(&mut socket).await?;
                self.hear(says, &mut desk);
            }
            socket.say(&ClientSays::Leave { game }).await?;
        }
        let asks = self.journal.asks.iter();
        let answered = asks.filter(|ask| ask.answer.is_some());
        for ask in answered.map(|ask| ask.says()).collect::<Vec<_>>() {
            socket.say(&ask).await?;
            let repeated = self.journal.repeated;
            while self.journal.repeated == repeated && self.journal.faults.is_empty() {
                let says = self.hear_soon(&mut socket).await?;
                self.hear(says, &mut desk);
            }
        }
        Ok(())
    }
}
