//! The command `kriegspiel teletype`.

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
use club::Club;
use doors::{
    base::{Closing, Console, Disconnected, DoorAddress, DoorLimits, DoorSetup, Options},
    teletype::{Settings, Teletypes, converse, serve},
};
use store::{MemoryStore, SqliteStore, Store};
use tokio::{
    io::join,
    net::TcpListener,
    runtime::Runtime,
    sync::watch,
    task::spawn_blocking,
    time::{sleep, timeout},
};

use super::{data::open_club, usage};

/// The controlling terminal of this process.
const HERE: &str = "/dev/tty";

/// Pause between attempts to reopen a device after its connection was lost.
const AGAIN: Duration = Duration::from_millis(500);

/// Longest time that opening the devices may take.
const OPEN_TIMEOUT: Duration = Duration::from_secs(10);

/// At the end of the command, the program waits at most this time until both consoles have got the
/// last message.
const LAST_WORDS_TIMEOUT: Duration = Duration::from_secs(5);

/// Error text that explains how to give two consoles.
const NO_CONSOLES: &str = "\
two consoles are needed. To wait for two telnet connections:
  kriegspiel teletype --listen 1965
then run `telnet 127.0.0.1 1965` in two windows. Or name one device (`tty` in a window prints its
name); the other console is this terminal:
  kriegspiel teletype /dev/pts/3
`kriegspiel teletype --help` shows more options";

/// Play at two teletypes, as with UMPIRE in 1965, without a club
///
/// Two people play at two consoles, and the program is the umpire: neither
/// player sees the other's men. A console is a terminal, a serial port, or a
/// telnet connection. Each user can read an instruction first. When ****
/// appears and two bells ring, it is your turn to type, as in K2 K4, CK, MSG,
/// RELIST, RESIGN.
///
/// The user who runs this command could read its memory. For a neutral umpire,
/// play in a club (kriegspiel serve --teletype).
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel teletype --listen 1965
      wait for two telnet connections: telnet 127.0.0.1 1965, in two windows
  kriegspiel teletype --listen 0.0.0.0:1965
      the same from other machines
  kriegspiel teletype /dev/pts/3
      this terminal is the first console, the one at /dev/pts/3 the second. In
      its window type `tty; sleep 1d`: this prints the name, and then the shell
      there does not read what you type
  kriegspiel teletype --1965 --cps 10 /dev/ttyS0 /dev/ttyS1
      two real teletypes at serial ports, set before with stty

If a connection breaks, the game is not lost: connect again, and type JOIN and the key that was
printed at the beginning. A serial port is opened again automatically; a window that was closed
(/dev/pts/N) is not. With --data the game is stored, and the next command may use other devices.")]
pub(super) struct Args {
    /// One or two consoles, as named by `tty`; if only one is given, the other
    /// console is this terminal
    #[arg(value_name = "DEVICE", num_args = 1..=2, conflicts_with = "listen")]
    devices: Vec<PathBuf>,

    /// Wait for telnet connections; every two of them play one game. A port without an address is
    /// on this machine only
    #[arg(long, value_name = "[ADDRESS:]PORT")]
    listen: Option<DoorAddress>,

    /// Keep the simplifications of 1965: promotion only to queens, mate not
    /// recognised
    #[arg(long = "1965")]
    as_in_1965: bool,

    /// Write this number of characters per second; the teletypes of 1965 wrote
    /// 10 [default: no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    cps: Option<u32>,

    /// Store games in this file, which is created if necessary [default: in
    /// memory]
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,
}

pub(super) fn main(args: &Args) -> anyhow::Result<()> {
    if args.listen.is_none() && args.devices.is_empty() {
        return Err(usage(NO_CONSOLES));
    }
    let runtime = Runtime::new().context("the program cannot start")?;
    let done = runtime.block_on(play(args));
    // Do not wait for a thread that may still read from a terminal.
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
            let store = opened.with_context(|| format!("the file {}", file.display()))?;
            store.commit_on_ticks().await?;
            Arc::new(store)
        }
    };
    let club = open_club(store).await?;
    match args.listen {
        Some(DoorAddress(at)) => listen(at, club.clone(), settings).await?,
        None => {
            let devices = args.devices.clone();
            // Opening a port without a connection may never end.
            let opened = spawn_blocking(move || seats(&devices, settings));
            let opened = timeout(OPEN_TIMEOUT, opened).await.map_err(|_| {
                usage(format!(
                    "no answer of {} within {} s: check that both devices are connected",
                    args.devices
                        .iter()
                        .map(|device| device.display().to_string())
                        .collect::<Vec<_>>()
                        .join(" and "),
                    OPEN_TIMEOUT.as_secs(),
                ))
            })?;
            let seats = opened.context("a device cannot be opened")??;
            sit_down(seats, &club, settings).await;
        }
    }
    club.close().await;
    Ok(())
}

async fn listen(at: SocketAddr, club: Club, settings: Settings) -> anyhow::Result<()> {
    let listener = TcpListener::bind(at)
        .await
        .with_context(|| format!("cannot listen on {at}"))?;
    let at = listener.local_addr()?;
    let (ip, port) = (at.ip(), at.port());
    let mut output = io::stdout();
    writeln!(
        output,
        "Waiting for teletypes at {at}: telnet {ip} {port} (Ctrl-C ends it)"
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

/// Opens two consoles: two devices, or this terminal and one device.
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
            "{} is not a console: {error}; `tty` in the other window prints the name of its console",
            device.display()
        ))
    })?;
    // A tokio `File` does only one operation at a time, so reading and writing use
    // separate files.
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
        return Err(io::Error::other("it is neither a terminal nor a port"));
    }
    Ok((file.try_clone()?, file))
}

/// Plays one game, until both users have finished with it.
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
                    // The other user has finished. This wait cannot fail, because both senders live
                    // as long as this loop.
                    _ = other_done.wait_for(|done| *done) => None,
                    () = closing.closed() => None,
                }
            };
            match again.await {
                Some(reopened) => console = reopened,
                None => break,
            }
        }
        done[me].send_replace(true);
        // There are only two consoles, so no further console can join.
        if teletypes.close_pairing() {
            let device = device.display();
            let _closed = writeln!(
                io::stderr(),
                "kriegspiel: {device} did not answer, or its user has left: the other console has \
                 nobody to play against"
            );
        }
    };
    let [one, other] = seats;
    let both = async {
        tokio::join!(at(one, 0), at(other, 1));
    };
    tokio::pin!(both);
    tokio::select! {
        () = &mut both => return,
        () = server::signal() => closing.close(),
    }
    // Both consoles get the message, not only the console at which somebody pressed Ctrl-C.
    let _late = timeout(LAST_WORDS_TIMEOUT, both).await;
}

/// Opens a console again after its connection has broken, as soon as the device
/// is available.
async fn reopened(device: &Path, settings: Settings) -> Console {
    // The console of a closed window is not opened again. Another window may have got its number,
    // and the keyboard of that window must not be read. A user who closes the controlling terminal
    // cannot come back either.
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
