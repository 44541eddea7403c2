//! One connection of lines: what is typed comes in whole lines, what is said
//! goes out in its own time.

use std::{
    collections::VecDeque,
    fmt,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use limits::Bucket;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split},
    sync::{Notify, mpsc},
    task::JoinHandle,
    time::{Instant, sleep_until, timeout},
};

use crate::telnet::{self, Reader};

/// How a connection is treated.
#[derive(Copy, Clone, Debug)]
pub struct Manners {
    /// The longest line that is read, in bytes.
    pub longest_line: usize,
    /// Lines a second that are heard; four times as many at once. Whoever sends
    /// more is heard later, which is told to nobody else.
    pub lines_a_second: u32,
    /// How much may wait to be written, in bytes, before one who does not read
    /// is sent away.
    pub most_unread: usize,
    /// How long one write may take.
    pub patience: Duration,
    /// Characters a second that are written, as teletypes did; `None`: as fast
    /// as it goes.
    pub cps: Option<u32>,
}

impl Default for Manners {
    fn default() -> Manners {
        Manners {
            longest_line: 1024,
            lines_a_second: 20,
            most_unread: 256 * 1024,
            patience: Duration::from_secs(30),
            cps: None,
        }
    }
}

/// So often a second, and four times as often at once.
pub(crate) fn pace(a_second: u32) -> Bucket {
    Bucket::new(a_second.max(1).saturating_mul(4), Duration::from_secs(4))
}

/// What was typed.
#[derive(Clone, Eq, PartialEq, Debug)]
pub enum Input {
    /// A line.
    Line(String),
    /// A line longer than lines may be; nothing of it is kept.
    TooLong,
    /// Control-C.
    Interrupt,
}

/// The other end is gone, or reads nothing any more.
#[derive(Copy, Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error("the other end is gone")]
pub struct Gone;

/// A connection: its two halves are used side by side.
#[derive(Debug)]
pub struct Console {
    /// What is typed.
    pub lines: Lines,
    /// What is said.
    pub paper: Paper,
    /// From where it comes.
    pub address: SocketAddr,
}

impl Console {
    /// A console over any stream of bytes. Must be called within a runtime.
    pub fn open<S>(stream: S, address: SocketAddr, manners: Manners) -> Console
    where
        S: AsyncRead + AsyncWrite + Send + 'static,
    {
        let (reads, writes) = split(stream);
        let (paper, writing) = Paper::open(writes, manners);
        let lines = Lines {
            reads: Box::new(reads),
            reader: Reader::new(manners.longest_line),
            ready: VecDeque::new(),
            bucket: pace(manners.lines_a_second),
            paper: paper.clone(),
            writing,
        };
        Console {
            lines,
            paper,
            address,
        }
    }
}

/// What is typed, line by line.
pub struct Lines {
    reads: Box<dyn AsyncRead + Send + Unpin>,
    reader: Reader,
    ready: VecDeque<Input>,
    bucket: Bucket,
    paper: Paper,
    writing: JoinHandle<()>,
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").finish_non_exhaustive()
    }
}

impl Lines {
    /// The next thing typed. It may be dropped and called again: nothing is
    /// lost.
    ///
    /// # Errors
    /// The other end has hung up, or reads nothing any more.
    pub async fn next(&mut self) -> Result<Input, Gone> {
        let mut bytes = [0; 4096];
        loop {
            if self.writing.is_finished() {
                return Err(Gone);
            }
            if !self.ready.is_empty() {
                self.bucket.ready().await;
                self.bucket.owe(1);
                return self.ready.pop_front().ok_or(Gone);
            }
            let read = tokio::select! {
                read = self.reads.read(&mut bytes) => read,
                _ = &mut self.writing => return Err(Gone),
            };
            match read {
                Ok(0) | Err(_) => return Err(Gone),
                Ok(n) => {
                    let ready = &mut self.ready;
                    self.reader.read(&bytes[..n], |item| {
                        ready.push_back(match item {
                            telnet::Item::Line(line) => Input::Line(line),
                            telnet::Item::TooLong => Input::TooLong,
                            telnet::Item::Interrupt => Input::Interrupt,
                        });
                    });
                    let replies = self.reader.replies();
                    if !replies.is_empty() {
                        self.paper.bytes(replies);
                    }
                }
            }
        }
    }

    /// Lets everything that was said be written, and hangs up. Besides the time
    /// that its pace needs, the other end is waited for ten seconds.
    pub async fn close(self) {
        let Lines {
            paper,
            mut writing,
            reads,
            ..
        } = self;
        paper.end();
        if !writing.is_finished() {
            let long = Duration::from_secs(10) + paper.takes();
            let _gone = timeout(long, &mut writing).await;
            writing.abort();
        }
        drop(reads);
    }
}

/// What is said: it waits to be written, and nobody waits for it.
#[derive(Clone, Debug)]
pub struct Paper {
    queue: mpsc::UnboundedSender<Option<Vec<u8>>>,
    unread: Arc<AtomicUsize>,
    most: usize,
    torn: Arc<AtomicBool>,
    written: Arc<Notify>,
    cps: Option<u32>,
}

