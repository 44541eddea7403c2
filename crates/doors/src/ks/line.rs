//! The line between the two ends: locked with the game's key.
//!
//! The lock is the Noise protocol (`Noise_NNpsk0_25519_ChaChaPoly_SHA256`):
//! whoever lacks the key can neither read nor say anything, nor say again what
//! was said before. Before it a line of text tells what this port is, so that
//! whoever comes to it by mistake is told so.

use std::{marker::PhantomData, sync::Arc, time::Duration};

use serde::{Serialize, de::DeserializeOwned};
use snow::{Builder, HandshakeState, StatelessTransportState};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadHalf, WriteHalf, split},
    sync::mpsc,
    task::JoinHandle,
    time::timeout,
};

use super::key::GameKey;

/// With this the calling end begins.
const CALL: &[u8; 16] = b"kriegspiel-ks 1\n";
/// The answers to it, of one length.
const FITS: &[u8; 20] = b"kriegspiel-ks 1 yes\n";
const NO_FIT: &[u8; 20] = b"kriegspiel-ks 1 key\n";
const PATTERN: &str = "Noise_NNpsk0_25519_ChaChaPoly_SHA256";
/// Bytes by which a locked message is longer.
const TAG: usize = 16;
/// The longest message of the handshake.
const HANDSHAKE: usize = 96;
/// The longest message, locked. No hearing comes near it.
pub const LONGEST: usize = 16 * 1024;
/// Messages that were heard and wait to be read.
const WAITING: usize = 64;

/// What one who is no `ks` is told.
const STRANGER: &[u8] = b"This is a game of Kriegspiel between two people (kriegspiel ks).\r\n\
    Whoever plays in it comes with `kriegspiel ks` and the game's key.\r\n";

/// Why a line cannot be used, or not any more.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug, thiserror::Error)]
pub enum LineError {
    /// It broke.
    #[error("the line is broken")]
    Gone,
    /// Nothing came for too long.
    #[error("the other end does not answer")]
    Late,
    /// It is no `ks`, or one of another version.
    #[error("what listens there is no kriegspiel ks of this version: is the port the right one?")]
    NotKs,
    /// The keys differ.
    #[error("the key does not fit: both ends need the key that the host prints")]
    WrongKey,
    /// Somebody changed, repeated or left out what was sent.
    #[error("what came was not sent by the other end: somebody disturbs the line")]
    Disturbed,
    /// Longer than any message.
    #[error("a message was too long")]
    TooLong,
    /// It is no message.
    #[error("a message could not be read: are both ends of one version?")]
    Unreadable,
}

/// One end of a line: what is heard and what is said, as messages. In memory it
/// has no lock.
#[derive(Debug)]
pub struct Line<In, Out> {
    hears: mpsc::Receiver<Result<In, LineError>>,
    says: mpsc::UnboundedSender<Out>,
    _tasks: Vec<Task>,
}

/// A task that ends with whoever has it.
#[derive(Debug)]
struct Task(JoinHandle<()>);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl<In, Out> Line<In, Out> {
    /// The next message. It may be dropped and called again.
    ///
    /// # Errors
    /// The line cannot be used any more.
    pub async fn next(&mut self) -> Result<In, LineError> {
        self.hears.recv().await.unwrap_or(Err(LineError::Gone))
    }

    /// Says something; whether the other end still hears is found out by
    /// listening.
    pub fn say(&self, says: Out) {
        let _gone = self.says.send(says);
    }

    /// What says on this line, for whoever does not listen.
    pub fn says(&self) -> mpsc::UnboundedSender<Out> {
        self.says.clone()
    }
}

/// Two ends in memory.
pub fn pair<A: Send + 'static, B: Send + 'static>() -> (Line<A, B>, Line<B, A>) {
    let (to_far, near_said) = mpsc::unbounded_channel();
    let (to_near, far_said) = mpsc::unbounded_channel();
    (in_memory(far_said, to_far), in_memory(near_said, to_near))
}

fn in_memory<In: Send + 'static, Out>(
    mut said: mpsc::UnboundedReceiver<In>,
    says: mpsc::UnboundedSender<Out>,
) -> Line<In, Out> {
    let (to, hears) = mpsc::channel(WAITING);
    let carries = tokio::spawn(async move {
        while let Some(says) = said.recv().await {
            if to.send(Ok(says)).await.is_err() {
                return;
            }
        }
    });
    Line {
        hears,
        says,
        _tasks: vec![Task(carries)],
    }
}

