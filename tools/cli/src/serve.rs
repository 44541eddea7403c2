//! The command `kriegspiel serve`.

use std::{
    env,
    io::{self, IsTerminal, Write},
    net::{SocketAddr, UdpSocket},
    path::PathBuf,
    process::{Command, Stdio},
    sync::Arc,
};

use anyhow::{Context, bail};
use clap::CommandFactory;
use club::{Club, EndReason, Settings, SystemClock};
use doors::base::{Closing, DoorLimits, OpenDoor, bind};
use metrics::Metrics;
use server::{Config, Given, Observer, PasswordCost, Server};
use store::Database;
use tokio::{net::TcpListener, sync::Notify};

use super::{Cli, data::location, tls, usage};

/// Open a club: play in a browser, against people and programs
///
/// People play under any ruleset in a browser, against people anywhere or
/// against bots; others can watch. Everything is stored in one file, or in a
/// Postgres database (--data). After a crash games continue, and the time of the
/// outage is not counted. The first SIGINT or SIGTERM closes the club and its
/// connections; a second signal ends the program immediately.
///
/// Every setting can be given by a flag, by an environment variable, or in a
/// file (--config). A flag overrides the environment, and the environment
/// overrides the file.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel serve
  kriegspiel serve --listen 0.0.0.0:80 --public-url http://kriegspiel.example.org
  kriegspiel serve --config club.toml

A file has the names of the flags as its keys:
  listen = \"127.0.0.1:8080\"
  data = \"/var/lib/kriegspiel/club.db\"
  bots = [\"random\"]")]
pub(super) struct Args {
    // In the help text, options of doors follow the other options.
    #[command(flatten)]
    doors: doors::Given,

    /// File with the settings of the club (TOML)
    #[arg(
        long,
        env = "KRIEGSPIEL_CONFIG",
        value_name = "FILE",
        display_order = 0
    )]
    config: Option<PathBuf>,

    /// Do not open the club in a browser; without this option it is opened if the club was started
    /// in a terminal of a desktop
    #[arg(long, display_order = 0)]
    no_open: bool,

    #[command(flatten)]
    given: Given,
}

/// Prefix of the environment variables that are read.
const ENVIRONMENT: &str = "KRIEGSPIEL_";

pub(super) fn main(args: Args) -> anyhow::Result<()> {
    check_environment()?;
    let (mut given, mut doors) = (args.given, args.doors);
    if let Some(file) = &args.config {
        let keys = doors::Given::keys();
        let read = Given::read_beside(file, &keys.names(), keys).map_err(usage)?;
        (given, doors.0) = (given.or(read.0), doors.0.or(read.1));
    }
    doors.0.check().map_err(usage)?;
    let mut config = given.settle().map_err(usage)?;
    config.program = env::current_exe().ok();
    server::begin_log(config.log);
    tokio::runtime::Runtime::new()
        .context("the program cannot start")?
        .block_on(serve(config, doors, !args.no_open))
}

/// Returns an error if an environment variable with our prefix is unknown,
/// because it is probably misspelt.
fn check_environment() -> anyhow::Result<()> {
    let cli = Cli::command();
    let known: Vec<String> = cli
        .get_subcommands()
        .flat_map(clap::Command::get_arguments)
        .filter_map(|arg| Some(arg.get_env()?.to_string_lossy().into_owned()))
        .collect();
    let strange = env::vars_os()
        .filter_map(|(name, _)| name.into_string().ok())
        .find(|name| name.starts_with(ENVIRONMENT) && !known.contains(name));
    match strange {
        None => Ok(()),
        Some(name) => Err(usage(format!(
            "unknown environment variable {name}: see `kriegspiel serve --help`"
        ))),
    }
}

/// The option for the address of the web page.
const LISTEN: &str = "listen";

/// The option for the address of the metrics.
const METRICS: &str = "metrics";

