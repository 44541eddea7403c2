//! The accept loop of a door: accepts connections within limits, and lets
//! conversations end when the door closes.

use std::{future::Future, io, time::Duration};

use limits::{Connections, Full, accept_until};
use socket2::{SockRef, TcpKeepalive};
use tokio::{io::AsyncWriteExt, net::TcpStream, task::JoinSet, time::timeout};

use super::{
    console::{ConnectionLimits, Console},
    door::DoorSetup,
};

/// When the door closes, open conversations must end within this time.
const GRACE_PERIOD: Duration = Duration::from_secs(3);

/// Time limit for the last text to a client, which says why the client is rejected or disconnected.
const REFUSAL_TIMEOUT: Duration = Duration::from_millis(100);

/// Last text for a client that is disconnected to make room for a new client. Only a client without
/// a name is disconnected for this reason.
const GIVES_WAY: &str = "
All places at this door are taken. You have no name and no seat here, and you have been silent for
longer than the others: your place goes to somebody who waits. Connect again later.
";

/// Turns on TCP keepalive. Without keepalive, a connection to a machine that lost its power or its
/// network would stay open for hours. The club would show the player as present.
///
/// The operating systems of both machines exchange the keepalive probes; no
/// program takes part.
fn set_keepalive(stream: &TcpStream, silence: Duration) -> io::Result<()> {
    let socket = SockRef::from(stream);
    let least = Duration::from_secs(1);
    // The first probe is sent after half of `silence`. Without an answer, the second and the third
    // probe follow after a sixth of `silence` each. After one more sixth, the connection counts as
    // lost.
    let keepalive = TcpKeepalive::new()
        .with_time((silence / 2).max(least))
        .with_interval((silence / 6).max(least));
    #[cfg(not(any(target_os = "openbsd", target_os = "haiku")))]
    let keepalive = keepalive.with_retries(3);
    socket.set_tcp_keepalive(&keepalive)?;
    // Without this timeout, unacknowledged data would be sent again for about 15 minutes before the
    // connection counts as lost.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    socket.set_tcp_user_timeout(Some(silence.max(least)))?;
    Ok(())
}

/// Accepts connections until the door is to close. Then waits at most
/// `GRACE_PERIOD` for the open conversations to end.
///
/// If a limit is reached, one client without a name ([`Console::named`]) is disconnected to make
/// room. It is the client that has been idle for the longest time. If all clients have names, the
/// new client gets one line with the reason, and is disconnected.
pub async fn listen<F, T>(opening: DoorSetup, connection: ConnectionLimits, converse: F)
where
    F: Fn(Console) -> T,
    T: Future<Output = ()> + Send + 'static,
{
    let limits = opening.limits;
    let counts = Connections::new(limits.connections, limits.connections_in_all);
    let mut conversations = JoinSet::new();
    accept_until(
        opening.closing.closed(),
        opening.listener,
        |stream, address| {
            // Remove the conversations that have ended.
            while conversations.try_join_next().is_some() {}
            if let Err(error) = set_keepalive(&stream, limits.silence) {
                tracing::warn!(%error, "a dead connection will be noticed late");
            }
            match counts.connect_stranger(Some(address.ip())) {
                Ok(held) => {
                    let console = Console::open(stream, address, connection);
                    let (output, presence) = (console.output.clone(), held.presence());
                    let conversation = converse(console.with_presence(presence.clone()));
                    conversations.spawn(async move {
                        let must_leave = async {
                            match &presence {
                                Some(presence) => presence.must_leave().await,
                                None => std::future::pending().await,
                            }
                        };
                        tokio::select! {
                            () = conversation => {}
                            () = must_leave => {
                                output.say(GIVES_WAY);
                                output.end();
                                let _gone = timeout(REFUSAL_TIMEOUT, output.flushed()).await;
                            }
                        }
                        drop(held);
                    });
                }
                Err(full) => {
                    conversations.spawn(refuse(stream, full));
                }
            }
        },
    )
    .await;
    let ended = async { while conversations.join_next().await.is_some() {} };
    let _late = timeout(GRACE_PERIOD, ended).await;
}

/// Sends a client the reason why it is rejected.
async fn refuse(stream: TcpStream, full: Full) {
    let line: &[u8] = match full {
        Full::Total => b"The club is full. Connect again in a minute.\r\n",
        Full::Network => {
            b"Too many connections from your address. Close one, and connect again.\r\n"
        }
    };
    say_last(stream, line).await;
}