/// How long things may take.
#[derive(Copy, Clone, Debug)]
pub struct Patience {
    /// Until both ends have shown that they know the key.
    pub handshake: Duration,
    /// Without a sign of life, at least two seconds; the calling end gives three
    /// of them in that time, and one a second at least.
    pub silence: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            handshake: Duration::from_secs(10),
            silence: Duration::from_secs(30),
        }
    }
}

impl<In, Out> Line<In, Out>
where
    In: DeserializeOwned + Send + 'static,
    Out: Serialize + Send + 'static,
{
    /// Calls the other end.
    ///
    /// # Errors
    /// Why nothing comes of it.
    pub async fn call<S>(
        mut stream: S,
        key: &GameKey,
        patience: Patience,
    ) -> Result<Line<In, Out>, LineError>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let shakes = async {
            let mut lock = handshake(key, true)?;
            let mut bytes = CALL.to_vec();
            put_handshake(&mut lock, &mut bytes)?;
            write(&mut stream, &bytes).await?;
            let mut answer = [0; FITS.len()];
            read(&mut stream, &mut answer).await?;
            match &answer {
                FITS => {}
                NO_FIT => return Err(LineError::WrongKey),
                _ => return Err(LineError::NotKs),
            }
            take_handshake(&mut lock, &mut stream).await?;
            Ok(lock)
        };
        let lock = timeout(patience.handshake, shakes)
            .await
            .map_err(|_| LineError::Late)??;
        Line::locked(stream, lock, patience)
    }

    /// Answers a call.
    ///
    /// Whoever called has shown that he knows the key only when his first
    /// message is read.
    ///
    /// # Errors
    /// Why nothing comes of it. The caller was told.
    pub async fn answer<S>(
        mut stream: S,
        key: &GameKey,
        patience: Patience,
    ) -> Result<Line<In, Out>, LineError>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let shakes = async {
            let mut call = [0; CALL.len()];
            let read = read_call(&mut stream, &mut call).await;
            if read.is_err() || &call != CALL {
                write(&mut stream, STRANGER).await?;
                return Err(LineError::NotKs);
            }
            let mut lock = handshake(key, false)?;
            if take_handshake(&mut lock, &mut stream).await.is_err() {
                write(&mut stream, NO_FIT).await?;
                return Err(LineError::WrongKey);
            }
            let mut bytes = FITS.to_vec();
            put_handshake(&mut lock, &mut bytes)?;
            write(&mut stream, &bytes).await?;
            Ok(lock)
        };
        let lock = timeout(patience.handshake, shakes)
            .await
            .map_err(|_| LineError::Late)??;
        Line::locked(stream, lock, patience)
    }

    fn locked<S>(
        stream: S,
        lock: HandshakeState,
        patience: Patience,
    ) -> Result<Line<In, Out>, LineError>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let lock = lock
            .into_stateless_transport_mode()
            .map_err(|_| LineError::WrongKey)?;
        let lock = Arc::new(lock);
        let (reads, writes) = split(stream);
        let (says, said) = mpsc::unbounded_channel();
        let (to, hears) = mpsc::channel(WAITING);
        let writer = Writer {
            writes,
            lock: Arc::clone(&lock),
            number: 0,
        };
        let reader = Reader {
            reads,
            lock,
            number: 0,
            silence: patience.silence,
            _hears: PhantomData,
        };
        let writing = tokio::spawn(writer.run(said, patience.silence));
        let reading = tokio::spawn(reader.run(to));
        Ok(Line {
            hears,
            says,
            _tasks: vec![Task(reading), Task(writing)],
        })
    }
}

