//! The command `kriegspiel play`.

mod guesses;
mod link;
mod people;
mod problem;

use std::{
    env,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context, bail};
use club::{Club, Settings, SystemClock};
use notation::write_ruleset;
use server::{Given, Server};
use store::MemoryStore;
use tokio::sync::mpsc::unbounded_channel;
use tui::{App, ClubMessage, ClubRequest, Input, MenStyle, Start, Theme};
use wire::{ChallengedJson, ColorWish, InvitationJson, NewChallengeJson, TermsJson};

use self::{guesses::Guesses, link::ClubLink};
use super::{
    api::Api,
    load,
    login::{ask_password, login_name},
    usage,
};

/// Play in this terminal, on a full-screen board
///
/// You play against a built-in bot, without a server and without a network.
/// With --two, two people share this terminal, and the board is hidden while
/// they change places. With --url, you play in a club, with your account there
/// or as a guest.
///
/// Type a move in any notation (e2e4, Nf3, exd5, N-KB3) and press Enter, or use
/// the arrow keys and Enter, or the mouse. F1 shows all keys and commands. In a
/// club, `say TEXT` writes to the opponent.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel play
  kriegspiel play random --rules cincinnati --color white --time 10+5
  kriegspiel play --two --rules ks
  kriegspiel play --url http://127.0.0.1:8080 --name anna
  kriegspiel play --problem wild16-3-1")]
pub(super) struct Args {
    /// The bot to play against: level-1 (for beginners) to level-6, sparring, random and others
    /// [default: sparring]
    #[arg(value_name = "BOT", conflicts_with_all = ["two", "url"], long_help = bots_help())]
    bot: Option<String>,

    /// Ruleset (`kriegspiel rules` lists them)
    #[arg(long, value_name = "ID|FILE.toml", default_value = "wild16")]
    rules: String,

    /// Your side [default: any]
    #[arg(long, value_enum, value_name = "COLOR")]
    color: Option<Side>,

    /// Time control: minutes, and seconds added after each move; at a club also 3d (days for each
    /// move) or 30d+1d/45d (a bank of days, days added, cap); or none
    #[arg(long, default_value = "none", value_name = "10+5|3d|none")]
    time: String,

    /// Two people on this terminal
    #[arg(long, conflicts_with = "url")]
    two: bool,

    /// Play in the club at this address, http:// or https://
    #[arg(long, value_name = "URL")]
    url: Option<String>,

    /// Your name in the club; the password is asked for. Without a name you are
    /// a guest
    #[arg(long, value_name = "NAME", requires = "url")]
    name: Option<String>,

    /// Token of a session in the club, instead of name and password
    #[arg(
        long,
        env = "KRIEGSPIEL_TOKEN",
        hide_env_values = true,
        value_name = "TOKEN"
    )]
    token: Option<String>,

    /// Play a problem, in lines of text: you try to force mate, and the opponent sees everything
    /// (`kriegspiel problems list` lists the problems)
    #[arg(long, value_name = "ID", conflicts_with_all = ["bot", "rules", "color", "time", "two", "url"])]
    problem: Option<String>,

    /// Read the problem from this file (JSON lines, may be gzip)
    #[arg(long, value_name = "FILE", requires = "problem")]
    file: Option<PathBuf>,

    #[command(flatten)]
    look: Look,
}

/// Returns the help text about the bots.
fn bots_help() -> String {
    let bots = bots::described(bots::ALL);
    format!(
        "The bot to play against [default: sparring]\n\n{bots}\n\nEach rating is written with its \
         95 % confidence interval. The rating of level-1 is 1000 by definition"
    )
}

/// Appearance of the screen.
#[derive(Debug, clap::Args)]
pub(super) struct Look {
    /// Colours of the screen [default: dark; mono if NO_COLOR is set]
    #[arg(long, value_enum, value_name = "THEME")]
    theme: Option<ThemeName>,

    /// Draw men as letters, White's as capitals
    #[arg(long)]
    ascii: bool,
}

#[derive(Copy, Clone, Debug, clap::ValueEnum)]
enum ThemeName {
    Dark,
    Light,
    Mono,
}

#[derive(Copy, Clone, Debug, clap::ValueEnum)]
enum Side {
    White,
    Black,
    Any,
}

impl Look {
    /// Returns the start settings of a screen with this appearance.
    pub(super) fn start(&self) -> Start {
        let no_colour = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let theme = match self.theme {
            Some(ThemeName::Dark) => Theme::Dark,
            Some(ThemeName::Light) => Theme::Light,
            Some(ThemeName::Mono) => Theme::Mono,
            None if no_colour => Theme::Mono,
            None => usual_theme(),
        };
        let men = if self.ascii || !speaks_utf8() {
            MenStyle::Ascii
        } else {
            MenStyle::Unicode
        };
        Start {
            theme,
            men,
            ..Start::default()
        }
    }
}

/// Chooses the default theme. Some terminals tell their background colour in the environment
/// variable COLORFGBG.
fn usual_theme() -> Theme {
    let ground = env::var("COLORFGBG").ok();
    let ground = ground.as_deref().and_then(|both| both.rsplit(';').next());
    match ground {
        Some("7" | "15") => Theme::Light,
        Some(_) | None => Theme::Dark,
    }
}

