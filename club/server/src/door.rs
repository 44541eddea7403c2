//! Accepts connections, serves them, and closes them in an orderly way.

use std::{
    future::{Future, pending},
    net::SocketAddr,
    sync::Arc,
    time::Duration,
};

use axum::{Router, body::Body, http::Request};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use limits::{CountedConnection, accept_until};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt},
    net::TcpListener,
    time::timeout,
};
use tower::ServiceExt;

use crate::{app::App, limited_stream::LimitedStream, reader::Peer};

/// A stream of bytes: a network socket, or a pipe in memory.
pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send + 'static {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> Stream for S {}

/// A client must send the head of a request within this time.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(15);

/// Connections must end within this time when the club closes.
const GRACE_PERIOD: Duration = Duration::from_secs(5);

/// Response to a connection that exceeds a limit.
const TOO_MANY: &[u8] = b"HTTP/1.1 429 Too Many Requests\r\n\
content-type: application/json\r\ncontent-length: 89\r\nconnection: close\r\n\
retry-after: 10\r\n\r\n\
{\"refused\":\"too-many\",\"why\":\"too many connections from your address: close one, or wait\"}";

/// Serves until `stop` returns. Then closes the sockets with a goodbye, and closes the club.
pub async fn serve(
    app: &App,
    router: Router,
    listener: TcpListener,
    stop: impl Future<Output = ()>,
) {
    accept_until(stop, listener, |stream, address| {
        take_in(app, &router, stream, address);
    })
    .await;
    app.close();
    app.club().close().await;
    // A connection is counted as open until its last response or its goodbye is sent.
    let _late = timeout(GRACE_PERIOD, app.counter().connections.closed()).await;
}

/// Serves a connection, if the limits of connections allow it. If the limit of an address is
/// reached, the server closes an older connection that has sent no request yet. If the total limit
/// is reached, it closes the idlest connection of the address with the most connections, but none of
/// an account with a password or of a player of a running game. If there is no such connection, the
/// new connection is refused.
pub fn take_in<S: Stream>(app: &App, router: &Router, stream: S, address: SocketAddr) {
    // All connections from a proxy have the proxy's address, so connections are not counted by
    // address.
    let counted = (!app.config().behind_proxy).then_some(address.ip());
    match app.counter().connections.connect_stranger(counted) {
        Ok(counted) => connect(app, router, stream, address, counted),
        Err(_) => drop(tokio::spawn(turn_away(stream))),
    }
}

fn connect<S: Stream>(
    app: &App,
    router: &Router,
    stream: S,
    address: SocketAddr,
    counted: CountedConnection,
) {
    let peer = Peer {
        address: address.ip(),
        connection: Arc::new(counted),
    };
    let router = router.clone();
    let presence = peer.connection.presence();
    let must_leave = {
        let presence = presence.clone();
        async move {
            match presence {
                Some(presence) => presence.must_leave().await,
                None => pending().await,
            }
        }
    };
    let service = service_fn(move |mut request: Request<Incoming>| {
        if let Some(presence) = &presence {
            presence.asked();
        }
        request.extensions_mut().insert(peer.clone());
        router.clone().oneshot(request.map(Body::new))
    });
    let mut connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(app.config().client_timeout.unwrap_or(REQUEST_TIMEOUT))
        .max_buf_size(64 * 1024)
        .serve_connection(TokioIo::new(LimitedStream::new(stream)), service)
        .with_upgrades();
    let app = app.clone();
    tokio::spawn(async move {
        // It is no error if a client disconnects in the middle of a request.
        tokio::select! {
            _gone = &mut connection => return,
            () = must_leave => return,
            () = app.closing() => Pin::new(&mut connection).graceful_shutdown(),
        }
        let _gone = connection.await;
    });
}

async fn turn_away(mut stream: impl Stream) {
    // After a second, the connection is closed even if the client has not read the text.
    let _read = timeout(Duration::from_secs(1), async {
        stream.write_all(TOO_MANY).await?;
        stream.shutdown().await
    })
    .await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_beyond_the_limit_gets_a_whole_answer() {
        let text = std::str::from_utf8(TOO_MANY).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(
            head.contains(&format!("content-length: {}", body.len())),
            "{}",
            body.len()
        );
        let body: wire::RefusedJson = serde_json::from_str(body).unwrap();
        assert_eq!(body.refused, wire::RefusalCode::TooMany);
    }
}