/// Returns the error for an address that cannot be used. `option` is the option that names this
/// address.
fn not_listening(option: &str, at: SocketAddr, error: &io::Error) -> anyhow::Error {
    let (ip, kind) = (at.ip(), error.kind());
    if kind == io::ErrorKind::AddrInUse {
        let next = at.port().wrapping_add(1).max(1024);
        let data = if option == LISTEN {
            " (and another --data, unless this program should be a standby)"
        } else {
            ""
        };
        anyhow::anyhow!(
            "{at} is in use, perhaps by another club: close it, or choose another port, for example \
             --{option} {ip}:{next}{data}"
        )
    } else if kind == io::ErrorKind::PermissionDenied {
        let other = at.port().saturating_add(8000);
        anyhow::anyhow!(
            "{at} is not allowed: ports below 1024 are the system's; choose another, for example \
             --{option} {ip}:{other}"
        )
    } else {
        anyhow::anyhow!("--{option}: cannot listen on {at}: {error}")
    }
}

/// Returns the function that counts the answers of the server.
fn observer(metrics: &Metrics) -> Observer {
    let metrics = metrics.clone();
    Arc::new(move |method, route, status, took| metrics.answered(method, route, status, took))
}

/// Adds the gauges of the club and of its server.
fn add_gauges(metrics: &Metrics, club: &Club, server: &Server) {
    let number = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let running = club.clone();
    let help = "Games that are not over";
    metrics.gauge("kriegspiel_games", help, move || {
        number(running.running_games())
    });
    let tables = club.clone();
    let help = "Tables that this node has in memory";
    metrics.gauge("kriegspiel_tables", help, move || {
        number(tables.open_tables())
    });
    let writable = club.clone();
    let help = "Whether this node has written to its store in the last ten seconds (1) or not (0)";
    metrics.gauge("kriegspiel_store_writable", help, move || {
        i64::from(writable.check_file().is_ok())
    });
    let damaged = club.clone();
    let help = "Running games whose logs cannot be read";
    metrics.gauge("kriegspiel_damaged_games", help, move || {
        number(damaged.damaged().len())
    });
    let server = server.clone();
    let help = "Open HTTP connections, including WebSockets; connections of doors are not counted";
    metrics.gauge("kriegspiel_connections", help, move || {
        i64::from(server.connections())
    });
}

/// Serves a club until a signal. `opens`: whether a browser may be opened.
async fn serve(config: Config, given: doors::Given, opens: bool) -> anyhow::Result<()> {
    let listener = TcpListener::bind(config.listen)
        .await
        .map_err(|error| not_listening(LISTEN, config.listen, &error))?;
    let at = location(&config.data)?;
    let store = Database::open(&at)
        .await
        .with_context(|| match at.is_file() {
            true => format!("the file {at}"),
            false => format!("the database {at}"),
        })?;
    store.commit_on_ticks().await?;
    let settings = match config.password_cost {
        PasswordCost::Normal => Settings::default(),
        PasswordCost::Cheap => Settings::cheap(),
    };
    let figures = match config.metrics {
        None => None,
        Some(at) => {
            let listener = TcpListener::bind(at)
                .await
                .map_err(|error| not_listening(METRICS, at, &error))?;
            let (metrics, at) = (Metrics::new(), listener.local_addr()?);
            // The metrics can be read until the process ends, also while it is a standby.
            tokio::spawn(metrics::serve(
                metrics.clone(),
                listener,
                std::future::pending(),
            ));
            Some((metrics, at))
        }
    };
    let measured = match &figures {
        Some((metrics, _)) => metrics.measured(store.store()),
        None => store.store(),
    };
    let open_doors = bind(&doors::ALL, &given.0)
        .await
        .map_err(|fault| not_listening(fault.option, fault.address, &fault.error))?;
    let here = format!("http://{}", listener.local_addr()?);
    let mut stop = Box::pin(server::signal());
    let is_standby = Notify::new();
    let club = tokio::select! {
        club = Club::open_or_wait(measured, Arc::new(SystemClock), settings, &is_standby) => club?,
        failed = standby(&is_standby, &here, &listener, &open_doors) => return failed,
        () = &mut stop => return Ok(()),
    };
    for (game, _) in club.damaged() {
        // The reason is not printed, because it may contain moves of the game.
        writeln!(
            io::stderr(),
            "kriegspiel: the log of game {game} cannot be read, so the game is stopped: \
             `kriegspiel store check` shows the reason, and a backup may contain the complete log"
        )?;
    }
    let open = match &config.public_url {
        Some(url) => format!("{url} (it listens at {here}; Ctrl-C closes it)"),
        None => format!("{here} (Ctrl-C closes it)"),
    };
    // Each door has these limits separately.
    let limits = DoorLimits {
        connections: config.limits.connections,
        guests: config.limits.guests,
        sign_ins: config.limits.sign_ins,
        silence: given.silence(),
        ..DoorLimits::default()
    };
    let observer = figures.as_ref().map(|(metrics, _)| observer(metrics));
    let server = Server::open_observed(club.clone(), config, observer).await?;
    let mut output = io::stdout();
    writeln!(output, "The club is open at {open}")?;
    for door in &open_doors {
        writeln!(output, "{door}")?;
    }
    if let Some((metrics, at)) = figures {
        add_gauges(&metrics, &club, &server);
        writeln!(
            output,
            "Metrics for the operator are at http://{at}/metrics"
        )?;
    }
    if output.is_terminal() {
        output.write_all(for_friends(listener.local_addr()?).as_bytes())?;
        if opens {
            open_browser(&here);
        }
    }
    if store.is_new() {
        // A club also works if nothing can be written to stderr.
        let _unread = writeln!(
            io::stderr(),
            "kriegspiel: the file {at} did not exist: this is a new club"
        );
    }
    output.flush()?;
    // One signal closes all doors.
    let closing = Closing::default();
    let mut serving = OpenDoor::serve_all(open_doors, &club, limits, &given.0, &closing);
    let stop = async {
        tokio::select! {
            () = stop => {}
            _ended = club.end() => {}
        }
        closing.close();
    };
    match tls::dial() {
        Ok(dial) => {
            let server = server.clone();
            tokio::spawn(async move { server.send_notices(dial).await });
        }
        Err(why) => writeln!(io::stderr(), "kriegspiel: nobody gets notices: {why}")?,
    }
    let served = server.serve(listener, stop).await;
    closing.close();
    while serving.join_next().await.is_some() {}
    served?;
    store.close().await;
    match club.ended() {
        None => Ok(()),
        Some(EndReason::RowsLost) => bail!(ROWS_LOST),
        Some(EndReason::Fenced) => bail!(FENCED),
    }
}

