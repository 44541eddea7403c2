//! HTTP as a player's program uses it: each single request on a separate
//! connection, and a persistent connection for tries.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{IpAddr, SocketAddr, TcpStream},
    time::Duration,
};

use futures_util::FutureExt;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt},
    net::TcpSocket,
    sync::mpsc,
    time::timeout,
};
use wire::{
    AcceptedJson, ColorWish, InvitationJson, RefusedJson, SaidJson, ServerSays, SessionJson,
    TermsJson, TimeControlJson, TryJson,
};

/// Maximum time until the answer to a request.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

fn request(method: &str, path: &str, token: &str, body: &str, then: &str) -> String {
    let bearer = if token.is_empty() {
        String::new()
    } else {
        format!("authorization: Bearer {token}\r\n")
    };
    format!(
        "{method} {path} HTTP/1.1\r\nhost: club\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nconnection: {then}\r\n{bearer}\r\n{body}",
        body.len()
    )
}

fn status(head: &str) -> io::Result<u16> {
    let word = head.split_whitespace().nth(1);
    word.and_then(|word| word.parse().ok())
        .ok_or_else(|| io::ErrorKind::InvalidData.into())
}

fn length(line: &str) -> Option<usize> {
    let (name, value) = line.split_once(':')?;
    name.eq_ignore_ascii_case("content-length")
        .then(|| value.trim().parse().ok())?
}

/// Sends one request. Returns the status and the body of the answer.
pub fn ask(
    to: SocketAddr,
    method: &str,
    path: &str,
    token: &str,
    body: &str,
) -> io::Result<(u16, String)> {
    let mut stream = TcpStream::connect(to)?;
    stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
    stream.write_all(request(method, path, token, body, "close").as_bytes())?;
    let mut stream = BufReader::new(stream);
    let mut head = String::new();
    stream.read_line(&mut head)?;
    let (mut most, mut chunked) = (None, false);
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line)? <= 2 {
            break;
        }
        most = length(&line).or(most);
        chunked |= is_chunked(&line);
    }
    let mut text = String::new();
    if chunked {
        loop {
            let mut line = String::new();
            stream.read_line(&mut line)?;
            let size = chunk_size(&line)?;
            // A line break of two bytes follows the chunk.
            let mut chunk = vec![0; size + 2];
            stream.read_exact(&mut chunk)?;
            text.push_str(&String::from_utf8_lossy(&chunk[..size]));
            if size == 0 {
                return Ok((status(&head)?, text));
            }
        }
    }
    stream
        .take(most.unwrap_or(usize::MAX) as u64)
        .read_to_string(&mut text)?;
    Ok((status(&head)?, text))
}

/// Whether a header says that the body comes in chunks. Behind a proxy, bodies come in chunks.
fn is_chunked(line: &str) -> bool {
    line.trim()
        .eq_ignore_ascii_case("transfer-encoding: chunked")
}

fn chunk_size(line: &str) -> io::Result<usize> {
    usize::from_str_radix(line.trim(), 16).map_err(|_| io::ErrorKind::InvalidData.into())
}

/// Opens a connection from one of this machine's own addresses.
pub async fn connect_from(from: IpAddr, to: SocketAddr) -> io::Result<tokio::net::TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((from, 0).into())?;
    let stream = socket.connect(to).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Adds the header that a proxy would add for a client with this address.
fn forwarded(request: &str, from: IpAddr) -> String {
    request.replacen("\r\n", &format!("\r\nx-forwarded-for: {from}\r\n"), 1)
}

/// Like [`ask`], but connects from `from`, one of this machine's own addresses. The request looks
/// as if a proxy had forwarded it.
pub async fn ask_from(
    from: IpAddr,
    to: SocketAddr,
    method: &str,
    path: &str,
    token: &str,
    body: &str,
) -> io::Result<(u16, String)> {
    let asked = async {
        let mut stream = tokio::io::BufReader::new(connect_from(from, to).await?);
        let request = forwarded(&request(method, path, token, body, "close"), from);
        stream.write_all(request.as_bytes()).await?;
        let (status, body) = reply(&mut stream).await?;
        Ok((status, String::from_utf8_lossy(&body).into_owned()))
    };
    timeout(ANSWER_TIMEOUT, asked).await?
}

