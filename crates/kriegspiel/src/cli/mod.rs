//! The command line.

mod load;
mod referee;
mod rules;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand};

/// What `kriegspiel` alone prints.
const WELCOME: &str = "\
Kriegspiel Umpire: the referee of Kriegspiel, chess in which neither player sees the other's men,
under sixteen historic and living rulesets.

  kriegspiel rules                         list the rulesets
  kriegspiel rules cincinnati              explain one in plain words, with its sources
  kriegspiel rules --compare               set them side by side
  kriegspiel referee --rules wild16        be the umpire's table: type moves, see what each side hears
  kriegspiel referee --rules cincinnati < examples/hayes-juhasz-1971.txt
                                           referee a game of 1971 from first to last

`kriegspiel --help` says more.
";

/// The referee of Kriegspiel under every historic ruleset.
///
/// In Kriegspiel neither player sees the other's men. The referee sees both
/// boards, answers every attempt, and announces what the rules allow.
#[derive(Debug, Parser)]
#[command(name = "kriegspiel", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Rules(rules::Args),
    Referee(referee::Args),
}

/// What was asked cannot be done as asked: exit code 2, one line.
#[derive(Debug)]
pub(crate) struct Usage(String);

impl std::fmt::Display for Usage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

fn usage(said: impl std::fmt::Display) -> anyhow::Error {
    Usage(said.to_string()).into()
}

fn dispatch(cli: Cli) -> anyhow::Result<()> {
    match cli.command {
        None => {
            let mut output = io::stdout().lock();
            output.write_all(WELCOME.as_bytes())?;
            output.flush()?;
        }
        Some(Command::Rules(args)) => rules::main(&args)?,
        Some(Command::Referee(args)) => referee::main(args)?,
    }
    Ok(())
}

/// The one place that maps errors to exit codes.
pub(crate) fn main() -> ExitCode {
    let error = match dispatch(Cli::parse()) {
        Ok(()) => return ExitCode::SUCCESS,
        Err(error) => error,
    };
    let broken_pipe = |e: &io::Error| e.kind() == io::ErrorKind::BrokenPipe;
    if error.downcast_ref().is_some_and(broken_pipe) {
        // Who reads us has heard enough.
        return ExitCode::SUCCESS;
    }
    // Nothing can be done if stderr is closed too.
    let _ignored = writeln!(io::stderr(), "kriegspiel: {error:#}");
    if error.is::<Usage>() {
        ExitCode::from(2)
    } else {
        ExitCode::FAILURE
    }
}
