//! The WebSocket as a player's program uses it.

use std::net::{IpAddr, SocketAddr};

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{ClientRequestBuilder, Error, Message},
};
use wire::{ClientSays, ServerSays};

use super::http::connect_from;

/// Error: the connection is closed.
#[derive(Debug)]
pub struct Gone;

/// The WebSocket of one player.
pub struct Socket(WebSocketStream<TcpStream>);

/// Opens the WebSocket from one of this machine's own addresses, as if a proxy had forwarded the
/// request. Without a token, the WebSocket belongs to a visitor.
pub async fn open_from(
    from: IpAddr,
    to: SocketAddr,
    token: &str,
) -> Result<WebSocketStream<TcpStream>, Error> {
    let stream = connect_from(from, to).await.map_err(Error::Io)?;
    let uri = format!("ws://{to}/api/socket");
    let mut request = ClientRequestBuilder::new(uri.parse().unwrap())
        .with_header("X-Forwarded-For", from.to_string());
    if !token.is_empty() {
        request = request.with_header("Authorization", format!("Bearer {token}"));
    }
    let (socket, _) = client_async(request, stream).await?;
    Ok(socket)
}

impl Socket {
    pub async fn open(to: SocketAddr, token: &str) -> Result<Socket, Gone> {
        let here = IpAddr::from([127, 0, 0, 1]);
        Socket::open_from(here, to, token).await
    }

    /// Does the same as the function [`open_from`], but returns a [`Socket`].
    pub async fn open_from(from: IpAddr, to: SocketAddr, token: &str) -> Result<Socket, Gone> {
        let socket = open_from(from, to, token).await;
        socket.map(Socket).map_err(|_| Gone)
    }

    pub async fn say(&mut self, says: &ClientSays) -> Result<(), Gone> {
        let text = serde_json::to_string(says).unwrap();
        self.0.send(Message::text(text)).await.map_err(|_| Gone)
    }

    /// Waits for the next message. Cancel safe.
    pub async fn hear(&mut self) -> Result<ServerSays, Gone> {
        loop {
            match self.0.next().await {
                Some(Ok(Message::Text(text))) => {
                    let says = serde_json::from_str(text.as_str());
                    return Ok(says.unwrap());
                }
                Some(Ok(
                    Message::Ping(_) | Message::Pong(_) | Message::Binary(_) | Message::Frame(_),
                )) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Gone),
            }
        }
    }
}
