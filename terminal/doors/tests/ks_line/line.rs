//! Tests of the connection between two ends: a client without the key can
//! neither send nor read messages.

use std::time::Duration;

use doors::ks::{
    Channel, ChannelError, GameKey, GuestSays, HostSays, MAX_MESSAGE_BYTES, Timeouts, plain,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
use wire::ClientSays;

/// Returns a short message with a number.
fn watch(after: u32) -> GuestSays {
    let game = "abc234".to_owned();
    GuestSays::Game(ClientSays::Watch { game, after })
}

type HostChannel = Channel<GuestSays, HostSays>;
type GuestChannel = Channel<HostSays, GuestSays>;

fn timeouts() -> Timeouts {
    Timeouts::default()
}

async fn connected(key: &GameKey) -> (HostChannel, GuestChannel) {
    let (near, far) = duplex(64 * 1024);
    let (host, guest) = tokio::join!(
        HostChannel::answer(near, key, timeouts()),
        GuestChannel::call(far, key, timeouts())
    );
    (host.unwrap(), guest.unwrap())
}

#[tokio::test]
async fn messages_arrive_in_both_directions() {
    let (mut host, mut guest) = connected(&GameKey::draw()).await;
    for n in 0..100 {
        guest.say(watch(n));
        host.say(HostSays::Here { here: n % 2 == 0 });
    }
    for n in 0..100 {
        assert_eq!(host.next().await, Ok(watch(n)));
        assert_eq!(guest.next().await, Ok(HostSays::Here { here: n % 2 == 0 }));
    }
    drop(guest);
    assert_eq!(host.next().await, Err(ChannelError::Gone));
}

#[tokio::test]
async fn host_and_guest_with_different_keys_report_a_wrong_key() {
    let (near, far) = duplex(64 * 1024);
    let (mine, theirs) = (GameKey::draw(), GameKey::draw());
    let (host, guest) = tokio::join!(
        HostChannel::answer(near, &mine, timeouts()),
        GuestChannel::call(far, &theirs, timeouts())
    );
    assert_eq!(host.err(), Some(ChannelError::WrongKey));
    assert_eq!(guest.err(), Some(ChannelError::WrongKey));
}

/// Returns what a host writes to a client that sends these bytes.
async fn answered(bytes: &[u8]) -> (Vec<u8>, Option<ChannelError>) {
    let (near, mut far) = duplex(64 * 1024);
    far.write_all(bytes).await.unwrap();
    let key = GameKey::draw();
    let host = HostChannel::answer(near, &key, timeouts());
    let hears = async {
        let mut said = Vec::new();
        far.shutdown().await.unwrap();
        far.read_to_end(&mut said).await.unwrap();
        said
    };
    let (host, said) = tokio::join!(host, hears);
    (said, host.err())
}

#[tokio::test(start_paused = true)]
async fn other_programs_get_a_readable_answer() {
    for bytes in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        b"\xff\xfb\x1f\xff\xfb\x20",
        b"\n",
        b"kriegspiel-ks 2\n",
        &[0; 10_000],
        &b"k".repeat(50_000),
    ] {
        let (said, error) = answered(bytes).await;
        assert_eq!(error, Some(ChannelError::NotKs));
        let said = String::from_utf8(said).unwrap();
        assert!(said.contains("kriegspiel ks"), "{said:?}");
        assert_eq!(plain(&said).trim_end().len(), said.len() - 2);
    }
    // These bytes begin like a call, but have no valid handshake.
    for rest in [&b"\x00\x00"[..], b"\x00\x30", b"\xff\xff", &[1; 200]] {
        let call = [b"kriegspiel-ks 1\n", rest].concat();
        let (said, error) = answered(&call).await;
        assert_eq!(error, Some(ChannelError::WrongKey), "{rest:?}");
        assert_eq!(said, b"kriegspiel-ks 1 key\n");
    }
}

#[tokio::test(start_paused = true)]
async fn silent_caller_times_out() {
    let (near, _far) = duplex(1024);
    let host = HostChannel::answer(near, &GameKey::draw(), timeouts()).await;
    assert_eq!(host.err(), Some(ChannelError::Late));
    let (near, _far) = duplex(1024);
    let guest = GuestChannel::call(near, &GameKey::draw(), timeouts()).await;
    assert_eq!(guest.err(), Some(ChannelError::Late));
    let (mut host, _guest) = connected(&GameKey::draw()).await;
    assert_eq!(host.next().await, Err(ChannelError::Late));
}

