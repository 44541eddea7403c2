//! The club as `kriegspiel serve` opens it, but with its own wall clock. This clock differs from
//! the machine's clock, and is set again and again.
//!
//! This code is only in the tests, so no released program has such a clock.

use std::{
    env,
    io::Write,
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use clap::Parser;
use club::{Clock, Club, Settings, SystemClock};
use doors::base::{Closing, DoorLimits, OpenDoor, bind};
use server::{Given, Server};
use store::{Database, Location};
use tokio::net::TcpListener;

use super::plain;

/// Name of the test that runs as the server in a process of its own.
pub const TEST: &str = "entry_point_of_the_club_with_its_own_clock";
/// Environment variable with the milliseconds by which the clock is ahead.
const AHEAD: &str = "KRIEGSPIEL_TEST_AHEAD";
/// Environment variable with the arguments of `kriegspiel serve`, one per line.
const WORDS: &str = "KRIEGSPIEL_TEST_WORDS";
/// Steps of the clock, in milliseconds. While the club runs, the next step is added to the clock
/// once per second, again and again from the first to the last.
const STEPS: [i64; 4] = [-3_600_000, -8_000, 8_000, 3_600_000];

/// Arguments of `kriegspiel serve`.
#[derive(Parser)]
struct Words {
    #[command(flatten)]
    doors: doors::Given,
    #[command(flatten)]
    given: Given,
}

/// A clock that is this many milliseconds ahead of the machine's clock.
struct SteppedClock(Arc<AtomicI64>);

impl Clock for SteppedClock {
    fn now(&self) -> i64 {
        SystemClock.now() + self.0.load(Ordering::Relaxed)
    }
}

/// Completes the command of this test program, so that the program starts as a server with these
/// arguments of `kriegspiel serve`.
pub fn command(command: &mut Command, ahead: i64, words: &[String]) {
    plain(command);
    command
        .args(["--exact", TEST, "--nocapture", "--test-threads", "1"])
        .env(AHEAD, ahead.to_string())
        .env(WORDS, words.join("\n"));
}

/// Whether this process was started as the server.
pub fn is_here() -> bool {
    env::var_os(WORDS).is_some()
}

/// Runs the server. Does nothing if the environment variables are not set.
pub async fn serve() {
    let (Ok(ahead), Ok(words)) = (env::var(AHEAD), env::var(WORDS)) else {
        return;
    };
    let Words { doors, given } = Words::parse_from(words.lines());
    let config = given.settle().unwrap();
    let listener = TcpListener::bind(config.listen).await.unwrap();
    let address = listener.local_addr().unwrap();
    let at = Location::parse(&config.data).unwrap();
    let store = Database::open(&at).await.unwrap();
    store.commit_on_ticks().await.unwrap();
    let ahead = Arc::new(AtomicI64::new(ahead.parse().unwrap()));
    let clock = Arc::new(SteppedClock(Arc::clone(&ahead)));
    let mut out = std::io::stdout();
    writeln!(
        out,
        "A standby waits at http://{address}: another server has the club"
    )
    .unwrap();
    out.flush().unwrap();
    let mut stop = Box::pin(server::signal());
    let club = tokio::select! {
        club = Club::open(store.store(), clock, Settings::default()) => club,
        () = server::standby(&listener) => return,
        () = &mut stop => return store.close().await,
    };
    let club = club.unwrap();
    tokio::spawn(async move {
        for step in STEPS.into_iter().cycle() {
            tokio::time::sleep(Duration::from_secs(1)).await;
            ahead.fetch_add(step, Ordering::Relaxed);
        }
    });
    let limits = DoorLimits {
        connections: config.limits.connections,
        guests: config.limits.guests,
        sign_ins: config.limits.sign_ins,
        silence: doors.silence(),
        ..DoorLimits::default()
    };
    let open = bind(&doors::ALL, &doors.0).await.unwrap();
    let server = Server::open(club.clone(), config).await.unwrap();
    writeln!(out, "The club is open at http://{address} for a while").unwrap();
    out.flush().unwrap();
    let closing = Closing::default();
    let mut serving = OpenDoor::serve_all(open, &club, limits, &doors.0, &closing);
    let stop = async {
        tokio::select! {
            () = stop => {}
            _ended = club.end() => {}
        }
        closing.close();
    };
    server.serve(listener, stop).await.unwrap();
    closing.close();
    while serving.join_next().await.is_some() {}
    store.close().await;
}