impl Paper {
    fn open<W>(writes: W, manners: Manners) -> (Paper, JoinHandle<()>)
    where
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let (queue, waiting) = mpsc::unbounded_channel();
        let unread = Arc::<AtomicUsize>::default();
        let torn = Arc::<AtomicBool>::default();
        let written = Arc::<Notify>::default();
        let paper = Paper {
            queue,
            unread: Arc::clone(&unread),
            most: manners.most_unread,
            torn: Arc::clone(&torn),
            written: Arc::clone(&written),
            cps: manners.cps,
        };
        let writing = tokio::spawn(async move {
            write_all(writes, waiting, &unread, &torn, &written, manners).await;
            torn.store(true, Ordering::Relaxed);
            written.notify_waiters();
        });
        (paper, writing)
    }

    /// Says a text; its lines end with `\n`, on the line they end as telnet
    /// wants it.
    pub fn say(&self, text: &str) {
        let mut bytes = Vec::with_capacity(text.len() + 16);
        for byte in text.bytes() {
            match byte {
                b'\n' => bytes.extend(b"\r\n"),
                byte => bytes.push(byte),
            }
        }
        self.bytes(bytes);
    }

    /// Sends bytes as they are.
    pub fn bytes(&self, bytes: Vec<u8>) {
        let waits = self.unread.fetch_add(bytes.len(), Ordering::Relaxed) + bytes.len();
        if waits > self.most {
            // Whoever does not read is sent away, and holds no memory.
            self.torn.store(true, Ordering::Relaxed);
            let _gone = self.queue.send(None);
            return;
        }
        let _gone = self.queue.send(Some(bytes));
    }

    /// How long what is still to be written takes at its pace.
    fn takes(&self) -> Duration {
        let unread = u32::try_from(self.unread.load(Ordering::Relaxed)).unwrap_or(u32::MAX);
        self.cps.map_or(Duration::ZERO, |cps| {
            Duration::from_secs(1) / cps.max(1) * unread
        })
    }

    /// Waits until all that was said is written, or nothing can be any more.
    /// It may be dropped and called again.
    pub async fn quiet(&self) {
        loop {
            let written = self.written.notified();
            if self.unread.load(Ordering::Relaxed) == 0 || self.is_torn() {
                return;
            }
            written.await;
        }
    }

    /// Whether much of what was said waits to be written: what is not needed is
    /// better left unsaid.
    pub fn is_behind(&self) -> bool {
        self.unread.load(Ordering::Relaxed) > self.most / 4
    }

    /// Whether nothing can be said any more.
    pub fn is_torn(&self) -> bool {
        self.torn.load(Ordering::Relaxed)
    }

    /// After what was said so far nothing more is.
    pub fn end(&self) {
        let _gone = self.queue.send(None);
    }
}

async fn write_all<W: AsyncWrite + Unpin>(
    mut writes: W,
    mut waiting: mpsc::UnboundedReceiver<Option<Vec<u8>>>,
    unread: &AtomicUsize,
    torn: &AtomicBool,
    written_up: &Notify,
    manners: Manners,
) {
    let mut pace = Instant::now();
    while let Some(Some(bytes)) = waiting.recv().await {
        if torn.load(Ordering::Relaxed) {
            return;
        }
        let pieces: Box<dyn Iterator<Item = &[u8]> + Send> = match manners.cps {
            None => Box::new(std::iter::once(&bytes[..])),
            Some(_) => Box::new(bytes.chunks(1)),
        };
        for piece in pieces {
            if let Some(cps) = manners.cps {
                pace = pace.max(Instant::now());
                sleep_until(pace).await;
                pace += Duration::from_secs(1) / cps.max(1);
            }
            let written = async {
                writes.write_all(piece).await?;
                writes.flush().await
            };
            match timeout(manners.patience, written).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) | Err(_) => return,
            }
        }
        unread.fetch_sub(bytes.len(), Ordering::Relaxed);
        written_up.notify_waiters();
    }
    let _gone = timeout(manners.patience, writes.shutdown()).await;
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
        let mut console = Console::open(far, HERE, Manners::default());
        near.write_all(b"e2e4\r\nresign\n").await.unwrap();
        console.paper.say("one\ntwo\n");
        assert_eq!(console.lines.next().await, Ok(Input::Line("e2e4".into())));
        assert_eq!(console.lines.next().await, Ok(Input::Line("resign".into())));
        console.lines.close().await;
        let mut said = String::new();
        near.read_to_string(&mut said).await.unwrap();
        assert_eq!(said, "one\r\ntwo\r\n");
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_reads_nothing_is_sent_away() {
        let (_near, far) = duplex(16);
        let manners = Manners {
            most_unread: 1000,
            ..Manners::default()
        };
        let mut console = Console::open(far, HERE, manners);
        for _ in 0..200 {
            console.paper.say("nobody reads this\n");
        }
        assert!(console.paper.is_torn());
        assert_eq!(console.lines.next().await, Err(Gone));
    }

    #[tokio::test(start_paused = true)]
    async fn a_flood_is_heard_later() {
        let (mut near, far) = duplex(64 * 1024);
        let mut console = Console::open(far, HERE, Manners::default());
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
        let manners = Manners {
            cps: Some(10),
            ..Manners::default()
        };
        let console = Console::open(far, HERE, manners);
        let begun = Instant::now();
        console.paper.say("0123456789012345678\n");
        let mut all = [0; 21];
        near.read_exact(&mut all).await.unwrap();
        assert_eq!(begun.elapsed().as_millis() / 100, 20);
    }
}
