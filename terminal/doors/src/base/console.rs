//! A connection for lines of text. Lines from the client are read; text for the
//! client is queued and written in the background.

use std::{
    collections::VecDeque,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use limits::{Bucket, StrangerHandle};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split},
    sync::{Notify, mpsc},
    task::JoinHandle,
    time::{Instant, sleep_until, timeout},
};

use super::telnet::{Input, Reader};

/// A closing connection must send its last text within this time. With a speed limit, the time that
/// the text needs at that speed is added.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(10);

/// Limits of one connection.
#[derive(Copy, Clone, Debug)]
pub struct ConnectionLimits {
    /// Longest line that is accepted, in bytes.
    pub max_line_bytes: usize,
    /// Maximum number of lines that are read per second, on average. A burst can have up to four
    /// times this number. Further lines wait to be read; other connections are not delayed.
    pub lines_per_second: u32,
    /// Text that may wait to be sent, in bytes. A client with more unread text is disconnected.
    pub max_unsent_bytes: usize,
    /// Longest time that one write may take.
    pub write_timeout: Duration,
    /// Characters written per second, for the speed of a teletype. `None`: no
    /// limit.
    pub cps: Option<u32>,
}

impl Default for ConnectionLimits {
    fn default() -> ConnectionLimits {
        ConnectionLimits {
            max_line_bytes: 1024,
            lines_per_second: 20,
            max_unsent_bytes: 256 * 1024,
            write_timeout: Duration::from_secs(30),
            cps: None,
        }
    }
}

/// Creates a rate limit of `n` per second, with bursts of four times `n`.
pub(crate) fn per_second(n: u32) -> Bucket {
    Bucket::new(n.max(1).saturating_mul(4), Duration::from_secs(4))
}

/// Error: the client has closed the connection, or does not read the text sent to it.
#[derive(Copy, Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("the connection is closed")]
pub struct Disconnected;

/// A connection with a client. `lines` and `output` can be used concurrently.
pub struct Console {
    /// Lines from the client.
    pub lines: Lines,
    /// Text to the client.
    pub output: Output,
    /// Address of the client.
    pub address: SocketAddr,
    /// Record of the client for the accept loop: whether the client has a name, and when it was
    /// last active. `None` if this connection is never closed to make room for a new connection.
    presence: Option<StrangerHandle>,
}

impl Console {
    /// Opens a console over any stream of bytes. Must be called within a tokio
    /// runtime.
    pub fn open<S>(stream: S, address: SocketAddr, limits: ConnectionLimits) -> Console
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let (reads, writes) = split(stream);
        let (output, writing) = Output::open(writes, limits);
        let lines = Lines {
            reads: Box::new(reads),
            reader: Reader::new(limits.max_line_bytes),
            ready: VecDeque::new(),
            bucket: per_second(limits.lines_per_second),
            output: output.clone(),
            writing,
            presence: None,
        };
        Console {
            lines,
            output,
            address,
            presence: None,
        }
    }

    /// Counts each line of the client as a sign of activity.
    pub(super) fn with_presence(mut self, presence: Option<StrangerHandle>) -> Console {
        self.lines.presence.clone_from(&presence);
        self.presence = presence;
        self
    }

    /// Records that the client has signed in or has a seat. From now on, this connection is not
    /// closed to make room for a new connection.
    pub fn named(&self) {
        if let Some(presence) = &self.presence {
            presence.named();
        }
    }
}

/// Lines that the client sends.
pub struct Lines {
    reads: Box<dyn AsyncRead + Send + Unpin>,
    reader: Reader,
    ready: VecDeque<Input>,
    bucket: Bucket,
    output: Output,
    writing: JoinHandle<()>,
    presence: Option<StrangerHandle>,
}

