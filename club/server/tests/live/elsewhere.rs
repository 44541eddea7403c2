//! Two clubs over one store. A session that was ended at one of them ends at the other too.

use std::{sync::Arc, time::Duration};

use axum::{body::Body, http::Request};
use club::{AccountId, Clock, Club, GameId, Millis, Settings, Token};
use futures_util::{SinkExt, StreamExt};
use http_body_util::BodyExt;
use hyper::{body::Incoming, client::conn::http1};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use server::Server;
use store::{MemoryStore, Store};
use tokio::{
    io::{DuplexStream, duplex},
    task::JoinHandle,
    time::{Instant, sleep, timeout},
};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Message, client::IntoClientRequest},
};

use crate::open::usual;

/// After a session has expired, everything that it holds open must end within this time.
const SOON: Duration = Duration::from_secs(35);
/// After a session was ended at another club, everything that it holds open must end within this
/// time.
const NOTICED: Duration = Duration::from_secs(2);

struct Paused(Instant);

impl Clock for Paused {
    fn now(&self) -> Millis {
        1_800_000_000_000 + Millis::try_from(self.0.elapsed().as_millis()).unwrap()
    }
}

/// A club, and its server.
struct Here {
    club: Club,
    server: Server,
}

impl Here {
    async fn open(store: &Arc<dyn Store>, clock: &Arc<Paused>, settings: Settings) -> Here {
        let club = Club::open(Arc::clone(store), clock.clone(), settings)
            .await
            .unwrap();
        let server = Server::open(club.clone(), usual()).await.unwrap();
        Here { club, server }
    }

    fn connect(&self) -> DuplexStream {
        let (near, far) = duplex(64 * 1024);
        self.server.take_in(far, ([127, 0, 0, 1], 4000).into());
        near
    }

    /// Opens a socket that listens to a game.
    async fn socket(&self, token: &Token, game: GameId) -> WebSocketStream<DuplexStream> {
        let mut request = "ws://127.0.0.1/api/socket".into_client_request().unwrap();
        let bearer = format!("Bearer {}", token.secret());
        let headers = request.headers_mut();
        headers.insert("authorization", bearer.parse().unwrap());
        let (mut socket, _) = client_async(request, self.connect()).await.unwrap();
        let watch = json!({"type": "watch", "game": game.to_string(), "after": 0});
        let watch = Message::Text(watch.to_string().into());
        socket.send(watch).await.unwrap();
        until(&mut socket, "game").await;
        socket
    }

    /// Requests the hearings of a game. Returns the body of the response, which stays open.
    async fn heard(&self, token: &Token, game: GameId) -> (Incoming, http1::SendRequest<Body>) {
        let (mut sender, connection) = http1::handshake(TokioIo::new(self.connect()))
            .await
            .unwrap();
        tokio::spawn(connection);
        let request = Request::get(format!("/api/games/{game}/heard"))
            .header("host", "127.0.0.1")
            .header("authorization", format!("Bearer {}", token.secret()));
        let request = request.body(Body::empty()).unwrap();
        let answer = sender.send_request(request).await.unwrap();
        assert_eq!(answer.status(), 200);
        (answer.into_body(), sender)
    }
}

/// Returns the next message of this type; null if the socket ends before such a message.
async fn until(socket: &mut WebSocketStream<DuplexStream>, kind: &str) -> Value {
    while let Some(Ok(frame)) = socket.next().await {
        if let Message::Text(text) = frame {
            let says: Value = serde_json::from_str(&text).unwrap();
            if says["type"] == kind {
                return says;
            }
        }
    }
    Value::Null
}

/// Reads a socket until the club sends the message `bye`, and returns this message. Reading also
/// answers the pings of the club.
fn attend(mut socket: WebSocketStream<DuplexStream>) -> JoinHandle<Value> {
    tokio::spawn(async move { until(&mut socket, "bye").await })
}

/// Makes a game without clocks.
async fn game(club: &Club, white: AccountId, black: AccountId) -> GameId {
    let terms = club::Terms {
        rules: "wild16".to_owned(),
        custom: None,
        time: club::TimeControl::Unlimited,
        rated: false,
        color: club::ColorWish::White,
    };
    let seek = club.seek(white, terms).await.unwrap();
    club.accept(&seek.id, black).await.unwrap()
}

