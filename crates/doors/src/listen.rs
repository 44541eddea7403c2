//! Connections are taken in within limits.

use std::{
    future::Future,
    io,
    net::{IpAddr, SocketAddr},
    time::Duration,
};

use limits::{Connections, Held};
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

/// Takes one more in.
///
/// # Errors
/// What he is told who finds no room.
fn enter(all: &Connections, address: IpAddr) -> Result<[Held; 2], &'static str> {
    let among_all = all
        .enter()
        .ok_or("The house is full. Come again in a minute.")?;
    let of_his = all
        .connect(address)
        .ok_or("Too many connections from your address. Close one, and come again.")?;
    Ok([among_all, of_his])
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
    let counts = Connections::new(limits.connections, limits.connections_in_all);
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
        match enter(&counts, address.ip()) {
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
    fn whoever_finds_no_room_is_told_why() {
        let all = Connections::new(1, 2);
        let one: IpAddr = "192.0.2.1".parse().unwrap();
        let other: IpAddr = "192.0.2.2".parse().unwrap();
        let third: IpAddr = "192.0.2.3".parse().unwrap();
        let held = enter(&all, one).unwrap();
        assert!(enter(&all, one).unwrap_err().contains("your address"));
        let _other = enter(&all, other).unwrap();
        assert!(enter(&all, third).unwrap_err().contains("full"));
        drop(held);
        assert!(enter(&all, third).is_ok());
    }
}
