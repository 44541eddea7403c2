//! The connection between the two ends of a game, encrypted with the game's key. One end, the
//! caller, opens the connection.
//!
//! The protocol is Noise (`Noise_NNpsk0_25519_ChaChaPoly_SHA256`). Without the key nobody can read
//! or write a message, or replay a recorded message. Before the handshake, each end sends a short
//! line of plain text. So a program that connects by mistake gets a readable answer.

use std::{future, sync::Arc, time::Duration};

use serde::{Serialize, de::DeserializeOwned};
use snow::{Builder, HandshakeState, StatelessTransportState};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split},
    sync::mpsc,
    task::JoinSet,
    time::timeout,
};

use super::key::GameKey;

/// First bytes that the caller sends. The number is the version of the
/// channel's protocol, not the version of the messages in it.
const CALL: &[u8; 16] = b"kriegspiel-ks 1\n";
/// Answer to a call if both ends have the same key. All answers to a call have the same length.
const KEY_FITS: &[u8; 20] = b"kriegspiel-ks 1 yes\n";
/// Answer to a call if the ends have different keys.
const KEY_DIFFERS: &[u8; 20] = b"kriegspiel-ks 1 key\n";
/// Answer to a call if the host has too many callers.
const HOST_IS_BUSY: &[u8; 20] = b"kriegspiel-ks 1 bsy\n";
/// Pattern of the handshake, as Noise names it.
const PATTERN: &str = "Noise_NNpsk0_25519_ChaChaPoly_SHA256";
/// Number of bytes that encryption adds to a message.
const TAG_BYTES: usize = 16;
/// Longest message of the handshake, in bytes.
const MAX_HANDSHAKE_BYTES: usize = 96;
/// Longest encrypted message, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 16 * 1024;
/// Capacity of the queue of received messages that are not read yet.
const QUEUE_CAPACITY: usize = 64;

/// Time limit for the message to a caller whose call is closed to make room for other callers.
const NOTICE_TIMEOUT: Duration = Duration::from_millis(100);

/// Sent after [`HOST_IS_BUSY`], for people.
const GIVES_WAY: &[u8] = b"Too many callers without the game's key are connected, so this call is closed. Call again.\r\n";

/// Sent to a client that does not speak this protocol.
const NOT_KS_REPLY: &[u8] = b"This is a game of Kriegspiel between two people (kriegspiel ks).\r\n\
    To play in it, use `kriegspiel ks` and the game's key.\r\n";

/// Error that ends a connection.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, thiserror::Error)]
pub enum ChannelError {
    /// The connection broke.
    #[error("the line is broken")]
    Gone,
    /// No message came within the time limit.
    #[error("the other end does not answer")]
    Late,
    /// The other end does not speak this protocol.
    #[error("the program on that port is not kriegspiel ks of this version: is the port right?")]
    NotKs,
    /// The two ends have different keys.
    #[error("the key does not fit: both ends need the key that the host prints")]
    WrongKey,
    /// The host had too many callers that had not shown the key yet.
    #[error("too many others call there without the game's key, so this call had to give way")]
    Busy,
    /// A message was changed, repeated or lost on the way.
    #[error("the other end did not send these data: somebody changes the data on the way")]
    Disturbed,
    /// A message was too long.
    #[error("a message was too long")]
    TooLong,
    /// A message could not be parsed.
    #[error("a message could not be read: do both ends have the same version of kriegspiel?")]
    Unreadable,
}

/// One end of a connection for messages. A channel in memory is not encrypted.
#[derive(Debug)]
pub struct Channel<In, Out> {
    incoming: mpsc::Receiver<Result<In, ChannelError>>,
    outgoing: mpsc::UnboundedSender<Out>,
    /// Tasks of this channel; they end when the channel is dropped.
    _tasks: JoinSet<()>,
}

impl<In, Out> Channel<In, Out> {
    /// Returns the next message. Cancel safe.
    ///
    /// # Errors
    /// The connection cannot be used any more.
    pub async fn next(&mut self) -> Result<In, ChannelError> {
        self.incoming
            .recv()
            .await
            .unwrap_or(Err(ChannelError::Gone))
    }

