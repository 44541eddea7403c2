//! The command `kriegspiel load`: many games at a club at the same time, with measurements.

mod journal;
mod report;
mod seat;
mod shared;
mod spectator;
mod table;
mod verify;

use std::{path::PathBuf, process::ExitCode, sync::Arc, time::Duration};

use anyhow::{Context, anyhow, bail};
use futures_util::{StreamExt, TryStreamExt, stream};
use store::{Location, StoreError};
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{Instant, sleep},
};
use wire::{ColorWish, InvitationJson, Side, TermsJson, TimeControlJson};

use self::{
    report::{Measured, Wanted},
    seat::{Played, Seat},
    shared::{AT_ONCE, Notes, RETRY_PAUSE, Shared},
    spectator::SpectatorRecord,
    table::Table,
    verify::Comparison,
};
use super::{
    api::{Api, Traffic, refused},
    data::{location, open_existing},
    interrupt::INTERRUPTED,
    load::ruleset,
    terminal::tell,
    usage,
};

/// Play many games at a club at the same time, and measure the answers
///
/// Guests play random moves under the real rules over real sockets, and
/// record everything that they hear. At the end each game is resigned, and the
/// records are compared with the finished games; with --data, also with the log.
///
/// The time of a move is measured from the attempt until both players have
/// heard the move. The measurement contains the work of this program. Use a
/// club for trials: the guests and the games remain in it.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel load --games 20 --rate 40 --duration 10
  kriegspiel load --games 1000 --rate 1000 --watchers 100 --duration 60 --data club.db
  kriegspiel load --url http://127.0.0.1:8081,http://127.0.0.1:8082 --json

A club limits what one address may do. Start it with higher limits:
  kriegspiel serve --connections 100000 --connections-in-all 100000 --requests 1000000 \\
    --guests 1000000 --offers 1000000

Exit code 1: a record differs from the game, an attempt had no answer, or the club refused
something.")]
pub(crate) struct Args {
    /// Address of the club, http:// or https://. Several addresses, with commas, are nodes of one
    /// club: connections are spread over them, and a lost connection is opened at the next one
    #[arg(
        long,
        env = "KRIEGSPIEL_URL",
        default_value = "http://127.0.0.1:8080",
        value_name = "URL",
        value_delimiter = ','
    )]
    url: Vec<String>,

    /// Number of games at the same time; a new game begins when one has ended
    #[arg(long, default_value_t = 10, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,

    /// Number of attempts per second in all games together
    #[arg(long, default_value_t = 10.0, value_name = "R", value_parser = rate)]
    rate: f64,

    /// Number of spectators, each with a socket of their own
    #[arg(long, default_value_t = 0, value_name = "W",
          value_parser = clap::value_parser!(u32).range(..=100_000))]
    watchers: u32,

    /// Time in which attempts are made, in seconds
    #[arg(long, default_value_t = 10, value_name = "T",
          value_parser = clap::value_parser!(u32).range(1..))]
    duration: u32,

    /// Ruleset of the games: an id
    #[arg(long, default_value = "wild16", value_name = "ID")]
    rules: String,

    /// File or Postgres database of the club, to compare the records with the log too. Other users
    /// of the machine can read a command line, so give a password in the environment
    #[arg(
        long,
        env = "KRIEGSPIEL_DATA",
        hide_env_values = true,
        value_name = "FILE|ADDRESS"
    )]
    data: Option<PathBuf>,

    /// Time limit after the last attempt, in seconds: within it, every attempt must be answered and
    /// every game must end
    #[arg(long, default_value_t = 30, value_name = "T",
          value_parser = clap::value_parser!(u32).range(1..))]
    timeout: u32,

    /// Print the figures as one line of JSON
    #[arg(long)]
    json: bool,
}

/// Parses a rate.
fn rate(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(rate) if (0.001..=1_000_000.0).contains(&rate) => Ok(rate),
        Ok(_) | Err(_) => Err("the rate is a number from 0.001 to 1000000".to_owned()),
    }
}

/// Number of open files that the process may need in addition to its sockets.
const OTHER_FILES: u64 = 64;