/// When a session ends, its sockets and open answers end, and nothing else. The session ends by a
/// request, or because its time is over.
#[tokio::test(start_paused = true)]
async fn sockets_and_answers_close_if_a_session_ends_elsewhere() {
    for expires in [false, true] {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
        let clock = Arc::new(Paused(Instant::now()));
        let settings = Settings {
            session: if expires { 120_000 } else { 3_600_000 },
            ..Settings::cheap()
        };
        let here = Here::open(&store, &clock, settings).await;
        let white = here.club.guest().await.unwrap().id;
        let black = here.club.guest().await.unwrap().id;
        // The first session ends. The two other sessions do not end in this test.
        let first = here.club.begin_session(white).await.unwrap();
        sleep(Duration::from_secs(100)).await;
        let second = here.club.begin_session(white).await.unwrap();
        let blacks = here.club.begin_session(black).await.unwrap();
        let game = game(&here.club, white, black).await;
        let ends = attend(here.socket(&first, game).await);
        let stays = [
            attend(here.socket(&second, game).await),
            attend(here.socket(&blacks, game).await),
        ];
        let (open, _sender) = here.heard(&first, game).await;
        let (mut open_too, _sender_too) = here.heard(&second, game).await;
        sleep(Duration::from_secs(if expires { 15 } else { 100 })).await;
        assert!(!ends.is_finished(), "the session has ended too early");
        match expires {
            true => sleep(Duration::from_secs(5)).await,
            false => here.club.end_session(first.secret()).await.unwrap(),
        }
        let begun = Instant::now();
        let soon = if expires { SOON } else { NOTICED };
        let bye = timeout(soon, ends).await.unwrap().unwrap();
        assert!(bye["why"].as_str().unwrap().contains("session"), "{bye}");
        timeout(soon.saturating_sub(begun.elapsed()), open.collect())
            .await
            .unwrap()
            .unwrap();
        sleep(Duration::from_secs(30)).await;
        for socket in stays {
            assert!(!socket.is_finished(), "another session has ended");
        }
        let frames = async { while open_too.frame().await.is_some() {} };
        let ended = timeout(Duration::from_secs(1), frames).await;
        assert!(ended.is_err(), "the answer to another session has ended");
        here.club.close().await;
    }
}

/// An export is a file with everything about an account. If it is still in transfer when the
/// session ends, the transfer ends too, before the last line of the file.
#[tokio::test(start_paused = true)]
async fn an_export_ends_with_its_session() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
    let clock = Arc::new(Paused(Instant::now()));
    let many = Settings {
        games_of_person: 1000,
        ..Settings::cheap()
    };
    let here = Here::open(&store, &clock, many).await;
    let white = here.club.guest().await.unwrap().id;
    let black = here.club.guest().await.unwrap().id;
    // Together, these games have more bytes than the connection can hold.
    for _ in 0..300 {
        game(&here.club, white, black).await;
    }
    for (who, ends) in [(white, true), (black, false)] {
        let token = here.club.begin_session(who).await.unwrap();
        let (mut sender, connection) = http1::handshake(TokioIo::new(here.connect()))
            .await
            .unwrap();
        tokio::spawn(connection);
        let request = Request::get("/api/account/export")
            .header("host", "127.0.0.1")
            .header("authorization", format!("Bearer {}", token.secret()));
        let request = request.body(Body::empty()).unwrap();
        let answer = sender.send_request(request).await.unwrap();
        assert_eq!(answer.status(), 200);
        // The client does not read yet.
        sleep(Duration::from_secs(1)).await;
        if ends {
            here.club.end_session(token.secret()).await.unwrap();
        }
        sleep(NOTICED).await;
        let file = answer.into_body().collect().await.unwrap().to_bytes();
        let file = str::from_utf8(&file).unwrap();
        assert!(file.starts_with("{\"account\""), "{}", &file[..100]);
        let is_whole = file.ends_with("{\"kind\":\"end\"}\n");
        assert_eq!(is_whole, !ends, "{} bytes", file.len());
    }
    here.club.close().await;
}
