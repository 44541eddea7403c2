//! Tests of clients that stop reading. Each of them costs the server little memory, other clients
//! notice nothing, and the server disconnects the clients that do not read.

#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

use std::{alloc::System, sync::Arc, time::Duration};

use club::{Clock, Club, Millis, Settings, request_id};
use rules::chess::ByColor;
use server::{Given, Server};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use store::{
    AccountKind, ColorWish, GameId, MemoryStore, NewAccount, Store, Terms, TimeControl,
    testing::game_with_private_tries,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex},
    time::{Instant, sleep, timeout},
};

#[global_allocator]
static COUNTED: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Number of hearings that wait for each client.
const HEARINGS: u32 = 4000;
/// Number of clients of each kind: clients with a socket, and clients with an open answer.
const CLIENTS: usize = 10;
/// Maximum memory that the server may use for one client, in bytes. All hearings of one client take
/// more than a megabyte.
const MAX_BYTES: usize = 512 * 1024;
/// A client that reads nothing for this time must be disconnected.
const DISCONNECTED: Duration = Duration::from_secs(60);

/// Time at which the test begins.
const TEST_START: Millis = 1_800_000_000_000;

struct Paused(Instant);

impl Clock for Paused {
    fn now(&self) -> Millis {
        TEST_START + Millis::try_from(self.0.elapsed().as_millis()).unwrap()
    }
}

/// Returns the number of allocated bytes.
fn held() -> usize {
    let stats = COUNTED.stats();
    stats
        .bytes_allocated
        .saturating_sub(stats.bytes_deallocated)
}

/// Returns a frame with this text, which is short.
fn frame(text: &str) -> Vec<u8> {
    let length = u8::try_from(text.len()).unwrap();
    assert!(length < 126);
    // The mask of zeros leaves the text unchanged.
    let mut bytes = vec![0x81, 0x80 | length, 0, 0, 0, 0];
    bytes.extend(text.as_bytes());
    bytes
}

/// Connects a client that sends a request and reads at most the head of the answer.
async fn stalled(server: &Server, head: &str, rest: &[u8]) -> DuplexStream {
    let (mut near, far) = duplex(2048);
    server.take_in(far, ([127, 0, 0, 1], 4000).into());
    near.write_all(head.as_bytes()).await.unwrap();
    let mut got = Vec::new();
    while !got.ends_with(b"\r\n\r\n") {
        got.push(near.read_u8().await.unwrap());
    }
    let status = String::from_utf8_lossy(&got[..12]).into_owned();
    assert!(
        status.ends_with(" 101") || status.ends_with(" 200"),
        "{status}"
    );
    near.write_all(rest).await.unwrap();
    near
}

/// Whether the server has closed this connection. Reads the bytes that the client had not read.
async fn is_closed(client: &mut DuplexStream) -> bool {
    let mut bytes = [0; 4096];
    let all = async { while let Ok(1..) = client.read(&mut bytes).await {} };
    timeout(Duration::from_millis(10), all).await.is_ok()
}

/// Opens a server on this store, with the paused clock.
async fn open(store: MemoryStore) -> (Club, Server) {
    let clock = Arc::new(Paused(Instant::now()));
    let club = Club::open(Arc::new(store), clock, Settings::cheap())
        .await
        .unwrap();
    let config = Given {
        bots: Some(Vec::new()),
        ..Given::default()
    };
    let mut config = config.settle().unwrap();
    config.limits.connections = 1000;
    config.limits.requests = 10_000;
    let server = Server::open(club.clone(), config).await.unwrap();
    (club, server)
}

