//! Connections by which messages reach a club and come from it.

use std::{io, pin::Pin};

use futures_channel::mpsc;
use futures_util::{Sink, SinkExt, Stream, StreamExt, stream::BoxStream};
use wire::{ClientSays, ServerSays};

/// One open connection.
pub struct Transport {
    pub(crate) incoming: BoxStream<'static, io::Result<ServerSays>>,
    pub(crate) outgoing: Pin<Box<dyn Sink<ClientSays, Error = io::Error> + Send>>,
}

impl Transport {
    /// A connection of two directions.
    ///
    /// `incoming` is what the server says; it ends, or yields an error, when the connection is
    /// lost. `outgoing` takes what the client says.
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

/// Reason why no connection was opened, in words.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum ConnectError {
    /// No connection now; a later attempt may succeed.
    #[error("{0}")]
    Unreachable(String),
    /// The server refuses this client; no later attempt would succeed.
    #[error("{0}")]
    Refused(String),
}

/// The server's end of a [`pipe`]; the connection is lost when it is dropped.
#[derive(Debug)]
pub struct ServerPipe {
    /// Messages of the client; the stream ends when the client has left.
    pub incoming: mpsc::Receiver<ClientSays>,
    /// Messages of the server.
    pub outgoing: mpsc::Sender<ServerSays>,
}

/// Makes a connection in memory: messages pass from end to end unchanged.
///
/// `capacity` is the number of messages that wait in each direction before the sender must wait.
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