pub(crate) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    let data = args.data.as_deref().map(location).transpose()?;
    let rules = ruleset(&args.rules)?;
    let traffic = Arc::<Traffic>::default();
    let nodes = args.url.iter().map(|url| {
        let api = Api::new(url, None).map_err(usage)?;
        Ok(api.counted(Arc::clone(&traffic)))
    });
    let shared = Shared {
        nodes: nodes.collect::<anyhow::Result<_>>()?,
        terms: TermsJson {
            rules: rules.id.into_owned(),
            custom: None,
            time: TimeControlJson::Unlimited {},
            rated: false,
            color: ColorWish::White,
        },
        interval: Duration::from_secs_f64(f64::from(args.games) / args.rate),
        timeout: Duration::from_secs(args.timeout.into()),
        traffic,
        notes: Notes::default(),
    };
    let sockets = 2 * u64::from(args.games) + u64::from(args.watchers);
    allow_open_files(sockets + OTHER_FILES)?;
    tokio::runtime::Runtime::new()
        .context("the program cannot start")?
        .block_on(run(args, data.as_ref(), Arc::new(shared)))
}

/// Raises the limit of open files of this process, if necessary.
#[cfg(unix)]
fn allow_open_files(count: u64) -> anyhow::Result<()> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= count) {
        return Ok(());
    }
    let current = limit.maximum.map_or(count, |most| most.min(count));
    let raised = Rlimit {
        current: Some(current),
        maximum: limit.maximum,
    };
    if current < count || setrlimit(Resource::Nofile, raised).is_err() {
        return Err(usage(format_args!(
            "{count} files would be open, but this process may open {current}: choose fewer \
             games, or raise the limit with `ulimit -n {count}`"
        )));
    }
    Ok(())
}

#[cfg(not(unix))]
fn allow_open_files(_count: u64) -> anyhow::Result<()> {
    Ok(())
}

/// Adds advice to an error that occurs before the games begin: what the operator can do about the
/// error.
fn with_remedy(error: anyhow::Error) -> anyhow::Error {
    let message = format!("{error:#}");
    if message.contains("too many") {
        return anyhow!(
            "{message}: start the club with higher limits (`kriegspiel load --help` names them)"
        );
    }
    error
}

async fn run(
    args: &Args,
    data: Option<&Location>,
    shared: Arc<Shared>,
) -> anyhow::Result<ExitCode> {
    let signal = server::signal();
    tokio::pin!(signal);
    let mut is_interrupted = false;
    // The data is opened first, so that an error of the data is reported before games are played.
    let data = match data {
        Some(at) => Some((at.to_string(), open_existing(at).await?)),
        None => None,
    };
    let pairs = tokio::select! {
        pairs = sit_down(args.games, &shared) => pairs.map_err(with_remedy)?,
        () = &mut signal => return Ok(ExitCode::from(INTERRUPTED)),
    };
    if let (Some((name, data)), Some(pair)) = (&data, pairs.first()) {
        let game = pair
            .first
            .parse()
            .context("the club gave a wrong game id")?;
        if let Err(StoreError::Absent) = data.store().game(game).await {
            return Err(usage(format_args!(
                "{name} does not contain the game that the club has just created: name the data \
                 of this club with --data"
            )));
        }
    }
    let (stop, stops) = watch::channel(false);
    let begun = Instant::now();
    let traffic = shared.traffic.bytes();
    let mut playing = JoinSet::new();
    let mut currents = Vec::new();
    for pair in pairs {
        let (current, of_spectators) = watch::channel(None);
        currents.push(of_spectators);
        playing.spawn(pair.play(Arc::clone(&shared), current, stops.clone()));
    }
    let mut watching = JoinSet::new();
    for (n, current) in (0..args.watchers as usize).zip(currents.iter().cycle()) {
        watching.spawn(spectator::watch(Arc::clone(&shared), n, current.clone()));
    }
    drop(currents);
    tell(format_args!(
        "{} games are open; attempts are made for {} s",
        args.games, args.duration
    ));
    tokio::select! {
        () = sleep(Duration::from_secs(args.duration.into())) => {}
        () = &mut signal => is_interrupted = true,
    }
    stop.send_replace(true);
    let span = begun.elapsed();
    let bytes = shared.traffic.bytes();
    // This wait ends: when `stop` is true, the players leave within a fixed time.
    let played: Vec<Played> = playing.join_all().await.into_iter().flatten().collect();
    let spectators: Vec<SpectatorRecord> =
        watching.join_all().await.into_iter().flatten().collect();

    let mut comparison = Comparison::new(&played, &spectators);
    comparison.with_finished_games(&shared).await;
    if let Some(data) = &data {
        comparison.with_log(&*data.1.store()).await;
        data.1.close().await;
    }
    let faults = comparison.finish();
    let counts = shared.notes.counts();
    let measured = Measured::new(&played, &spectators, span, counts, faults)
        .with_bytes(bytes.0 - traffic.0, bytes.1 - traffic.1)
        .compared(data.map(|(name, _)| name));
    measured.print(Wanted {
        games: args.games,
        watchers: args.watchers,
        rate: args.rate,
        json: args.json,
    })?;
    Ok(if !measured.is_good() {
        ExitCode::FAILURE
    } else if is_interrupted {
        ExitCode::from(INTERRUPTED)
    } else {
        ExitCode::SUCCESS
    })
}

