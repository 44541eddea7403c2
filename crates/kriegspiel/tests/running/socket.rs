//! The WebSocket as a player's program uses it.

use std::net::SocketAddr;

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{ClientRequestBuilder, Message},
};
use wire::{ClientSays, ServerSays};

/// Error: the connection is closed.
#[derive(Debug)]
pub struct Gone;

/// The WebSocket of one player.
pub struct Socket(WebSocketStream<TcpStream>);

impl Socket {
    pub async fn open(to: SocketAddr, token: &str) -> Result<Socket, Gone> {
        let stream = TcpStream::connect(to).await.map_err(|_| Gone)?;
        stream.set_nodelay(true).map_err(|_| Gone)?;
        let uri = format!("ws://{to}/api/socket");
        let request = ClientRequestBuilder::new(uri.parse().expect("the address is valid"))
            .with_header("Authorization", format!("Bearer {token}"));
        let (socket, _) = client_async(request, stream).await.map_err(|_| Gone)?;
        Ok(Socket(socket))
    }

    pub async fn say(&mut self, says: &ClientSays) -> Result<(), Gone> {
        let text = serde_json::to_string(says).expect("writing succeeds");
        self.0.send(Message::text(text)).await.map_err(|_| Gone)
    }

    /// Waits for the next message. Cancel safe.
    pub async fn hear(&mut self) -> Result<ServerSays, Gone> {
        loop {
            match self.0.next().await {
                Some(Ok(Message::Text(text))) => {
                    let says = serde_json::from_str(text.as_str());
                    return Ok(says.expect("every frame is a message"));
                }
                Some(Ok(
                    Message::Ping(_) | Message::Pong(_) | Message::Binary(_) | Message::Frame(_),
                )) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => return Err(Gone),
            }
        }
    }
}
