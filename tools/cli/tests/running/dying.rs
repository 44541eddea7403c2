//! The club as `kriegspiel serve` opens it, but with a store that kills the
//! process before or after an append.
//!
//! This code is only in the tests, so no released program can kill itself in this
//! way.

use std::{
    env,
    io::Write,
    path::PathBuf,
    process::Command,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use async_trait::async_trait;
use club::{Club, Settings, SystemClock};
use rustix::process::{Signal, getpid, kill_process};
use server::{Given, Server};
use store::{
    AppendError, Database, Location, NewRow, Store,
    testing::{Around, Tapped},
};
use tokio::net::TcpListener;

use super::{Folder, plain};

/// Name of the test that runs as the server in a process of its own.
pub const TEST: &str = "entry_point_of_the_server_that_kills_itself";
/// Environment variable with the point at which the process dies.
const DIE: &str = "KRIEGSPIEL_TEST_DIE";
const FILE: &str = "KRIEGSPIEL_TEST_FILE";

/// Point at which the process dies.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Aim {
    /// Before the store receives the rows.
    BeforeAppend,
    /// After the rows are stored, before the club knows that they are stored.
    BeforeAnswer,
}

/// Point at which the process dies, and the number of the append before or after which it dies.
#[derive(Copy, Clone, Debug)]
pub struct Death {
    pub aim: Aim,
    pub append: u32,
}

impl FromStr for Death {
    type Err = ();

    fn from_str(text: &str) -> Result<Death, ()> {
        let (aim, append) = text.split_once(':').ok_or(())?;
        let aim = match aim {
            "before-append" => Aim::BeforeAppend,
            "before-answer" => Aim::BeforeAnswer,
            _ => return Err(()),
        };
        let append = append.parse().map_err(drop)?;
        Ok(Death { aim, append })
    }
}

/// Returns the command that starts this test program as a server. The server dies as `death` says.
pub fn command(folder: &Folder, death: Death) -> Command {
    let this = env::current_exe().unwrap();
    let mut command = Command::new(this);
    plain(&mut command);
    let aim = match death.aim {
        Aim::BeforeAppend => "before-append",
        Aim::BeforeAnswer => "before-answer",
    };
    command
        .args(["--exact", TEST, "--nocapture", "--test-threads", "1"])
        .env(DIE, format!("{aim}:{}", death.append))
        .env(FILE, folder.file());
    command
}

/// Whether this process was started as the server.
pub fn is_here() -> bool {
    env::var_os(DIE).is_some()
}

/// Runs the server. Does nothing if the environment variables are not set.
pub async fn serve() {
    let (Ok(death), Some(file)) = (env::var(DIE), env::var_os(FILE)) else {
        return;
    };
    let at = Location::parse(file.as_ref()).unwrap();
    let store = Database::open(&at).await.unwrap();
    let around = Dying {
        death: death.parse().unwrap(),
        asked: AtomicU32::new(0),
        stored: AtomicU32::new(0),
    };
    let most = Some(1_000_000);
    let given = Given {
        data: Some(PathBuf::from(file)),
        bots: Some(vec!["none".to_owned()]),
        connections: most,
        messages: most,
        requests: most,
        guests: most,
        ..Given::default()
    };
    let config = given.settle().unwrap();
    let store: Arc<dyn Store> = match store {
        Database::File(store) => Arc::new(Tapped { store, around }),
        Database::Server(store) => Arc::new(Tapped { store, around }),
    };
    let club = Club::open(store, Arc::new(SystemClock), Settings::cheap()).await;
    let club = club.unwrap();
    let server = Server::open(club, config).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let mut out = std::io::stdout();
    writeln!(out, "The club is open at http://{address} for a while").unwrap();
    out.flush().unwrap();
    server.serve(listener, server::signal()).await.unwrap();
}

fn die() -> ! {
    kill_process(getpid(), Signal::KILL).unwrap();
    // The signal arrives soon. Until then, this thread waits.
    loop {
        std::thread::park();
    }
}

/// Wrapper of the store that kills the process before or after one of the appends.
struct Dying {
    death: Death,
    asked: AtomicU32,
    stored: AtomicU32,
}

impl Dying {
    fn at(&self, aim: Aim, count: &AtomicU32) {
        let count = count.fetch_add(1, Ordering::SeqCst) + 1;
        if self.death.aim == aim && count >= self.death.append {
            die();
        }
    }
}

#[async_trait]
impl Around for Dying {
    async fn before(&self, _: &[NewRow]) {
        self.at(Aim::BeforeAppend, &self.asked);
    }

    async fn after(&self, _: &[NewRow], appended: &Result<(), AppendError>) {
        if appended.is_ok() {
            self.at(Aim::BeforeAnswer, &self.stored);
        }
    }
}
