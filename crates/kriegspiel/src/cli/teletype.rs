//! `kriegspiel teletype`.

use std::{
    fs::{File, OpenOptions},
    io::{self, Write},
    net::SocketAddr,
    os::unix::fs::FileTypeExt,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context;
use club::{Club, SystemClock};
use doors::{
    Console, Limits,
    teletype::{Door, Settings, serve},
};
use server::DoorAddress;
use store::{MemoryStore, SqliteStore, Store};
use tokio::{io::join, net::TcpListener, runtime::Builder};

use super::usage;

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
beginning. With --data the game outlives this command too.")]
pub(super) struct Args {
    /// A console, as tty names it; of one, this terminal is the other
    #[arg(value_name = "DEVICE", num_args = 1..=2, required_unless_present = "listen",
          conflicts_with = "listen")]
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
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the program cannot begin to work")?;
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
            let consoles = consoles(&args.devices, settings)?;
            sit_down(consoles, &club, settings).await;
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
    serve(
        listener,
        club,
        settings,
        Limits::default(),
        server::signal(),
    )
    .await;
    Ok(())
}

/// Two consoles on devices, or this terminal and one.
fn consoles(devices: &[PathBuf], settings: Settings) -> anyhow::Result<[Console; 2]> {
    let here = Path::new("/dev/tty");
    match devices {
        [one, other] => Ok([console(one, settings)?, console(other, settings)?]),
        [other] => Ok([console(here, settings)?, console(other, settings)?]),
        _ => Err(usage("one device or two make two consoles")),
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
        settings.manners(),
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
async fn sit_down(consoles: [Console; 2], club: &Club, settings: Settings) {
    let door = Door::new(club.clone(), settings);
    let [one, other] = consoles;
    let both = async {
        tokio::join!(door.converse(one), door.converse(other));
    };
    tokio::select! {
        () = both => {}
        () = server::signal() => door.close(),
    }
}
