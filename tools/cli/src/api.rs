//! A client of the club's API: single requests, and the WebSocket.

use std::{
    future::ready,
    io,
    net::SocketAddr,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context as TaskContext, Poll, ready as poll_ready},
    time::Duration,
};

use anyhow::{Context, anyhow, bail};
use client::{ConnectError, RetryPolicy, Transport};
use futures_util::{SinkExt, StreamExt};
use http_body_util::{BodyExt, Full, Limited};
use hyper::{Request, body::Bytes, client::conn::http1, header};
use hyper_util::rt::TokioIo;
use serde::{Serialize, de::DeserializeOwned};
use server::Server;
use tokio::{
    io::{AsyncRead, AsyncWrite, DuplexStream, ReadBuf, duplex},
    net::TcpStream,
    time::timeout,
};
use tokio_rustls::client::TlsStream;
use tokio_tungstenite::{
    client_async,
    tungstenite::{self, Message, client::IntoClientRequest},
};
use wire::{AcceptedJson, ClientSays, RefusalCode, RefusedJson, SessionJson};

use super::{kept, tls::TlsClient};

/// Longest time to wait for a connection, and longest time to wait for an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);

/// Longest answer that is read, in bytes.
const MAX_ANSWER_BYTES: usize = 16 << 20;

/// Capacity of a pipe within this process, in bytes.
const PIPE_BYTES: usize = 64 * 1024;

/// Error of a request that a club refused, with the club's explanation. If a request fails for
/// another reason, for example without a connection, the error has another type.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("{}", .0.why)]
pub(super) struct ApiRefusal(pub(super) RefusedJson);

/// Returns the code of the refusal that an error contains, or `None` if the error is not a refusal
/// by a club.
pub(super) fn refused(error: &anyhow::Error) -> Option<RefusalCode> {
    error
        .downcast_ref::<ApiRefusal>()
        .map(|refused| refused.0.refused)
}

/// A club, and the account for which requests are sent.
#[derive(Clone)]
pub(super) struct Api {
    way: Way,
    /// Host name and port.
    host: String,
    /// Host as given by the user; used in the request's `Host` header.
    name: String,
    token: Option<String>,
    /// Counts the bytes of all connections, if a caller asked for this count.
    traffic: Option<Arc<Traffic>>,
}

/// Number of bytes that were sent and received over all connections of an [`Api`].
#[derive(Debug, Default)]
pub(super) struct Traffic {
    sent: AtomicU64,
    received: AtomicU64,
}

impl Traffic {
    /// Returns the number of bytes sent, and the number of bytes received.
    pub(super) fn bytes(&self) -> (u64, u64) {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        (read(&self.sent), read(&self.received))
    }
}

/// A stream that counts its bytes.
struct Counted<S> {
    stream: S,
    traffic: Arc<Traffic>,
}

impl<S: AsyncRead + Unpin> AsyncRead for Counted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut TaskContext<'_>,
        bytes: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = bytes.filled().len();
        poll_ready!(Pin::new(&mut self.stream).poll_read(cx, bytes))?;
        let count = bytes.filled().len() - before;
        let received = &self.traffic.received;
        received.fetch_add(count as u64, Ordering::Relaxed);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Counted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut TaskContext<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let count = poll_ready!(Pin::new(&mut self.stream).poll_write(cx, bytes))?;
        let sent = &self.traffic.sent;
        sent.fetch_add(count as u64, Ordering::Relaxed);
        Poll::Ready(Ok(count))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut TaskContext<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut TaskContext<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Transport to a club.
#[derive(Clone)]
enum Way {
    /// Over the network.
    Tcp,
    /// Over the network, with TLS.
    Tls(TlsClient),
    /// Within this process.
    Pipe(Server),
}

/// Byte stream.
trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl Stream for TcpStream {}
impl Stream for TlsStream<TcpStream> {}
impl Stream for DuplexStream {}
impl<S: Stream> Stream for Counted<S> {}

impl Api {
    /// Creates the API of the club at an address.
    pub(super) fn new(url: &str, token: Option<String>) -> anyhow::Result<Api> {
        let (rest, usual, has_tls) = match url.split_once("://") {
            Some(("http", rest)) => (rest, 80, false),
            Some(("https", rest)) => (rest, 443, true),
            Some(_) | None => bail!(
                "`{url}` is not an address of a club: write it as http://127.0.0.1:8080 or https://club.example.org"
            ),
        };
        let name = rest.trim_end_matches('/');
        if name.is_empty() || name.contains(['/', '@', '?', '#', ' ']) {
            bail!("`{url}` is not an address of a club: write it as http://127.0.0.1:8080");
        }
        let with_port = name
            .rsplit_once(':')
            .filter(|(_, port)| port.parse::<u16>().is_ok());
        let machine = with_port.map_or(name, |(machine, _)| machine);
        Ok(Api {
            way: if has_tls {
                Way::Tls(TlsClient::new(machine)?)
            } else {
                Way::Tcp
            },
            host: if with_port.is_some() {
                name.to_owned()
            } else {
                format!("{name}:{usual}")
            },
            name: name.to_owned(),
            token,
            traffic: None,
        })
    }