fn handshake(key: &GameKey, calls: bool) -> Result<HandshakeState, LineError> {
    // Each step fails only for a pattern or a key of another length.
    let broken = |_| LineError::NotKs;
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

fn put_handshake(lock: &mut HandshakeState, bytes: &mut Vec<u8>) -> Result<(), LineError> {
    let mut message = [0; HANDSHAKE];
    let length = lock
        .write_message(&[], &mut message)
        .map_err(|_| LineError::Disturbed)?;
    let head = u16::try_from(length).map_err(|_| LineError::TooLong)?;
    bytes.extend(head.to_be_bytes());
    bytes.extend(&message[..length]);
    Ok(())
}

async fn take_handshake<S: AsyncRead + Unpin>(
    lock: &mut HandshakeState,
    stream: &mut S,
) -> Result<(), LineError> {
    let mut head = [0; 2];
    read(stream, &mut head).await?;
    let length = usize::from(u16::from_be_bytes(head));
    let mut message = [0; HANDSHAKE];
    let message = message.get_mut(..length).ok_or(LineError::TooLong)?;
    read(stream, message).await?;
    let mut nothing = [0; HANDSHAKE];
    match lock.read_message(message, &mut nothing) {
        Ok(0) => Ok(()),
        Ok(_) | Err(_) => Err(LineError::WrongKey),
    }
}

/// Reads a call as far as it can be one.
async fn read_call<S: AsyncRead + Unpin>(
    stream: &mut S,
    call: &mut [u8; CALL.len()],
) -> Result<(), LineError> {
    for at in 0..CALL.len() {
        read(stream, &mut call[at..=at]).await?;
        if call[at] != CALL[at] {
            return Err(LineError::NotKs);
        }
    }
    Ok(())
}

async fn read<S: AsyncRead + Unpin>(stream: &mut S, bytes: &mut [u8]) -> Result<(), LineError> {
    match stream.read_exact(bytes).await {
        Ok(_) => Ok(()),
        Err(_) => Err(LineError::Gone),
    }
}

async fn write<S: AsyncWrite + Unpin>(stream: &mut S, bytes: &[u8]) -> Result<(), LineError> {
    let written = async {
        stream.write_all(bytes).await?;
        stream.flush().await
    };
    written.await.map_err(|_| LineError::Gone)
}

/// Locks what is said.
struct Writer<S> {
    writes: WriteHalf<S>,
    lock: Arc<StatelessTransportState>,
    number: u64,
}

impl<S: AsyncWrite + Send + Unpin> Writer<S> {
    async fn run<Out: Serialize>(
        mut self,
        mut said: mpsc::UnboundedReceiver<Out>,
        patience: Duration,
    ) {
        while let Some(says) = said.recv().await {
            let Some(bytes) = self.locked(&says) else {
                return;
            };
            match timeout(patience, write(&mut self.writes, &bytes)).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => return,
            }
        }
        let _gone = timeout(patience, self.writes.shutdown()).await;
    }

    fn locked<Out: Serialize>(&mut self, says: &Out) -> Option<Vec<u8>> {
        let json = serde_json::to_vec(says).ok()?;
        let mut bytes = vec![0; 2 + json.len() + TAG];
        let written = self
            .lock
            .write_message(self.number, &json, &mut bytes[2..])
            .ok()?;
        self.number += 1;
        let head = u16::try_from(written)
            .ok()
            .filter(|n| usize::from(*n) <= LONGEST)?;
        bytes[..2].copy_from_slice(&head.to_be_bytes());
        bytes.truncate(2 + written);
        Some(bytes)
    }
}

/// Unlocks what comes.
struct Reader<S, In> {
    reads: ReadHalf<S>,
    lock: Arc<StatelessTransportState>,
    number: u64,
    silence: Duration,
    _hears: PhantomData<fn() -> In>,
}

impl<S: AsyncRead + Send + Unpin, In: DeserializeOwned> Reader<S, In> {
    async fn run(mut self, to: mpsc::Sender<Result<In, LineError>>) {
        loop {
            let next = self.next().await;
            let ends = next.is_err();
            if to.send(next).await.is_err() || ends {
                return;
            }
        }
    }

    async fn next(&mut self) -> Result<In, LineError> {
        let silence = self.silence;
        let frame = timeout(silence, self.frame())
            .await
            .map_err(|_| LineError::Late)??;
        let mut json = vec![0; frame.len()];
        let length = self
            .lock
            .read_message(self.number, &frame, &mut json)
            .map_err(|_| LineError::Disturbed)?;
        self.number += 1;
        message(&json[..length])
    }

    async fn frame(&mut self) -> Result<Vec<u8>, LineError> {
        let mut head = [0; 2];
        read(&mut self.reads, &mut head).await?;
        let length = usize::from(u16::from_be_bytes(head));
        if length > LONGEST {
            return Err(LineError::TooLong);
        }
        let mut frame = vec![0; length];
        read(&mut self.reads, &mut frame).await?;
        Ok(frame)
    }
}

/// Reads an unlocked message.
///
/// # Errors
/// [`LineError::Unreadable`].
pub fn message<In: DeserializeOwned>(json: &[u8]) -> Result<In, LineError> {
    serde_json::from_slice(json).map_err(|_| LineError::Unreadable)
}
