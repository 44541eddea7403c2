//! The socket: one connection for any number of games and the lobby.

mod connection;
mod outbox;
mod talks;

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

/// A client's frame with more bytes than this is refused.
const MAX_FRAME: usize = 4096;

/// Number of bytes read at once. Larger reads would delay other connections.
const READ_AT_ONCE: usize = MAX_FRAME;

/// A frame with more bytes than this is not read, and ends the connection.
const UNREAD_FRAME: usize = 16 * MAX_FRAME;

/// The socket
///
/// A WebSocket. Each text frame has one JSON object: `ClientSays` from the client, `ServerSays`
/// from the server. docs/api.md explains the messages.
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
        address: Some(from.address),
        counters: from.counters,
    };
    Ok(upgrade
        .read_buffer_size(READ_AT_ONCE)
        .max_frame_size(UNREAD_FRAME)
        .max_message_size(UNREAD_FRAME)
        .on_upgrade(|socket| connection.serve(socket)))
}
