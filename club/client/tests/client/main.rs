//! Tests of a client and a bot. The test itself is the server.

#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod bot;
mod connection;
mod lost_rows;

use std::time::Duration;

use client::{Client, ClientEvent, ConnectError, RetryPolicy, ServerPipe, Transport, pipe};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use wire::{ClientSays, PROTOCOL, ServerSays};

/// Before new connections, the client pauses for 1, 2, 4, 8, 8... seconds. A connection counts as
/// lost after 30 seconds without a message.
const POLICY: RetryPolicy = RetryPolicy {
    connect_timeout: Duration::from_secs(5),
    idle_timeout: Some(Duration::from_secs(30)),
    first_pause: Duration::from_secs(1),
    longest_pause: Duration::from_secs(8),
};

/// Returns a client, and the channel that receives the server's end of each connection.
fn open(policy: RetryPolicy) -> (Client, mpsc::UnboundedReceiver<ServerPipe>) {
    let (connections, incoming) = mpsc::unbounded_channel();
    let connect = move || {
        let (client, server) = pipe(8);
        connections.send(server).unwrap();
        async { Ok::<Transport, ConnectError>(client) }
    };
    (Client::new(connect, policy), incoming)
}

fn welcome(version: u32) -> ServerSays {
    let (you, now) = (None, 1_000);
    ServerSays::Welcome { version, you, now }
}

/// Accepts the next connection and welcomes the client.
async fn connected(
    client: &mut Client,
    incoming: &mut mpsc::UnboundedReceiver<ServerPipe>,
) -> ServerPipe {
    let welcomes = async {
        let mut server = incoming.recv().await.unwrap();
        server.outgoing.send(welcome(PROTOCOL)).await.unwrap();
        server
    };
    let connects =
        async { while !matches!(client.next().await, Ok(ClientEvent::Connected { .. })) {} };
    tokio::join!(welcomes, connects).0
}

/// Parses a message of the server.
fn says(json: Value) -> ServerSays {
    serde_json::from_value(json).unwrap()
}

fn heard(n: u32, heard: Value) -> ServerSays {
    says(json!({"type": "heard", "game": "g1",
        "hearing": {"n": n, "heard": heard, "words": [], "clocks": null}}))
}

fn watch(after: u32) -> ClientSays {
    ClientSays::Watch {
        game: "g1".to_owned(),
        after,
    }
}

fn attempt(id: &str) -> ClientSays {
    ClientSays::Try {
        id: id.to_owned(),
        game: "g1".to_owned(),
        after: 2,
        text: "e2e4".to_owned(),
        ask: false,
    }
}

fn answer(id: &str, n: u32) -> ServerSays {
    says(json!({"type": "answer", "id": id, "game": "g1", "n": n, "answer": "moved", "why": ""}))
}

/// Returns the next message of the client.
async fn asked(server: &mut ServerPipe) -> ClientSays {
    server.incoming.next().await.unwrap()
}
