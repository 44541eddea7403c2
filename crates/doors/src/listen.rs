//! Connections are taken in within limits.

use std::{
    collections::HashMap,
    future::Future,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{io::AsyncWriteExt, net::TcpListener, task::JoinSet, time::timeout};

use crate::console::{Console, Manners};

/// How many connections there may be.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// At once from one address.
    pub connections: u32,
    /// At once in all.
    pub connections_in_all: u32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 64,
            connections_in_all: 2048,
        }
    }
}

/// Counts connections.
#[derive(Clone, Debug, Default)]
struct Counter(Arc<Mutex<HashMap<IpAddr, u32>>>);

impl Counter {
    fn enter(&self, address: IpAddr, limits: Limits) -> Result<Held, &'static str> {
        let address = household(address);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.values().sum::<u32>() >= limits.connections_in_all {
            return Err("The house is full. Come again in a minute.");
        }
        let n = all.entry(address).or_default();
        if *n >= limits.connections {
            return Err("Too many connections from your address. Close one, and come again.");
        }
        *n += 1;
        Ok(Held {
            counter: self.clone(),
            address,
        })
    }
}

/// Whoever has an address of the sixth version has all of its network.
pub(crate) fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(six) => {
            let [a, b, c, d, ..] = six.segments();
            IpAddr::V6([a, b, c, d, 0, 0, 0, 0].into())
        }
        four @ IpAddr::V4(_) => four,
    }
}

/// A connection that is counted as long as this lives.
#[derive(Debug)]
struct Held {
    counter: Counter,
    address: IpAddr,
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut all = self
            .counter
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(n) = all.get_mut(&self.address) {
            *n -= 1;
            if *n == 0 {
                all.remove(&self.address);
            }
        }
    }
}

/// Takes connections in until `closes`; then those that are there may end, for
/// a short while.
///
/// A connection over a limit is told so in a line.
pub async fn listen<F, T>(
    listener: TcpListener,
    limits: Limits,
    manners: Manners,
    closes: impl Future<Output = ()>,
    converse: F,
) where
    F: Fn(Console) -> T,
    T: Future<Output = ()> + Send + 'static,
{
    let counter = Counter::default();
    let mut all = JoinSet::new();
    tokio::pin!(closes);
    loop {
        let taken = tokio::select! {
            () = &mut closes => break,
            taken = listener.accept() => taken,
            Some(_) = all.join_next() => continue,
        };
        let (mut stream, address): (_, SocketAddr) = match taken {
            Ok(taken) => taken,
            Err(error) => {
                // No more descriptors, most likely: those that are there go on.
                tracing::warn!(%error, "a connection could not be taken in");
                tokio::time::sleep(Duration::from_millis(200)).await;
                continue;
            }
        };
        // Small lines, each of which somebody waits for.
        let _slower = stream.set_nodelay(true);
        match counter.enter(address.ip(), limits) {
            Ok(held) => {
                let conversation = converse(Console::open(stream, address, manners));
                all.spawn(async move {
                    conversation.await;
                    drop(held);
                });
            }
            Err(why) => {
                let line = format!("{why}\r\n");
                let told = async move {
                    let _gone = stream.write_all(line.as_bytes()).await;
                };
                let _gone = timeout(Duration::from_millis(100), told).await;
            }
        }
    }
    drop(listener);
    let ending = async { while all.join_next().await.is_some() {} };
    let _late = timeout(Duration::from_secs(3), ending).await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_are_counted_while_they_are_held() {
        let counter = Counter::default();
        let limits = Limits {
            connections: 1,
            connections_in_all: 2,
        };
        let one: IpAddr = "192.0.2.1".parse().unwrap();
        let six: IpAddr = "2001:db8::1".parse().unwrap();
        let same_network: IpAddr = "2001:db8::2".parse().unwrap();
        let other: IpAddr = "192.0.2.2".parse().unwrap();
        let held = counter.enter(one, limits).unwrap();
        assert!(counter.enter(one, limits).is_err());
        let _six = counter.enter(six, limits).unwrap();
        assert!(counter.enter(same_network, limits).is_err());
        assert!(counter.enter(other, limits).unwrap_err().contains("full"));
        drop(held);
        assert!(counter.enter(other, limits).is_ok());
    }
}
