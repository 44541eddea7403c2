//! The commands `kriegspiel ks` and `kriegspiel xks`.

mod club;
mod face;
mod plain;
mod play;
mod screen;
mod setup;
mod state;
mod typed;
mod window;

use std::{
    env,
    io::{self, IsTerminal, Write},
    path::PathBuf,
    process::ExitCode,
    time::Duration,
};

use clap::CommandFactory;
use doors::ks::{GameKey, Options, ParsedCommand, is_name, read_options};

use self::setup::{FaceKind, Setup};
use super::{Cli, login::login_name, usage};

/// Play with one other person, as the command of 1986 did
///
/// Two people play without a server. One of them is the host: the player who gives +s. If both are
/// on one machine, they need no +s: the player who starts first is the host. The referee runs in
/// the host's process, which prints a key. The other player starts with that key. The host sends to
/// the other player only what this player may know, encrypted with the key. The owner of the host's
/// machine could inspect that process, so strangers should rather meet at a club (kriegspiel
/// serve): then both players give --url.
///
/// Both ends store the game at every move. After a crash, or when the network is back, the same
/// command continues it.
///
/// Options, each after - or +, together or apart:
///
///   -w -b -c   you want White, Black, or the coin; the coin decides if both want the same
///   +a -a      captures and promotions are announced to both, or not
///   +p -p      with +p, the player to move hears the number of pawn tries, and may try no other
///              pawn capture after three refused ones in a turn
///   -r         Black's squares are rotated: Black too opens with e2-e4
///   +s -s      this end is the host, or the other end is
///   -d         plain lines, for a simple terminal
///   -h         this help
///
/// If one player wants +a (or +p) and the other has no wish, the option is on; if the wishes
/// conflict, the coin decides. Both ends commit to their half of the coin before either end shows
/// its half.
#[derive(Debug, clap::Args)]
#[command(
    disable_help_flag = true,
    verbatim_doc_comment,
    override_usage = "kriegspiel ks [{+-}[wbcaprsdh]]... [PORT] USER[@MACHINE]
       kriegspiel ks --url URL [{+-}[wbcaprdh]]... USER",
    after_help = "PORT is a number from 1 to 1000, as in 1986 (TCP port 19860 + PORT), or a TCP port from 1024.

Examples: two players on one machine, each in a separate terminal, with login names or other names
  kriegspiel ks bert
  kriegspiel ks anna

  kriegspiel ks --name anna bert
  kriegspiel ks --name bert anna

Two machines: Anna is the host, and Bert calls her at far.example
  kriegspiel ks +s bert@anywhere
  kriegspiel ks anna@far.example

At a club, with accounts there; the program asks for the password
  kriegspiel ks --url http://127.0.0.1:8080 --name anna bert
  kriegspiel ks --url http://127.0.0.1:8080 --name bert anna"
)]
pub(super) struct Args {
    /// Meet at this club, which neither player runs; or follow this link of an invitation
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// At a club: token of a session, instead of name and password
    #[arg(
        long,
        env = "KRIEGSPIEL_TOKEN",
        hide_env_values = true,
        value_name = "TOKEN"
    )]
    token: Option<String>,

    /// Your own name (default: login name); at a club, your account (default: a guest)
    #[arg(long, env = "KRIEGSPIEL_KS_NAME", value_name = "NAME")]
    name: Option<String>,

    /// Key of the game, as the host printed it
    #[arg(
        long,
        env = "KRIEGSPIEL_KS_KEY",
        hide_env_values = true,
        value_name = "KEY"
    )]
    key: Option<String>,

    /// Begin a new game; an unfinished game is kept in another folder
    #[arg(long)]
    new: bool,

    /// Folder in which games are stored
    #[arg(long, env = "KRIEGSPIEL_KS_STATE", value_name = "FOLDER")]
    state: Option<PathBuf>,

    /// Number of seconds without a message after which the connection is treated as broken
    #[arg(
        long,
        env = "KRIEGSPIEL_KS_SILENCE",
        default_value_t = 30,
        value_name = "SECONDS"
    )]
    silence: u64,

    /// The options of 1986, the port, and your opponent's name
    #[arg(
        value_name = "WORDS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    words: Vec<String>,
}

