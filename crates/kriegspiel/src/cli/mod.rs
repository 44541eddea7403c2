//! The command line.

#[cfg(feature = "club")]
mod accounts;
#[cfg(feature = "club")]
mod api;
mod audit;
mod belief;
#[cfg(feature = "club")]
mod bot;
mod convert;
#[cfg(feature = "club")]
mod data;
#[cfg(feature = "club")]
mod editor;
mod endgame;
mod games;
mod interrupt;
#[cfg(feature = "club")]
mod kept;
#[cfg(feature = "club")]
mod ks;
mod load;
#[cfg(feature = "club")]
mod login;
#[cfg(feature = "club")]
mod play;
mod problem_lines;
mod problems;
mod referee;
mod rules;
mod score;
#[cfg(feature = "club")]
mod serve;
mod shells;
mod solve;
#[cfg(feature = "club")]
mod store;
#[cfg(all(unix, feature = "club"))]
mod teletype;
mod terminal;
#[cfg(feature = "club")]
mod tls;
#[cfg(feature = "club")]
mod traffic;
mod unpack;
mod usage;
#[cfg(feature = "club")]
mod view;
mod voice;
mod wrapped;

use std::{
    io::{self, BufWriter, Write},
    process::ExitCode,
};

use clap::{CommandFactory, Parser, Subcommand};

use self::usage::{Usage, usage};

/// Text that `kriegspiel` prints without a command.
const WELCOME: &str = "\
Kriegspiel Umpire: the referee of Kriegspiel, chess in which neither player
sees the other's men, under sixteen historic and living rulesets, and a club
to play it in.

  kriegspiel play
      play in this terminal, against a program
  kriegspiel serve
      open the club in a browser: people, programs, spectators
  kriegspiel rules cincinnati
      explain a ruleset in plain words (without a name: list them)
  kriegspiel referee --rules cincinnati < examples/hayes-juhasz-1971.txt
      referee a game of 1971 from first to last
  kriegspiel referee --rules wild16 --show umpire
      type the moves of both sides, and see what each side hears
  kriegspiel arena --rules rand --games 100
      let two bots play a hundred games

`kriegspiel --help` lists all commands.
";

/// The exit codes, which are the same for every command.
const CODES: &str = "\
Exit codes: 0: done. 1: the result is negative (for example, an audit found something or a proof is
wrong), or a connection or a disk failed. 2: wrong use of the command, or input that cannot be read.
130: Ctrl-C.";

/// The referee of Kriegspiel under every historic ruleset.
///
/// In Kriegspiel neither player sees the other's men. The referee sees both
/// boards, answers every attempt, and announces what the rules allow.
#[derive(Debug, Parser)]
#[command(name = "kriegspiel", version, max_term_width = 100, after_help = CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Rules(rules::Args),
    Referee(referee::Args),
    /// Play many games between bots or programs, and count the results
    ///
    /// The games depend only on the seed, not on the number of threads, unless --time is given.
    Arena(Box<arena::Args>),
    Ksref(ksref::command::Args),
    Audit(audit::Args),
    Belief(belief::Args),
    Convert(convert::Args),
    Endgame(endgame::Args),
    Score(score::Args),
    Problems(problems::Args),
    Solve(solve::Args),
    #[cfg(feature = "club")]
    Play(play::Args),
    #[cfg(feature = "club")]
    View(view::Args),
    #[cfg(feature = "club")]
    Bot(bot::Args),
    #[cfg(feature = "club")]
    Ks(ks::Args),
    /// Play as with ks, in a window: a page in a browser of this machine
    ///
    /// The command prints an address that opens the page once. Men are moved with
    /// the left mouse button; other commands are single letters, and h lists them.
    /// The options are those of ks (kriegspiel ks -h), without -d.
    #[cfg(feature = "club")]
    #[command(
        override_usage = "kriegspiel xks [{+-}[wbcaprsh]]... [PORT] USER[@MACHINE]
       kriegspiel xks --url URL [{+-}[wbcaprh]]... USER",
        after_help = ""
    )]
    Xks(ks::Args),
    #[cfg(feature = "club")]
    Serve(serve::Args),
    #[cfg(feature = "club")]
    Store(store::Args),
    #[cfg(feature = "club")]
    Accounts(accounts::Args),
    #[cfg(feature = "club")]
    Load(traffic::Args),
    #[cfg(all(unix, feature = "club"))]
    Teletype(teletype::Args),
    Completions(shells::CompletionArgs),
    Man(shells::ManArgs),
}

