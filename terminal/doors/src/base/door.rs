//! The description of a door: its options, its listener and its start function.

use std::{fmt, future::Future, io, iter, net::SocketAddr, pin::Pin, time::Duration};

use club::Club;
use futures_util::future::join_all;
use limits::accept;
use tokio::{net::TcpListener, sync::watch, task::JoinSet};

use super::{
    listen::say_last,
    options::{DoorOption, Options},
};

/// Text for the clients of a standby.
const STANDBY: &[u8] = b"This server is a standby. Connect again in 2 seconds.\r\n";

/// A future that runs in the background until it ends.
pub type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Description of a door. The command `kriegspiel serve` makes the door's options from this
/// description, and opens the door if its address is given.
#[derive(Copy, Clone, Debug)]
pub struct Door {
    /// Option that holds the address of the door.
    pub address: DoorOption,
    /// Name of the door's users in the message that the command prints when it opens the door.
    pub visitors: &'static str,
    /// Other options of the door.
    pub options: &'static [DoorOption],
    /// Function that serves the door until the door must close.
    pub serve: fn(DoorSetup) -> Task,
}

/// Limits of a door, and the timeout for machines that do not respond.
#[derive(Copy, Clone, Debug)]
pub struct DoorLimits {
    /// Maximum number of simultaneous connections from one address.
    pub connections: u32,
    /// Maximum number of simultaneous connections in total.
    pub connections_in_all: u32,
    /// Maximum number of new guests per hour from one address.
    pub guests: u32,
    /// Maximum number of attempts to sign in per minute from one address.
    pub sign_ins: u32,
    /// A connection counts as broken if the client's machine does not respond for this time, in
    /// whole seconds.
    pub silence: Duration,
}

impl Default for DoorLimits {
    fn default() -> DoorLimits {
        DoorLimits {
            connections: 64,
            connections_in_all: 2048,
            guests: 60,
            sign_ins: 10,
            silence: Duration::from_secs(60),
        }
    }
}

/// Everything that a door gets when it opens.
pub struct DoorSetup {
    /// Bound socket that accepts connections.
    pub listener: TcpListener,
    /// The club in which the users of the door play.
    pub club: Club,
    /// Limits of the door.
    pub limits: DoorLimits,
    /// Values of all options.
    pub options: Options,
    /// Signal that tells the door when to close.
    pub closing: Closing,
}

/// Signal that tells doors and their conversations to close. All clones share
/// one state.
#[derive(Clone, Debug, Default)]
pub struct Closing(watch::Sender<bool>);

impl Closing {
    /// Tells everything that waits in [`Closing::closed`] that the door closes.
    pub fn close(&self) {
        self.0.send_replace(true);
    }

    /// Waits until [`Closing::close`] is called.
    pub async fn closed(&self) {
        let mut closing = self.0.subscribe();
        // The sender lives as long as `self`, so `wait_for` cannot fail.
        let _gone = closing.wait_for(|closes| *closes).await;
    }
}

impl Door {
    /// Returns the options of a table of doors, in the order of the help text.
    pub fn options(table: &[Door]) -> impl Iterator<Item = DoorOption> + '_ {
        table
            .iter()
            .flat_map(|door| iter::once(door.address).chain(door.options.iter().copied()))
    }
}

/// A door whose address is bound.
#[derive(Debug)]
pub struct OpenDoor {
    door: Door,
    listener: TcpListener,
    at: SocketAddr,
}

impl OpenDoor {
    /// Refuses every connection to these doors until the returned future is dropped.
    pub async fn standby(doors: &[OpenDoor]) {
        let waiting = doors.iter().map(async |open| {
            loop {
                let (stream, _) = accept(&open.listener).await;
                tokio::spawn(say_last(stream, STANDBY));
            }
        });
        join_all(waiting).await;
        std::future::pending().await
    }

    /// Serves each of these doors until the doors must close. Returns the tasks.
    pub fn serve_all(
        doors: Vec<OpenDoor>,
        club: &Club,
        limits: DoorLimits,
        options: &Options,
        closing: &Closing,
    ) -> JoinSet<()> {
        let tasks = doors.into_iter().map(|open| {
            (open.door.serve)(DoorSetup {
                listener: open.listener,
                club: club.clone(),
                limits,
                options: options.clone(),
                closing: closing.clone(),
            })
        });
        tasks.collect()
    }
}

/// Writes the address of an open door, and who its users are.
impl fmt::Display for OpenDoor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (visitors, at) = (self.door.visitors, self.at);
        let (ip, port) = (at.ip(), at.port());
        write!(f, "{visitors} are let in at {at}: telnet {ip} {port}")
    }
}

/// Error: the address of a door cannot be bound.
#[derive(Debug, thiserror::Error)]
#[error("--{option}: cannot listen on {address}: {error}")]
pub struct BindError {
    /// Name of the option that holds the address.
    pub option: &'static str,
    /// The address.
    pub address: SocketAddr,
    /// The reason.
    #[source]
    pub error: io::Error,
}

/// Binds each door that has an address in `options`.
///
/// # Errors
/// Returns the first address that cannot be bound, and the reason.
pub async fn bind(table: &[Door], options: &Options) -> Result<Vec<OpenDoor>, BindError> {
    let mut open = Vec::new();
    for door in table {
        let Some(at) = options.address(door.address.name) else {
            continue;
        };
        let bound = async {
            let listener = TcpListener::bind(at).await?;
            let at = listener.local_addr()?;
            let door = *door;
            io::Result::Ok(OpenDoor { door, listener, at })
        };
        open.push(bound.await.map_err(|error| BindError {
            option: door.address.name,
            address: at,
            error,
        })?);
    }
    Ok(open)
}
