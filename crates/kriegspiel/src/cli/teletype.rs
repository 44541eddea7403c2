//! `kriegspiel teletype`.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    net::SocketAddr,
    os::unix::fs::FileTypeExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::Context;
use club::{Club, SystemClock};
use doors::{
    base::{Closing, Console, Disconnected, DoorAddress, DoorLimits, DoorSetup, Options},
    teletype::{Settings, Teletypes, converse, serve},
};
use store::{MemoryStore, SqliteStore, Store};
use tokio::{
    io::join, net::TcpListener, runtime::Runtime, sync::watch, task::spawn_blocking, time::sleep,
};

use super::usage;

/// This terminal.
const HERE: &str = "/dev/tty";

/// Interval at which a lost device is tried again.
const AGAIN: Duration = Duration::from_millis(500);

/// Error text: the usual way to give two consoles, and the other one.
const NO_CONSOLES: &str = "\
where are the two consoles? Wait for two telnet connections:
  kriegspiel teletype --listen 1965
then `telnet 127.0.0.1 1965` in two windows. Or name a device (`tty` in a window says its name), and
this terminal is the other:
  kriegspiel teletype /dev/pts/3
`kriegspiel teletype --help` says more";

/// Play at two teletypes, as with UMPIRE in 1965, without a club
///
/// Two people at two consoles, and the umpire between them: neither sees the other's men. A console
/// is a terminal, a serial port, or a telnet connection. Each is offered the instruction; at **** and
/// two bells it is for you to type, as K2 K4, CK, MSG, RELIST, RESIGN.
///
/// Whoever runs this command could read the memory of it: for a neutral umpire, play in a club
/// (kriegspiel serve --teletype).
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel teletype --listen 1965
      wait for two telnet connections: telnet 127.0.0.1 1965, in two windows
  kriegspiel teletype --listen 0.0.0.0:1965
      the same from other machines
  kriegspiel teletype /dev/pts/3
      this terminal is the first console, the one at /dev/pts/3 the second. In
      its window type `tty; sleep 1d`: that says its name, and keeps the shell
      there from reading what you type
  kriegspiel teletype --1965 --cps 10 /dev/ttyS0 /dev/ttyS1
      two real teletypes at serial ports, set before with stty

A line that drops loses nothing: call again, and type JOIN and the key that was printed at the
beginning. A port that comes back is asked again by itself; a window that was closed (/dev/pts/N) is
not: with --data the game outlives this command, and the next one may have other devices.")]
pub(super) struct Args {
    /// A console, as tty names it; of one, this terminal is the other
    #[arg(value_name = "DEVICE", num_args = 1..=2, conflicts_with = "listen")]
    devices: Vec<PathBuf>,

    /// Wait for telnet connections, each two of them a game; a port alone is one of this machine
    #[arg(long, value_name = "[ADDRESS:]PORT")]
    listen: Option<DoorAddress>,

    /// Keep the short cuts of 1965: queens only, no mate detected
    #[arg(long = "1965")]
    as_in_1965: bool,

    /// Write so many characters a second, as teletypes did; theirs was 10 [default: as fast as it
    /// goes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    cps: Option<u32>,

    /// Keep games in a file; made if there is none [default: in memory]
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
}

pub(super) fn main(args: &Args) -> anyhow::Result<()> {
    if args.listen.is_none() && args.devices.is_empty() {
        return Err(usage(NO_CONSOLES));
    }
    let runtime = Runtime::new().context("the program cannot begin to work")?;
    let done = runtime.block_on(play(args));
    // Somebody may still be asked for a line at a terminal.
    runtime.shutdown_background();
    done
}

async fn play(args: &Args) -> anyhow::Result<()> {
    let settings = Settings {
        as_in_1965: args.as_in_1965,
        cps: args.cps,
    };
    let store: Arc<dyn Store> = match &args.data {
        None => Arc::new(MemoryStore::default()),
        Some(file) => {
            let opened = SqliteStore::open(file).await;
            Arc::new(opened.with_context(|| format!("the file {}", file.display()))?)
        }
    };
    let club = Club::open(store, Arc::new(SystemClock), club::Settings::default()).await?;
    match args.listen {
        Some(DoorAddress(at)) => listen(at, club.clone(), settings).await?,
        None => {
            let seats = seats(&args.devices, settings)?;
            sit_down(seats, &club, settings).await;
        }
    }
    club.close().await;
    Ok(())
}

