//! Connections are taken in within limits.

use std::{
    collections::HashMap,
    future::Future,
    io,
    net::{IpAddr, SocketAddr},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use socket2::{SockRef, TcpKeepalive};
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
    task::JoinSet,
    time::timeout,
};

use crate::console::{Console, Manners};

/// How many connections there may be, and when one of them counts as gone.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// At once from one address.
    pub connections: u32,
    /// At once in all.
    pub connections_in_all: u32,
    /// Whose machine gives no sign of life for so long is gone, although he has
    /// not hung up. In whole seconds.
    pub silence: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 64,
            connections_in_all: 2048,
            silence: Duration::from_secs(60),
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

/// Lets the system ask a machine that says nothing whether it still is there:
/// a line whose other end has lost its power or its network would stand open
/// for hours otherwise, and whoever sat there count as here.
///
/// The system asks, and the other system answers: no program takes a part in it.
fn ask_for_life(stream: &TcpStream, silence: Duration) -> io::Result<()> {
    let socket = SockRef::from(stream);
    let least = Duration::from_secs(1);
    // Half of the time in silence, then three questions.
    let keepalive = TcpKeepalive::new()
        .with_time((silence / 2).max(least))
        .with_interval((silence / 6).max(least));
    #[cfg(not(any(target_os = "openbsd", target_os = "haiku")))]
    let keepalive = keepalive.with_retries(3);
    socket.set_tcp_keepalive(&keepalive)?;
    // What was said and not received: without this it is sent for a quarter of an hour.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    socket.set_tcp_user_timeout(Some(silence.max(least)))?;
    Ok(())
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
        if let Err(error) = ask_for_life(&stream, limits.silence) {
            tracing::warn!(%error, "a line that goes dead will be noticed late");
        }
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
            ..Limits::default()
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
