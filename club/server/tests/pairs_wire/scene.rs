//! A club for one game of a pair. The listener hears the same in both games of a pair. The club has
//! four people, two other games, and the connections of the players and the listener.

use std::{
    io,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use club::{AccountKind, Club, GameId, Settings, TimeControl, request_id};
use referee::{Opened, StartPosition};
use rules::{
    Listener,
    chess::{ByColor, Color},
    rulesets::WILD16,
};
use server::{Given, Server};
use store::{AccountId, NewAccount, Store, testing::opened_game};
use tracing::subscriber::DefaultGuard;
use tracing_subscriber::fmt::MakeWriter;

use crate::{
    line::Line,
    time::{TEST_START, Time},
};

/// Half of the time that the store takes for an append.
pub const HALF_AN_APPEND: Duration = Duration::from_millis(5);

/// Setup of a game; the same for both games of a pair.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Listener who must not be able to distinguish the two games.
    pub listener: Listener,
    /// Time control.
    pub terms: TimeControl,
    /// Whether the players who are not the listener are connected.
    pub others_here: bool,
    /// Whether the listener also receives hearings in an HTTP response that stays open.
    pub held_open: bool,
    /// Whether the listener is signed in, if the listener is a spectator.
    pub signed_in: bool,
}

/// Log lines of the server.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn lines(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what was written since the last call.
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.lines())
    }

    /// Collects the log lines of this thread from now on, in the server's default form but without
    /// the time.
    pub fn begin(&self) -> DefaultGuard {
        let lines = tracing_subscriber::fmt()
            .with_writer(self.clone())
            .with_ansi(false)
            .with_target(false)
            .with_max_level(tracing::Level::INFO)
            .without_time();
        tracing::subscriber::set_default(lines.finish())
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.lines().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Log;

    fn make_writer(&'a self) -> Log {
        self.clone()
    }
}

/// A person with an account.
#[derive(Clone, Debug)]
pub struct Person {
    /// Account of the person.
    pub id: AccountId,
    /// Token of the person's session.
    pub token: String,
}

/// A club with the game that is played.
pub struct Scene {
    pub time: Time,
    pub store: Arc<dyn Store>,
    pub club: Club,
    pub server: Server,
    pub players: ByColor<Person>,
    /// Account of the listener. `None` if the listener is not signed in.
    pub reader: Option<Person>,
    /// Game that is played: one of the two games of the pair.
    pub game: GameId,
    /// Another game. If the listener is signed in, the listener plays in it.
    pub beside: GameId,
    beside_players: ByColor<AccountId>,
    beside_said: u32,
}

/// Id of the game that is played: the same for both games of a pair.
pub const GAME: GameId = GameId::from_chance(0x5eed_5eed_5eed);
const BESIDE: GameId = GameId::from_chance(0xbe51_de00_0001);
const FOURTH: GameId = GameId::from_chance(0x0f0a_0c0e_0002);

impl Scene {
    /// Opens a club over the store, with the game and two other games.
    pub async fn open(setup: &Setup, opened: &Opened, time: Time, store: Arc<dyn Store>) -> Scene {
        let settings = Settings {
            seed: Some(1),
            ..Settings::cheap()
        };
        let clock = Arc::new(time);
        let mut ids = Vec::new();
        for name in ["Ada", "Bert", "Cleo", "Dora"] {
            let new = NewAccount {
                name: name.to_owned(),
                kind: AccountKind::Person,
                password: None,
                at: TEST_START,
            };
            let id = store.create_account(&new).await.unwrap();
            ids.push(id);
        }
        let [white, black, third, fourth] = ids[..] else {
            panic!("four people");
        };
        let beside = ByColor {
            white: match setup.listener {
                Listener::White => white,
                Listener::Black => black,
                Listener::Room if setup.signed_in => third,
                Listener::Room => fourth,
            },
            black: if setup.listener == Listener::Room {
                white
            } else {
                third
            },
        };
        let usual = Opened::new(&WILD16, WILD16.choices, StartPosition::initial());
        let seats = ByColor { white, black };
        let strangers = ByColor {
            white: third,
            black: fourth,
        };
        for (id, players, opened, time, at) in [
            (GAME, seats, opened, setup.terms, TEST_START),
            (
                BESIDE,
                beside,
                &usual,
                TimeControl::Unlimited,
                TEST_START + 1,
            ),
            (
                FOURTH,
                strangers,
                &usual,
                TimeControl::Unlimited,
                TEST_START + 2,
            ),
        ] {
            let mut game = opened_game(id, players, opened, time, at);
            if id == GAME {
                game.terms.custom = Some("from = \"wild16\"\nhall = true\n".to_owned());
            }
            store.create_game(0, &game).await.unwrap();
        }
        let club = Club::open(Arc::clone(&store), clock, settings)
            .await
            .unwrap();
        let mut people = Vec::new();
        for id in ids {
            let token = club.begin_session(id).await.unwrap();
            let token = token.secret().to_owned();
            people.push(Person { id, token });
        }
        let [white, black, third, _] = &people[..] else {
            panic!("four people");
        };
        let players = ByColor {
            white: white.clone(),
            black: black.clone(),
        };
        let reader = match setup.listener.color() {
            Some(color) => Some(players.get(color).clone()),
            None => setup.signed_in.then(|| third.clone()),
        };
        let server = Server::open(club.clone(), config()).await.unwrap();
        Scene {
            time,
            store,
            club,
            server,
            players,
            reader,
            game: GAME,
            beside: BESIDE,
            beside_players: beside,
            beside_said: 0,
        }
    }

    /// Opens a connection from the address of person `who`.
    pub fn line(&self, who: u8) -> Line {
        let address = SocketAddr::from(([192, 0, 2, who], 4000));
        Line::piped(&self.server, address, self.time)
    }

    /// Returns the number of the last hearing of a seat.
    pub async fn heard(&self, seat: Color) -> u32 {
        let id = self.players.get(seat).id;
        let view = self.club.seat_view(self.game, id).await;
        view.unwrap().n
    }

    /// Makes an event in the listener's other game: a draw is offered or declined.
    pub async fn offer_or_decline_in_other_game(&mut self) {
        self.beside_said += 1;
        let (by, text) = if self.beside_said % 2 == 1 {
            (self.beside_players.white, "offer-draw")
        } else {
            (self.beside_players.black, "decline-draw")
        };
        let id = request_id(&format!("beside-{}", self.beside_said)).unwrap();
        let view = self.club.seat_view(self.beside, by).await;
        let after = view.unwrap().n;
        let said = self.club.say(self.beside, by, id, after, text).await;
        said.unwrap();
    }
}

/// Returns the default configuration with a longer client timeout. The timeout is longer than the
/// simulated time of any test.
fn config() -> server::Config {
    let given = Given {
        bots: Some(vec!["none".to_owned()]),
        ..Given::default()
    };
    let mut config = given.settle().unwrap();
    config.client_timeout = Some(Duration::from_secs(1_000_000));
    config
}
