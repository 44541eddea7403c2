//! Limits on concurrent connections (in total and for each network), and the loop that accepts
//! connections.

use std::{
    collections::{BTreeMap, HashMap},
    future::Future,
    net::{IpAddr, SocketAddr},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::{
    net::{TcpListener, TcpStream},
    sync::Notify,
    time::{Instant, sleep},
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
    /// Connections of strangers, by number.
    strangers: BTreeMap<u64, Stranger>,
    /// Number of the next stranger.
    next: u64,
}

/// A connection whose client has not identified itself yet.
#[derive(Debug)]
struct Stranger {
    network: Option<IpAddr>,
    /// Whether the client has made a request. Then it gives way only at the total limit.
    asked: bool,
    /// Time of the last sign of activity.
    active: Instant,
    /// Notified when the connection must be closed to make a place for another connection.
    must_leave: Arc<Notify>,
}

impl State {
    fn count(&mut self, network: Option<IpAddr>, limits: &Connections) -> Result<(), Full> {
        if self.total >= limits.total {
            return Err(Full::Total);
        }
        if let Some(network) = network {
            let n = self.networks.entry(network).or_default();
            if *n >= limits.per_network {
                return Err(Full::Network);
            }
            *n += 1;
        }
        self.total += 1;
        Ok(())
    }

    fn uncount(&mut self, network: Option<IpAddr>) {
        self.total = self.total.saturating_sub(1);
        if let Some(network) = network
            && let Some(n) = self.networks.get_mut(&network)
        {
            *n = n.saturating_sub(1);
            if *n == 0 {
                self.networks.remove(&network);
            }
        }
    }

    /// Removes the stranger that has been idle for the longest time. If the limit of `network` is
    /// reached, only strangers of this network that have made no request are considered. If the total
    /// limit is reached, only strangers of the network with the most strangers are considered. Returns
    /// whether a stranger was removed.
    fn remove_idlest_stranger(&mut self, full: Full, network: Option<IpAddr>) -> bool {
        let network = match full {
            Full::Network => network,
            Full::Total => {
                let mut crowds: HashMap<Option<IpAddr>, usize> = HashMap::new();
                for stranger in self.strangers.values() {
                    *crowds.entry(stranger.network).or_default() += 1;
                }
                let crowd = crowds.into_iter().max_by_key(|(network, n)| (*n, *network));
                let Some((network, _)) = crowd else {
                    return false;
                };
                network
            }
        };
        let idlest = self
            .strangers
            .iter()
            .filter(|(_, one)| one.network == network && !(one.asked && full == Full::Network))
            .min_by_key(|(_, stranger)| stranger.active)
            .map(|(number, _)| *number);
        let Some(stranger) = idlest.and_then(|number| self.strangers.remove(&number)) else {
            return false;
        };
        self.uncount(stranger.network);
        stranger.must_leave.notify_one();
        true
    }
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

/// A counted connection. The connection is counted until this value is dropped, or until the
/// connection must give way (must be closed to make a place for another connection).
#[derive(Debug)]
pub struct CountedConnection {
    counts: Arc<Counts>,
    network: Option<IpAddr>,
    stranger: Option<StrangerHandle>,
}

/// Handle for a connection that may have to give way. All clones are about the same connection.
#[derive(Clone, Debug)]
pub struct StrangerHandle {
    counts: Arc<Counts>,
    number: u64,
    must_leave: Arc<Notify>,
    is_named: Arc<AtomicBool>,
}

impl StrangerHandle {
    /// Records that the client has sent something.
    pub fn active(&self) {
        if let Some(stranger) = self.counts.state().strangers.get_mut(&self.number) {
            stranger.active = Instant::now();
        }
    }

    /// Records that the client has made a request. This is no sign of activity: a request can be a
    /// private try, and others at the same address see which connection gives way.
    pub fn asked(&self) {
        if let Some(stranger) = self.counts.state().strangers.get_mut(&self.number) {
            stranger.asked = true;
        }
    }

    /// Records that the client has identified itself. From now on the connection never gives way.
    pub fn named(&self) {
        self.named_of(u32::MAX);
    }

    /// Records the same as [`named`](Self::named) if fewer than `most` connections never give way.
    pub fn named_of(&self, most: u32) {
        let mut state = self.counts.state();
        let strangers = u32::try_from(state.strangers.len()).unwrap_or(u32::MAX);
        if state.total.saturating_sub(strangers) < most
            && state.strangers.remove(&self.number).is_some()
        {
            self.is_named.store(true, Ordering::Relaxed);
        }
    }

    /// Waits until this connection must give way to another one. From then on this connection is
    /// not counted, and the caller must close it. Cancel safe.
    pub async fn must_leave(&self) {
        self.must_leave.notified().await;
    }
}

impl CountedConnection {
    /// Returns the handle of the connection; `None` if the connection never gives way.
    pub fn presence(&self) -> Option<StrangerHandle> {
        self.stranger.clone()
    }
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

    /// Returns the number of connections that are counted now.
    pub fn open(&self) -> u32 {
        self.counts.state().total
    }

    /// Counts a connection. A connection without an address is counted only in the total.
    ///
    /// # Errors
    /// The limit that is reached. In this case nothing is counted.
    pub fn connect(&self, address: Option<IpAddr>) -> Result<CountedConnection, Full> {
        let network = address.map(network);
        self.counts.state().count(network, self)?;
        Ok(CountedConnection {
            counts: Arc::clone(&self.counts),
            network,
            stranger: None,
        })
    }

    /// Counts a connection of a stranger: a client that has not identified itself yet (see
    /// [`CountedConnection::presence`]). If a limit is reached, one stranger gives way: the
    /// stranger that has been idle for the longest time. At the limit of a network, only strangers
    /// of this network that have made no request are considered. At the total limit, only strangers of
    /// the network with the most strangers are considered.
    ///
    /// # Errors
    /// The limit that is reached, if no stranger can be disconnected instead.
    pub fn connect_stranger(&self, address: Option<IpAddr>) -> Result<CountedConnection, Full> {
        let network = address.map(network);
        let mut state = self.counts.state();
        while let Err(full) = state.count(network, self) {
            if !state.remove_idlest_stranger(full, network) {
                return Err(full);
            }
        }
        let number = state.next;
        state.next += 1;
        let must_leave = Arc::<Notify>::default();
        state.strangers.insert(
            number,
            Stranger {
                network,
                asked: false,
                active: Instant::now(),
                must_leave: Arc::clone(&must_leave),
            },
        );
        drop(state);
        Ok(CountedConnection {
            counts: Arc::clone(&self.counts),
            network,
            stranger: Some(StrangerHandle {
                counts: Arc::clone(&self.counts),
                number,
                must_leave,
                is_named: Arc::default(),
            }),
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

impl Drop for CountedConnection {
    fn drop(&mut self) {
        let mut state = self.counts.state();
        if let Some(presence) = &self.stranger {
            let was_stranger = state.strangers.remove(&presence.number).is_some();
            // A stranger that had to give way was already removed from the counts, so it is not
            // removed again here.
            if !was_stranger && !presence.is_named.load(Ordering::Relaxed) {
                return;
            }
        }
        state.uncount(self.network);
        if state.total == 0 {
            self.counts.empty.notify_waiters();
        }
    }
}

/// Accepts one connection. A failure is logged, and `accept` is called again after a pause. The
/// usual cause is a lack of file descriptors. The pause helps, because each connection that ends
/// frees a descriptor.
pub async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, address)) => {
                // Messages are small. With this setting the operating system sends them at once.
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
    fn connection_is_counted_until_it_is_dropped() {
        let at = |text: &str| Some(text.parse::<IpAddr>().unwrap());
        let all = Connections::new(2, 4);
        let first = all.connect(at("2001:db8::1")).unwrap();
        let _second = all.connect(at("2001:db8::2")).unwrap();
        assert_eq!(all.connect(at("2001:db8::3")).unwrap_err(), Full::Network);
        assert!(all.connect(at("192.0.2.7")).is_ok());
        drop(first);
        let _third = all.connect(at("2001:db8::3")).unwrap();

        // A refused connection is not counted. A connection without an address is counted only in
        // the total.
        let _others = [(); 2].map(|()| all.connect(None).unwrap());
        assert_eq!(all.connect(None).unwrap_err(), Full::Total);
        assert_eq!(all.connect(at("192.0.2.7")).unwrap_err(), Full::Total);
    }

    #[tokio::test(start_paused = true)]
    async fn idlest_stranger_gives_way_and_named_client_stays() {
        let at = |text: &str| Some(text.parse::<IpAddr>().unwrap());
        let step = || tokio::time::advance(Duration::from_secs(1));
        let all = Connections::new(3, 5);
        let mut held = Vec::new();
        for _ in 0..3 {
            held.push(all.connect_stranger(at("192.0.2.1")).unwrap());
            step().await;
        }
        let presence = |held: &CountedConnection| held.presence().unwrap();
        let (first, second) = (presence(&held[0]), presence(&held[1]));
        first.named();
        second.active();
        // The third connection has been idle for a longer time than the second.
        held.push(all.connect_stranger(at("192.0.2.1")).unwrap());
        presence(&held[2]).must_leave().await;
        step().await;
        held.push(all.connect_stranger(at("192.0.2.1")).unwrap());
        second.must_leave().await;
        for last in [3, 4] {
            presence(&held[last]).named();
        }
        assert_eq!(
            all.connect_stranger(at("192.0.2.1")).unwrap_err(),
            Full::Network
        );

        // If the total limit is reached, a stranger of the network with most strangers gives way.
        let two = [2, 3].map(|n| {
            let place = all.connect_stranger(at(&format!("192.0.2.{n}")));
            place.unwrap()
        });
        assert_eq!(all.connect(at("192.0.2.4")).unwrap_err(), Full::Total);
        let other = all.connect_stranger(at("192.0.2.2")).unwrap();
        let left = two.each_ref().map(|held| {
            let presence = presence(held);
            presence.named();
            presence.is_named.load(Ordering::Relaxed)
        });
        assert_eq!(left.iter().filter(|stays| **stays).count(), 1);
        // After a request, a stranger gives way only at the total limit.
        assert_eq!(all.open(), 5);
        drop(held.pop());
        let asker = all.connect_stranger(at("192.0.2.9")).unwrap();
        step().await;
        presence(&other).named();
        drop(held.pop());
        let younger = all.connect_stranger(at("192.0.2.9")).unwrap();
        step().await;
        // A later request does not make the older one stay.
        presence(&younger).asked();
        presence(&asker).asked();
        let last = all.connect_stranger(at("192.0.2.9"));
        presence(&asker).must_leave().await;
        drop(younger);
        drop((asker, last));
        // A connection that had to give way is not removed from the counts a second time.
        drop((held, two, other));
        all.closed().await;
        assert!(all.counts.state().networks.is_empty());
    }

    #[tokio::test]
    async fn closed_returns_when_the_last_connection_ends() {
        let all = Connections::new(1, 2);
        all.closed().await;
        let held = [(); 2].map(|()| all.connect(None).unwrap());
        let closed = tokio::spawn({
            let all = all.clone();
            async move { all.closed().await }
        });
        tokio::task::yield_now().await;
        assert!(!closed.is_finished());
        drop(held);
        closed.await.unwrap();
    }
}
