//! A club in memory with a teletype door. The club's clock is tokio's paused time.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use club::{Clock, Club, Millis};
use doors::{
    base::{Closing, Console},
    teletype::{Settings, Teletypes, converse},
};
use store::{MemoryStore, Store};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream, ReadHalf, WriteHalf, duplex, split},
    task::{AbortHandle, JoinHandle},
    time::{Instant, sleep},
};

use crate::script::{Do, Script, cover, with_keys};

/// Time at which every game begins, in milliseconds since 1970 UTC.
pub const TEST_START: Millis = 1_800_000_000_000;

/// Clock with tokio's paused time. Time advances when all tasks wait.
#[derive(Copy, Clone, Debug)]
pub struct Paused(Instant);

impl Paused {
    pub fn begin() -> Paused {
        Paused(Instant::now())
    }

    /// Returns the milliseconds since the start.
    pub fn since(self) -> i64 {
        i64::try_from(self.0.elapsed().as_millis()).unwrap()
    }
}

impl Clock for Paused {
    fn now(&self) -> Millis {
        TEST_START + self.since()
    }
}

/// Received bytes with their times, in milliseconds since the start.
pub type Pieces = Vec<(i64, Vec<u8>)>;

/// The user's end of a console.
pub struct Sitter {
    out: Option<WriteHalf<DuplexStream>>,
    came: Arc<Mutex<Pieces>>,
    reads: AbortHandle,
    /// Task of the door that serves this console.
    pub served: JoinHandle<()>,
}

impl Sitter {
    pub fn call(test_club: &TestClub, who: u8) -> Sitter {
        let (near, far) = duplex(64 * 1024);
        let address = SocketAddr::from(([192, 0, 2, who], 4000));
        let console = Console::open(far, address, test_club.settings.connection());
        let door = test_club.door.clone();
        let served = tokio::spawn(async move {
            let _gone = converse(&door, console).await;
        });
        let (reads, out) = split(near);
        let came = Arc::<Mutex<Pieces>>::default();
        let task = tokio::spawn(read(reads, Arc::clone(&came), test_club.time));
        Sitter {
            out: Some(out),
            came,
            reads: task.abort_handle(),
            served,
        }
    }

    pub async fn send(&mut self, bytes: &[u8]) {
        if let Some(out) = &mut self.out {
            // If the door has closed the connection, the test fails later,
            // because output is missing.
            let _gone = out.write_all(bytes).await;
        }
    }

    pub async fn line(&mut self, line: &str) {
        self.send(format!("{line}\r\n").as_bytes()).await;
    }

    /// Takes the pieces received since the last call.
    pub fn take(&self) -> Pieces {
        let mut came = self.came.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *came)
    }

    /// Takes the bytes received since the last call.
    pub fn bytes(&self) -> Vec<u8> {
        self.take()
            .into_iter()
            .flat_map(|(_, bytes)| bytes)
            .collect()
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.bytes()).unwrap()
    }

    /// Stops reading. The connection stays open.
    pub fn stop_reading(&self) {
        self.reads.abort();
    }

    /// Closes the connection and stops reading.
    pub async fn hang_up(&mut self) {
        if let Some(mut out) = self.out.take() {
            let _gone = out.shutdown().await;
        }
        self.reads.abort();
    }
}

impl Drop for Sitter {
    fn drop(&mut self) {
        self.reads.abort();
    }
}

async fn read(mut reads: ReadHalf<DuplexStream>, came: Arc<Mutex<Pieces>>, time: Paused) {
    let mut buffer = vec![0; 16 * 1024];
    while let Ok(n @ 1..) = reads.read(&mut buffer).await {
        let (at, bytes) = (time.since(), &buffer[..n]);
        let mut came = came.lock().unwrap_or_else(PoisonError::into_inner);
        match came.last_mut() {
            // Bytes with the same time are one piece, however they were split.
            Some((last, piece)) if *last == at => piece.extend(bytes),
            _ => came.push((at, bytes.to_vec())),
        }
    }
}

/// The club and its door.
pub struct TestClub {
    pub time: Paused,
    pub store: Arc<dyn Store>,
    pub club: Club,
    pub door: Teletypes,
    pub settings: Settings,
}

impl TestClub {
    pub async fn open(settings: Settings) -> TestClub {
        TestClub::over(Arc::new(MemoryStore::default()), settings).await
    }

    pub async fn over(store: Arc<dyn Store>, settings: Settings) -> TestClub {
        let time = Paused::begin();
        let cheap = club::Settings {
            seed: Some(1),
            ..club::Settings::cheap()
        };
        let club = Club::open(Arc::clone(&store), Arc::new(time), cheap)
            .await
            .unwrap();
        TestClub {
            time,
            store,
            door: Teletypes::new(club.clone(), settings, Closing::default()),
            club,
            settings,
        }
    }

    /// Connects two consoles that play a game; the first plays White.
    pub async fn two(&self) -> (Sitter, Sitter) {
        let mut one = Sitter::call(self, 1);
        one.line("n").await;
        moment().await;
        let mut two = Sitter::call(self, 2);
        two.line("n").await;
        moment().await;
        one.line("y").await;
        moment().await;
        (one, two)
    }
}

/// Waits until nothing more happens.
pub async fn moment() {
    sleep(Duration::from_secs(2)).await;
}

/// Plays a session. Returns the session with the text that was printed in this
/// run.
pub async fn play(script: &Script, settings: Settings) -> Script {
    let test_club = TestClub::open(settings).await;
    let (mut sitters, mut keys) = (BTreeMap::new(), BTreeMap::new());
    let mut played = script.clone();
    for step in &mut played.steps {
        let n = step.console;
        if step.what == Do::Call {
            sitters.insert(n, Sitter::call(&test_club, n));
        }
        let sitter = sitters.get_mut(&n).unwrap();
        match &step.what {
            Do::Call => {}
            Do::Line(line) => sitter.line(&with_keys(line, &keys)).await,
            Do::Bytes(bytes) => sitter.send(bytes).await,
            Do::HangUp => sitter.hang_up().await,
        }
        moment().await;
        step.printed.clear();
        for (n, sitter) in &sitters {
            let (bytes, key) = cover(&sitter.bytes());
            if !bytes.is_empty() {
                step.printed.insert(*n, bytes);
            }
            keys.extend(key.map(|key| (*n, key)));
        }
    }
    test_club.club.close().await;
    played
}