    /// Sends a message. If the other end no longer listens, `say` returns no
    /// error; the next call of [`Channel::next`] does.
    pub fn say(&self, message: impl Into<Out>) {
        let _gone = self.outgoing.send(message.into());
    }

    /// Returns another sender for this channel.
    pub fn sender(&self) -> mpsc::UnboundedSender<Out> {
        self.outgoing.clone()
    }
}

/// Creates a channel in memory, and returns its two ends.
pub fn pair<A: Send + 'static, B: Send + 'static>() -> (Channel<A, B>, Channel<B, A>) {
    let (near_says, far_hears) = mpsc::unbounded_channel();
    let (far_says, near_hears) = mpsc::unbounded_channel();
    (
        in_memory(near_hears, near_says),
        in_memory(far_hears, far_says),
    )
}

fn in_memory<In: Send + 'static, Out>(
    mut messages: mpsc::UnboundedReceiver<In>,
    outgoing: mpsc::UnboundedSender<Out>,
) -> Channel<In, Out> {
    let (to, incoming) = mpsc::channel(QUEUE_CAPACITY);
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        while let Some(message) = messages.recv().await {
            if to.send(Ok(message)).await.is_err() {
                return;
            }
        }
    });
    Channel {
        incoming,
        outgoing,
        _tasks: tasks,
    }
}

/// Time limits of a channel.
#[derive(Copy, Clone, Debug)]
pub struct Timeouts {
    /// Longest duration of the handshake, and longest wait for each message
    /// before the game begins.
    pub handshake: Duration,
    /// Time without any message after which an end regards the connection as broken; at least 2
    /// seconds. The end that called sends at least three messages in this time, and at least one
    /// message per second.
    pub silence: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            handshake: Duration::from_secs(10),
            silence: Duration::from_secs(30),
        }
    }
}

/// A stream of bytes on which a channel can be opened.
pub trait ByteStream: AsyncRead + AsyncWrite + Send + Unpin + 'static {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin + 'static> ByteStream for S {}

impl<In, Out> Channel<In, Out>
where
    In: DeserializeOwned + Send + 'static,
    Out: Serialize + Send + 'static,
{
    /// Calls the other end and does the handshake as the caller.
    ///
    /// # Errors
    /// No channel could be opened.
    pub async fn call<S: ByteStream>(
        mut stream: S,
        key: &GameKey,
        timeouts: Timeouts,
    ) -> Result<Channel<In, Out>, ChannelError> {
        let shakes = timeout(timeouts.handshake, shake_as_caller(&mut stream, key));
        let noise = shakes.await.unwrap_or(Err(ChannelError::Late))?;
        Channel::open(stream, noise, timeouts)
    }

    /// Answers a call. The handshake may be a recorded one. Only the caller's first message after
    /// the handshake proves that the caller knows the key.
    ///
    /// # Errors
    /// No channel could be opened. If the reason is a wrong key, the caller was told so.
    pub async fn answer<S: ByteStream>(
        stream: S,
        key: &GameKey,
        timeouts: Timeouts,
    ) -> Result<Channel<In, Out>, ChannelError> {
        Channel::answer_until(future::pending(), stream, key, timeouts).await
    }

    /// Answers a call as [`Channel::answer`] does, unless `must_leave` returns first. In that case
    /// the caller is told that the call is closed to make room for other callers.
    ///
    /// # Errors
    /// No channel could be opened.
    pub async fn answer_until<S: ByteStream>(
        must_leave: impl Future<Output = ()>,
        mut stream: S,
        key: &GameKey,
        timeouts: Timeouts,
    ) -> Result<Channel<In, Out>, ChannelError> {
        let noise = tokio::select! {
            noise = timeout(timeouts.handshake, shake_as_called(&mut stream, key)) => {
                noise.unwrap_or(Err(ChannelError::Late))?
            }
            () = must_leave => {
                let notice = [HOST_IS_BUSY, GIVES_WAY].concat();
                let _gone = timeout(NOTICE_TIMEOUT, write(&mut stream, &notice)).await;
                return Err(ChannelError::Busy);
            }
        };
        Channel::open(stream, noise, timeouts)
    }

    fn open<S: ByteStream>(
        stream: S,
        noise: HandshakeState,
        timeouts: Timeouts,
    ) -> Result<Channel<In, Out>, ChannelError> {
        let noise = noise
            .into_stateless_transport_mode()
            .map_err(|_| ChannelError::WrongKey)?;
        let noise = Arc::new(noise);
        let (reads, writes) = split(stream);
        let (outgoing, to_write) = mpsc::unbounded_channel();
        let (to, incoming) = mpsc::channel(QUEUE_CAPACITY);
        let silence = timeouts.silence;
        let mut tasks = JoinSet::new();
        tasks.spawn(read_messages(reads, Arc::clone(&noise), to, silence));
        tasks.spawn(write_messages(writes, noise, to_write, silence));
        Ok(Channel {
            incoming,
            outgoing,
            _tasks: tasks,
        })
    }
}

