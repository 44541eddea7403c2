//! A club for one game of a pair, and the console of its listener.

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
    time::{Instant, sleep_until},
};

/// How long the store takes over half an append.
const HALF_AN_APPEND: Duration = Duration::from_millis(5);

/// When every game begins.
pub const DAWN: Millis = 1_800_000_000_000;

/// What everybody's password is.
pub const PASSWORD: &str = "secret-123";

/// A door at which a listener sits.
pub trait Door: Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// Whether a person who does not play may listen there.
    fn has_a_room(&self) -> bool;

    /// Opens the door; what lets consoles in.
    fn open(&self, club: &Club) -> Box<dyn Fn(Console)>;

    /// What the listener types to sit down at the game.
    fn comes(&self, name: &str, plays: bool) -> Vec<String>;

    /// Returns the line with which the listener sends an attempt.
    fn says(&self, attempt: Attempt) -> String;

    /// Lists the other questions of a listener; the draw is the same in both games.
    fn asks(&self, plays: bool) -> &'static [&'static str];
}

/// The time of a game: tokio's, paused.
#[derive(Copy, Clone)]
pub struct Time(pub Instant);

impl Time {
    /// Milliseconds since the game began.
    pub fn since(self) -> i64 {
        i64::try_from(self.0.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    /// Lets it be that time.
    pub async fn until(self, at: i64) {
        sleep_until(self.0 + Duration::from_millis(at.unsigned_abs())).await;
    }
}

impl Clock for Time {
    fn now(&self) -> Millis {
        DAWN + self.since()
    }
}

/// What came at once, and when.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Piece {
    /// When.
    pub at: i64,
    /// What.
    pub bytes: Vec<u8>,
}

/// The listener's end of a line.
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
        // The comparison notices a door that closed the connection.
        let _gone = self.writes.write_all(line.as_bytes()).await;
    }

    pub fn take(&self) -> Vec<Piece> {
        std::mem::take(&mut *self.pieces.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The club in which a game is played.
pub struct Scene {
    pub time: Time,
    pub store: Arc<dyn Store>,
    /// Where the listener sits.
    pub line: Line,
    /// Where the players sit who do not listen.
    others: ByColor<Option<Line>>,
    /// The game of the pair; both of its games have this name.
    pub game: GameId,
}

const GAME: GameId = GameId::from_chance(0x5eed_5eed_5eed);
const BESIDE: GameId = GameId::from_chance(0xbe51_de00_0001);

impl Scene {
    /// Opens a club and the game, and lets the listener come in.
    pub async fn open(
        door: &dyn Door,
        listener: Listener,
        time_control: TimeControl,
        opened: &Opened,
    ) -> Scene {
        let time = Time(Instant::now());
        let store: Arc<dyn Store> = Arc::new(Tapped {
            store: MemoryStore::default(),
            around: Late::new(HALF_AN_APPEND),
        });
        let settings = Settings {
            seed: Some(1),
            ..Settings::cheap()
        };
        let club = Club::open(Arc::clone(&store), Arc::new(time), settings).await;
        let club = club.expect("a club opens");
        let mut ids = Vec::new();
        for name in ["Ada", "Bert", "Cleo", "Dora"] {
            ids.push(club.register(name, PASSWORD).await.expect("an account").id);
        }
        let players = ByColor {
            white: ids[0],
            black: ids[1],
        };
        let strangers = ByColor {
            white: ids[3],
            black: ids[2],
        };
        let usual = Opened::new(&WILD16, WILD16.choices, StartPosition::initial());
        for (id, players, opened, time) in [
            (GAME, players, opened, time_control),
            (BESIDE, strangers, &usual, TimeControl::Unlimited),
        ] {
            let game = opened_game(id, players, opened, time, DAWN);
            store.create_game(&game).await.expect("a game");
        }
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
            scene.time.until(60 * at).await;
            scene.line.send(&comes[n]).await;
        }
        scene
    }

    /// What a player types who does not listen, at a console of the same door.
    pub async fn says(&mut self, by: Color, text: &str) {
        if let Some(line) = self.others.get_mut(by) {
            line.send(text).await;
        }
    }
}
