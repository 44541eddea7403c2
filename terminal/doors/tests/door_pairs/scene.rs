//! A club with one game of a pair, and the console of the pair's listener.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use club::{Clock, Club, GameId, Millis, Settings, TimeControl};
use doors::base::{ConnectionLimits, Console};
use referee::{Opened, StartPosition};
use rules::{
    Attempt, Listener,
    chess::{ByColor, Color},
    rulesets::WILD16,
};
use store::{
    MemoryStore, Store,
    testing::{Late, Tapped, opened_game},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream, WriteHalf, duplex, split},
    task::yield_now,
    time::{Instant, sleep_until},
};

/// Half of the time that the store needs for an append.
const HALF_AN_APPEND: Duration = Duration::from_millis(5);

/// Time at which every game begins, in milliseconds since 1970 UTC.
pub const TEST_START: Millis = 1_800_000_000_000;

/// Password of every account.
pub const PASSWORD: &str = "secret-123";

/// A door at which the listener of a pair hears a game.
pub trait Door: Sync {
    /// Returns the name of the door.
    fn name(&self) -> &'static str;

    /// Whether spectators can follow a game at this door.
    fn has_spectators(&self) -> bool;

    /// Opens the door. Returns the function that serves a console.
    fn open(&self, club: &Club) -> Box<dyn Fn(Console)>;

    /// Returns the lines that the user `name` types to take a seat in the game, or to watch the
    /// game if `plays` is false.
    fn comes(&self, name: &str, plays: bool) -> Vec<String>;

    /// Returns the line that a player types for an attempt.
    fn says(&self, attempt: Attempt) -> String;

    /// Returns lines that a spectator types to write to a player. The player must hear none of
    /// these lines.
    fn spectator_writes(&self, player: &str, text: &str) -> Vec<String>;

    /// Returns lines that a player types to write to the opponent. Spectators must hear none of
    /// these lines.
    fn player_writes(&self, text: &str) -> Vec<String>;

    /// Lists other lines that the listener may type. In both games of a pair,
    /// the same lines are chosen at random.
    fn asks(&self, plays: bool) -> &'static [&'static str];
}

/// Clock of a game: tokio's paused time.
#[derive(Copy, Clone)]
pub struct Time(pub Instant);

