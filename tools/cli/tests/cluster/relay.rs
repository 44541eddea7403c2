//! The network between a node and the database. Tests can cut this network.

use std::sync::{
    Arc,
    atomic::{AtomicU16, Ordering},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
};

/// State of the network.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Link {
    /// Everything arrives.
    Open,
    /// Connections are closed, and new ones are refused.
    Cut,
    /// No bytes arrive, but the connections stay open. When the link is open again, all bytes that
    /// were sent arrive.
    Silent,
}

/// Passes connections on to a port of this machine.
pub struct Relay {
    /// Port on which the relay listens.
    pub port: u16,
    /// Port to which new connections are passed on.
    to: Arc<AtomicU16>,
    link: Arc<watch::Sender<Link>>,
}

impl Relay {
    pub async fn open(to: u16) -> Relay {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let link = Arc::new(watch::Sender::new(Link::Open));
        let links = Arc::clone(&link);
        let to = Arc::new(AtomicU16::new(to));
        let target = Arc::clone(&to);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                if *links.borrow() != Link::Cut {
                    let to = target.load(Ordering::Relaxed);
                    tokio::spawn(pass(stream, to, links.subscribe()));
                }
            }
        });
        Relay { port, to, link }
    }

    /// Passes new connections on to another port.
    pub fn redirect(&self, to: u16) {
        self.to.store(to, Ordering::Relaxed);
    }

    pub fn set(&self, link: Link) {
        self.link.send_replace(link);
    }
}

/// Passes one connection on, until it ends or the link is cut.
async fn pass(stream: TcpStream, to: u16, mut link: watch::Receiver<Link>) {
    let Ok(other) = TcpStream::connect(("127.0.0.1", to)).await else {
        return;
    };
    for stream in [&stream, &other] {
        stream.set_nodelay(true).unwrap();
    }
    let ((from_node, to_node), (from_database, to_database)) =
        (stream.into_split(), other.into_split());
    let [there, back] = [link.clone(), link.clone()];
    tokio::select! {
        () = copy(from_node, to_database, there) => {}
        () = copy(from_database, to_node, back) => {}
        // The error means that the test has ended.
        _cut = link.wait_for(|link| *link == Link::Cut) => {}
    }
}

/// Copies bytes while the link is open.
async fn copy(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut link: watch::Receiver<Link>) {
    let mut bytes = vec![0; 16 * 1024];
    loop {
        let Ok(read @ 1..) = from.read(&mut bytes).await else {
            return;
        };
        let open = link.wait_for(|link| *link == Link::Open).await.is_ok();
        if !open || to.write_all(&bytes[..read]).await.is_err() {
            return;
        }
    }
}