/// Two players, who play one game after the other.
struct Pair {
    /// Numbers of White's node and of Black's node, from 0. A number is used modulo the number of
    /// nodes.
    nodes: [usize; 2],
    seats: [Seat; 2],
    tokens: [String; 2],
    /// Id of the first game.
    first: String,
    /// Time from the beginning of the run to the first attempt. Each game has a different pause, so
    /// that the games do not make their attempts at the same time.
    pause: Duration,
}

/// Creates the players and their first games, and waits until every player is connected.
async fn sit_down(games: u32, shared: &Arc<Shared>) -> anyhow::Result<Vec<Pair>> {
    let number = f64::from(games);
    let opening = (0..games as usize).map(|n| async move {
        let nodes = [n, n + 1];
        let mut tokens = Vec::new();
        for node in nodes {
            let mut api = shared.node(node).with(None);
            api.ensure_session().await?;
            let token = api.token().context("the club gave a guest no token")?;
            tokens.push(token.to_owned());
        }
        let mut seats = Vec::new();
        for (place, (node, token)) in nodes.into_iter().zip(tokens).enumerate() {
            let client = shared.client(node, Some(&token));
            let number = (2 * n + place) as u64;
            let mut seat = Seat::new(client, token, Arc::clone(shared), number);
            seat.connect().await?;
            seats.push(seat);
        }
        let Ok(seats) = <[Seat; 2]>::try_from(seats) else {
            bail!("a game has two players");
        };
        let tokens = seats.each_ref().map(|seat| seat.token.clone());
        let first = new_game(shared, nodes, &tokens).await?;
        Ok(Pair {
            nodes,
            seats,
            tokens,
            first,
            pause: shared.interval.mul_f64(n as f64 / number),
        })
    });
    stream::iter(opening)
        .buffer_unordered(AT_ONCE)
        .try_collect()
        .await
}

/// Creates a game between two players. Returns its id.
async fn new_game(
    shared: &Shared,
    nodes: [usize; 2],
    tokens: &[String; 2],
) -> anyhow::Result<String> {
    let [white, black] = [0, 1].map(|n| shared.node(nodes[n]).with(Some(&tokens[n])));
    let offer: InvitationJson = white.post("/api/invitations", &shared.terms).await?;
    black.accept("invitations", &offer.code).await
}

impl Pair {
    /// Plays games until `stops` becomes true. Returns all games.
    async fn play(
        mut self,
        shared: Arc<Shared>,
        current: watch::Sender<Option<Arc<Table>>>,
        stops: watch::Receiver<bool>,
    ) -> Vec<Played> {
        let mut played = Vec::new();
        // All first games exist now, and every pause begins now. If each pause began when its game
        // was created, most pauses would already be over. Then many games would make their first
        // attempts at the same time.
        let mut table = Arc::new(Table::new(self.first, shared.interval, self.pause));
        loop {
            current.send_replace(Some(Arc::clone(&table)));
            let [white, black] = &mut self.seats;
            let (white, black) = tokio::join!(
                white.play(&table, Side::White, stops.clone()),
                black.play(&table, Side::Black, stops.clone()),
            );
            let is_over = white.is_over && black.is_over;
            played.push(Played {
                table,
                seats: [white, black],
            });
            if *stops.borrow() || !is_over {
                return played;
            }
            let id = loop {
                match new_game(&shared, self.nodes, &self.tokens).await {
                    Ok(id) => break id,
                    Err(_) if *stops.borrow() => return played,
                    Err(error) => {
                        // This node may be unavailable, so the next request goes to the next node.
                        self.nodes = self.nodes.map(|n| n + 1);
                        match refused(&error) {
                            Some(code) if !code.is_temporary() => shared.notes.error(&error),
                            Some(_) | None => shared.notes.change(|counts| counts.waits += 1),
                        }
                        sleep(RETRY_PAUSE).await;
                    }
                }
            };
            table = Arc::new(Table::new(id, shared.interval, shared.interval));
        }
    }
}
