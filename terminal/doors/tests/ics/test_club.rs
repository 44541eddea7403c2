//! A club in memory with an ICS door, and people at the door.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use club::{Clock, Club, Millis, Settings};
use doors::{
    base::{Closing, ConnectionLimits, Console, DoorLimits},
    ics::{IcsState, converse},
};
use store::{MemoryStore, Store};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream, WriteHalf, duplex, split},
    time::{Instant, sleep},
};

pub const TEST_START: Millis = 1_800_000_000_000;

/// Clock with tokio's time, which tests pause.
pub struct TestClock(pub Instant);

impl Clock for TestClock {
    fn now(&self) -> Millis {
        TEST_START + Millis::try_from(self.0.elapsed().as_millis()).expect("the test is short")
    }
}

pub struct TestClub {
    pub club: Club,
    pub door_state: IcsState,
    pub store: Arc<dyn Store>,
    pub clock: Arc<TestClock>,
}

impl TestClub {
    pub async fn new() -> TestClub {
        TestClub::with(DoorLimits {
            guests: 1000,
            sign_ins: 1000,
            ..DoorLimits::default()
        })
        .await
    }

    pub async fn with(limits: DoorLimits) -> TestClub {
        let clock = Arc::new(TestClock(Instant::now()));
        TestClub::over(Arc::new(MemoryStore::default()), clock, limits).await
    }

    pub async fn over(
        store: Arc<dyn Store>,
        clock: Arc<TestClock>,
        limits: DoorLimits,
    ) -> TestClub {
        let settings = Settings {
            seed: Some(1),
            ..Settings::cheap()
        };
        let club = Club::open(Arc::clone(&store), clock.clone(), settings).await;
        let club = club.expect("the club can be opened");
        let door_state = IcsState::new(club.clone(), limits, Closing::default());
        TestClub {
            club,
            door_state,
            store,
            clock,
        }
    }

    /// Opens another club with a door over the same store.
    pub async fn reopened(&self) -> TestClub {
        let limits = DoorLimits {
            guests: 1000,
            sign_ins: 1000,
            ..DoorLimits::default()
        };
        // A process closes before the next one opens.
        self.club.close().await;
        TestClub::over(self.store.clone(), self.clock.clone(), limits).await
    }

    /// Connects a person who is not signed in yet.
    pub fn connect(&self) -> Person {
        let (near, far) = duplex(64 * 1024);
        let address = SocketAddr::from(([192, 0, 2, 1], 4000));
        let console = Console::open(far, address, ConnectionLimits::default());
        tokio::spawn(converse(self.door_state.clone(), console));
        Person::new(near)
    }

    /// Creates an account unless it exists, and signs it in. Discards the text that the door sends.
    pub async fn named(&self, name: &str) -> Person {
        let _there = self.club.register(name, "secret-123").await;
        let mut person = self.connect();
        person.says(name).await;
        person.says("secret-123").await;
        person
    }

    pub async fn guest(&self) -> (Person, String) {
        let mut person = self.connect();
        let told = person.says("guest").await;
        let (_, rest) = told
            .split_once("**** Starting Kriegspiel session as ")
            .expect("the greeting names the guest");
        let (name, _) = rest
            .split_once("(U) ****")
            .expect("the mark of a guest follows");
        let name = name.to_owned();
        (person, name)
    }
}

pub struct Person {
    writes: WriteHalf<DuplexStream>,
    got: Arc<Mutex<Vec<u8>>>,
    gone: Arc<Mutex<bool>>,
    reads: tokio::task::JoinHandle<()>,
}

/// Stops the task that reads. This closes the connection.
impl Drop for Person {
    fn drop(&mut self) {
        self.reads.abort();
    }
}

impl Person {
    fn new(near: DuplexStream) -> Person {
        let (mut reads, writes) = split(near);
        let got = Arc::<Mutex<Vec<u8>>>::default();
        let gone = Arc::<Mutex<bool>>::default();
        let (into, ended) = (Arc::clone(&got), Arc::clone(&gone));
        let reads = tokio::spawn(async move {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = reads.read(&mut bytes).await {
                into.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .extend(&bytes[..n]);
            }
            *ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        });
        Person {
            writes,
            got,
            gone,
            reads,
        }
    }

    /// Sends bytes without waiting for an answer.
    pub async fn sends(&mut self, bytes: &[u8]) {
        self.writes
            .write_all(bytes)
            .await
            .expect("the door reads its input");
    }

    /// Sends a line. Returns the text that comes until the output pauses.
    pub async fn says(&mut self, line: &str) -> String {
        self.sends(format!("{line}\r\n").as_bytes()).await;
        self.hears().await
    }

    /// Waits a moment, then returns the text received since the last call.
    pub async fn hears(&self) -> String {
        sleep(Duration::from_millis(20)).await;
        self.heard()
    }

    /// Returns the text received since the last call, without waiting.
    pub fn heard(&self) -> String {
        let mut bytes = self.bytes();
        // Remove telnet commands, which are not text.
        while let Some(at) = bytes.iter().position(|byte| *byte == 255) {
            bytes.drain(at..bytes.len().min(at + 3));
        }
        String::from_utf8(bytes)
            .expect("the output is UTF-8")
            .replace("\r\n", "\n")
    }

    pub fn bytes(&self) -> Vec<u8> {
        std::mem::take(&mut *self.got.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn is_gone(&self) -> bool {
        *self.gone.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