fn dispatch(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        None => {
            let mut output = io::stdout().lock();
            output.write_all(WELCOME.as_bytes())?;
            output.flush()?;
        }
        Some(Command::Audit(args)) => return audit::main(&args),
        Some(Command::Belief(args)) => return belief::main(&args),
        Some(Command::Convert(args)) => return convert::main(&args),
        Some(Command::Endgame(args)) => return endgame::main(&args),
        Some(Command::Rules(args)) => rules::main(&args)?,
        Some(Command::Referee(args)) => return referee::main(args),
        Some(Command::Score(args)) => score::main(&args)?,
        Some(Command::Problems(args)) => return problems::main(&args),
        Some(Command::Solve(args)) => return solve::main(&args),
        #[cfg(feature = "club")]
        Some(Command::Bot(args)) => bot::main(&args)?,
        #[cfg(feature = "club")]
        Some(Command::Play(args)) => play::main(&args)?,
        #[cfg(feature = "club")]
        Some(Command::View(args)) => view::main(&args)?,
        #[cfg(feature = "club")]
        Some(Command::Ks(args)) => return ks::main(args, false),
        #[cfg(feature = "club")]
        Some(Command::Xks(args)) => return ks::main(args, true),
        #[cfg(feature = "club")]
        Some(Command::Serve(args)) => serve::main(args)?,
        #[cfg(feature = "club")]
        Some(Command::Store(args)) => return store::main(&args),
        #[cfg(feature = "club")]
        Some(Command::Accounts(args)) => return accounts::main(&args),
        #[cfg(feature = "club")]
        Some(Command::Load(args)) => return traffic::main(&args),
        #[cfg(all(unix, feature = "club"))]
        Some(Command::Teletype(args)) => teletype::main(&args)?,
        Some(Command::Completions(args)) => shells::completions(&args, Cli::command())?,
        Some(Command::Man(args)) => shells::man(&args, Cli::command())?,
        Some(Command::Arena(args)) => {
            let interrupt = interrupt::flag()?;
            return Ok(match arena::main(*args, load::ruleset, &interrupt)? {
                arena::RunEnd::Complete => ExitCode::SUCCESS,
                arena::RunEnd::Interrupted => ExitCode::from(interrupt::INTERRUPTED),
            });
        }
        Some(Command::Ksref(args)) => {
            let output = BufWriter::new(io::stdout().lock());
            ksref::command::main(&args, io::stdin().lock(), output, io::stderr()).map_err(
                |stop| match stop {
                    ksref::command::Stop::Io(error) => error.into(),
                    ksref::command::Stop::Input(said) => usage(said),
                },
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Maps errors to exit codes. No other function does this.
pub(crate) fn main() -> ExitCode {
    let error = match dispatch(Cli::parse()) {
        Ok(code) => return code,
        Err(error) => error,
    };
    let broken_pipe = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    if error.downcast_ref().is_some_and(broken_pipe) {
        // The program that reads our output has closed the pipe, so no more output is needed.
        return ExitCode::SUCCESS;
    }
    terminal::tell(format_args!("{error:#}"));
    let unreadable = |e: &io::Error| e.kind() == io::ErrorKind::InvalidData;
    if error.is::<Usage>() || error.downcast_ref().is_some_and(unreadable) {
        ExitCode::from(2)
    } else {
        ExitCode::FAILURE
    }
}