async fn shake_as_caller<S: ByteStream>(
    stream: &mut S,
    key: &GameKey,
) -> Result<HandshakeState, ChannelError> {
    let mut noise = handshake(key, true)?;
    let mut bytes = CALL.to_vec();
    put_handshake(&mut noise, &mut bytes)?;
    write(stream, &bytes).await?;
    let mut answer = [0; KEY_FITS.len()];
    read(stream, &mut answer).await?;
    match &answer {
        KEY_FITS => {}
        KEY_DIFFERS => return Err(ChannelError::WrongKey),
        HOST_IS_BUSY => return Err(ChannelError::Busy),
        _ => return Err(ChannelError::NotKs),
    }
    take_handshake(&mut noise, stream).await?;
    Ok(noise)
}

async fn shake_as_called<S: ByteStream>(
    stream: &mut S,
    key: &GameKey,
) -> Result<HandshakeState, ChannelError> {
    if read_call(stream).await.is_err() {
        write(stream, NOT_KS_REPLY).await?;
        return Err(ChannelError::NotKs);
    }
    let mut noise = handshake(key, false)?;
    if take_handshake(&mut noise, stream).await.is_err() {
        write(stream, KEY_DIFFERS).await?;
        return Err(ChannelError::WrongKey);
    }
    let mut bytes = KEY_FITS.to_vec();
    put_handshake(&mut noise, &mut bytes)?;
    write(stream, &bytes).await?;
    Ok(noise)
}

fn handshake(key: &GameKey, calls: bool) -> Result<HandshakeState, ChannelError> {
    // Each step can fail only if the pattern is invalid or the key has a wrong length.
    let broken = |_| ChannelError::NotKs;
    let secret = key.secret();
    let pattern = PATTERN.parse().map_err(broken)?;
    let builder = Builder::new(pattern)
        .prologue(CALL)
        .and_then(|b| b.psk(0, &secret))
        .map_err(broken)?;
    if calls {
        builder.build_initiator().map_err(broken)
    } else {
        builder.build_responder().map_err(broken)
    }
}

fn put_handshake(noise: &mut HandshakeState, bytes: &mut Vec<u8>) -> Result<(), ChannelError> {
    let mut message = [0; MAX_HANDSHAKE_BYTES];
    let length = noise
        .write_message(&[], &mut message)
        .map_err(|_| ChannelError::Disturbed)?;
    let head = u16::try_from(length).map_err(|_| ChannelError::TooLong)?;
    bytes.extend(head.to_be_bytes());
    bytes.extend(&message[..length]);
    Ok(())
}

async fn take_handshake<S: AsyncRead + Unpin>(
    noise: &mut HandshakeState,
    stream: &mut S,
) -> Result<(), ChannelError> {
    let message = read_frame(stream, MAX_HANDSHAKE_BYTES).await?;
    match noise.read_message(&message, &mut [0; MAX_HANDSHAKE_BYTES]) {
        Ok(0) => Ok(()),
        Ok(_) | Err(_) => Err(ChannelError::WrongKey),
    }
}