/// Sends a client its only text, and disconnects it.
pub(super) async fn say_last(mut stream: TcpStream, text: &[u8]) {
    let _gone = timeout(REFUSAL_TIMEOUT, stream.write_all(text)).await;
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use club::{Club, Settings, SystemClock};
    use store::MemoryStore;
    use tokio::{io::AsyncReadExt, net::TcpListener, sync::mpsc};

    use super::*;
    use crate::base::{Closing, DoorLimits, Options};

    async fn setup(limits: DoorLimits) -> DoorSetup {
        let store = Arc::new(MemoryStore::default());
        let club = Club::open(store, Arc::new(SystemClock), Settings::cheap()).await;
        DoorSetup {
            listener: TcpListener::bind("127.0.0.1:0").await.unwrap(),
            club: club.unwrap(),
            limits,
            options: Options::default(),
            closing: Closing::default(),
        }
    }

    #[tokio::test]
    async fn idle_clients_without_a_name_give_way() {
        let limits = DoorLimits {
            connections: 4,
            ..DoorLimits::default()
        };
        let setup = setup(limits).await;
        let (at, closing) = (setup.listener.local_addr().unwrap(), setup.closing.clone());
        let converse = |mut console: Console| async move {
            while let Ok(input) = console.lines.next().await {
                if input == crate::base::Input::Line("name".to_owned()) {
                    console.named();
                }
                console.output.say("heard\n");
            }
        };
        let serves = listen(setup, ConnectionLimits::default(), converse);
        let calls = async {
            let says = async |line: &str| {
                let mut stream = TcpStream::connect(at).await.unwrap();
                stream.write_all(line.as_bytes()).await.unwrap();
                let mut heard = [0; 7];
                stream.read_exact(&mut heard).await.unwrap();
                stream
            };
            let mut named = says("name\n").await;
            let mut strangers = Vec::new();
            for _ in 0..3 {
                strangers.push(says("hello\n").await);
            }
            // The first stranger sends another line, so the second stranger is idle for the longest
            // time.
            strangers[0].write_all(b"hello\n").await.unwrap();
            let mut heard = [0; 7];
            strangers[0].read_exact(&mut heard).await.unwrap();
            let _late = says("name\n").await;
            let mut told = String::new();
            strangers[1].read_to_string(&mut told).await.unwrap();
            assert!(told.contains("your place goes to somebody"), "{told}");
            // 64 more strangers do not prevent a client from signing in, and do not displace a
            // client with a name.
            for _ in 0..64 {
                strangers.push(TcpStream::connect(at).await.unwrap());
            }
            says("name\n").await;
            named.write_all(b"hello\n").await.unwrap();
            named.read_exact(&mut heard).await.unwrap();
            closing.close();
        };
        tokio::join!(serves, calls);
    }

    #[tokio::test]
    async fn client_over_a_limit_gets_the_reason() {
        for (connections, connections_in_all, why) in
            [(1, 2, "your address"), (2, 1, "The club is full")]
        {
            let limits = DoorLimits {
                connections,
                connections_in_all,
                ..DoorLimits::default()
            };
            let (came, mut comes) = mpsc::unbounded_channel();
            let opening = setup(limits).await;
            let (at, closing) = (
                opening.listener.local_addr().unwrap(),
                opening.closing.clone(),
            );
            let converse = |mut console: Console| {
                console.named();
                came.send(()).unwrap();
                async move {
                    let _gone = console.lines.next().await;
                }
            };
            let serves = listen(opening, ConnectionLimits::default(), converse);
            let calls = async {
                let first = TcpStream::connect(at).await.unwrap();
                comes.recv().await.unwrap();
                let mut told = String::new();
                let mut second = TcpStream::connect(at).await.unwrap();
                second.read_to_string(&mut told).await.unwrap();
                assert!(told.contains(why), "{told}");
                // The place of a closed connection becomes free, but not
                // immediately.
                drop(first);
                while comes.try_recv().is_err() {
                    drop(TcpStream::connect(at).await.unwrap());
                    tokio::task::yield_now().await;
                }
                closing.close();
            };
            tokio::join!(serves, calls);
        }
    }
}
