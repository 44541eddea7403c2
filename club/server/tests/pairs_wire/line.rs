//! A connection of one client. It sends raw bytes and records the received bytes with their times.

use std::{
    mem,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

use server::Server;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, duplex, split},
    task::AbortHandle,
};

use crate::time::Time;

/// Bytes that were received at one moment.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Piece {
    /// Time in milliseconds since the game began.
    pub at: i64,
    /// Received bytes.
    pub bytes: Vec<u8>,
}

/// Received pieces that were not taken yet, and the number of all bytes received so far.
#[derive(Debug, Default)]
struct Received {
    pieces: Vec<Piece>,
    bytes: usize,
}

/// A connection to the club.
pub struct Line {
    out: Box<dyn AsyncWrite + Send + Unpin>,
    kept: Arc<Mutex<Received>>,
    reader: AbortHandle,
}

impl Line {
    /// Opens a connection over a pipe in memory. The server treats this connection like a
    /// connection to its port.
    pub fn piped(server: &Server, address: SocketAddr, time: Time) -> Line {
        let (near, far) = duplex(64 * 1024);
        server.take_in(far, address);
        Line::over(near, time)
    }

    fn over<S>(stream: S, time: Time) -> Line
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (mut reads, out) = split(stream);
        let kept = Arc::<Mutex<Received>>::default();
        let keeps = Arc::clone(&kept);
        let task = tokio::spawn(async move {
            let mut buffer = vec![0; 64 * 1024];
            while let Ok(1..) = reads.read(&mut buffer).await.inspect(|&n| {
                keep(&keeps, time.since(), &buffer[..n]);
            }) {}
        });
        Line {
            out: Box::new(out),
            kept,
            reader: task.abort_handle(),
        }
    }

    /// Sends bytes.
    pub async fn send(&mut self, bytes: &[u8]) {
        // An error is ignored. If the server has closed the connection, its responses to these
        // bytes are missing, and the comparison of the two games notices this.
        let _gone = self.out.write_all(bytes).await;
        let _gone = self.out.flush().await;
    }

    /// Sends a text as one frame of the WebSocket.
    pub async fn frame(&mut self, text: &str) {
        let length = u16::try_from(text.len()).unwrap();
        let mut bytes = vec![0x81];
        match u8::try_from(length) {
            Ok(short @ ..126) => bytes.push(0x80 | short),
            _ => {
                bytes.push(0x80 | 126);
                bytes.extend(length.to_be_bytes());
            }
        }
        // The mask of zeros leaves the text unchanged.
        bytes.extend([0; 4]);
        bytes.extend(text.as_bytes());
        self.send(&bytes).await;
    }

    /// Returns the pieces received since the last call.
    pub fn take(&self) -> Vec<Piece> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        mem::take(&mut kept.pieces)
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.reader.abort();
    }
}

/// Records received bytes. All bytes of one moment are one piece, however many reads they need.
fn keep(kept: &Mutex<Received>, at: i64, bytes: &[u8]) {
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    kept.bytes += bytes.len();
    match kept.pieces.last_mut() {
        Some(last) if last.at == at => last.bytes.extend(bytes),
        _ => kept.pieces.push(Piece {
            at,
            bytes: bytes.to_vec(),
        }),
    }
}
