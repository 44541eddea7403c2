//! The command `kriegspiel bot`.

mod ladder;
mod pipe;
mod play;

use std::{io, sync::Arc};

use arena::Contestant;

use self::play::{Kind, Play};
use super::{api::Api, usage};

/// Run a bot that plays in a club over the network
///
/// The bot signs in with a token, as any program can. It listens on the club's
/// WebSocket, accepts challenges, offers games with --seek or --challenge, and knows
/// only what its seat hears. If the connection breaks, it reconnects and continues.
/// Ctrl-C or SIGTERM ends it and withdraws its seek.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel bot sparring
  kriegspiel bot 'cmd:python3 examples/bots/bot.py' --challenge level-1 --games 10
  kriegspiel bot --url http://127.0.0.1:8080 --token TOKEN --seek wild16 --time 5+3 sparring
  kriegspiel bot --token TOKEN --ranked --version 2 'cmd:./my-bot'
  kriegspiel arena --players 'master,cmd:old/kriegspiel bot master --stdio' --rules wild16")]
pub(crate) struct Args {
    /// A built-in bot, or cmd:PROGRAM (kriegspiel arena --help describes its lines)
    #[arg(value_name = "BOT")]
    bot: Contestant,

    /// Address of the club, http:// or https://
    #[arg(
        long,
        env = "KRIEGSPIEL_URL",
        default_value = "http://127.0.0.1:8080",
        value_name = "URL"
    )]
    url: String,

    /// Token of the session (POST /api/sessions with "token": true); without it
    /// the bot plays as a guest
    #[arg(
        long,
        env = "KRIEGSPIEL_TOKEN",
        hide_env_values = true,
        value_name = "TOKEN"
    )]
    token: Option<String>,

    /// Do not accept challenges
    #[arg(long)]
    no_accept: bool,

    /// Seek games under this ruleset, one at a time; people accept seeks, programs do not
    #[arg(long, value_name = "ID")]
    seek: Option<String>,

    /// Challenge this person or program, one game at a time, under --seek [default: wild16]
    #[arg(long, value_name = "NAME", conflicts_with = "ranked")]
    challenge: Option<String>,

    /// Time control of the games that the bot offers: minutes, and seconds added after each move;
    /// 3d (days for each move); or none [default: none; on the ladder 3+2]
    #[arg(long, value_name = "10+5|3d|none")]
    time: Option<String>,

    /// Climb the club's ladder: rated games with the other programs that wait, under
    /// --seek [default: wild16], as the account NAME-VERSION of the program NAME
    #[arg(long, requires_all = ["version", "token"])]
    ranked: bool,

    /// Version of the bot on the ladder, which rates each version apart
    #[arg(long, requires = "ranked", value_name = "VERSION")]
    version: Option<String>,

    /// End after this number of games
    #[arg(long, value_name = "N")]
    games: Option<u32>,

    /// Wait this time before each attempt, in milliseconds
    #[arg(long, default_value_t = 300, value_name = "MS")]
    think: u64,

    /// Also think while the opponent is to move
    #[arg(long)]
    think_ahead: bool,

    /// Play over standard input and output instead, as a program in the arena of another version
    #[arg(long, conflicts_with_all = ["no_accept", "seek", "challenge", "time", "ranked", "games", "think_ahead"])]
    stdio: bool,
}

pub(crate) fn main(args: &Args) -> anyhow::Result<()> {
    if args.stdio {
        let Contestant::Bot(bot) = &args.bot else {
            return Err(usage("--stdio: name a built-in bot"));
        };
        return pipe::play(bot, io::stdin().lock(), io::stdout().lock());
    }
    let player = Arc::new(Kind::new(&args.bot)?);
    let usual = if args.ranked { "3+2" } else { "none" };
    let time = tui::time_control(args.time.as_deref().unwrap_or(usual)).map_err(usage)?;
    let usual = (args.ranked || args.challenge.is_some()).then_some("wild16");
    let rules = args.seek.as_deref().or(usual);
    let offers = rules.map(|rules| wire::TermsJson {
        rules: rules.to_owned(),
        custom: None,
        time,
        rated: args.ranked,
        color: wire::ColorWish::Any,
    });
    let api = Api::new(&args.url, args.token.clone()).map_err(usage)?;
    let play = Play {
        player,
        args,
        offers,
    };
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(play.run(api))
}
