//! Limits of concurrent connections, in total and for each network, and the loop that accepts
//! connections.

use std::{
    collections::HashMap,
    future::Future,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    net::{TcpListener, TcpStream},
    sync::Notify,
    time::sleep,
};

use crate::network;

/// Pause after a failed `accept`.
const RETRY_INTERVAL: Duration = Duration::from_millis(200);

/// Counter of connections. All clones share one count.
#[derive(Clone, Debug)]
pub struct Connections {
    per_network: u32,
    total: u32,
    counts: Arc<Counts>,
}

#[derive(Debug, Default)]
struct Counts {
    state: Mutex<State>,
    /// Notified when no connection is left.
    empty: Notify,
}

#[derive(Debug, Default)]
struct State {
    networks: HashMap<IpAddr, u32>,
    total: u32,
}

impl Counts {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The limit that does not allow another connection.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum Full {
    /// The limit of all connections together.
    Total,
    /// The limit of connections from one network.
    Network,
}

/// A connection. It counts until this value is dropped.
#[derive(Debug)]
pub struct Held {
    counts: Arc<Counts>,
    network: Option<IpAddr>,
}

impl Connections {
    /// Creates a counter with these limits.
    pub fn new(per_network: u32, total: u32) -> Connections {
        Connections {
            per_network,
            total,
            counts: Arc::default(),
        }
    }

    /// Counts a connection. A connection without an address counts only in the total.
    ///
    /// # Errors
    /// The limit that is reached. In this case nothing is counted.
    pub fn connect(&self, address: Option<IpAddr>) -> Result<Held, Full> {
        let network = address.map(network);
        let mut state = self.counts.state();
        if state.total >= self.total {
            return Err(Full::Total);
        }
        if let Some(network) = network {
            let n = state.networks.entry(network).or_default();
            if *n >= self.per_network {
                return Err(Full::Network);
            }
            *n += 1;
        }
        state.total += 1;
        Ok(Held {
            counts: Arc::clone(&self.counts),
            network,
        })
    }

    /// Waits until no connection is left.
    pub async fn closed(&self) {
        loop {
            let empty = self.counts.empty.notified();
            if self.counts.state().total == 0 {
                return;
            }
            empty.await;
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut state = self.counts.state();
        state.total = state.total.saturating_sub(1);
        if state.total == 0 {
            self.counts.empty.notify_waiters();
        }
        if let Some(network) = self.network
            && let Some(n) = state.networks.get_mut(&network)
        {
            *n = n.saturating_sub(1);
            if *n == 0 {
                state.networks.remove(&network);
            }
        }
    }
}

/// Accepts one connection. A failure is logged, and `accept` is called again after a pause: the
/// cause is probably a lack of file descriptors, and connections that end free some.
pub async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, address)) => {
                // Messages are small and must not be delayed.
                let _slower = stream.set_nodelay(true);
                return (stream, address);
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                sleep(RETRY_INTERVAL).await;
            }
        }
    }
}

/// Accepts connections until `stop` returns, and passes each one to `take`.
pub async fn accept_until(
    stop: impl Future<Output = ()>,
    listener: TcpListener,
    mut take: impl FnMut(TcpStream, SocketAddr),
) {
    tokio::pin!(stop);
    loop {
        tokio::select! {
            () = &mut stop => return,
            (stream, address) = accept(&listener) => take(stream, address),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_counts_as_long_as_it_is_held() {
        let at = |text: &str| Some(text.parse::<IpAddr>().expect("the text is an IP address"));
        let all = Connections::new(2, 4);
        let first = all
            .connect(at("2001:db8::1"))
            .expect("the count is below the limit");
        let _second = all
            .connect(at("2001:db8::2"))
            .expect("the count is below the limit");
        assert_eq!(all.connect(at("2001:db8::3")).unwrap_err(), Full::Network);
        assert!(all.connect(at("192.0.2.7")).is_ok());
        drop(first);
        let _third = all
            .connect(at("2001:db8::3"))
            .expect("the count is below the limit");

        // A refused connection is not counted. A connection without an address counts only in the
        // total.
        let _others = [(); 2].map(|()| all.connect(None).expect("the count is below the limit"));
        assert_eq!(all.connect(None).unwrap_err(), Full::Total);
        assert_eq!(all.connect(at("192.0.2.7")).unwrap_err(), Full::Total);
    }

    #[tokio::test]
    async fn closed_returns_when_the_last_connection_ends() {
        let all = Connections::new(1, 2);
        all.closed().await;
        let held = [(); 2].map(|()| all.connect(None).expect("the count is below the limit"));
        let closed = tokio::spawn({
            let all = all.clone();
            async move { all.closed().await }
        });
        tokio::task::yield_now().await;
        assert!(!closed.is_finished());
        drop(held);
        closed.await.expect("`closed` returns");
    }
}