fn speaks_utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()));
    locale.is_some_and(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

impl Args {
    fn terms(&self) -> anyhow::Result<TermsJson> {
        let ruleset = load::ruleset(&self.rules)?;
        let is_file = Path::new(&self.rules).is_file();
        Ok(TermsJson {
            rules: ruleset.id.to_string(),
            custom: is_file.then(|| write_ruleset(&ruleset)),
            time: tui::time_control(&self.time).map_err(usage)?,
            rated: false,
            color: match self.color {
                Some(Side::White) => ColorWish::White,
                Some(Side::Black) => ColorWish::Black,
                Some(Side::Any) | None => ColorWish::Any,
            },
        })
    }
}

pub(super) fn main(args: &Args) -> anyhow::Result<()> {
    if let Some(id) = &args.problem {
        return problem::main(id, args.file.as_ref());
    }
    if args.two && args.color.is_some() {
        return Err(usage(
            "--color has no meaning with --two, because both sides are played here",
        ));
    }
    let terms = args.terms()?;
    let bot = args.bot.as_deref().unwrap_or("sparring");
    let Some(bot) = bots::by_name(bot) else {
        return Err(load::unknown_bot(bot));
    };
    let signs_in = args.name.as_ref().filter(|_| args.token.is_none());
    let password = signs_in.map(|name| ask_password(name)).transpose()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("the program cannot start")?;
    let (sender, inbox) = tui::inbox();
    let (apis, first) = runtime.block_on(async {
        match &args.url {
            Some(url) => {
                let mut api = Api::new(url, args.token.clone()).map_err(usage)?;
                if let (Some(name), Some(password)) = (&args.name, &password) {
                    api.sign_in(name, password).await?;
                }
                api.ensure_session().await?;
                anyhow::Ok((vec![api], None))
            }
            None => inside(bot, &terms, args.two).await,
        }
    })?;
    let (mut guesses, guessed) = Guesses::open(args.url.as_deref());
    let start = Start {
        guessed,
        two: args.two,
        lobby: args.url.is_some(),
        terms,
        ids: ids(),
        place: args
            .url
            .clone()
            .unwrap_or_else(|| "this machine".to_owned()),
        ..args.look.start()
    };
    let mut queues = Vec::new();
    for (number, api) in apis.into_iter().enumerate() {
        let (queue, asks) = unbounded_channel::<ClubRequest>();
        queues.push(queue);
        let link = ClubLink {
            number,
            screen: sender.clone(),
            api,
        };
        if let Some(game) = &first {
            link.tell(ClubMessage::Playing(game.clone()));
        }
        runtime.spawn(link.run(asks));
    }
    let ends = sender.clone();
    runtime.spawn(async move {
        server::signal().await;
        // The screen may be closed already.
        let _gone = ends.send(Input::Club(0, ClubMessage::End));
    });
    let ask = |line: usize, ask| {
        if let Some(queue) = queues.get(line) {
            // A link ends only when the screen is closed.
            let _gone = queue.send(ask);
        }
    };
    let says = sender.clone();
    let keep = |guessed| {
        if let Err(why) = guesses.keep(&guessed) {
            // The receiver is the same screen, so it is still open.
            let _gone = says.send(Input::Club(0, ClubMessage::Done(why)));
        }
    };
    let shown = tui::run(App::play(start), (sender, inbox), ask, keep);
    runtime.shutdown_timeout(Duration::from_millis(100));
    shown.context("cannot draw on the terminal")
}

/// Returns the prefix for ids of this program's requests. No other program of
/// this player has the same prefix.
fn ids() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let nanos = since.map_or(0, |span| span.as_nanos());
    format!("t{nanos:x}-{:x}", std::process::id())
}

/// Opens a club in this process, and a game in this club. Returns an API for each person at this
/// terminal, and the id of the game.
async fn inside(
    bot: &'static bots::Bot,
    terms: &TermsJson,
    two: bool,
) -> anyhow::Result<(Vec<Api>, Option<String>)> {
    let store = Arc::new(MemoryStore::default());
    let club = Club::open(store, Arc::new(SystemClock), Settings::cheap()).await?;
    let given = Given {
        bots: Some(vec![if two { "none" } else { bot.name }.to_owned()]),
        ..Given::default()
    };
    let server = Server::open(club, given.settle()?).await?;
    let bots = server.clone();
    tokio::spawn(async move { bots.run_built_in_bots().await });
    // A club reserves some names, for example `root`.
    let name = login_name().filter(|name| !two && club::check_name(name).is_ok());
    let name = name.unwrap_or_else(|| "player-1".to_owned());
    let one = seated(&server, name).await?;
    if !two {
        let challenge = NewChallengeJson {
            to: bot.name.to_owned(),
            terms: terms.clone(),
        };
        let made: ChallengedJson = one.post("/api/challenges", &challenge).await?;
        let Some(game) = made.game else {
            bail!("{} does not play", bot.name);
        };
        return Ok((vec![one], Some(game)));
    }
    let other = seated(&server, "player-2".to_owned()).await?;
    let made: InvitationJson = one.post("/api/invitations", terms).await?;
    let game = other.accept("invitations", &made.code).await?;
    Ok((vec![one, other], Some(game)))
}

/// Signs a person in to the club of this process. The name appears in saved
/// games.
async fn seated(server: &Server, name: String) -> anyhow::Result<Api> {
    let mut api = Api::inside(server.clone());
    api.take_name(name).await?;
    Ok(api)
}
