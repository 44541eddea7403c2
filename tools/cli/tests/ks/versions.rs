//! An end (the program `ks` of one player) of the present version runs as a process. The test plays
//! the other end, with version 1 of the messages.

use doors::ks::{Channel, Timeouts};
use serde_json::{Value, json};
use tokio::{
    net::{TcpListener, TcpStream},
    runtime::{Builder, Runtime},
};

use crate::ends::{KEY, Pair};

/// Channel that reads and writes messages as plain JSON values.
type Raw = Channel<Value, Value>;

fn runtime() -> Runtime {
    let built = Builder::new_current_thread().enable_all().build();
    built.unwrap()
}

#[test]
fn host_refuses_an_old_guest_and_keeps_waiting() {
    let pair = Pair::new();
    let mut anna = pair.anna(&["-dw"]);
    anna.hears("Waiting for bert");
    let bye = runtime().block_on(async {
        let stream = TcpStream::connect(("127.0.0.1", 19860 + pair.number)).await;
        let key = KEY.parse().unwrap();
        let line = Raw::call(stream.unwrap(), &key, Timeouts::default());
        let mut line = line.await.unwrap();
        line.say(
            json!({"type": "hello", "version": 1, "name": "bert", "wants": "anna", "game": null}),
        );
        line.next().await.unwrap()
    });
    let why = "this end speaks version 2 of ks, and you speak version 1: both ends need the same version of kriegspiel";
    assert_eq!(bye, json!({"type": "bye", "why": why}));
    anna.hears("bert called with version 1 of ks, and this end speaks version 2");
    let mut bert = pair.bert(&["-d"]);
    anna.hears("White to move.");
    bert.hears("White to move.");
}

#[test]
fn guest_leaves_an_old_host_with_exit_code_1() {
    let pair = Pair::new();
    let runtime = runtime();
    let listener = runtime.block_on(TcpListener::bind(("127.0.0.1", 19860 + pair.number)));
    let listener = listener.unwrap();
    let anna = pair.anna(&["-d", "-s"]);
    runtime.block_on(async {
        let (stream, _) = listener.accept().await.unwrap();
        let key = KEY.parse().unwrap();
        let line = Raw::answer(stream, &key, Timeouts::default());
        let mut line = line.await.unwrap();
        let hello = line.next().await.unwrap();
        assert_eq!(
            (&hello["type"], &hello["version"]),
            (&json!("hello"), &json!(2))
        );
        let why = "this end speaks version 1 and you 2: both need the same kriegspiel";
        line.say(json!({"type": "bye", "why": why}));
        // The other end closes the connection when it has read this message.
        while line.next().await.is_ok() {}
    });
    let (status, said) = anna.ends();
    assert_eq!(status.code(), Some(1), "{said:?}");
    let said = said.join("\n");
    assert!(
        said.contains("the other end says: this end speaks version 1 and you 2"),
        "{said}"
    );
}