    /// Returns the name of the folder for files about this club.
    pub(super) fn folder(&self) -> String {
        kept::club(&self.host)
    }

    /// Returns the token of the session, if there is one.
    pub(super) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Sends the next requests with this token of a session.
    pub(super) fn use_token(&mut self, token: String) {
        self.token = Some(token);
    }

    /// Sends the next requests without a token.
    pub(super) fn forget_token(&mut self) {
        self.token = None;
    }

    /// Creates the API of a club in this process.
    pub(super) fn inside(server: Server) -> Api {
        Api {
            way: Way::Pipe(server),
            host: "here".to_owned(),
            name: "here".to_owned(),
            token: None,
            traffic: None,
        }
    }

    /// Counts the bytes of all later connections.
    pub(super) fn counted(self, traffic: Arc<Traffic>) -> Api {
        Api {
            traffic: Some(traffic),
            ..self
        }
    }

    /// Returns an API of the same club that sends another session's token. If `token` is `None`, the
    /// API sends requests as a visitor, without a token.
    pub(super) fn with(&self, token: Option<&str>) -> Api {
        Api {
            token: token.map(str::to_owned),
            ..self.clone()
        }
    }

    async fn connect(&self) -> anyhow::Result<Box<dyn Stream>> {
        if let Way::Pipe(server) = &self.way {
            let (ours, its) = duplex(PIPE_BYTES);
            server.take_in(its, SocketAddr::from(([127, 0, 0, 1], 0)));
            return Ok(Box::new(ours));
        }
        let stream = timeout(ANSWER_TIMEOUT, TcpStream::connect(&self.host))
            .await
            .map_err(|_| anyhow!("no answer"))
            .and_then(|connected| Ok(connected?))
            .with_context(|| format!("the club at {} cannot be reached", self.host))?;
        stream.set_nodelay(true)?;
        let Way::Tls(tls) = &self.way else {
            return Ok(match &self.traffic {
                None => Box::new(stream),
                Some(traffic) => Box::new(Counted {
                    stream,
                    traffic: Arc::clone(traffic),
                }),
            });
        };
        let secured = timeout(ANSWER_TIMEOUT, tls.connect(stream))
            .await
            .map_err(|_| anyhow!("no answer"))
            .and_then(|connected| connected)
            .with_context(|| format!("the connection to the club at {} failed", self.host))?;
        Ok(match &self.traffic {
            None => Box::new(secured),
            // The bytes are counted before they are encrypted.
            Some(traffic) => Box::new(Counted {
                stream: secured,
                traffic: Arc::clone(traffic),
            }),
        })
    }

    /// Signs in with name and password.
    pub(super) async fn sign_in(&mut self, name: &str, password: &str) -> anyhow::Result<()> {
        let who = wire::CredentialsJson {
            name: name.to_owned(),
            password: password.to_owned(),
            token: true,
        };
        let session: SessionJson = self.post("/api/sessions", &who).await?;
        self.token = session.token;
        Ok(())
    }

    /// Creates an account with this name in the club of this process. If the club does not accept
    /// the name, the session stays a guest's session.
    pub(super) async fn take_name(&mut self, name: String) -> anyhow::Result<()> {
        self.ensure_session().await?;
        let who = wire::NewAccountJson {
            name,
            // Nobody signs in to this account again, so the guest's token can be its password.
            password: self.token.clone().unwrap_or_default(),
            program: false,
            token: true,
        };
        let made: anyhow::Result<SessionJson> = self.post("/api/accounts", &who).await;
        if let Ok(session) = made {
            self.token = session.token;
        }
        Ok(())
    }

    /// Signs in as a guest, unless there is already a session.
    pub(super) async fn ensure_session(&mut self) -> anyhow::Result<()> {
        if self.token.is_none() {
            let wish = wire::GuestJson { token: true };
            let session: SessionJson = self.post("/api/guests", &wish).await?;
            self.token = session.token;
        }
        Ok(())
    }