/// Reads the first bytes of a call. Stops at the first byte that differs from
/// `CALL`.
async fn read_call<S: AsyncRead + Unpin>(stream: &mut S) -> Result<(), ChannelError> {
    for expected in CALL {
        let mut byte = [0];
        read(stream, &mut byte).await?;
        if byte != [*expected] {
            return Err(ChannelError::NotKs);
        }
    }
    Ok(())
}

/// Reads a length of two bytes, big-endian, then that number of bytes.
async fn read_frame<S: AsyncRead + Unpin>(
    stream: &mut S,
    longest: usize,
) -> Result<Vec<u8>, ChannelError> {
    let mut head = [0; 2];
    read(stream, &mut head).await?;
    let length = usize::from(u16::from_be_bytes(head));
    if length > longest {
        return Err(ChannelError::TooLong);
    }
    let mut frame = vec![0; length];
    read(stream, &mut frame).await?;
    Ok(frame)
}

async fn read<S: AsyncRead + Unpin>(stream: &mut S, bytes: &mut [u8]) -> Result<(), ChannelError> {
    let read = stream.read_exact(bytes).await;
    read.map(drop).map_err(|_| ChannelError::Gone)
}

async fn write<S: AsyncWrite + Unpin>(stream: &mut S, bytes: &[u8]) -> Result<(), ChannelError> {
    let written = async {
        stream.write_all(bytes).await?;
        stream.flush().await
    };
    written.await.map_err(|_| ChannelError::Gone)
}

/// Encrypts and writes messages until the connection ends.
async fn write_messages<Out: Serialize>(
    mut stream: impl AsyncWrite + Unpin,
    noise: Arc<StatelessTransportState>,
    mut messages: mpsc::UnboundedReceiver<Out>,
    write_timeout: Duration,
) {
    let mut number = 0;
    while let Some(message) = messages.recv().await {
        let Some(frame) = encrypt(&noise, number, &message) else {
            return;
        };
        number += 1;
        match timeout(write_timeout, write(&mut stream, &frame)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) | Err(_) => return,
        }
    }
    let _gone = timeout(write_timeout, stream.shutdown()).await;
}

/// Returns the encrypted frame of a message, or `None` if the message is too long.
fn encrypt<Out: Serialize>(
    noise: &StatelessTransportState,
    number: u64,
    message: &Out,
) -> Option<Vec<u8>> {
    let json = serde_json::to_vec(message).ok()?;
    let mut frame = vec![0; 2 + json.len() + TAG_BYTES];
    let length = noise.write_message(number, &json, &mut frame[2..]).ok()?;
    let head = u16::try_from(length)
        .ok()
        .filter(|n| usize::from(*n) <= MAX_MESSAGE_BYTES)?;
    frame[..2].copy_from_slice(&head.to_be_bytes());
    frame.truncate(2 + length);
    Some(frame)
}

/// Reads and decrypts messages until the connection ends.
async fn read_messages<In: DeserializeOwned>(
    mut stream: impl AsyncRead + Unpin,
    noise: Arc<StatelessTransportState>,
    to: mpsc::Sender<Result<In, ChannelError>>,
    silence: Duration,
) {
    let mut number = 0;
    loop {
        let frame = timeout(silence, read_frame(&mut stream, MAX_MESSAGE_BYTES)).await;
        let frame = frame.unwrap_or(Err(ChannelError::Late));
        let read = frame.and_then(|frame| decrypt(&noise, number, &frame));
        number += 1;
        let ends = read.is_err();
        if to.send(read).await.is_err() || ends {
            return;
        }
    }
}

fn decrypt<In: DeserializeOwned>(
    noise: &StatelessTransportState,
    number: u64,
    frame: &[u8],
) -> Result<In, ChannelError> {
    let mut json = vec![0; frame.len()];
    let length = noise
        .read_message(number, frame, &mut json)
        .map_err(|_| ChannelError::Disturbed)?;
    message(&json[..length])
}

/// Parses a decrypted message.
///
/// # Errors
/// [`ChannelError::Unreadable`]
pub fn message<In: DeserializeOwned>(json: &[u8]) -> Result<In, ChannelError> {
    serde_json::from_slice(json).map_err(|_| ChannelError::Unreadable)
}
