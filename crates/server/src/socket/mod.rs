//! The socket: one connection, any number of games and the lobby.

mod connection;
mod outbox;

use axum::{
    extract::{
        State,
        ws::{WebSocketUpgrade, rejection::WebSocketUpgradeRejection},
    },
    response::Response,
};
use wire::{RefusalCode, RefusedJson};

pub use crate::socket::connection::Connection;
use crate::{
    app::App,
    reader::{From, Listener},
    refusal::Refusal,
};

/// The longest frame of a client, in bytes.
const LONGEST_FRAME: usize = 4096;

/// Number of bytes read at once; larger reads would delay other connections.
const READ_AT_ONCE: usize = LONGEST_FRAME;

/// Above this a frame is not even read.
const UNREAD_FRAME: usize = 16 * LONGEST_FRAME;

/// The socket
///
/// A WebSocket: one JSON object a text frame, `ClientSays` one way and `ServerSays` the other.
/// docs/api.md tells it in words.
#[utoipa::path(get, path = "/api/socket", tag = "socket",
    security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 101, description = "the protocol is switched"),
        (status = "default", body = RefusedJson)))]
pub async fn socket(
    State(app): State<App>,
    from: From,
    Listener { reader, token }: Listener,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let upgrade = upgrade.map_err(|_| {
        Refusal::new(
            RefusalCode::Malformed,
            "this is a WebSocket (RFC 6455): ask for it with Upgrade: websocket",
        )
    })?;
    let connection = Connection {
        app,
        reader,
        token,
        held: from.held,
    };
    Ok(upgrade
        .read_buffer_size(READ_AT_ONCE)
        .max_frame_size(UNREAD_FRAME)
        .max_message_size(UNREAD_FRAME)
        .on_upgrade(|socket| connection.serve(socket)))
}
