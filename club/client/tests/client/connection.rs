//! Tests of one client over several connections.

use std::{
    future::pending,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use client::{Client, ClientEvent, ClientRefused, ConnectError, RetryPolicy, Transport};
use futures_util::{FutureExt, SinkExt, StreamExt, future::ready};
use serde_json::json;
use tokio::time::Instant;
use wire::{ClientSays, PROTOCOL, ServerSays};

use crate::{POLICY, answer, asked, attempt, connected, heard, open, says, watch, welcome};

fn lost(why: &str) -> ClientEvent {
    let why = why.to_owned();
    ClientEvent::Lost { why }
}

#[tokio::test(start_paused = true)]
async fn client_resumes_after_the_last_hearing() {
    let (mut client, mut incoming) = open(POLICY);
    client.say(watch(0));
    client.say(ClientSays::Lobby { on: true });
    let mut server = connected(&mut client, &mut incoming).await;
    let one = heard(1, json!([]));
    let two = heard(2, json!([]));
    let three = heard(3, json!([]));
    for says in [&one, &two] {
        server.outgoing.send(says.clone()).await.unwrap();
        assert_eq!(client.next().await, Ok(ClientEvent::Says(says.clone())));
    }
    assert_eq!(asked(&mut server).await, ClientSays::Lobby { on: true });
    assert_eq!(asked(&mut server).await, watch(0));
    drop(server);
    assert_eq!(client.next().await, Ok(lost("the connection was lost")));

    let mut server = connected(&mut client, &mut incoming).await;
    // The server repeats messages that the client has received.
    for says in [&one, &two, &three] {
        server.outgoing.send(says.clone()).await.unwrap();
    }
    assert_eq!(client.next().await, Ok(ClientEvent::Says(three)));
    assert_eq!(asked(&mut server).await, ClientSays::Lobby { on: true });
    assert_eq!(asked(&mut server).await, watch(2));

    // The client does not subscribe again to a game that it has left.
    client.say(ClientSays::Leave {
        game: "g1".to_owned(),
    });
    client.say(ClientSays::Lobby { on: false });
    drop(server);
    assert_eq!(client.next().await, Ok(lost("the connection was lost")));
    let mut server = connected(&mut client, &mut incoming).await;
    assert_eq!(client.next().now_or_never(), None);
    assert_eq!(
        server
            .incoming
            .next()
            .now_or_never()
            .map(|asked| asked.is_some()),
        None
    );
}

#[tokio::test(start_paused = true)]
async fn request_in_flight_is_resent_and_answered_once() {
    let (mut client, mut incoming) = open(POLICY);
    let mut server = connected(&mut client, &mut incoming).await;
    client.say(attempt("a"));
    client.say(attempt("b"));
    assert_eq!(client.next().now_or_never(), None);
    assert_eq!(asked(&mut server).await, attempt("a"));
    server.outgoing.send(answer("a", 3)).await.unwrap();
    assert_eq!(client.next().await, Ok(ClientEvent::Says(answer("a", 3))));
    drop(server);
    assert_eq!(client.next().await, Ok(lost("the connection was lost")));
    // This message is sent while there is no connection.
    client.say(attempt("c"));

    let mut server = connected(&mut client, &mut incoming).await;
    for n in [4, 4, 5] {
        let id = if n == 4 { "b" } else { "c" };
        server.outgoing.send(answer(id, n)).await.unwrap();
    }
    assert_eq!(client.next().await, Ok(ClientEvent::Says(answer("b", 4))));
    assert_eq!(client.next().await, Ok(ClientEvent::Says(answer("c", 5))));
    assert_eq!(asked(&mut server).await, attempt("b"));
    assert_eq!(asked(&mut server).await, attempt("c"));
    drop(server);
    assert_eq!(client.next().await, Ok(lost("the connection was lost")));
    let mut server = connected(&mut client, &mut incoming).await;
    assert_eq!(client.next().now_or_never(), None);
    assert!(
        server.incoming.next().now_or_never().is_none(),
        "all requests are answered, so none is sent again"
    );
}

/// Returns a message to people.
fn written(id: &str) -> ClientSays {
    ClientSays::Write {
        id: id.to_owned(),
        game: "g1".to_owned(),
        group: None,
        text: "hello".to_owned(),
    }
}

#[tokio::test(start_paused = true)]
async fn message_to_people_waits_and_is_sent_at_most_once() {
    let (mut client, mut incoming) = open(POLICY);
    // No connection is open yet.
    client.say(written("a"));
    let mut server = connected(&mut client, &mut incoming).await;
    client.say(written("b"));
    assert_eq!(client.next().now_or_never(), None);
    assert_eq!(asked(&mut server).await, written("a"));
    assert_eq!(asked(&mut server).await, written("b"));
    drop(server);
    assert_eq!(client.next().await, Ok(lost("the connection was lost")));
    // `a` and `b` were sent without an answer, so they are not sent again.
    client.say(written("c"));
    client.say(attempt("d"));
    let mut server = connected(&mut client, &mut incoming).await;
    // This message is not sent before the connection is lost.
    client.say(written("e"));
    client.give_up("lost");
    assert_eq!(client.next().await, Ok(lost("lost")));
    assert!(server.incoming.next().await.is_none(), "nothing was sent");

    let mut server = connected(&mut client, &mut incoming).await;
    assert_eq!(client.next().now_or_never(), None);
    assert_eq!(asked(&mut server).await, attempt("d"));
    assert_eq!(asked(&mut server).await, written("c"));
    assert_eq!(asked(&mut server).await, written("e"));
    drop(server);
    assert_eq!(client.next().await, Ok(lost("the connection was lost")));
    let mut server = connected(&mut client, &mut incoming).await;
    assert_eq!(client.next().now_or_never(), None);
    assert_eq!(asked(&mut server).await, attempt("d"));
    assert!(
        server.incoming.next().now_or_never().is_none(),
        "no message to people is sent twice"
    );
}

#[tokio::test(start_paused = true)]
async fn pauses_double_up_to_the_longest() {
    let attempts = Arc::new(AtomicU32::new(0));
    let counted = attempts.clone();
    let connect = move || {
        counted.fetch_add(1, Ordering::Relaxed);
        ready(Err::<Transport, _>(ConnectError::Unreachable(
            "nobody listens".to_owned(),
        )))
    };
    let mut client = Client::new(connect, POLICY);
    let mut pauses = Vec::new();
    let mut before = Instant::now();
    for _ in 0..7 {
        assert_eq!(client.next().await, Ok(lost("nobody listens")));
        pauses.push(before.elapsed().as_secs());
        before = Instant::now();
    }
    assert_eq!(pauses, [0, 1, 2, 4, 8, 8, 8]);
    assert_eq!(attempts.load(Ordering::Relaxed), 7);
}

#[tokio::test(start_paused = true)]
async fn long_connection_resets_the_pause() {
    let (mut client, mut incoming) = open(POLICY);
    for (held, pause) in [(1, 1), (1, 2), (8, 1), (1, 2), (1, 4)] {
        let server = connected(&mut client, &mut incoming).await;
        tokio::time::advance(Duration::from_secs(held)).await;
        drop(server);
        assert_eq!(client.next().await, Ok(lost("the connection was lost")));
        let begun = Instant::now();
        while incoming.is_empty() {
            assert_eq!(client.next().now_or_never(), None);
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        assert_eq!(begun.elapsed().as_secs(), pause, "{held}");
    }
}

#[tokio::test(start_paused = true)]
async fn silent_connection_is_pinged_and_then_lost() {
    let (mut client, mut incoming) = open(POLICY);
    let mut server = connected(&mut client, &mut incoming).await;
    let begun = Instant::now();
    let answers = async {
        assert_eq!(asked(&mut server).await, ClientSays::Ping {});
        assert_eq!(begun.elapsed().as_secs(), 10);
        server.outgoing.send(ServerSays::Pong {}).await.unwrap();
        assert_eq!(asked(&mut server).await, ClientSays::Ping {});
        assert_eq!(begun.elapsed().as_secs(), 20);
        pending::<()>().await
    };
    tokio::select! {
        event = client.next() => assert_eq!(event, Ok(lost("the connection was lost"))),
        () = answers => {}
    }
    assert_eq!(begun.elapsed().as_secs(), 40);
}

#[tokio::test(start_paused = true)]
async fn server_that_does_not_welcome_is_unreachable() {
    let (mut client, mut incoming) = open(POLICY);
    let begun = Instant::now();
    assert_eq!(client.next().await, Ok(lost("no answer")));
    assert_eq!(begun.elapsed(), POLICY.connect_timeout);
    let mut silent = incoming.recv().await.unwrap();
    assert!(
        silent.incoming.next().await.is_none(),
        "the client has closed the connection"
    );

    let bye = says(json!({"type": "bye", "why": "connect again in a minute"}));
    let closes = async {
        incoming
            .recv()
            .await
            .unwrap()
            .outgoing
            .send(bye)
            .await
            .unwrap()
    };
    let (event, ()) = tokio::join!(client.next(), closes);
    assert_eq!(event, Ok(lost("connect again in a minute")));
}

#[tokio::test(start_paused = true)]
async fn refused_client_reports_the_reason_and_does_not_retry() {
    let attempts = Arc::new(AtomicU32::new(0));
    let counted = attempts.clone();
    let connect = move || {
        counted.fetch_add(1, Ordering::Relaxed);
        let why = "this token is not valid".to_owned();
        ready(Err::<Transport, _>(ConnectError::Refused(why)))
    };
    let mut client = Client::new(connect, POLICY);
    for _ in 0..3 {
        let why = "this token is not valid".to_owned();
        assert_eq!(client.next().await, Err(ClientRefused { why }));
    }
    assert_eq!(attempts.load(Ordering::Relaxed), 1);

    let (mut client, mut incoming) = open(POLICY);
    let newer = welcome(PROTOCOL + 1);
    let welcomes = async {
        incoming
            .recv()
            .await
            .unwrap()
            .outgoing
            .send(newer)
            .await
            .unwrap()
    };
    let (event, ()) = tokio::join!(client.next(), welcomes);
    let Err(ClientRefused { why }) = event else {
        panic!("{event:?}")
    };
    assert!(why.contains("version 2"), "{why}");
}

#[tokio::test(start_paused = true)]
async fn dropped_client_ends_at_once() {
    // The client is dropped during a pause.
    let (mut client, mut incoming) = open(POLICY);
    drop(connected(&mut client, &mut incoming).await);
    assert_eq!(client.next().await, Ok(lost("the connection was lost")));
    let begun = Instant::now();
    assert_eq!(client.next().now_or_never(), None);
    drop(client);
    assert!(
        incoming.recv().await.is_none(),
        "the client must not try to connect again"
    );
    assert_eq!(begun.elapsed(), Duration::ZERO);

    // The client is dropped while it is connected.
    let (mut client, mut incoming) = open(POLICY);
    let mut server = connected(&mut client, &mut incoming).await;
    drop(client);
    assert!(server.incoming.next().await.is_none());
    assert_eq!(begun.elapsed(), Duration::ZERO);

    // The client is dropped while it connects.
    let (held, dropped) = tokio::sync::oneshot::channel::<()>();
    let mut held = Some(held);
    let connect = move || {
        let held = held.take();
        async move {
            let _held = held;
            pending::<Result<Transport, ConnectError>>().await
        }
    };
    let policy = RetryPolicy {
        connect_timeout: Duration::from_secs(600),
        ..POLICY
    };
    let mut client = Client::new(connect, policy);
    assert_eq!(client.next().now_or_never(), None);
    drop(client);
    assert!(dropped.await.is_err());
    assert_eq!(begun.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn connection_that_is_given_up_is_opened_again_after_a_pause() {
    let (mut client, mut incoming) = open(POLICY);
    let mut server = connected(&mut client, &mut incoming).await;
    client.give_up("the lobby cannot be read");
    assert!(server.incoming.next().await.is_none());
    assert_eq!(client.next().await, Ok(lost("the lobby cannot be read")));
    let begun = Instant::now();
    let _server = connected(&mut client, &mut incoming).await;
    assert_eq!(begun.elapsed(), POLICY.first_pause);
}

#[tokio::test(start_paused = true)]
async fn client_requests_the_lobby_after_a_missed_change() {
    let (mut client, mut incoming) = open(POLICY);
    client.say(ClientSays::Lobby { on: true });
    let mut server = connected(&mut client, &mut incoming).await;
    assert_eq!(client.next().now_or_never(), None);
    assert_eq!(asked(&mut server).await, ClientSays::Lobby { on: true });
    let lobby = |seeks: &[&str]| says_lobby("lobby", seeks, json!({"programs": []}));
    let changes = |n: u32, seeks: &[&str], gone: &[&str]| {
        says_lobby("lobby-changes", seeks, json!({"n": n, "gone": gone}))
    };
    let told = |seeks: &[&str]| Ok(ClientEvent::Says(lobby(seeks)));
    for (says, expected) in [
        (lobby(&["a"]), &["a"][..]),
        (changes(1, &["b"], &[]), &["a", "b"]),
        (changes(2, &["c"], &["a"]), &["b", "c"]),
    ] {
        server.outgoing.send(says).await.unwrap();
        assert_eq!(client.next().await, told(expected));
    }
    // The client has missed number 3. So it asks for the whole lobby, and returns no event until
    // the lobby comes.
    server.outgoing.send(changes(4, &["e"], &[])).await.unwrap();
    assert_eq!(client.next().now_or_never(), None);
    assert_eq!(asked(&mut server).await, ClientSays::Lobby { on: true });
    server.outgoing.send(lobby(&["b", "d", "e"])).await.unwrap();
    assert_eq!(client.next().await, told(&["b", "d", "e"]));
    server.outgoing.send(changes(1, &[], &["e"])).await.unwrap();
    assert_eq!(client.next().await, told(&["b", "d"]));
    // A new connection begins with the whole lobby.
    drop(server);
    assert_eq!(client.next().await, Ok(lost("the connection was lost")));
    let mut server = connected(&mut client, &mut incoming).await;
    assert_eq!(client.next().now_or_never(), None);
    assert_eq!(asked(&mut server).await, ClientSays::Lobby { on: true });
    server.outgoing.send(lobby(&["x"])).await.unwrap();
    assert_eq!(client.next().await, told(&["x"]));
}

/// Returns a message about the lobby with seeks of these ids.
fn says_lobby(kind: &str, seeks: &[&str], more: serde_json::Value) -> ServerSays {
    let seek = |id: &&str| {
        json!({"id": id, "by": {"name": "Anna", "kind": "guest"}, "yours": false,
            "terms": {"rules": "wild16", "time": {"kind": "unlimited"}}})
    };
    let seeks: Vec<_> = seeks.iter().map(seek).collect();
    let mut lobby = json!({"seeks": seeks, "challenges": [], "mine": [], "running": []});
    for (key, value) in more.as_object().unwrap() {
        lobby[key] = value.clone();
    }
    let key = if kind == "lobby" { "lobby" } else { "changes" };
    serde_json::from_value(json!({"type": kind, key: lobby})).unwrap()
}

/// After sending has failed, the client must not use the sink again, but must still receive.
#[tokio::test(start_paused = true)]
async fn messages_are_heard_after_the_server_stopped_listening() {
    let (mut client, mut incoming) = open(POLICY);
    client.say(watch(0));
    let mut server = connected(&mut client, &mut incoming).await;
    let (one, two) = (heard(1, json!([])), heard(2, json!([])));
    for says in [&one, &two] {
        server.outgoing.send(says.clone()).await.unwrap();
    }
    drop(server.incoming);
    client.say(attempt("a"));
    for says in [one, two] {
        assert_eq!(client.next().await, Ok(ClientEvent::Says(says)));
    }
    assert!(matches!(client.next().await, Ok(ClientEvent::Lost { .. })));
}