/// Finds long options such as `--name` among the words of the command line, and moves them to their
/// fields. The words have the syntax of 1986, which has no long options.
fn with_long_options(mut args: Args) -> anyhow::Result<Args> {
    let mut words = std::mem::take(&mut args.words).into_iter();
    while let Some(word) = words.next() {
        let Some(long) = word.strip_prefix("--") else {
            args.words.push(word);
            continue;
        };
        let (name, value) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (long, None),
        };
        let mut value = || {
            value
                .clone()
                .or_else(|| words.next())
                .ok_or_else(|| usage(format!("--{name} needs a value")))
        };
        match name {
            "name" => args.name = Some(value()?),
            "url" => args.url = Some(value()?),
            "token" => args.token = Some(value()?),
            "key" => args.key = Some(value()?),
            "state" => args.state = Some(value()?.into()),
            "silence" => {
                args.silence = value()?
                    .parse()
                    .map_err(|_| usage("the value of --silence must be a number of seconds"))?;
            }
            "new" => args.new = true,
            "help" => args.words = vec!["-h".to_owned()],
            _ => return Err(usage(format!("unknown option `--{name}`: see ks -h"))),
        }
    }
    Ok(args)
}

fn print_help(command: &str) -> anyhow::Result<()> {
    let mut cli = Cli::command();
    cli.build();
    let Some(ks) = cli.find_subcommand_mut(command) else {
        return Ok(());
    };
    write!(io::stdout(), "{}", ks.render_long_help())?;
    Ok(())
}

/// Whether a word is a display (`unix:0`) or a geometry (`=80x24+0+0`) of the X window system.
fn is_of_x(word: &str) -> bool {
    let is_display = |(_, screen): (&str, &str)| screen.starts_with(|c: char| c.is_ascii_digit());
    word.starts_with('=') || !word.contains('@') && word.rsplit_once(':').is_some_and(is_display)
}

/// Runs `ks`, or `xks` if `window` is true.
pub(super) fn main(args: Args, window: bool) -> anyhow::Result<ExitCode> {
    let mut args = with_long_options(args)?;
    if window {
        let before = args.words.len();
        args.words.retain(|word| !is_of_x(word));
        if args.words.len() < before {
            eprintln!(
                "The display and the geometry are ignored: the window is a page in a browser."
            );
        }
    }
    let options = match read_options(&args.words).map_err(usage)? {
        ParsedCommand::Help => {
            print_help(if window { "xks" } else { "ks" })?;
            return Ok(ExitCode::SUCCESS);
        }
        ParsedCommand::Play(options) => options,
    };
    // An end sends a message at least once per second. A shorter limit would end a connection
    // that is not broken.
    if args.silence < 2 {
        return Err(usage("the value of --silence must be at least two seconds"));
    }
    if window && options.dumb {
        return Err(usage("-d is for ks: xks has no plain lines"));
    }
    let is_terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
    let face = match (window, options.dumb || !is_terminal) {
        (true, _) => FaceKind::Window,
        (false, true) => FaceKind::Plain,
        (false, false) => FaceKind::Screen,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let setup = Setup {
        state: state::folder(args.state.clone())?,
        new: args.new,
        silence: Duration::from_secs(args.silence),
        face,
        options,
    };
    if let Some(url) = &args.url {
        check_for_club(&args, &setup.options)?;
        // An empty token is treated as no token.
        let token = args.token.filter(|token| !token.is_empty());
        return runtime.block_on(club::play(setup, url, args.name.as_deref(), token));
    }
    let me = args
        .name
        .filter(|name| !name.is_empty())
        .or_else(login_name)
        .ok_or_else(|| usage("your name is not known: give it with --name NAME"))?;
    if !is_name(&me) {
        return Err(usage(format!(
            "`{me}` cannot be a name in ks: give a name of letters and digits with --name"
        )));
    }
    if me == setup.options.user {
        return Err(usage(format!(
            "{me} is your own name: give your opponent's name, or your own name with --name"
        )));
    }
    let key = args.key.map(|text| text.parse::<GameKey>());
    let key = key.transpose().map_err(usage)?;
    runtime.block_on(play::play(setup, me, key))
}

/// Returns an error for options that have no meaning at a club.
fn check_for_club(args: &Args, options: &Options) -> anyhow::Result<()> {
    let given_key = args.key.is_some() && args.key != env::var("KRIEGSPIEL_KS_KEY").ok();
    let nonsense = [
        (
            options.server.is_some(),
            "neither end is the host: omit +s and -s",
        ),
        (options.numbered, "a port is part of the URL: omit the port"),
        (
            options.machine.is_some(),
            "give only your opponent's name, without a machine",
        ),
        (given_key, "there is no key: omit --key"),
    ];
    match nonsense.iter().find(|(is, _)| *is) {
        Some((_, why)) => Err(usage(format!("at a club {why}"))),
        None => Ok(()),
    }
}
