//! Runs the program of one player (the host or the guest) until the game is over or the player
//! leaves.

use std::{
    io,
    net::{Ipv4Addr, Ipv6Addr},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use ::store::SqliteStore;
use anyhow::Context;
use club::Club;
use doors::ks::{
    Channel, ChannelError, GameKey, Guest, GuestEnd, GuestSays, Host, HostSays, Options, Player,
    Reaction, Timeouts, pair,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::mpsc,
    task::JoinHandle,
    time::timeout,
};

use super::{
    face::Face,
    plain,
    setup::Setup,
    state::{self, State},
    typed::Typed,
    usage,
};

/// Role of this end: host or guest.
enum Role {
    Host(TcpListener),
    Guest,
}

/// Task that serves the player: it runs the host, or the connection to the host. The result of the
/// task is the last line that the player sees.
pub(super) type Behind = JoinHandle<anyhow::Result<&'static str>>;

/// If the user types this many invalid keys, the command ends.
const TIMES: u32 = 3;

/// Last line that the player sees when the game is over.
const OVER: &str = "The game is over, and both have heard it.";

pub(super) async fn play(
    setup: Setup,
    me: String,
    given: Option<GameKey>,
) -> anyhow::Result<ExitCode> {
    let names = [me, setup.options.user.clone()];
    let timeouts = Timeouts {
        silence: setup.silence,
        ..Timeouts::default()
    };
    let mut state = State::open(&setup.state, [&names[0], &names[1]], setup.new)?;
    let role = role(&setup, &state).await?;
    let (key, origin) = key(&setup, given, &mut state, &role)?;
    let folder = state.folder.clone();
    let player = Player::new(names.clone(), setup.options.rotated, folder.clone());
    let mut face = Face::open(setup.face).await?;
    let (near, far) = pair::<HostSays, GuestSays>();
    let (to_news, news) = mpsc::unbounded_channel();
    let mut club = None;
    let behind = match role {
        Role::Host(listener) => {
            let opened = open_club(&state).await?;
            for line in waiting(&names[0], &setup.options, &listener, &key)? {
                face.show(&line)?;
            }
            club = Some(opened.clone());
            let writer = Arc::new(server::umpire_view);
            let wishes = setup.options.wishes;
            let mut host = Host::new(opened, names, wishes, key, state.host, writer);
            host.timeouts = timeouts;
            let runs = async move {
                host.run(listener, far, to_news).await?;
                Ok(OVER)
            };
            tokio::spawn(runs)
        }
        Role::Guest => {
            face.show(&format!(
                "Calling {} at {}.",
                names[1],
                place(&setup.options)
            ))?;
            if origin == KeyOrigin::Stored && state.is_host().is_none() {
                face.show(
                    "The stored key is used. If it is wrong, leave with `quit`, and give the right one with --key KEY.",
                )?;
            }
            let guest = Guest {
                me: names[0].clone(),
                opponent: names[1].clone(),
                wishes: setup.options.wishes,
                key,
                timeouts,
                state: state.guest,
            };
            let to = setup.options.clone();
            let plays = async move {
                let calls = || connect(to.clone());
                guest.play(calls, far, to_news).await?;
                Ok(OVER)
            };
            tokio::spawn(plays)
        }
    };
    let done = sit(player, &mut face, near, news, behind).await;
    face.close().await;
    if let Err(error) = &done
        && let Some(GuestEnd::Channel(ChannelError::WrongKey)) = error.downcast_ref()
    {
        // Delete the key, so that the program asks the user for the key again.
        state::forget_key(&folder)?;
        let remedy = match origin {
            KeyOrigin::Given => "give the right key with --key (or KRIEGSPIEL_KS_KEY)",
            KeyOrigin::Stored => {
                "the stored key is deleted; run the same command again, which asks for the key"
            }
            KeyOrigin::Made | KeyOrigin::Typed => {
                "run the same command again, which asks for the key"
            }
        };
        return done.context(remedy);
    }
    if let Some(club) = club {
        club.close().await;
    }
    done
}

/// Passes the player's input to the game, and shows what the player hears, until the game is over
/// or the player leaves.
pub(super) async fn sit(
    mut player: Player,
    face: &mut Face,
    mut line: Channel<HostSays, GuestSays>,
    mut news: mpsc::UnboundedReceiver<String>,
    mut behind: Behind,
) -> anyhow::Result<ExitCode> {
    face.react(&Reaction::default(), &player)?;
    let mut silent = false;
    // The terminal must be restored if a signal ends the process.
    let sent_away = server::signal();
    tokio::pin!(sent_away);
    loop {
        let reaction = tokio::select! {
            () = &mut sent_away => Reaction {
                leaves: true,
                ..Reaction::default()
            },
            typed = face.next() => match typed {
                Typed::Line(text) => player.typed(&text)?,
                Typed::End => player.typed("quit")?,
                Typed::Redraw => {
                    face.redraw(&player)?;
                    continue;
                }
            },
            received = line.next(), if !silent => match received {
                Ok(says) => player.hear(says)?,
                // The task behind this channel has ended. The result of the task will tell the
                // reason.
                Err(_) => {
                    silent = true;
                    continue;
                }
            },
            Some(shown) = news.recv() => Reaction {
                shows: vec![shown],
                ..Reaction::default()
            },
            ended = &mut behind => {
                // Show the messages that came before the task ended.
                while let Ok(Ok(says)) = timeout(Duration::from_millis(50), line.next()).await {
                    let reaction = player.hear(says)?;
                    face.react(&reaction, &player)?;
                }
                face.show(ended??)?;
                face.react(&Reaction::default(), &player)?;
                return Ok(ExitCode::SUCCESS);
            }
        };
        face.react(&reaction, &player)?;
        for says in reaction.says {
            line.say(says);
        }
        if reaction.leaves {
            behind.abort();
            face.show(if player.board().is_some() {
                "You leave. The game is stored: the same command continues it."
            } else {
                "You leave before the game has begun. The same command begins a game."
            })?;
            return Ok(ExitCode::SUCCESS);
        }
    }
}

/// Opens the club in the host's process. The club has one game, in one file.
async fn open_club(state: &State) -> anyhow::Result<Club> {
    let file = state.file();
    let store = SqliteStore::open(&file)
        .await
        .with_context(|| format!("the file {}", file.display()))?;
    let club = crate::data::open_club(Arc::new(store)).await?;
    if !club.damaged().is_empty() {
        anyhow::bail!(
            "the game in {} cannot be read: `kriegspiel store check` shows the reason, --new starts another game",
            file.display()
        );
    }
    Ok(club)
}

/// Decides whether this end is the host or the guest.
async fn role(setup: &Setup, state: &State) -> anyhow::Result<Role> {
    let options = &setup.options;
    match (state.is_host(), options.server) {
        (Some(true), Some(false)) => {
            return Err(usage(
                "your game is stored at this end: omit -s, or start a new game with --new",
            ));
        }
        (Some(false), Some(true)) => {
            return Err(usage(
                "your game is stored at the other end: omit +s, or start a new game with --new",
            ));
        }
        (Some(false), _) | (None, Some(false)) => return Ok(Role::Guest),
        (Some(true), _) | (None, Some(true)) => return Ok(Role::Host(listen(options).await?)),
        (None, None) => {}
    }
    if options.machine.is_some() {
        return Ok(Role::Guest);
    }
    // Both players are on this machine: the player who starts first is the host.
    match TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await {
        Ok(listener) => Ok(Role::Host(listener)),
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Ok(Role::Guest),
        Err(error) => Err(not_listening(options.port, &error)),
    }
}

/// Listens for the guest: on all addresses if the opponent is on another
/// machine, otherwise only on the loopback interface.
async fn listen(options: &Options) -> anyhow::Result<TcpListener> {
    let port = options.port;
    let bound = match options.machine {
        None => TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await,
        Some(_) => match TcpListener::bind((Ipv6Addr::UNSPECIFIED, port)).await {
            Ok(listener) => Ok(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(error),
            // The machine has no IPv6, so the host listens on IPv4 only.
            Err(_) => TcpListener::bind((Ipv4Addr::UNSPECIFIED, port)).await,
        },
    };
    bound.map_err(|error| not_listening(port, &error))
}

fn not_listening(port: u16, error: &io::Error) -> anyhow::Error {
    if error.kind() == io::ErrorKind::AddrInUse {
        anyhow::anyhow!(
            "port {port} is in use: if the other end is the host, omit +s; otherwise choose another port at both ends"
        )
    } else {
        anyhow::anyhow!("cannot listen on port {port}: {error}")
    }
}

fn place(options: &Options) -> String {
    match &options.machine {
        Some(machine) => format!("{machine}, port {}", options.port),
        None => format!("port {} of this machine", options.port),
    }
}

async fn connect(options: Options) -> io::Result<TcpStream> {
    let machine = options.machine.as_deref().unwrap_or("127.0.0.1");
    let machine = machine.trim_start_matches('[').trim_end_matches(']');
    let connects = TcpStream::connect((machine, options.port));
    let stream = timeout(Duration::from_secs(10), connects)
        .await
        .map_err(|_| io::ErrorKind::TimedOut)??;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Where the key of a game comes from.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
enum KeyOrigin {
    /// The user gave it with the command.
    Given,
    /// It was stored when the command ran earlier.
    Stored,
    /// The host made it.
    Made,
    /// The user typed it when the program asked for it.
    Typed,
}

/// Returns the key, and where it comes from. A game that has begun keeps its key.
fn key(
    setup: &Setup,
    given: Option<GameKey>,
    state: &mut State,
    role: &Role,
) -> anyhow::Result<(GameKey, KeyOrigin)> {
    let kept: Option<GameKey> = state.key().and_then(|text| text.parse().ok());
    if let (Some(kept), Some(given), Some(_)) = (&kept, &given, state.is_host())
        && kept != given
    {
        return Err(usage(
            "your game has another key, which is stored: omit --key (or KRIEGSPIEL_KS_KEY), or start a new game with --new",
        ));
    }
    let given = given.map(|key| (key, KeyOrigin::Given));
    let known = given.or(kept.map(|key| (key, KeyOrigin::Stored)));
    let (key, origin) = match (known, role) {
        (Some(known), _) => known,
        (None, Role::Host(_)) => (GameKey::draw(), KeyOrigin::Made),
        (None, Role::Guest) => {
            let question = format!("The key that {} sees: ", setup.options.user);
            let mut asked = 0;
            loop {
                let text = plain::ask(&question)?
                    .ok_or_else(|| usage("no key was given: the host's program prints the key"))?;
                asked += 1;
                match text.parse::<GameKey>() {
                    Ok(key) => break (key, KeyOrigin::Typed),
                    Err(error) if asked == TIMES => return Err(usage(error)),
                    Err(error) => println!("{error}"),
                }
            }
        }
    };
    state.keep_key(Some(key.to_string()))?;
    Ok((key, origin))
}

/// Returns the lines that tell a host how the opponent can connect to it.
fn waiting(
    me: &str,
    options: &Options,
    listener: &TcpListener,
    key: &GameKey,
) -> anyhow::Result<Vec<String>> {
    let user = &options.user;
    let at = listener.local_addr()?;
    let number = match options.port.checked_sub(doors::ks::FIRST_PORT) {
        Some(0) => String::new(),
        Some(number @ 1..=1000) => format!("{number} "),
        Some(_) | None => format!("{} ", options.port),
    };
    let place = if at.ip().is_loopback() {
        me.to_owned()
    } else {
        format!("{me}@<this machine>")
    };
    // The opponent may have another login name on their own machine. So the line tells the opponent
    // to use the option `--name`.
    let name = format!("--name {user} ");
    let mut lines = vec![
        format!(
            "Waiting for {user} on port {}. They type: kriegspiel ks {name}{number}{place}",
            at.port()
        ),
        format!("key: {key}"),
        format!("Tell {user} the key in a way that you trust; their program asks for it once."),
    ];
    if options.server == Some(true) && options.machine.is_some() {
        lines.push(format!(
            "If {user} also gives +s, both wait for ever: one of you must omit +s."
        ));
    }
    Ok(lines)
}
