//! The description of a door, and a table of them: its options, its listeners,
//! its start.

use std::{fmt, future::Future, io, iter, net::SocketAddr, pin::Pin, time::Duration};

use club::Club;
use tokio::{net::TcpListener, sync::watch, task::JoinSet};

use super::options::{DoorOption, Options};

/// Something that runs by itself.
pub type Task = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A door, as `serve` offers and opens it. It is closed unless its address is
/// given.
#[derive(Copy, Clone, Debug)]
pub struct Door {
    /// The option that holds its address.
    pub address: DoorOption,
    /// Its visitors, as the message at the start calls them.
    pub visitors: &'static str,
    /// Its other options.
    pub options: &'static [DoorOption],
    /// Serves until it is told to close.
    pub serve: fn(DoorSetup) -> Task,
}

/// Limits of a door for each address, and for dead connections.
#[derive(Copy, Clone, Debug)]
pub struct DoorLimits {
    /// Connections at once from one address.
    pub connections: u32,
    /// Connections at once in total.
    pub connections_in_all: u32,
    /// Guests in an hour from one address.
    pub guests: u32,
    /// Attempts to sign in within a minute from one address.
    pub sign_ins: u32,
    /// Drop a peer whose machine has been silent for this long, in whole
    /// seconds.
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

/// Everything that a door needs to open.
pub struct DoorSetup {
    /// Listener for connections.
    pub listener: TcpListener,
    /// The club.
    pub club: Club,
    /// The limits of connections.
    pub limits: DoorLimits,
    /// Values of all options.
    pub options: Options,
    /// Tells when to close.
    pub closing: Closing,
}

/// Tells doors, and the conversations there, to close. All clones are one.
#[derive(Clone, Debug, Default)]
pub struct Closing(watch::Sender<bool>);

impl Closing {
    /// Tells all to close.
    pub fn close(&self) {
        self.0.send_replace(true);
    }

    /// Returns when it is time to close.
    pub async fn closed(&self) {
        let mut closing = self.0.subscribe();
        // The sender lives as long as this.
        let _gone = closing.wait_for(|closes| *closes).await;
    }
}

impl Door {
    /// The options of a table of doors, in the order of help.
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
    /// Serves each of these doors until it is told to close.
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

/// Shows the address of an open door, and its visitors.
impl fmt::Display for OpenDoor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (visitors, at) = (self.door.visitors, self.at);
        let (ip, port) = (at.ip(), at.port());
        write!(f, "{visitors} are let in at {at}: telnet {ip} {port}")
    }
}

/// Binds the addresses of those doors of a table that have one.
///
/// # Errors
/// The first address that cannot be bound, and why.
pub async fn bind(
    table: &[Door],
    options: &Options,
) -> Result<Vec<OpenDoor>, (SocketAddr, io::Error)> {
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
        open.push(bound.await.map_err(|why| (at, why))?);
    }
    Ok(open)
}