/// Opens a connection with an attacker in the middle, who sees the bytes of
/// both directions.
async fn tapped(key: &GameKey) -> (HostChannel, GuestChannel, DuplexStream, DuplexStream) {
    let (host, mut to_host) = duplex(64 * 1024);
    let (guest, mut to_guest) = duplex(64 * 1024);
    let between = async {
        let mut call = [0; 16 + 2 + 48];
        to_guest.read_exact(&mut call).await.unwrap();
        to_host.write_all(&call).await.unwrap();
        let mut answer = [0; 20 + 2 + 48];
        to_host.read_exact(&mut answer).await.unwrap();
        to_guest.write_all(&answer).await.unwrap();
    };
    let (host, guest, ()) = tokio::join!(
        HostChannel::answer(host, key, timeouts()),
        GuestChannel::call(guest, key, timeouts()),
        between
    );
    (host.unwrap(), guest.unwrap(), to_host, to_guest)
}

async fn frame(stream: &mut DuplexStream) -> Vec<u8> {
    let mut frame = vec![0; 2];
    stream.read_exact(&mut frame).await.unwrap();
    let length = u16::from_be_bytes([frame[0], frame[1]]);
    frame.resize(2 + usize::from(length), 0);
    stream.read_exact(&mut frame[2..]).await.unwrap();
    frame
}

#[tokio::test]
async fn changed_repeated_or_missing_messages_are_detected() {
    let key = GameKey::draw();
    for fault in 0..4 {
        let (mut host, guest, mut to_host, mut to_guest) = tapped(&key).await;
        for after in [1, 2, 3] {
            guest.say(watch(after));
        }
        let mut frames = Vec::new();
        for _ in 0..3 {
            frames.push(frame(&mut to_guest).await);
        }
        match fault {
            0 => frames[1][10] ^= 1,
            1 => frames[1] = frames[0].clone(),
            2 => drop(frames.remove(1)),
            _ => frames.swap(1, 2),
        }
        for frame in &frames {
            to_host.write_all(frame).await.unwrap();
        }
        assert_eq!(host.next().await, Ok(watch(1)));
        assert_eq!(
            host.next().await,
            Err(ChannelError::Disturbed),
            "fault {fault}"
        );
        assert_eq!(host.next().await, Err(ChannelError::Gone));
    }
}

/// An attacker sends the bytes of a recorded call again. The host answers the handshake, but it
/// rejects the recorded message.
#[tokio::test(start_paused = true)]
async fn recorded_call_cannot_be_replayed() {
    let key = GameKey::draw();
    let (near, mut far) = duplex(64 * 1024);
    let (guest, mut tap) = duplex(64 * 1024);
    let call = async {
        let mut call = vec![0; 16 + 2 + 48];
        tap.read_exact(&mut call).await.unwrap();
        far.write_all(&call).await.unwrap();
        let mut answer = [0; 20 + 2 + 48];
        far.read_exact(&mut answer).await.unwrap();
        tap.write_all(&answer).await.unwrap();
        call
    };
    let (host, guest, mut recorded) = tokio::join!(
        HostChannel::answer(near, &key, timeouts()),
        GuestChannel::call(guest, &key, timeouts()),
        call
    );
    let (_host, guest) = (host.unwrap(), guest.unwrap());
    guest.say(GuestSays::Ended {});
    recorded.extend(frame(&mut tap).await);

    let (near, mut far) = duplex(64 * 1024);
    far.write_all(&recorded).await.unwrap();
    let mut host = HostChannel::answer(near, &key, timeouts()).await.unwrap();
    assert_eq!(host.next().await, Err(ChannelError::Disturbed));
}

/// An observer sees only the length of a message.
#[tokio::test]
async fn messages_cannot_be_read_by_an_observer() {
    let (_host, guest, _to_host, mut to_guest) = tapped(&GameKey::draw()).await;
    let says = GuestSays::Say {
        text: "the bishop goes to c4".to_owned(),
    };
    let json = serde_json::to_vec(&says).unwrap();
    guest.say(says.clone());
    guest.say(says);
    let (one, two) = (frame(&mut to_guest).await, frame(&mut to_guest).await);
    assert_eq!((one.len(), two.len()), (2 + json.len() + 16, one.len()));
    assert_ne!(one, two);
    for part in [&b"bishop"[..], b"say", b"text"] {
        assert!(!one.windows(part.len()).any(|bytes| bytes == part));
    }
}

#[tokio::test]
async fn too_long_message_closes_the_channel() {
    let (mut host, _guest, mut to_host, _) = tapped(&GameKey::draw()).await;
    let head = u16::try_from(MAX_MESSAGE_BYTES + 1).unwrap().to_be_bytes();
    to_host.write_all(&head).await.unwrap();
    assert_eq!(host.next().await, Err(ChannelError::TooLong));
    let short = Duration::from_millis(10);
    let after = tokio::time::timeout(short, host.next()).await;
    assert_eq!(after, Ok(Err(ChannelError::Gone)));
}
