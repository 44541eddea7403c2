//! The command `kriegspiel`.
mod accounts;
mod api;
mod audit;
mod belief;
mod bot;
mod club_games;
mod convert;
mod data;
mod editor;
mod endgame;
mod games;
mod interrupt;
mod kept;
mod ks;
mod load;
mod login;
mod moment;
mod play;
mod problem_lines;
mod problems;
mod referee;
mod review;
mod rules;
mod score;
mod serve;
mod shells;
mod solve;
mod store;
#[cfg(unix)]
mod teletype;
mod terminal;
mod tls;
mod traffic;
mod unpack;
mod usage;
mod view;
mod voice;
mod wrapped;

use std::{
    io::{self, BufWriter, IsTerminal, Write},
    process::ExitCode,
};

use clap::{CommandFactory, Parser, Subcommand};
use mimalloc::MiMalloc;

use self::usage::{Usage, usage};

/// Allocator that returns memory to the system after a burst of requests. The allocator of the C
/// library keeps this memory. For example, each password hash needs 19 MiB. `docs/security.md`
/// has the measurements.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// Text that `kriegspiel` prints without a command in a terminal.
const GREETING: &str = "\
Kriegspiel: chess in which neither player sees the other's men; a referee tells what you may know.
  kriegspiel play      play here, against a program
  kriegspiel serve     open the club in a browser: people, programs, spectators
  kriegspiel rules     every ruleset in plain words, from 1933 to today
  kriegspiel --help    everything else: the referee, the programs of 1965 to 1986, study, research
Press Enter to open the club, or Ctrl-C to leave. ";

/// Text that `kriegspiel` prints without a command, elsewhere.
const WELCOME: &str = "\
Kriegspiel Umpire: the referee of Kriegspiel, chess in which neither player
sees the other's men, under historic and living rulesets, and a club
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

Five historic systems, and the command that plays each of them:

  UMPIRE, 1965             kriegspiel teletype --1965 --listen 1965
  KSREF, 1975              kriegspiel ksref --paper
  Cincinnati style, 1977   kriegspiel play --rules cincinnati
  ks, 1986                 kriegspiel ks USER@MACHINE
  xks, 1986                kriegspiel xks USER@MACHINE
  Chess Variant Pages      kriegspiel play --rules bodlaender

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
struct Cli {
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
    Review(review::Args),
    Convert(convert::Args),
    Endgame(endgame::Args),
    Score(score::Args),
    Problems(problems::Args),
    Solve(solve::Args),
    Play(play::Args),
    View(view::Args),
    Bot(bot::Args),
    Ks(ks::Args),
    /// Play as with ks, in a window: a page in a browser of this machine
    ///
    /// The command prints an address that opens the page once. Men are moved with
    /// the left mouse button; other commands are single letters, and h lists them.
    /// The options are those of ks (kriegspiel ks -h), without -d. A display and a geometry of 1986
    /// are ignored.
    #[command(
        override_usage = "kriegspiel xks [{+-}[wbcaprsh]]... [DISPLAY] [=GEOMETRY] [PORT] USER[@MACHINE]
       kriegspiel xks --url URL [{+-}[wbcaprh]]... USER",
        after_help = ""
    )]
    Xks(ks::Args),
    Serve(serve::Args),
    Store(store::Args),
    Accounts(accounts::Args),
    Games(club_games::Args),
    Load(traffic::Args),
    #[cfg(unix)]
    Teletype(teletype::Args),
    Completions(shells::CompletionArgs),
    Man(shells::ManArgs),
}

fn dispatch(cli: Cli) -> anyhow::Result<ExitCode> {
    match cli.command {
        None => {
            let is_person = io::stdin().is_terminal() && io::stdout().is_terminal();
            let mut output = io::stdout().lock();
            output.write_all(if is_person { GREETING } else { WELCOME }.as_bytes())?;
            output.flush()?;
            drop(output);
            if is_person && io::stdin().read_line(&mut String::new())? > 0 {
                return dispatch(Cli::try_parse_from(["kriegspiel", "serve"])?);
            }
        }
        Some(Command::Audit(args)) => return audit::main(&args),
        Some(Command::Belief(args)) => return belief::main(&args),
        Some(Command::Review(args)) => return review::main(&args),
        Some(Command::Convert(args)) => return convert::main(&args),
        Some(Command::Endgame(args)) => return endgame::main(&args),
        Some(Command::Rules(args)) => rules::main(&args)?,
        Some(Command::Referee(args)) => return referee::main(args),
        Some(Command::Score(args)) => score::main(&args)?,
        Some(Command::Problems(args)) => return problems::main(&args),
        Some(Command::Solve(args)) => return solve::main(&args),
        Some(Command::Bot(args)) => bot::main(&args)?,
        Some(Command::Play(args)) => play::main(&args)?,
        Some(Command::View(args)) => view::main(&args)?,
        Some(Command::Ks(args)) => return ks::main(args, false),
        Some(Command::Xks(args)) => return ks::main(args, true),
        Some(Command::Serve(args)) => serve::main(args)?,
        Some(Command::Store(args)) => return store::main(&args),
        Some(Command::Accounts(args)) => return accounts::main(&args),
        Some(Command::Games(args)) => return club_games::main(&args),
        Some(Command::Load(args)) => return traffic::main(&args),
        #[cfg(unix)]
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
fn main() -> ExitCode {
    let done = match Cli::try_parse() {
        Ok(cli) => dispatch(cli),
        Err(wrong) if wrong.use_stderr() => wrong.exit(),
        // The help or the version.
        Err(asked) => asked
            .print()
            .and_then(|()| io::stdout().flush())
            .map(|()| ExitCode::SUCCESS)
            .map_err(anyhow::Error::from),
    };
    let error = match done {
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
