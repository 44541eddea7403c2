//! A club that is open on a port of its own, and those who ask it.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    body::Body,
    http::{HeaderMap, Request, StatusCode},
};
use club::{Club, Settings, SystemClock};
use futures_util::{SinkExt, StreamExt};
use http_body_util::BodyExt;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use server::{Config, Given, Server};
use store::{MemoryStore, Store};
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
    sync::oneshot,
    task::JoinHandle,
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{Message, client::IntoClientRequest},
};

/// Longer than anything here may take.
pub const LONG: Duration = Duration::from_secs(20);

/// A club that is open.
pub struct Open {
    /// Where.
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    served: JoinHandle<()>,
}

/// As the tests have it: no waits, and no limits that a test would meet by chance.
pub fn usual() -> Config {
    let mut config = Given {
        bots: Some(vec!["random".to_owned()]),
        think: Some(0),
        ..Given::default()
    }
    .settle()
    .unwrap();
    config.limits.accounts = 1000;
    config.limits.guests = 1000;
    config.limits.sign_ins = 1000;
    config.limits.requests = 10_000;
    config.limits.messages = 10_000;
    config
}

/// Opens a club that forgets.
pub async fn open() -> Open {
    open_as(usual()).await
}

/// Opens a club that forgets, set up in a way.
pub async fn open_as(config: Config) -> Open {
    open_over(Arc::new(MemoryStore::default()), config).await
}

/// Opens a club over a store.
pub async fn open_over(store: Arc<dyn Store>, config: Config) -> Open {
    let club = Club::open(store, Arc::new(SystemClock), Settings::cheap())
        .await
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = Server::open(club, config).await.unwrap();
    let (stop, stopping) = oneshot::channel();
    let served = tokio::spawn(async move {
        let stop = async {
            // Dropped is as good as sent.
            let _ = stopping.await;
        };
        server.serve(listener, stop).await.unwrap();
    });
    Open {
        address,
        stop: Some(stop),
        served,
    }
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// A part of the JSON, as text.
    pub fn get(&self, key: &str) -> String {
        let json = self.json();
        let value = &json[key];
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |v| v.to_str().unwrap())
    }
}

impl Open {
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Closes the club in order.
    pub async fn close(mut self) {
        drop(self.stop.take());
        timeout(LONG, &mut self.served).await.unwrap().unwrap();
    }

    /// Begins to close it.
    pub fn begin_to_close(&mut self) {
        drop(self.stop.take());
    }

    /// Asks with headers and a body.
    pub async fn ask_as(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<String>,
    ) -> Answer {
        timeout(LONG, async {
            let (status, headers, body, _sender) = self.begin(method, path, headers, body).await;
            let bytes = body.collect().await.unwrap().to_bytes();
            Answer {
                status,
                headers,
                text: String::from_utf8(bytes.to_vec()).unwrap(),
            }
        })
        .await
        .unwrap_or_else(|_| panic!("{method} {path} does not end"))
    }

    /// Asks, and leaves the body to come, as long as the last part is held.
    pub async fn begin(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<String>,
    ) -> (
        StatusCode,
        HeaderMap,
        hyper::body::Incoming,
        http1::SendRequest<Body>,
    ) {
        let stream = TcpStream::connect(self.address).await.unwrap();
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        let mut request = Request::builder().method(method).uri(path);
        if !headers.iter().any(|(name, _)| *name == "host") {
            request = request.header("host", self.address.to_string());
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if body.is_some() && !headers.iter().any(|(name, _)| *name == "content-type") {
            request = request.header("content-type", "application/json");
        }
        let body = body.map_or(Body::empty(), Body::from);
        let response = sender
            .send_request(request.body(body).unwrap())
            .await
            .unwrap();
        let (parts, body) = response.into_parts();
        (parts.status, parts.headers, body, sender)
    }

    /// Asks as a visitor.
    pub async fn get(&self, path: &str) -> Answer {
        self.ask_as("GET", path, &[], None).await
    }

    /// Makes a guest who sends the token as a header.
    pub async fn guest(&self) -> Person<'_> {
        let answer = self
            .ask_as(
                "POST",
                "/api/guests",
                &[],
                Some(json!({"token": true}).to_string()),
            )
            .await;
        assert_eq!(answer.status, 201, "{answer:?}");
        let json = answer.json();
        Person {
            club: self,
            name: json["you"]["name"].as_str().unwrap().to_owned(),
            bearer: format!("Bearer {}", json["token"].as_str().unwrap()),
        }
    }

