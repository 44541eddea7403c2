//! Hints between stores over a NATS server. NATS does not store the messages: a hint that a store does
//! not receive is lost.

use std::{
    fmt,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_nats::{Client, ConnectOptions, Event, ServerAddr, connection::State};
use futures_util::StreamExt;
use percent_encoding::percent_decode_str;
use tokio::{
    sync::broadcast,
    time::{sleep, timeout},
};

use crate::{
    notice::Notice,
    store::{Hint, StoreError},
};

/// Port of a NATS server if the address has none.
const PORT: u16 = 4222;
/// Timeout for a connection, and for sending a message.
const TIMEOUT: Duration = Duration::from_secs(2);
/// Interval between pings. A server that does not answer two pings is treated as unreachable.
const PING_INTERVAL: Duration = Duration::from_secs(1);
/// Longest pause before the next attempt to connect.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Addresses of NATS servers, as `nats://USER:PASSWORD@HOST:PORT`. Several addresses are separated by
/// commas. With `tls://` the connection is encrypted.
///
/// The text forms do not contain the password.
#[derive(Clone)]
pub struct HintServers(Vec<ServerAddr>);

/// Error for a text that does not contain addresses of NATS servers. The text may contain a
/// password, so the error does not quote it.
#[derive(Copy, Clone, Eq, PartialEq, Debug, thiserror::Error)]
#[error(
    "the address of a NATS server must be nats://HOST:PORT, or tls://HOST:PORT for an encrypted \
     connection; a user and a password may precede the host, as USER:PASSWORD@"
)]
pub struct HintServersError;

impl FromStr for HintServers {
    type Err = HintServersError;

    fn from_str(text: &str) -> Result<HintServers, HintServersError> {
        let server = |text: &str| -> Result<ServerAddr, HintServersError> {
            let known = ["nats://", "tls://"].iter().any(|s| text.starts_with(s));
            let server: ServerAddr = text.parse().map_err(|_| HintServersError)?;
            if !known || server.host().is_empty() {
                return Err(HintServersError);
            }
            Ok(server)
        };
        let servers = text.split(',').map(|text| server(text.trim()));
        Ok(HintServers(servers.collect::<Result<_, _>>()?))
    }
}

impl HintServers {
    /// Returns the user and the password of the first address that names a user.
    fn user(&self) -> Option<(String, String)> {
        let plain = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
        self.0.iter().find_map(|server| {
            let user = server.username()?;
            Some((plain(user), plain(server.password().unwrap_or_default())))
        })
    }
}

impl fmt::Display for HintServers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, server) in self.0.iter().enumerate() {
            let comma = if n > 0 { "," } else { "" };
            let (scheme, host, port) = (server.scheme(), server.host(), server.port());
            write!(
                f,
                "{comma}{scheme}://{host}:{}",
                if port == 0 { PORT } else { port }
            )?;
        }
        Ok(())
    }
}

impl fmt::Debug for HintServers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A connection to NATS, which is opened again after a failure.
pub(crate) struct Nats {
    client: Client,
    subject: String,
}

/// Writes one log line when the server stops answering, and one when it answers again.
struct Reports {
    servers: HintServers,
    is_away: AtomicBool,
}

impl Reports {
    fn away(&self) {
        if !self.is_away.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                servers = %self.servers,
                "the NATS server does not answer, or refuses the connection: until it answers, nodes get hints from the database"
            );
        }
    }

    fn back(&self) {
        if self.is_away.swap(false, Ordering::Relaxed) {
            tracing::info!(servers = %self.servers, "the NATS server answers again");
        }
    }
}

impl Nats {
    /// Begins to connect, and does not wait for the connection. `club` is the name of the database.
    /// The subject of the messages contains this name, because several clubs can use one server.
    pub(crate) async fn connect(servers: HintServers, club: &str) -> Result<Nats, StoreError> {
        let reports = Arc::new(Reports {
            servers: servers.clone(),
            is_away: AtomicBool::new(false),
        });
        let events = Arc::clone(&reports);
        let mut options = ConnectOptions::new()
            .name("kriegspiel")
            .no_echo()
            .retry_on_initial_connect()
            .ignore_discovered_servers()
            .connection_timeout(TIMEOUT)
            .ping_interval(PING_INTERVAL)
            .reconnect_delay_callback(|attempts| {
                let pause = Duration::from_millis(50 << attempts.min(10));
                pause.min(LONGEST_PAUSE)
            })
            .event_callback(move |event| {
                let reports = Arc::clone(&events);
                async move {
                    match event {
                        Event::Connected => reports.back(),
                        Event::Disconnected | Event::Closed => reports.away(),
                        Event::LameDuckMode
                        | Event::Draining
                        | Event::SlowConsumer(_)
                        | Event::ServerError(_)
                        | Event::ClientError(_) => {}
                    }
                }
            });
        // The library ignores the user in an address, so the user is set here.
        if let Some((user, password)) = servers.user() {
            options = options.user_and_password(user, password);
        }
        let wrong = |error: async_nats::ConnectError| StoreError::Other(error.to_string());
        let client = options.connect(servers.0).await.map_err(wrong)?;
        let first = client.clone();
        tokio::spawn(async move {
            sleep(2 * TIMEOUT).await;
            if first.connection_state() != State::Connected {
                reports.away();
            }
        });
        Ok(Nats {
            client,
            subject: subject(club),
        })
    }

    /// Sends a message, if the server is connected. Returns whether the message was sent.
    pub(crate) async fn send(&self, text: &str) -> bool {
        if self.client.connection_state() != State::Connected {
            return false;
        }
        let message = text.to_owned().into_bytes().into();
        let sent = timeout(TIMEOUT, self.client.publish(self.subject.clone(), message));
        matches!(sent.await, Ok(Ok(())))
    }

    /// Returns the task that receives the hints of other stores.
    pub(crate) fn receive(
        &self,
        here: broadcast::Sender<Hint>,
    ) -> impl Future<Output = ()> + Send + use<> {
        let (client, subject) = (self.client.clone(), self.subject.clone());
        async move {
            loop {
                if let Ok(mut messages) = client.subscribe(subject.clone()).await {
                    while let Some(message) = messages.next().await {
                        let text = String::from_utf8_lossy(&message.payload);
                        for hint in Notice::hints(&text) {
                            // There may be no subscriber.
                            let _ignored = here.send(hint);
                        }
                    }
                }
                sleep(LONGEST_PAUSE).await;
            }
        }
    }
}

/// Returns the subject of a club's hints. A character that NATS does not allow is replaced.
fn subject(club: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let club: String = club
        .chars()
        .map(|c| if allowed(c) { c } else { '_' })
        .collect();
    format!("kriegspiel.{club}.hints")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_shown_without_passwords() {
        for (given, shown) in [
            ("nats://a", "nats://a:4222"),
            ("nats://u:secret@a:5,tls://b", "nats://a:5,tls://b:4222"),
        ] {
            let servers: HintServers = given.parse().expect("the address is right");
            assert_eq!(servers.to_string(), shown);
            assert_eq!(format!("{servers:?}"), shown);
        }
        for wrong in ["", "a", "http://a", "ws://a", "nats://", "nats://u:secret@"] {
            let error = wrong.parse::<HintServers>().expect_err(wrong).to_string();
            assert!(error.contains("nats://HOST:PORT"), "{error}");
            assert!(!error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn a_subject_has_no_character_that_nats_forbids() {
        assert_eq!(subject("club.public"), "kriegspiel.club.public.hints");
        assert_eq!(subject("a b*>.ü"), "kriegspiel.a_b__._.hints");
    }
}
