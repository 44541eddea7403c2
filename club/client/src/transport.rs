//! Transports: open connections that carry messages in both directions.

use std::{io, pin::Pin};

use futures_channel::mpsc;
use futures_util::{Sink, SinkExt, Stream, StreamExt, stream::BoxStream};
use wire::{ClientSays, ServerSays};

/// An open connection.
pub struct Transport {
    pub(crate) incoming: BoxStream<'static, io::Result<ServerSays>>,
    pub(crate) outgoing: Pin<Box<dyn Sink<ClientSays, Error = io::Error> + Send>>,
}

impl Transport {
    /// Creates a transport from its two directions.
    ///
    /// `incoming` yields the messages of the server. The stream ends, or yields an error, when the
    /// connection is lost. `outgoing` takes the messages of the client.
    pub fn new(
        incoming: impl Stream<Item = io::Result<ServerSays>> + Send + 'static,
        outgoing: impl Sink<ClientSays, Error = io::Error> + Send + 'static,
    ) -> Transport {
        Transport {
            incoming: incoming.boxed(),
            outgoing: Box::pin(outgoing),
        }
    }
}

/// Error: no connection was opened. The text is the reason.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum ConnectError {
    /// No connection can be opened now; a later attempt may succeed.
    #[error("{0}")]
    Unreachable(String),
    /// The server refuses this client; no later attempt would succeed.
    #[error("{0}")]
    Refused(String),
}

/// The server's end of a [`pipe`]. Dropping this value closes the connection.
#[derive(Debug)]
pub struct ServerPipe {
    /// Messages of the client. The stream ends when the client disconnects.
    pub incoming: mpsc::Receiver<ClientSays>,
    /// Messages of the server.
    pub outgoing: mpsc::Sender<ServerSays>,
}

/// Creates a connection in memory. The messages are passed on as they are.
///
/// `capacity` is the number of messages that can wait in each direction. If this many messages
/// wait, the sender must wait too.
pub fn pipe(capacity: usize) -> (Transport, ServerPipe) {
    let (to_server, from_client) = mpsc::channel(capacity);
    let (to_client, from_server) = mpsc::channel(capacity);
    let client = Transport::new(
        from_server.map(Ok),
        to_server.sink_map_err(io::Error::other),
    );
    let server = ServerPipe {
        incoming: from_client,
        outgoing: to_client,
    };
    (client, server)
}
