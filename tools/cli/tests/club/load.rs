//! Tests of `kriegspiel load` as a program. A proxy between the program and the club drops or
//! forges messages, and the program must notice this.

use std::{
    net::{IpAddr, SocketAddr},
    path::Path,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use futures_util::{SinkExt, StreamExt};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
    process::Command,
};
use tokio_tungstenite::{
    accept_hdr_async,
    tungstenite::{
        Message,
        handshake::server::{Request, Response},
    },
};
use wire::{ClientSays, ServerSays};

use crate::running::{Folder, Running, serve, socket::open_from};

/// Fault that the proxy makes once.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum Plant {
    /// An answer of the club does not arrive.
    LostAnswer,
    /// A try does not reach the club. The proxy answers it.
    ForgedAnswer,
    /// A hearing does not arrive.
    LostHearing,
}

/// Number of the message that the proxy drops or forges, counted among the messages of its kind.
const PLANTED: u32 = 9;

/// A proxy in front of a club.
#[derive(Clone)]
struct Proxy {
    club: SocketAddr,
    plant: Plant,
    count: Arc<AtomicU32>,
}

impl Proxy {
    /// Opens a proxy. Returns its address.
    async fn open(club: SocketAddr, plant: Plant) -> SocketAddr {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let proxy = Proxy {
            club,
            plant,
            count: Arc::default(),
        };
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(proxy.clone().pass(stream));
            }
        });
        address
    }

    /// Passes a connection on. If the connection is a WebSocket, the proxy reads its messages.
    async fn pass(self, mut stream: TcpStream) {
        const SOCKET: &[u8] = b"GET /api/socket";
        let mut head = [0; SOCKET.len()];
        while stream.peek(&mut head).await.is_ok_and(|n| n < head.len()) {
            tokio::task::yield_now().await;
        }
        if head == SOCKET {
            return self.pass_socket(stream).await;
        }
        let mut club = TcpStream::connect(self.club).await.unwrap();
        // The error means that one side has closed the connection.
        let _closed = copy_bidirectional(&mut stream, &mut club).await;
    }

    async fn pass_socket(self, stream: TcpStream) {
        let mut token = String::new();
        #[allow(
            clippy::result_large_err,
            reason = "the WebSocket library requires this type"
        )]
        let read = |request: &Request, response: Response| {
            let shown = request.headers().get("authorization");
            let shown = shown.and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
            token = shown.unwrap_or_default().to_owned();
            Ok(response)
        };
        let mut client = accept_hdr_async(stream, read).await.unwrap();
        let here = IpAddr::from([127, 0, 0, 1]);
        let mut club = open_from(here, self.club, &token).await.unwrap();
        loop {
            tokio::select! {
                said = client.next() => {
                    let Some(Ok(said)) = said else { return };
                    if let Some(forged) = self.forged(&said) {
                        client.send(forged).await.unwrap();
                    } else if club.send(said).await.is_err() {
                        return;
                    }
                }
                said = club.next() => {
                    let Some(Ok(said)) = said else { return };
                    if !self.loses(&said) && client.send(said).await.is_err() {
                        return;
                    }
                }
            }
        }
    }

    fn is_planted(&self) -> bool {
        self.count.fetch_add(1, Ordering::SeqCst) + 1 == PLANTED
    }

    /// Returns the answer with which the proxy replaces a try.
    fn forged(&self, said: &Message) -> Option<Message> {
        let text = said.to_text().ok()?;
        if let ClientSays::Try { id, game, .. } = serde_json::from_str(text).ok()?
            && self.plant == Plant::ForgedAnswer
            && self.is_planted()
        {
            let answer = ServerSays::Answer {
                id,
                game,
                n: None,
                answer: "no".to_owned(),
                cause: None,
                why: String::new(),
            };
            return Some(Message::text(serde_json::to_string(&answer).unwrap()));
        }
        None
    }

    /// Whether the proxy drops a message of the club.
    fn loses(&self, said: &Message) -> bool {
        let says = said.to_text().ok().map(serde_json::from_str);
        let is_kind = match self.plant {
            Plant::LostAnswer => matches!(says, Some(Ok(ServerSays::Answer { .. }))),
            Plant::LostHearing => matches!(says, Some(Ok(ServerSays::Heard { .. }))),
            Plant::ForgedAnswer => false,
        };
        is_kind && self.is_planted()
    }
}

