//! `kriegspiel serve`.

use std::{
    env,
    io::{self, Write},
    net::SocketAddr,
    path::PathBuf,
    sync::Arc,
};

use anyhow::Context;
use clap::CommandFactory;
use club::{Club, Settings, SystemClock};
use server::{Config, Given, PasswordCost, Server};
use store::SqliteStore;
use tokio::{net::TcpListener, sync::watch, task::JoinSet};

use super::{Cli, usage};

/// Open a club: play in a browser, against people and programs
///
/// Two people anywhere, or one and a program, play under any ruleset in a browser; others watch.
/// Everything is kept in one file: after a crash games go on as if nothing had been, and time that
/// the club was away is not counted. The first SIGINT or SIGTERM closes it in order, a second one
/// at once.
///
/// Everything can be said by a flag, by the environment, or in a file (--config). A flag counts
/// before the environment, the environment before the file.
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
    /// A file that says how the club is set up (TOML)
    #[arg(long, env = "KRIEGSPIEL_CONFIG", value_name = "FILE")]
    config: Option<PathBuf>,

    #[command(flatten)]
    given: Given,
}

/// What the environment may say.
const ENVIRONMENT: &str = "KRIEGSPIEL_";

pub(super) fn main(args: Args) -> anyhow::Result<()> {
    check_environment()?;
    let given = match &args.config {
        Some(file) => args.given.or(Given::read(file).map_err(usage)?),
        None => args.given,
    };
    let config = given.settle().map_err(usage)?;
    server::begin_log(config.log);
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("the program cannot begin to work")?
        .block_on(serve(config))
}

/// A name that nothing reads is a mistake.
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
            "the environment has {name}, which says nothing here: see `kriegspiel serve --help`"
        ))),
    }
}

async fn listener(listen: SocketAddr) -> anyhow::Result<TcpListener> {
    TcpListener::bind(listen)
        .await
        .map_err(|error| not_listening(listen, &error))
}

async fn door(at: Option<SocketAddr>) -> anyhow::Result<Option<TcpListener>> {
    match at {
        None => Ok(None),
        Some(at) => listener(at).await.map(Some),
    }
}

fn not_listening(listen: SocketAddr, error: &io::Error) -> anyhow::Error {
    let (ip, kind) = (listen.ip(), error.kind());
    if kind == io::ErrorKind::AddrInUse {
        let next = listen.port().wrapping_add(1).max(1024);
        anyhow::anyhow!(
            "{listen} is in use, perhaps by another club: close that, or choose another port, as \
             --listen {ip}:{next} (and another --data, unless both clubs shall be one)"
        )
    } else if kind == io::ErrorKind::PermissionDenied {
        anyhow::anyhow!(
            "{listen} is not allowed: ports below 1024 are the system's; choose another, as \
             --listen {ip}:8080"
        )
    } else {
        anyhow::anyhow!("{listen} cannot be listened to: {error}")
    }
}

async fn serve(config: Config) -> anyhow::Result<()> {
    let listener = listener(config.listen).await?;
    let store = SqliteStore::open(&config.data)
        .await
        .with_context(|| format!("the file {}", config.data.display()))?;
    let settings = match config.password_cost {
        PasswordCost::Normal => Settings::default(),
        PasswordCost::Cheap => Settings::cheap(),
    };
    let store = Arc::new(store);
    let club = Club::open(Arc::clone(&store) as _, Arc::new(SystemClock), settings).await?;
    for (game, _) in club.damaged() {
        // Why is not for a log: it may quote the game.
        writeln!(
            io::stderr(),
            "kriegspiel: the log of game {game} cannot be read, and the game stands still: \
             `kriegspiel store check` tells why, and a backup may have it whole"
        )?;
    }
    let here = format!("http://{}", listener.local_addr()?);
    let open = match &config.public_url {
        Some(url) => format!("{url} (it listens at {here}; Ctrl-C closes it)"),
        None => format!("{here} (Ctrl-C closes it)"),
    };
    let teletypes = doors::teletype::Settings {
        as_in_1965: config.as_in_1965,
        cps: config.cps,
    };
    // What is asked of an address holds at each door.
    let asked = config.limits;
    let limits = doors::Limits {
        connections: asked.connections,
        silence: config.silence,
        ..doors::Limits::default()
    };
    let patience = doors::ics::Patience {
        guests: asked.guests,
        passwords: asked.sign_ins,
        ..doors::ics::Patience::default()
    };
    let (teletype, ics) = (door(config.teletype).await?, door(config.ics).await?);
    let server = Server::open(club.clone(), config).await?;
    let stop = server::signal();
    let mut output = io::stdout();
    writeln!(output, "The club is open at {open}")?;
    for (name, door) in [("Teletypes", &teletype), ("Chess clients", &ics)] {
        if let Some(door) = door {
            let at = door.local_addr()?;
            let (ip, port) = (at.ip(), at.port());
            writeln!(output, "{name} are let in at {at}: telnet {ip} {port}")?;
        }
    }
    output.flush()?;
    // All doors close upon one signal.
    let (closes, closing) = watch::channel(false);
    let closed = || {
        let mut closing = closing.clone();
        async move {
            let _gone = closing.wait_for(|closes| *closes).await;
        }
    };
    let mut others = JoinSet::new();
    if let Some(door) = teletype {
        others.spawn(doors::teletype::serve(
            door,
            club.clone(),
            teletypes,
            limits,
            closed(),
        ));
    }
    if let Some(door) = ics {
        others.spawn(doors::ics::serve(door, club, limits, patience, closed()));
    }
    let stop = async {
        stop.await;
        let _nobody = closes.send(true);
    };
    let served = server.serve(listener, stop).await;
    let _nobody = closes.send(true);
    while others.join_next().await.is_some() {}
    served?;
    store.close().await;
    Ok(())
}