/// Says how people on the same network reach a club that only this machine reaches.
fn for_friends(listens: SocketAddr) -> String {
    // Nothing is sent: the system only chooses the address from which it would be sent.
    let here = UdpSocket::bind("0.0.0.0:0").and_then(|socket| {
        socket.connect("192.0.2.1:9")?;
        socket.local_addr()
    });
    match here {
        Ok(here) if listens.ip().is_loopback() => {
            let (ip, port) = (here.ip(), listens.port());
            format!(
                "Friends on the same network: kriegspiel serve --listen {ip}:{port}, then http://{ip}:{port}\n"
            )
        }
        Ok(_) | Err(_) => String::new(),
    }
}

/// Opens an address in a browser, if this is a desktop that has one.
fn open_browser(url: &str) {
    let is_desktop = cfg!(any(windows, target_os = "macos"))
        || ["DISPLAY", "WAYLAND_DISPLAY"]
            .iter()
            .any(|name| env::var_os(name).is_some());
    let (program, words): (_, &[&str]) = if cfg!(windows) {
        ("cmd", &["/c", "start", url])
    } else if cfg!(target_os = "macos") {
        ("open", &[url])
    } else {
        ("xdg-open", &[url])
    };
    if is_desktop {
        // Without a browser, the address is on the screen.
        let _no_browser = Command::new(program)
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
    }
}

/// Refuses every request and every connection, while another process owns the games.
async fn standby(
    is_standby: &Notify,
    here: &str,
    listener: &TcpListener,
    open_doors: &[OpenDoor],
) -> anyhow::Result<()> {
    is_standby.notified().await;
    let mut output = io::stdout();
    writeln!(
        output,
        "A standby waits at {here}: another server has the club"
    )?;
    output.flush()?;
    tokio::join!(server::standby(listener), OpenDoor::standby(open_doors));
    Ok(())
}

/// Reason why a club ends if another process has claimed the games.
const FENCED: &str = "\
another server of the club has taken over the games, because this one did not answer: start this \
server again, and it is a standby";

/// Reason why a club ends if its store has lost rows.
const ROWS_LOST: &str = "\
the database was removed or replaced while the server ran, and the last answers are lost: put the \
right one in its place (of a file, without the files -wal and -shm beside it), and start this server \
again";