#[tokio::test(start_paused = true)]
async fn clients_that_do_not_read_use_little_memory() {
    let store = MemoryStore::default();
    let account = |name: &str| NewAccount {
        name: name.to_owned(),
        kind: AccountKind::Guest,
        password: None,
        at: 0,
    };
    let players = ByColor {
        white: store.create_account(&account("Anna")).await.unwrap(),
        black: store.create_account(&account("Bert")).await.unwrap(),
    };
    let game = GameId::from_chance(1);
    game_with_private_tries(&store, game, players, HEARINGS, TEST_START)
        .await
        .unwrap();
    let (club, server) = open(store).await;
    let token = club.begin_session(players.black).await.unwrap();
    let token = token.secret();
    let common = format!("host: 127.0.0.1\r\nauthorization: Bearer {token}\r\n");
    let socket = format!(
        "GET /api/socket HTTP/1.1\r\n{common}connection: upgrade\r\nupgrade: websocket\r\n\
         sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    let watch = format!(r#"{{"type":"watch","game":"{game}","after":0}}"#);
    let long = Terms {
        rules: "custom".to_owned(),
        custom: Some(format!("from = \"wild16\"\n# {}", "long ".repeat(1600))),
        time: TimeControl::Unlimited,
        rated: false,
        color: ColorWish::Any,
    };
    let mut offers = Vec::new();
    for _ in 0..4 {
        let offer = club.seek(players.white, long.clone()).await.unwrap();
        offers.push(offer.id);
    }
    let heard = format!("GET /api/games/{game}/heard?after=0 HTTP/1.1\r\n{common}\r\n");
    for (what, head, rest) in [
        ("socket", socket.clone(), frame(&watch)),
        ("lobby", socket, frame(r#"{"type":"lobby","on":true}"#)),
        ("open answer", heard, Vec::new()),
    ] {
        // The first client is not measured. After its connection, the memory contains everything
        // that the server keeps once for all clients.
        drop(stalled(&server, &head, &rest).await);
        sleep(DISCONNECTED).await;
        let before = held();
        let mut clients = Vec::new();
        for _ in 0..CLIENTS {
            clients.push(stalled(&server, &head, &rest).await);
        }
        // Meanwhile the lobby changes again and again, by offers with long rulesets.
        for _ in 0..30 {
            sleep(Duration::from_millis(250)).await;
            for offer in &mut offers {
                club.decline(offer, players.white).await.unwrap();
                *offer = club.seek(players.white, long.clone()).await.unwrap().id;
            }
        }
        let each = held().saturating_sub(before) / CLIENTS;
        println!("figure: bytes held by a stalled {what} {each}");
        assert!(each < MAX_BYTES, "{what}: {each} bytes");
        // While these clients are stalled, other clients get their answers at once.
        let begun = Instant::now();
        let id = request_id(&format!("while-{}", what.len())).unwrap();
        let said = club.say(game, players.white, id, 0, "not a move").await;
        assert!(said.is_err());
        assert!(begun.elapsed() < Duration::from_millis(100));
        sleep(DISCONNECTED).await;
        for client in &mut clients {
            assert!(is_closed(client).await, "a {what} is still open");
        }
        drop(clients);
        sleep(Duration::from_secs(2)).await;
        let left = held().saturating_sub(before) / CLIENTS;
        assert!(left < MAX_BYTES / 4, "{what}: {left} bytes are left");
    }
    club.close().await;
}

/// A body that comes slowly ends after ten seconds, however regularly its bytes come, and the
/// other requests of the same address are answered meanwhile.
#[tokio::test(start_paused = true)]
async fn a_slow_body_is_refused_and_delays_nobody() {
    let (club, server) = open(MemoryStore::default()).await;
    let head = "POST /api/guests HTTP/1.1\r\nhost: 127.0.0.1\r\n\
                content-type: application/json\r\ncontent-length: 60\r\n\r\n";
    let connect = || {
        let (near, far) = duplex(2048);
        server.take_in(far, ([127, 0, 0, 1], 4000).into());
        near
    };
    let mut slow: Vec<DuplexStream> = (0..3).map(|_| connect()).collect();
    for stream in &mut slow {
        stream.write_all(head.as_bytes()).await.unwrap();
    }
    for second in 0..12 {
        for stream in &mut slow {
            // After the refusal nobody reads this.
            let _gone = stream.write_all(b" ").await;
        }
        let mut other = connect();
        let begun = Instant::now();
        let ask = "GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
        other.write_all(ask.as_bytes()).await.unwrap();
        let mut said = [0; 12];
        other.read_exact(&mut said).await.unwrap();
        assert_eq!(&said, b"HTTP/1.1 200", "{second}");
        assert_eq!(begun.elapsed(), Duration::ZERO, "{second}");
        sleep(Duration::from_secs(1)).await;
    }
    for stream in &mut slow {
        let mut said = vec![0; 4096];
        let n = stream.read(&mut said).await.unwrap();
        let said = String::from_utf8_lossy(&said[..n]).into_owned();
        assert!(said.contains("did not come within 10 s"), "{said}");
    }
    club.close().await;
}
