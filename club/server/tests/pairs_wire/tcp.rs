//! Tests that the same requests get the same bytes over TCP and over a pipe in memory, and from
//! every store.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use referee::{Opened, StartPosition};
use rules::{Listener, chess::Color, rulesets::WILD16};
use serde_json::json;
use server::Server;
use services::Postgres;
use store::{MemoryStore, PostgresStore, SqliteStore, Store};
use tempfile::TempDir;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, duplex},
    net::{TcpListener, TcpStream},
    runtime::Builder,
    time::sleep,
};

use crate::{
    ask::Ask,
    play::{request, upgrade},
    scene::{Scene, Setup},
    time::Time,
    transcript::cover_dates,
};

/// Number of games in the club of a scene.
const GAMES: usize = 3;

/// Sends bytes. Returns everything that the server sends until it closes the connection.
async fn answered<S: AsyncRead + AsyncWrite + Unpin>(mut stream: S, bytes: &[u8]) -> Vec<u8> {
    stream.write_all(bytes).await.unwrap();
    let mut all = Vec::new();
    stream.read_to_end(&mut all).await.unwrap();
    cover_dates(&mut all);
    cover_times(&mut all);
    all
}

/// Masks times in milliseconds, because real time passes in this test and differs between the two
/// answers.
fn cover_times(bytes: &mut [u8]) {
    for run in bytes.chunk_by_mut(|a, b| a.is_ascii_digit() == b.is_ascii_digit()) {
        if run.len() == 13 && run[0].is_ascii_digit() {
            run.fill(b'.');
        }
    }
}

/// Returns the requests of White, each for a separate connection.
fn questions(scene: &Scene) -> Vec<Vec<u8>> {
    let token = scene.players.get(Color::White).token.as_str();
    let hang_up = |bytes: Vec<u8>| {
        let text = String::from_utf8(bytes).unwrap();
        text.replacen("\r\n", "\r\nconnection: close\r\n", 1)
            .into_bytes()
    };
    let game = scene.game.to_string();
    let mut all: Vec<Vec<u8>> = Vec::new();
    for ask in Ask::all(true) {
        if let Ask::Get(path) = ask {
            let path = path.replace("{id}", &game).replace("{late}", "0");
            all.push(hang_up(request("GET", &path, Some(token), None)));
        }
    }
    let posts = [
        (
            "tries",
            json!({"id": "a", "after": 1, "text": "please move"}),
        ),
        ("tries", json!({"id": "b", "after": 1, "text": "e2e5"})),
        ("tries", json!({"id": "b", "after": 1, "text": "e2e5"})),
        ("tries", json!({"id": "c", "after": 2, "text": "e2e4"})),
        ("acts", json!({"id": "d", "act": "resume"})),
    ];
    for (what, body) in posts {
        let path = format!("/api/games/{game}/{what}");
        let body = body.to_string();
        all.push(hang_up(request("POST", &path, Some(token), Some(&body))));
    }
    all.push(b"no request at all\r\n\r\n".to_vec());
    // A WebSocket that gets all messages of the game; the client closes it.
    let watch = json!({"type": "watch", "game": game, "after": 0}).to_string();
    let mut socket = upgrade(Some(token));
    socket.extend([0x81, 0x80 | u8::try_from(watch.len()).unwrap()]);
    socket.extend([0; 4]);
    socket.extend(watch.as_bytes());
    socket.extend([0x88, 0x80, 0, 0, 0, 0]);
    all.push(socket);
    all
}

async fn scene(store: Arc<dyn Store>) -> Scene {
    let setup = Setup {
        listener: Listener::White,
        terms: club::TimeControl::Unlimited,
        others_here: false,
        held_open: false,
        signed_in: true,
    };
    let opened = Opened::new(&WILD16, WILD16.choices, StartPosition::initial());
    let scene = Scene::open(&setup, &opened, Time(None), store).await;
    // A club does not list a new game in the lobby at once. This loop waits until all games are
    // listed.
    while scene.club.running_games() < GAMES {
        sleep(Duration::from_millis(10)).await;
    }
    scene
}

async fn listening(server: &Server) -> SocketAddr {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = server.clone();
    tokio::spawn(async move { server.serve(listener, std::future::pending()).await });
    address
}

#[test]
fn tcp_and_pipe_give_the_same_bytes() {
    compare_with_pipe("over TCP", async || Arc::new(MemoryStore::default()));
}

#[test]
fn postgres_and_memory_give_the_same_bytes() {
    let server = Postgres::start().unwrap();
    compare_with_pipe("of a club over Postgres", async || {
        let store = PostgresStore::open(&server.address()).await;
        Arc::new(store.unwrap())
    });
}

#[test]
fn sqlite_and_memory_give_the_same_bytes() {
    let folder = TempDir::with_prefix("kriegspiel-tcp-").unwrap();
    let file = folder.path().join("club.db");
    compare_with_pipe("of a club over SQLite", async || {
        let store = SqliteStore::open(&file).await;
        Arc::new(store.unwrap())
    });
}

/// Sends the same requests to two clubs and compares the bytes of the answers. The first club has a
/// store in memory and is reached over a pipe. The second club has the store that `open` returns
/// and is reached over TCP.
fn compare_with_pipe<S: Store + 'static>(what: &str, open: impl AsyncFnOnce() -> Arc<S>) {
    let runtime = Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(async {
        let piped = scene(Arc::new(MemoryStore::default())).await;
        let over_tcp = scene(open().await).await;
        let address = listening(&over_tcp.server).await;
        let both = questions(&piped).into_iter().zip(questions(&over_tcp));
        let mut bytes = 0;
        for (one, other) in both {
            let (near, far) = duplex(64 * 1024);
            piped.server.take_in(far, address);
            let by_pipe = answered(near, &one).await;
            let ask = async || {
                let stream = TcpStream::connect(address).await;
                answered(stream.unwrap(), &other).await
            };
            let mut by_tcp = ask().await;
            // On a busy machine PostgreSQL can take longer than the club waits.
            for _ in 0..5 {
                if by_tcp.starts_with(b"HTTP/1.1 503 ") {
                    by_tcp = ask().await;
                }
            }
            assert_eq!(
                String::from_utf8_lossy(&by_pipe),
                String::from_utf8_lossy(&by_tcp),
                "{}",
                String::from_utf8_lossy(&one)
            );
            assert!(!by_pipe.is_empty());
            bytes += by_tcp.len();
        }
        println!("figure: bytes {what} {bytes}");
    });
}