    /// Sends a GET request and parses the answer. If the club refuses the request, the error is the
    /// club's explanation.
    pub(super) async fn get<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        read("GET", path, &self.get_bytes(path).await?)
    }

    /// Sends a GET request for text that is not JSON.
    pub(super) async fn get_bytes(&self, path: &str) -> anyhow::Result<Bytes> {
        self.ask("GET", path, None::<&()>).await
    }

    /// Sends a POST request with a JSON body, and parses the answer.
    pub(super) async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        body: &impl Serialize,
    ) -> anyhow::Result<T> {
        read("POST", path, &self.ask("POST", path, Some(body)).await?)
    }

    /// Accepts a seek, a challenge or an invitation. Returns the id of the new game.
    pub(super) async fn accept(&self, kind: &str, id: &str) -> anyhow::Result<String> {
        let path = format!("/api/{kind}/{id}/accept");
        let answer = self.ask("POST", &path, None::<&()>).await?;
        let accepted: AcceptedJson = read("POST", &path, &answer)?;
        Ok(accepted.game)
    }

    /// Withdraws or declines a seek, a challenge or an invitation.
    pub(super) async fn delete(&self, kind: &str, id: &str) -> anyhow::Result<()> {
        let path = format!("/api/{kind}/{id}");
        self.ask("DELETE", &path, None::<&()>).await?;
        Ok(())
    }

    /// Mutes an account, or ends the mute.
    pub(super) async fn mute(&self, name: &str, on: bool) -> anyhow::Result<()> {
        let method = if on { "PUT" } else { "DELETE" };
        let path = format!("/api/mutes/{name}");
        self.ask(method, &path, None::<&()>).await?;
        Ok(())
    }

    async fn ask(
        &self,
        method: &str,
        path: &str,
        body: Option<&impl Serialize>,
    ) -> anyhow::Result<Bytes> {
        let stream = self.connect().await?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
        tokio::spawn(connection);
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, &self.name);
        if let Some(token) = &self.token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let mut bytes = Vec::new();
        if let Some(body) = body {
            request = request.header(header::CONTENT_TYPE, "application/json");
            serde_json::to_writer(&mut bytes, body)?;
        }
        let request = request.body(Full::new(Bytes::from(bytes)))?;
        let asked = async {
            let response = sender.send_request(request).await;
            let response = response.with_context(|| {
                format!(
                    "the program at {} does not answer like a club: is the port right?",
                    self.host
                )
            })?;
            let status = response.status();
            if let Some(to) = response.headers().get(header::LOCATION)
                && status.is_redirection()
            {
                bail!(
                    "the club has another address: {}",
                    String::from_utf8_lossy(to.as_bytes()).trim_end_matches(path)
                );
            }
            let body = Limited::new(response.into_body(), MAX_ANSWER_BYTES);
            let bytes = body.collect().await.map_err(|e| anyhow!(e))?.to_bytes();
            anyhow::Ok((status, bytes))
        };
        let (status, bytes) = timeout(ANSWER_TIMEOUT, asked)
            .await
            .map_err(|_| anyhow!("the club at {} does not answer", self.host))??;
        if status.is_success() {
            return Ok(bytes);
        }
        match serde_json::from_slice::<RefusedJson>(&bytes) {
            Ok(refused) => Err(ApiRefusal(refused).into()),
            Err(_) => bail!("{method} {path}: {status}"),
        }
    }

    /// Opens the club's WebSocket.
    pub(super) async fn socket(self) -> Result<Transport, ConnectError> {
        let opening = async {
            let stream = self.connect().await?;
            let mut request = format!("ws://{}/api/socket", self.name).into_client_request()?;
            if let Some(token) = &self.token {
                let bearer = format!("Bearer {token}").parse()?;
                request.headers_mut().insert(header::AUTHORIZATION, bearer);
            }
            anyhow::Ok(client_async(request, stream).await)
        };
        let (socket, _) = opening
            .await
            .map_err(|error| unreachable(&error))?
            .map_err(|error| self.not_opened(error))?;
        let says = |came| match came {
            Ok(Message::Text(text)) => Some(serde_json::from_str(&text).map_err(io::Error::from)),
            Ok(_) => None,
            Err(error) => Some(Err(error)),
        };
        let text = |says: ClientSays| {
            let text = serde_json::to_string(&says)?;
            Ok(Message::Text(text.into()))
        };
        let (sink, stream) = socket.split();
        let incoming = stream.filter_map(move |came| ready(says(came.map_err(io::Error::other))));
        let outgoing = sink
            .sink_map_err(io::Error::other)
            .with(move |says| ready(text(says)));
        Ok(Transport::new(incoming, outgoing))
    }

    /// Converts an error that occurred while the socket was being opened. A refusal by the club is
    /// final, unless the reason of the refusal is temporary.
    fn not_opened(&self, error: tungstenite::Error) -> ConnectError {
        if let tungstenite::Error::Http(response) = &error
            && let Some(body) = response.body()
            && let Ok(refused) = serde_json::from_slice(body)
        {
            return ApiRefusal(refused).into();
        }
        let error = anyhow::Error::new(error);
        unreachable(&error.context(format!("the socket of the club at {}", self.host)))
    }

    /// Creates a client of the club, over its WebSocket.
    pub(super) fn client(&self, policy: RetryPolicy) -> client::Client {
        let api = self.clone();
        client::Client::new(move || api.clone().socket(), policy)
    }
}

fn read<T: DeserializeOwned>(method: &str, path: &str, bytes: &[u8]) -> anyhow::Result<T> {
    serde_json::from_slice(bytes)
        .with_context(|| format!("{method} {path}: the answer is not from a club of version 1"))
}

/// Converts an error to [`ConnectError::Unreachable`], after which the client tries again.
pub(super) fn unreachable(error: &anyhow::Error) -> ConnectError {
    ConnectError::Unreachable(format!("{error:#}"))
}

impl From<ApiRefusal> for ConnectError {
    fn from(refused: ApiRefusal) -> ConnectError {
        match refused.0.refused.is_temporary() {
            true => ConnectError::Unreachable(refused.0.why),
            false => ConnectError::Refused(refused.0.why),
        }
    }
}