async fn listen(at: SocketAddr, club: Club, settings: Settings) -> anyhow::Result<()> {
    let listener = TcpListener::bind(at)
        .await
        .with_context(|| format!("{at} cannot be listened to"))?;
    let at = listener.local_addr()?;
    let (ip, port) = (at.ip(), at.port());
    let mut output = io::stdout();
    writeln!(
        output,
        "Teletypes are let in at {at}: telnet {ip} {port} (Ctrl-C ends it)"
    )?;
    output.flush()?;
    let closing = Closing::default();
    let opening = DoorSetup {
        listener,
        club,
        limits: DoorLimits::default(),
        options: Options::default(),
        closing: closing.clone(),
    };
    let close = async {
        server::signal().await;
        closing.close();
    };
    tokio::join!(serve(opening, settings), close);
    Ok(())
}

/// Two consoles on devices, or this terminal and one.
fn seats(devices: &[PathBuf], settings: Settings) -> anyhow::Result<[(PathBuf, Console); 2]> {
    let seat = |device: &Path| anyhow::Ok((device.to_owned(), console(device, settings)?));
    match devices {
        [one, other] => Ok([seat(one)?, seat(other)?]),
        [other] => Ok([seat(Path::new(HERE))?, seat(other)?]),
        _ => Err(usage(NO_CONSOLES)),
    }
}

fn console(device: &Path, settings: Settings) -> anyhow::Result<Console> {
    let (reads, writes) = open(device).map_err(|error| {
        usage(format!(
            "{} is no console: {error}; `tty` in the other window says its name",
            device.display()
        ))
    })?;
    // A file of tokio's does one thing at a time, and it must read while it writes.
    let (reads, writes) = (
        tokio::fs::File::from_std(reads),
        tokio::fs::File::from_std(writes),
    );
    let nowhere = SocketAddr::from(([127, 0, 0, 1], 0));
    Ok(Console::open(
        join(reads, writes),
        nowhere,
        settings.connection(),
    ))
}

fn open(device: &Path) -> io::Result<(File, File)> {
    let file = OpenOptions::new().read(true).write(true).open(device)?;
    if !file.metadata()?.file_type().is_char_device() {
        return Err(io::Error::other("it is no terminal and no port"));
    }
    Ok((file.try_clone()?, file))
}

/// One game, until it is over and both have had what they asked for.
async fn sit_down(seats: [(PathBuf, Console); 2], club: &Club, settings: Settings) {
    let closing = Closing::default();
    let teletypes = Teletypes::new(club.clone(), settings, closing.clone());
    let done = [(); 2].map(|()| watch::Sender::new(false));
    let at = async |(device, mut console): (PathBuf, Console), me: usize| {
        let mut other_done = done[1 - me].subscribe();
        while converse(&teletypes, console).await == Err(Disconnected) {
            let again = async {
                tokio::select! {
                    console = reopened(&device, settings) => Some(console),
                    // Nobody is left to play with: both senders live as long as this.
                    _ = other_done.wait_for(|done| *done) => None,
                }
            };
            match again.await {
                Some(reopened) => console = reopened,
                None => break,
            }
        }
        done[me].send_replace(true);
    };
    let [one, other] = seats;
    let both = async {
        tokio::join!(at(one, 0), at(other, 1));
    };
    tokio::select! {
        () = both => {}
        () = server::signal() => closing.close(),
    }
}

/// The console at a device whose line has dropped, as soon as it is there again.
async fn reopened(device: &Path, settings: Settings) -> Console {
    // The number of a window that was closed may be any other's next: nobody
    // else's keyboard is read. At this terminal a user who leaves does not come back.
    if device.starts_with("/dev/pts") || device == Path::new(HERE) {
        std::future::pending::<()>().await;
    }
    loop {
        sleep(AGAIN).await;
        let device = device.to_owned();
        let opened = spawn_blocking(move || console(&device, settings)).await;
        if let Ok(Ok(console)) = opened {
            return console;
        }
    }
}
