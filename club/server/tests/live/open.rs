//! A server on its own port, and clients for it.

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

/// Timeout that is longer than any step of these tests needs.
pub const LONG: Duration = Duration::from_secs(20);

/// A running server.
pub struct Open {
    /// Address of the server.
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    served: JoinHandle<()>,
}

/// Returns the configuration of most tests: no pauses, and limits that no test reaches by accident.
pub fn usual() -> Config {
    let mut config = Given {
        bots: Some(vec!["random".to_owned()]),
        think: Some(0),
        ..Given::default()
    }
    .settle()
    .unwrap();
    config.limits.accounts = 1000;
    config.limits.guests = 2000;
    config.limits.offers = 1000;
    config.limits.sign_ins = 1000;
    config.limits.requests = 10_000;
    config.limits.messages = 10_000;
    config
}

/// Starts a server over a store in memory.
pub async fn open() -> Open {
    open_as(usual()).await
}

/// Starts a server over a store in memory with this configuration.
pub async fn open_as(config: Config) -> Open {
    open_over(Arc::new(MemoryStore::default()), config).await
}

/// Starts a server over a store.
pub async fn open_over(store: Arc<dyn Store>, config: Config) -> Open {
    let club = Club::open(store, Arc::new(SystemClock), Settings::cheap());
    serve(club.await.unwrap(), config).await
}

/// Starts a server of a club.
pub async fn serve(club: Club, config: Config) -> Open {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let server = Server::open(club, config).await.unwrap();
    let (stop, stopping) = oneshot::channel();
    let served = tokio::spawn(async move {
        let stop = async {
            // The result does not matter: a message stops the server, and so does a dropped sender.
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

/// An HTTP response.
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

    /// Returns the value of a key of the JSON body, as text.
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
    /// Returns a server that runs already.
    pub fn at(address: SocketAddr, stop: oneshot::Sender<()>, served: JoinHandle<()>) -> Open {
        Open {
            address,
            stop: Some(stop),
            served,
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Closes the server in an orderly way.
    pub async fn close(mut self) {
        drop(self.stop.take());
        timeout(LONG, &mut self.served).await.unwrap().unwrap();
    }

    /// Begins to close the server.
    pub fn begin_to_close(&mut self) {
        drop(self.stop.take());
    }

    /// Sends a request with headers and a body.
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

    /// Sends a request. Returns as soon as the headers of the answer are there. The test reads the
    /// body of the answer later.
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

    /// Sends a GET request as a visitor.
    pub async fn get(&self, path: &str) -> Answer {
        self.ask_as("GET", path, &[], None).await
    }

    /// Creates a guest who sends the token in a header.
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

    /// Returns two guests and the id of their game.
    pub async fn game(&self, rules: &str) -> (Person<'_>, Person<'_>, String) {
        let (white, black) = (self.guest().await, self.guest().await);
        let game = self.game_between(&white, &black, rules).await;
        (white, black, game)
    }

    /// Begins a game between two people. Returns its id.
    pub async fn game_between(
        &self,
        white: &Person<'_>,
        black: &Person<'_>,
        rules: &str,
    ) -> String {
        let offer = white.post("/api/invitations", terms(rules, "white")).await;
        assert_eq!(offer.status, 201, "{offer:?}");
        let path = format!("/api/invitations/{}/accept", offer.get("code"));
        let accepted = black.post(&path, Value::Null).await;
        assert_eq!(accepted.status, 200, "{accepted:?}");
        accepted.get("game")
    }

    /// Opens a socket as a visitor.
    pub async fn socket(&self) -> Socket {
        self.socket_as(&[]).await.unwrap()
    }

    /// Opens a socket with these headers. Returns the status if the server refuses.
    pub async fn socket_as(&self, headers: &[(&str, &str)]) -> Result<Socket, u16> {
        // The buffer is small. So the connection is soon full if the client does not read.
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

/// Returns the terms of a game without a clock.
pub fn terms(rules: &str, color: &str) -> Value {
    json!({"rules": rules, "time": {"kind": "unlimited"}, "color": color})
}

/// A person who is signed in.
pub struct Person<'a> {
    club: &'a Open,
    pub name: String,
    pub bearer: String,
}

impl<'a> Person<'a> {
    /// Returns a person whose session exists already.
    pub fn at(club: &'a Open, name: &str, token: &str) -> Person<'a> {
        Person {
            club,
            name: name.to_owned(),
            bearer: format!("Bearer {token}"),
        }
    }
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

    /// Sends a text to the referee. The request contains the number of the last hearing.
    pub async fn say(&self, game: &str, id: &str, text: &str) -> Answer {
        let view = self.get(&format!("/api/games/{game}/view")).await.json();
        let path = format!("/api/games/{game}/tries");
        let body = json!({"id": id, "after": view["n"], "text": text});
        self.post(&path, body).await
    }

    /// Returns all messages of the game so far that come after the hearing with number `after`.
    pub async fn heard(&self, game: &str, after: u32) -> Vec<Value> {
        let path = format!("/api/games/{game}/heard?after={after}&wait=0");
        lines(&self.get(&path).await.text)
    }

    pub async fn socket(&self) -> Socket {
        let headers = [("authorization", self.bearer.as_str())];
        self.club.socket_as(&headers).await.unwrap()
    }
}

/// Parses lines of JSON, one value for each line.
pub fn lines(text: &str) -> Vec<Value> {
    text.lines()
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A WebSocket.
pub struct Socket(pub WebSocketStream<TcpStream>);

impl Socket {
    pub async fn say(&mut self, says: Value) {
        self.say_text(says.to_string()).await;
    }

    pub async fn say_text(&mut self, text: String) {
        self.0.send(Message::Text(text.into())).await.unwrap();
    }

    /// Returns the next message; null at the end.
    pub async fn next(&mut self) -> Value {
        loop {
            let frame = timeout(LONG, self.0.next()).await.unwrap();
            match frame {
                Some(Ok(Message::Text(text))) => return serde_json::from_str(&text).unwrap(),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Value::Null,
                Some(Ok(_)) => {}
            }
        }
    }

    /// Returns the next message of this type, and drops the messages before it.
    pub async fn next_of(&mut self, kind: &str) -> Value {
        loop {
            let says = self.next().await;
            if says["type"] == kind {
                return says;
            }
            assert!(!says.is_null(), "the socket ended before a {kind}");
        }
    }

    /// Sends a `ping` and returns all messages up to its answer.
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