impl Lines {
    /// Reads the next input. Cancel safe.
    ///
    /// # Errors
    /// The client has closed the connection, or does not read the text sent to it.
    pub async fn next(&mut self) -> Result<Input, Disconnected> {
        let mut bytes = [0; 4096];
        loop {
            if self.writing.is_finished() {
                return Err(Disconnected);
            }
            if !self.ready.is_empty() {
                self.bucket.ready().await;
                self.bucket.owe(1);
                if let Some(presence) = &self.presence {
                    presence.active();
                }
                return self.ready.pop_front().ok_or(Disconnected);
            }
            let read = tokio::select! {
                read = self.reads.read(&mut bytes) => read,
                _ = &mut self.writing => return Err(Disconnected),
            };
            match read {
                Ok(0) | Err(_) => return Err(Disconnected),
                Ok(n) => {
                    let ready = &mut self.ready;
                    self.reader
                        .read(&bytes[..n], |input| ready.push_back(input));
                    let replies = self.reader.replies();
                    if !replies.is_empty() {
                        self.output.bytes(replies);
                    }
                }
            }
        }
    }

    /// Waits until all queued text is written, then closes the connection.
    pub async fn close(mut self) {
        self.output.end();
        if !self.writing.is_finished() {
            let limit = CLOSE_TIMEOUT + self.output.remaining();
            let _gone = timeout(limit, &mut self.writing).await;
            self.writing.abort();
        }
    }
}

/// Text to the client. Queueing a text never waits for the client.
#[derive(Clone, Debug)]
pub struct Output {
    queue: mpsc::UnboundedSender<Option<Vec<u8>>>,
    state: Arc<OutputState>,
    limits: ConnectionLimits,
}

#[derive(Debug, Default)]
struct OutputState {
    /// Bytes in the queue.
    unsent: AtomicUsize,
    closed: AtomicBool,
    /// Notified after each written text, and when the writer ends.
    written: Notify,
}

impl Output {
    fn open<W>(writes: W, limits: ConnectionLimits) -> (Output, JoinHandle<()>)
    where
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (queue, waiting) = mpsc::unbounded_channel();
        let state = Arc::<OutputState>::default();
        let output = Output {
            queue,
            state: Arc::clone(&state),
            limits,
        };
        let writing = tokio::spawn(async move {
            write_all(writes, waiting, &state, limits).await;
            state.closed.store(true, Ordering::Relaxed);
            state.written.notify_waiters();
        });
        (output, writing)
    }

    /// Queues a text with `\n` at the end of each line. The lines are sent with `\r\n`, as telnet
    /// requires.
    pub fn say(&self, text: &str) {
        self.bytes(text.replace('\n', "\r\n").into_bytes());
    }

    /// Queues bytes as they are.
    pub fn bytes(&self, bytes: Vec<u8>) {
        let n = bytes.len();
        let waits = self.state.unsent.fetch_add(n, Ordering::Relaxed) + n;
        if waits > self.limits.max_unsent_bytes {
            // Disconnect a client that does not read, so that its text does not
            // fill the memory.
            self.state.closed.store(true, Ordering::Relaxed);
            self.end();
            return;
        }
        let _gone = self.queue.send(Some(bytes));
    }

    fn unsent(&self) -> usize {
        self.state.unsent.load(Ordering::Relaxed)
    }

    /// Returns the time needed to write the queued text at the configured
    /// speed.
    fn remaining(&self) -> Duration {
        let unsent = u32::try_from(self.unsent()).unwrap_or(u32::MAX);
        self.limits.cps.map_or(Duration::ZERO, |cps| {
            Duration::from_secs(1) / cps.max(1) * unsent
        })
    }

    /// Waits until the queue is empty or the connection is closed. Cancel safe.
    pub async fn flushed(&self) {
        loop {
            let written = self.state.written.notified();
            if self.unsent() == 0 || self.is_closed() {
                return;
            }
            written.await;
        }
    }

    /// Whether the queue is so long that unimportant text should be dropped.
    pub fn is_behind(&self) -> bool {
        self.unsent() > self.limits.max_unsent_bytes / 4
    }

    /// Whether text can no longer be sent.
    pub fn is_closed(&self) -> bool {
        self.state.closed.load(Ordering::Relaxed)
    }

    /// Closes the connection after all text queued so far is written.
    pub fn end(&self) {
        let _gone = self.queue.send(None);
    }
}