impl Time {
    /// Returns the milliseconds since the start of the game.
    pub fn since(self) -> i64 {
        i64::try_from(self.0.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    /// Waits until this time, in milliseconds since the start of the game.
    pub async fn until(self, at: i64) {
        sleep_until(self.0 + Duration::from_millis(at.unsigned_abs())).await;
    }
}

impl Clock for Time {
    fn now(&self) -> Millis {
        TEST_START + self.since()
    }
}

/// Bytes that came at the same time.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Piece {
    /// Time at which the bytes came, in milliseconds since the start of the
    /// game.
    pub at: i64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The user's end of a connection.
pub struct Line {
    writes: WriteHalf<DuplexStream>,
    pieces: Arc<Mutex<Vec<Piece>>>,
}

impl Line {
    fn new(near: DuplexStream, time: Time) -> Line {
        let (mut reads, writes) = split(near);
        let pieces = Arc::<Mutex<Vec<Piece>>>::default();
        let into = Arc::clone(&pieces);
        tokio::spawn(async move {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = reads.read(&mut bytes).await {
                let at = time.since();
                let mut pieces = into.lock().unwrap_or_else(PoisonError::into_inner);
                match pieces.last_mut().filter(|last| last.at == at) {
                    Some(last) => last.bytes.extend(&bytes[..n]),
                    None => pieces.push(Piece {
                        at,
                        bytes: bytes[..n].to_vec(),
                    }),
                }
            }
        });
        Line { writes, pieces }
    }

    pub async fn send(&mut self, line: &str) {
        let line = format!("{line}\r\n");
        // If the door has closed the connection, the comparison notices it.
        let _gone = self.writes.write_all(line.as_bytes()).await;
    }

    /// Types a move; a second time if the door asks back.
    pub async fn tries(&mut self, text: &str) {
        self.send(text).await;
        // The door asks back at once. The paused clock must not go on meanwhile.
        for _ in 0..100 {
            yield_now().await;
        }
        let last = {
            let pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
            pieces.last().map(|piece| piece.bytes.clone())
        };
        if String::from_utf8_lossy(&last.unwrap_or_default()).contains("the same move again asks") {
            self.send(text).await;
        }
    }

    pub fn take(&self) -> Vec<Piece> {
        std::mem::take(&mut *self.pieces.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The club in which a game is played.
pub struct Scene {
    pub time: Time,
    pub store: Arc<dyn Store>,
    /// Connection of the listener.
    pub line: Line,
    /// Connections of the players who are not the listener.
    others: ByColor<Option<Line>>,
    /// Connection of a spectator, if the listener is a player.
    spectator: Option<Line>,
    /// Id of the game. Both games of a pair have the same id.
    pub game: GameId,
}

const GAME: GameId = GameId::from_chance(0x5eed_5eed_5eed);
const BESIDE: GameId = GameId::from_chance(0xbe51_de00_0001);

impl Scene {
    /// Opens a club and the game, and connects the listener.
    pub async fn open(
        door: &dyn Door,
        listener: Listener,
        time_control: TimeControl,
        opened: &Opened,
    ) -> Scene {
        let time = Time(Instant::now());
        let store: Arc<dyn Store> = Arc::new(Tapped {
            store: MemoryStore::default(),
            around: Late(HALF_AN_APPEND),
        });
        let settings = Settings {
            seed: Some(1),
            ..Settings::cheap()
        };
        let open = || Club::open(Arc::clone(&store), Arc::new(time), settings.clone());
        let club = open().await.unwrap();
        let mut ids = Vec::new();
        for name in ["Ada", "Bert", "Cleo", "Dora", "Emil"] {
            ids.push(club.register(name, PASSWORD).await.unwrap().id);
        }
        let players = ByColor {
            white: ids[0],
            black: ids[1],
        };
        let strangers = ByColor {
            white: ids[3],
            black: ids[2],
        };
        club.close().await;
        let lease = store.claim(TEST_START).await.unwrap();
        let fence = lease.unwrap().fence;
        let usual = Opened::new(&WILD16, WILD16.choices, StartPosition::initial());
        for (id, players, opened, time) in [
            (GAME, players, opened, time_control),
            (BESIDE, strangers, &usual, TimeControl::Unlimited),
        ] {
            let game = opened_game(id, players, opened, time, TEST_START);
            store.create_game(fence, &game).await.unwrap();
        }
        store.release(fence).await.unwrap();
        let club = open().await.unwrap();
        let lets_in = door.open(&club);
        let sits = |at: u8| {
            let (near, far) = duplex(256 * 1024);
            let address = SocketAddr::from(([192, 0, 2, at], 4000));
            lets_in(Console::open(far, address, ConnectionLimits::default()));
            Line::new(near, time)
        };
        let mut scene = Scene {
            line: sits(9),
            others: ByColor {
                white: (listener != Listener::White).then(|| sits(1)),
                black: (listener != Listener::Black).then(|| sits(2)),
            },
            spectator: (listener != Listener::Room).then(|| sits(5)),
            time,
            store,
            game: GAME,
        };
        let name = match listener {
            Listener::White => "Ada",
            Listener::Black => "Bert",
            Listener::Room => "Cleo",
        };
        let plays = listener != Listener::Room;
        let comes = door.comes(name, plays);
        let others = [("Ada", Color::White), ("Bert", Color::Black)]
            .map(|(name, color)| (door.comes(name, true), color));
        for (at, n) in (1..).zip(0..comes.len()) {
            for ((lines, color), before) in others.iter().zip([40, 20]) {
                scene.time.until(60 * at - before).await;
                if let (Some(line), Some(text)) = (scene.others.get_mut(*color), lines.get(n)) {
                    line.send(text).await;
                }
            }
            let watches = door.comes("Emil", false);
            if let (Some(line), Some(text)) = (&mut scene.spectator, watches.get(n)) {
                scene.time.until(60 * at - 10).await;
                line.send(text).await;
            }
            scene.time.until(60 * at).await;
            scene.line.send(&comes[n]).await;
        }
        scene
    }

    /// Types lines that the listener must not hear: a spectator writes if the
    /// listener is a player, otherwise both players write. Returns the number of
    /// lines.
    pub async fn write_to_others(&mut self, door: &dyn Door, text: &str) -> u64 {
        let mut lines = 0;
        if let Some(line) = &mut self.spectator {
            let player = if self.others.white.is_none() {
                "Ada"
            } else {
                "Bert"
            };
            for typed in door.spectator_writes(player, text) {
                line.send(&typed).await;
                lines += 1;
            }
            return lines;
        }
        for line in [&mut self.others.white, &mut self.others.black] {
            for typed in door.player_writes(text) {
                if let Some(line) = line {
                    line.send(&typed).await;
                    lines += 1;
                }
            }
        }
        lines
    }

    /// Types a line for a player who is not the listener, at a console of the
    /// same door.
    pub async fn says(&mut self, by: Color, text: &str) {
        if let Some(line) = self.others.get_mut(by) {
            line.tries(text).await;
        }
    }
}