/// Runs `kriegspiel load`. Returns the exit code and the output.
async fn load(to: SocketAddr, data: &Path, games: &str, words: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    let url = format!("http://{to}");
    command
        .env_remove("KRIEGSPIEL_URL")
        .args(["load", "--url", &url, "--games", games, "--watchers", "2"])
        .args(["--rate", "60", "--duration", "3", "--data"])
        .arg(data)
        .args(words)
        .stdin(Stdio::null());
    let done = command.output().await.unwrap();
    let said = [done.stdout, done.stderr].map(|said| String::from_utf8(said).unwrap());
    (done.status.code(), said.concat())
}

#[tokio::test(flavor = "multi_thread")]
async fn load_finds_lost_and_forged_messages() {
    let folder = Folder::new();
    let club = Running::start(serve(&folder), &folder);
    let data = folder.file();
    let run = async |plant| {
        let to = Proxy::open(club.address, plant).await;
        load(to, &data, "3", &["--timeout", "5"]).await
    };
    let (good, answer, forged, hearing) = tokio::join!(
        load(club.address, &data, "3", &["--json"]),
        run(Plant::LostAnswer),
        run(Plant::ForgedAnswer),
        run(Plant::LostHearing),
    );
    let (code, said) = good;
    assert_eq!(code, Some(0), "{said}");
    let line = said.lines().find(|line| line.starts_with('{')).unwrap();
    let figures: serde_json::Value = serde_json::from_str(line).unwrap();
    for (key, least) in [("attempts", 3), ("games_compared", 3), ("logs_compared", 3)] {
        assert!(figures[key].as_u64() >= Some(least), "{key}: {line}");
    }
    for key in ["both_heard_ms", "answered_ms", "spectators_heard_ms"] {
        assert!(figures[key]["count"].as_u64() > Some(0), "{key}: {line}");
        assert!(figures[key]["p50"].as_f64() > Some(0.0), "{key}: {line}");
    }
    assert_eq!(figures["faults"], 0, "{line}");
    assert!(figures["bytes_received"].as_u64() > figures["bytes_sent"].as_u64());
    for ((code, said), faults) in [
        (answer, ["no answer to `", "no answer to `"]),
        (
            forged,
            ["was answered `no`, but the", "was answered `no`, but the"],
        ),
        (
            hearing,
            ["heard number", "the end of the game was not heard"],
        ),
    ] {
        assert_eq!(code, Some(1), "{said}");
        assert!(
            faults.iter().any(|fault| said.contains(fault)),
            "{faults:?}: {said}"
        );
    }
}

#[tokio::test]
async fn load_names_the_limits_to_raise() {
    let folder = Folder::new();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    crate::running::plain(&mut command);
    command.args([
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--bots",
        "none",
        "--data",
    ]);
    command.arg(folder.file());
    let club = Running::start(command, &folder);
    let (code, said) = load(club.address, &folder.file(), "60", &[]).await;
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("start the club with higher limits"), "{said}");
    drop(club);
    let nowhere = SocketAddr::from(([127, 0, 0, 1], 1));
    let (code, said) = load(nowhere, &folder.file(), "3", &[]).await;
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("cannot be reached"), "{said}");
}

#[tokio::test]
async fn load_refuses_the_data_of_another_club() {
    let (folder, other) = (Folder::new(), Folder::new());
    let club = Running::start(serve(&folder), &folder);
    let stranger = Running::start(serve(&other), &other);
    let (code, said) = load(club.address, &other.file(), "3", &[]).await;
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("name the data of this club"), "{said}");
    drop((club, stranger));
}
