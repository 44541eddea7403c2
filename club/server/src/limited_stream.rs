//! Two limits of a client's connection: how fast the client may send bytes, and how long the client
//! may leave the server's bytes unread.

use std::{
    io::{self, IoSlice},
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use limits::Bucket;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

/// Number of bytes that may arrive at once: several of the largest bodies.
const BURST_BYTES: u32 = 512 * 1024;

/// Time after which `BURST_BYTES` may arrive again. So a client may send 128 KiB per second, which
/// is more than any player needs. The limit exists because a client can send many empty WebSocket
/// frames with little effort, and the server needs much time to read them.
const BURST_PERIOD: Duration = Duration::from_secs(4);

/// A client is dropped if it reads none of the waiting bytes for this time.
const WRITE_TIMEOUT: Duration = Duration::from_secs(60);

/// The stream of a client, with these limits.
#[derive(Debug)]
pub struct LimitedStream<S> {
    stream: S,
    bucket: Bucket,
    /// Timer that runs while the client has sent too much. The server reads nothing from the client
    /// until the timer ends.
    rests: Option<Pin<Box<Sleep>>>,
    /// Timer that runs while bytes wait and the client reads none of them. When the timer ends, the
    /// client is dropped.
    unread: Option<Pin<Box<Sleep>>>,
}

impl<S> LimitedStream<S> {
    /// Adds the limits to a stream.
    pub fn new(stream: S) -> LimitedStream<S> {
        LimitedStream {
            stream,
            bucket: Bucket::new(BURST_BYTES, BURST_PERIOD),
            rests: None,
            unread: None,
        }
    }

    fn written<T>(
        &mut self,
        cx: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.unread = None;
            return written;
        }
        let unread = self
            .unread
            .get_or_insert_with(|| Box::pin(sleep(WRITE_TIMEOUT)));
        ready!(unread.as_mut().poll(cx));
        self.unread = None;
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for LimitedStream<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let line = self.get_mut();
        loop {
            if let Some(rests) = &mut line.rests {
                ready!(rests.as_mut().poll(cx));
                line.rests = None;
            }
            let wait = line.bucket.wait();
            if wait.is_zero() {
                break;
            }
            line.rests = Some(Box::pin(sleep(wait)));
        }
        let before = buffer.filled().len();
        ready!(Pin::new(&mut line.stream).poll_read(cx, buffer))?;
        line.bucket.owe(buffer.filled().len() - before);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for LimitedStream<S> {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let line = self.get_mut();
        let written = Pin::new(&mut line.stream).poll_write(cx, bytes);
        line.written(cx, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let line = self.get_mut();
        let written = Pin::new(&mut line.stream).poll_write_vectored(cx, parts);
        line.written(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt, duplex},
        time::Instant,
    };

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn burst_is_read_at_once_and_the_rest_at_the_rate() {
        let (mut client, server) = duplex(1024);
        let mut line = LimitedStream::new(server);
        tokio::spawn(async move {
            let _gone = client.write_all(&vec![0; 4 * 512 * 1024]).await;
        });
        let begun = Instant::now();
        let mut bytes = vec![0; 512 * 1024];
        line.read_exact(&mut bytes).await.unwrap();
        assert_eq!(begun.elapsed().as_secs(), 0);
        let mut rest = Vec::new();
        line.read_to_end(&mut rest).await.unwrap();
        assert_eq!(rest.len(), 3 * 512 * 1024);
        assert_eq!(begun.elapsed().as_secs(), 12);
    }

    #[tokio::test(start_paused = true)]
    async fn a_client_that_reads_nothing_is_dropped() {
        let (mut client, server) = duplex(1024);
        let mut line = LimitedStream::new(server);
        let begun = Instant::now();
        let error = line
            .write_all(&[0; 4096])
            .await
            .expect_err("the client does not read");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(begun.elapsed(), WRITE_TIMEOUT);
        // A slow reader is not dropped.
        tokio::spawn(async move {
            for _ in 0..16 {
                sleep(WRITE_TIMEOUT / 2).await;
                let mut some = [0; 512];
                client.read_exact(&mut some).await.unwrap();
            }
        });
        line.write_all(&[0; 4096]).await.unwrap();
        assert!(begun.elapsed() > 3 * WRITE_TIMEOUT);
    }
}