async fn write_all<W: AsyncWrite + Unpin>(
    mut writes: W,
    mut waiting: mpsc::UnboundedReceiver<Option<Vec<u8>>>,
    state: &OutputState,
    limits: ConnectionLimits,
) {
    let mut next = Instant::now();
    while let Some(Some(bytes)) = waiting.recv().await {
        if state.closed.load(Ordering::Relaxed) {
            return;
        }
        let piece = limits.cps.map_or(bytes.len().max(1), |_| 1);
        for piece in bytes.chunks(piece) {
            if let Some(cps) = limits.cps {
                next = next.max(Instant::now());
                sleep_until(next).await;
                next += Duration::from_secs(1) / cps.max(1);
            }
            let written = async {
                writes.write_all(piece).await?;
                writes.flush().await
            };
            match timeout(limits.write_timeout, written).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => return,
            }
        }
        state.unsent.fetch_sub(bytes.len(), Ordering::Relaxed);
        state.written.notify_waiters();
    }
    let _gone = timeout(limits.write_timeout, writes.shutdown()).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::duplex;

    const HERE: SocketAddr =
        SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 4000);

    #[tokio::test(start_paused = true)]
    async fn lines_come_in_and_text_goes_out() {
        let (mut near, far) = duplex(1024);
        let mut console = Console::open(far, HERE, ConnectionLimits::default());
        near.write_all(b"e2e4\r\nresign\n").await.unwrap();
        console.output.say("one\ntwo\n");
        assert_eq!(console.lines.next().await, Ok(Input::Line("e2e4".into())));
        assert_eq!(console.lines.next().await, Ok(Input::Line("resign".into())));
        console.lines.close().await;
        let mut said = String::new();
        near.read_to_string(&mut said).await.unwrap();
        assert_eq!(said, "one\r\ntwo\r\n");
    }

    #[tokio::test(start_paused = true)]
    async fn client_that_reads_nothing_is_disconnected() {
        let (_near, far) = duplex(16);
        let limits = ConnectionLimits {
            max_unsent_bytes: 1000,
            ..ConnectionLimits::default()
        };
        let mut console = Console::open(far, HERE, limits);
        for _ in 0..200 {
            console.output.say("nobody reads this\n");
        }
        assert!(console.output.is_closed());
        assert_eq!(console.lines.next().await, Err(Disconnected));
    }

    #[tokio::test(start_paused = true)]
    async fn lines_above_the_rate_are_read_later() {
        let (mut near, far) = duplex(64 * 1024);
        let mut console = Console::open(far, HERE, ConnectionLimits::default());
        near.write_all(&b"x\n".repeat(120)).await.unwrap();
        let begun = Instant::now();
        for _ in 0..80 {
            console.lines.next().await.unwrap();
        }
        assert_eq!(begun.elapsed(), Duration::ZERO);
        for _ in 0..40 {
            console.lines.next().await.unwrap();
        }
        let took = begun.elapsed().as_millis();
        assert!((1_950..=2_100).contains(&took), "{took}");
    }

    #[tokio::test(start_paused = true)]
    async fn a_teletype_writes_ten_characters_a_second() {
        let (mut near, far) = duplex(1024);
        let limits = ConnectionLimits {
            cps: Some(10),
            ..ConnectionLimits::default()
        };
        let console = Console::open(far, HERE, limits);
        let begun = Instant::now();
        console.output.say("0123456789012345678\n");
        let mut all = [0; 21];
        near.read_exact(&mut all).await.unwrap();
        assert_eq!(begun.elapsed().as_millis() / 100, 20);
    }
}