    /// Two guests and their game.
    pub async fn game(&self, rules: &str) -> (Person<'_>, Person<'_>, String) {
        let (white, black) = (self.guest().await, self.guest().await);
        let offer = white.post("/api/invitations", terms(rules, "white")).await;
        assert_eq!(offer.status, 201, "{offer:?}");
        let path = format!("/api/invitations/{}/accept", offer.get("code"));
        let accepted = black.post(&path, Value::Null).await;
        assert_eq!(accepted.status, 200, "{accepted:?}");
        let game = accepted.get("game");
        (white, black, game)
    }

    /// Opens a socket as a visitor.
    pub async fn socket(&self) -> Socket {
        self.socket_as(&[]).await.unwrap()
    }

    /// Opens a socket with headers; or the status that it was refused with.
    pub async fn socket_as(&self, headers: &[(&str, &str)]) -> Result<Socket, u16> {
        // What is not read soon fills the line.
        let stream = TcpSocket::new_v4().unwrap();
        stream.set_recv_buffer_size(16 * 1024).unwrap();
        let stream = stream.connect(self.address).await.unwrap();
        let mut request = format!("ws://{}/api/socket", self.address)
            .into_client_request()
            .unwrap();
        for (name, value) in headers {
            let name: axum::http::HeaderName = name.parse().unwrap();
            request.headers_mut().insert(name, value.parse().unwrap());
        }
        match client_async(request, stream).await {
            Ok((stream, _)) => Ok(Socket(stream)),
            Err(tokio_tungstenite::tungstenite::Error::Http(response)) => {
                Err(response.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// Terms of a game without a clock.
pub fn terms(rules: &str, color: &str) -> Value {
    json!({"rules": rules, "time": {"kind": "unlimited"}, "color": color})
}

/// Person who is signed in.
pub struct Person<'a> {
    club: &'a Open,
    pub name: String,
    pub bearer: String,
}

impl Person<'_> {
    pub async fn ask(&self, method: &str, path: &str, body: Value) -> Answer {
        let body = (!body.is_null()).then(|| body.to_string());
        let headers = [("authorization", self.bearer.as_str())];
        self.club.ask_as(method, path, &headers, body).await
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, Value::Null).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.ask("POST", path, body).await
    }

    /// Says something to the referee, having heard everything.
    pub async fn say(&self, game: &str, id: &str, text: &str) -> Answer {
        let view = self.get(&format!("/api/games/{game}/view")).await.json();
        let path = format!("/api/games/{game}/tries");
        let body = json!({"id": id, "after": view["n"], "text": text});
        self.post(&path, body).await
    }

    /// All that was heard so far: the lines.
    pub async fn heard(&self, game: &str, after: u32) -> Vec<Value> {
        let path = format!("/api/games/{game}/heard?after={after}&wait=0");
        lines(&self.get(&path).await.text)
    }

    pub async fn socket(&self) -> Socket {
        let headers = [("authorization", self.bearer.as_str())];
        self.club.socket_as(&headers).await.unwrap()
    }
}

/// JSON, a value a line.
pub fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A socket.
pub struct Socket(pub WebSocketStream<TcpStream>);

impl Socket {
    pub async fn say(&mut self, says: Value) {
        self.say_text(says.to_string()).await;
    }

    pub async fn say_text(&mut self, text: String) {
        self.0.send(Message::Text(text.into())).await.unwrap();
    }

    /// The next message; null at the end.
    pub async fn next(&mut self) -> Value {
        loop {
            let frame = timeout(LONG, self.0.next())
                .await
                .expect("the socket is silent");
            match frame {
                Some(Ok(Message::Text(text))) => return serde_json::from_str(&text).unwrap(),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Value::Null,
                Some(Ok(_)) => {}
            }
        }
    }

    /// The next message of that type; what comes before it is passed over.
    pub async fn next_of(&mut self, kind: &str) -> Value {
        loop {
            let says = self.next().await;
            if says["type"] == kind {
                return says;
            }
            assert!(!says.is_null(), "the socket ended before a {kind}");
        }
    }

    /// Everything up to and with the answer to `ping`.
    pub async fn all(&mut self) -> Vec<Value> {
        self.say(json!({"type": "ping"})).await;
        let mut all = Vec::new();
        loop {
            let says = self.next().await;
            assert!(!says.is_null(), "the socket ended: {all:?}");
            if says["type"] == "pong" {
                return all;
            }
            all.push(says);
        }
    }
}