/// Creates a guest, and returns its token.
pub fn guest(to: SocketAddr) -> String {
    let (status, body) = ask(to, "POST", "/api/guests", "", r#"{"token":true}"#).unwrap();
    token(status, &body)
}

/// Returns the token of a new account.
pub fn token(status: u16, body: &str) -> String {
    assert_eq!(status, 201, "{body}");
    let session: SessionJson = serde_json::from_str(body).unwrap();
    session.token.unwrap()
}

/// Creates a game under a ruleset. `white` and `black` are the tokens of the players. Returns the
/// id of the game.
pub fn game(
    to: SocketAddr,
    white: &str,
    black: &str,
    rules: &str,
    time: TimeControlJson,
) -> String {
    let terms = TermsJson {
        rules: rules.to_owned(),
        custom: None,
        time,
        rated: false,
        color: ColorWish::White,
    };
    let terms = serde_json::to_string(&terms).unwrap();
    let (status, body) = ask(to, "POST", "/api/invitations", white, &terms).unwrap();
    assert_eq!(status, 201, "{body}");
    let invitation: InvitationJson = serde_json::from_str(&body).unwrap();
    let path = format!("/api/invitations/{}/accept", invitation.code);
    let (status, body) = ask(to, "POST", &path, black, "").unwrap();
    assert_eq!(status, 200, "{body}");
    let accepted: AcceptedJson = serde_json::from_str(&body).unwrap();
    accepted.game
}

/// A try that is to be sent.
#[derive(Debug)]
pub struct Post {
    pub game: String,
    pub asked: TryJson,
}

/// A persistent connection for tries. The answers on this connection have the same type as the
/// answers on the socket. When the connection breaks, the answers end.
pub struct Line {
    posts: mpsc::UnboundedSender<Post>,
    pub replies: mpsc::UnboundedReceiver<ServerSays>,
}

impl Line {
    pub fn open(to: SocketAddr, token: &str) -> Line {
        let here = IpAddr::from([127, 0, 0, 1]);
        Line::open_from(here, to, token)
    }

    /// Like [`Line::open`], but connects from one of this machine's own addresses.
    pub fn open_from(from: IpAddr, to: SocketAddr, token: &str) -> Line {
        let (posts, mut waiting) = mpsc::unbounded_channel::<Post>();
        let (said, replies) = mpsc::unbounded_channel();
        let token = token.to_owned();
        let work = async move {
            let stream = connect_from(from, to).await?;
            let mut stream = tokio::io::BufReader::new(stream);
            while let Some(Post { game, asked }) = waiting.recv().await {
                let path = format!("/api/games/{game}/tries");
                let body = serde_json::to_string(&asked)?;
                let request = request("POST", &path, &token, &body, "keep-alive");
                let request = forwarded(&request, from);
                stream.write_all(request.as_bytes()).await?;
                let (status, body) = reply(&mut stream).await?;
                let says = if status == 200 {
                    let SaidJson {
                        n,
                        answer,
                        cause,
                        why,
                    } = serde_json::from_slice(&body)?;
                    ServerSays::Answer {
                        id: asked.id,
                        game,
                        n,
                        answer,
                        cause,
                        why,
                    }
                } else {
                    let RefusedJson {
                        refused,
                        reason,
                        args,
                        retry_after_ms,
                        why,
                    } = serde_json::from_slice(&body)?;
                    ServerSays::Refused {
                        game: None,
                        id: Some(asked.id),
                        request: Some("try".to_owned()),
                        code: refused,
                        reason,
                        args,
                        retry_after_ms,
                        why,
                    }
                };
                if said.send(says).is_err() {
                    break;
                }
            }
            io::Result::Ok(())
        };
        // The error is ignored: when the connection breaks, the replies end.
        tokio::spawn(work.map(drop));
        Line { posts, replies }
    }

    /// Sends a try. Earlier tries are answered first.
    pub fn post(&self, game: String, asked: TryJson) {
        // If the connection is broken, the replies have already ended.
        let _broken = self.posts.send(Post { game, asked });
    }
}

async fn reply(
    stream: &mut tokio::io::BufReader<tokio::net::TcpStream>,
) -> io::Result<(u16, Vec<u8>)> {
    let mut head = String::new();
    stream.read_line(&mut head).await?;
    let (mut most, mut chunked) = (0, false);
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if line == "\r\n" {
            break;
        }
        most = length(&line).unwrap_or(most);
        chunked |= is_chunked(&line);
    }
    let mut body = Vec::new();
    if chunked {
        loop {
            let mut line = String::new();
            stream.read_line(&mut line).await?;
            let size = chunk_size(&line)?;
            let mut chunk = vec![0; size + 2];
            stream.read_exact(&mut chunk).await?;
            body.extend_from_slice(&chunk[..size]);
            if size == 0 {
                return Ok((status(&head)?, body));
            }
        }
    }
    body.resize(most, 0);
    stream.read_exact(&mut body).await?;
    Ok((status(&head)?, body))
}
