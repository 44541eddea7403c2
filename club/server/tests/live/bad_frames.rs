//! Tests of frames that end a socket.

use futures_util::SinkExt;
use tokio::io::AsyncWriteExt;
use tokio_tungstenite::tungstenite::Message;

use crate::open::{open, open_as, usual};

/// Before the server closes a socket because of a wrong frame, it tells the client the reason. The
/// server does so for every kind of wrong frame.
#[tokio::test]
async fn frames_that_end_a_socket_are_answered_with_bye() {
    let club = open().await;
    let long_ping = [&[0x89, 0xfe, 0, 200, 0, 0, 0, 0][..], &[0; 200]].concat();
    for (frame, named) in [
        // Reserved bits are set.
        (&[0xf1, 0x80, 0, 0, 0, 0][..], "RFC 6455"),
        // The kind of the frame is unknown.
        (&[0x83, 0x80, 0, 0, 0, 0], "RFC 6455"),
        // The frame has no mask.
        (&[0x81, 0x02, b'{', b'}'], "RFC 6455"),
        // The frame continues a message that has not begun.
        (&[0x80, 0x80, 0, 0, 0, 0], "RFC 6455"),
        // A ping has 200 bytes.
        (&long_ping, "a ping 125"),
        // The text is not UTF-8.
        (&[0x81, 0x82, 0, 0, 0, 0, 0xff, 0xff], "UTF-8"),
        // The frame names a length of 2^40 bytes.
        (
            &[0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            "4096 bytes",
        ),
    ] {
        let mut socket = club.socket().await;
        socket.next_of("welcome").await;
        socket.0.get_mut().write_all(frame).await.unwrap();
        let bye = socket.next().await;
        assert_eq!(bye["type"], "bye", "{frame:?}");
        assert!(
            bye["why"].as_str().unwrap().contains(named),
            "{frame:?}: {bye}"
        );
    }
    club.close().await;
}

/// Binary frames are refused. Beyond the limit of messages, they are treated like text frames.
#[tokio::test]
async fn binary_frames_beyond_the_limit_end_with_bye() {
    let mut config = usual();
    config.limits.messages = 20;
    let club = open_as(config).await;
    let mut socket = club.socket().await;
    socket.next_of("welcome").await;
    for _ in 0..500 {
        let frame = Message::Binary(vec![1, 2, 3].into());
        if socket.0.send(frame).await.is_err() {
            break;
        }
    }
    let (mut malformed, mut too_many) = (0, 0);
    let last = loop {
        let says = socket.next().await;
        match says["code"].as_str() {
            Some("malformed") => malformed += 1,
            Some("too-many") => too_many += 1,
            _ => break says,
        }
    };
    assert_eq!(last["type"], "bye", "{last}");
    let why = last["why"].as_str().unwrap();
    assert!(why.contains("too many messages"), "{why}");
    assert!((30..=200).contains(&malformed), "{malformed}");
    assert!((50..=110).contains(&too_many), "{too_many}");
    club.close().await;
}
