//! A client of a club, and a bot that plays over a client. If the client's connection is lost, the
//! client opens a new connection.
//!
//! A [`Client`] exchanges [`ClientSays`](wire::ClientSays) and [`ServerSays`](wire::ServerSays)
//! over a [`Transport`]: a WebSocket, or a [`pipe`] in memory. When the connection is lost, the
//! client reconnects and resumes after the last hearing that it received. The client repeats
//! unanswered tries and acts with the same ids. A [`BotClient`] plays any number of games over a
//! client.
//!
//! This crate does not depend on the referee, the club, the store or the server. A client knows
//! only what the messages contain.
//!
//! ```
//! use client::{Client, ConnectError, ClientEvent, RetryPolicy, pipe};
//! use futures_util::{SinkExt, StreamExt};
//! use wire::{ClientSays, PROTOCOL, ServerSays};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Each attempt to connect hands the server's end of a new pipe to a server.
//! let (connections, mut incoming) = tokio::sync::mpsc::unbounded_channel();
//! let connect = move || {
//!     let (client, server) = pipe(16);
//!     let sent = connections.send(server);
//!     async move {
//!         match sent {
//!             Ok(()) => Ok(client),
//!             Err(_) => Err(ConnectError::Refused("the server has ended".to_owned())),
//!         }
//!     }
//! };
//! let mut client = Client::new(connect, RetryPolicy::DEFAULT);
//! client.say(ClientSays::Watch { game: "g1".to_owned(), after: 0 });
//!
//! // A server that welcomes the client and receives its first message.
//! tokio::spawn(async move {
//!     while let Some(mut connection) = incoming.recv().await {
//!         let welcome = ServerSays::Welcome { version: PROTOCOL, you: None, now: 0 };
//!         connection.outgoing.send(welcome).await?;
//!         let asked = connection.incoming.next().await;
//!         assert!(matches!(asked, Some(ClientSays::Watch { .. })));
//!         let bye = ServerSays::Bye { why: "the club closes".to_owned() };
//!         connection.outgoing.send(bye).await?;
//!     }
//!     Ok::<(), futures_channel::mpsc::SendError>(())
//! });
//!
//! assert_eq!(client.next().await?, ClientEvent::Connected { you: None, now: 0 });
//! assert!(matches!(client.next().await?, ClientEvent::Says(ServerSays::Bye { .. })));
//! // The connection is lost. The next call would reconnect after a pause.
//! assert_eq!(client.next().await?, ClientEvent::Lost { why: "the club closes".to_owned() });
//! # Ok(())
//! # }
//! ```

mod bot;
mod client;
mod memory;
mod seat;
mod thought;
mod transport;

pub use crate::{
    bot::BotClient,
    client::{Client, ClientEvent, ClientRefused, RetryPolicy},
    seat::{BotPause, BotSettings},
    transport::{ConnectError, ServerPipe, Transport, pipe},
};
