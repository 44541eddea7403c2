//! `kriegspiel belief`.

mod fit;
mod game;
mod heat;
mod interrupt;
mod problems;
mod report;

use std::{fs, path::PathBuf, process::ExitCode, sync::Arc, thread};

use belief::{Compat, Model, Opponent, Settings};
use kriegspiel::rules::chess::Color;

use super::{games::FormName, usage};

/// Say which positions were possible for a player of a recorded game
///
/// Only what that player heard is used. Up to a limit the positions are exact; beyond it they are
/// a weighted sample, and the output says so. Any file of games is read that `kriegspiel convert`
/// reads; with --problems, a file of problems (JSON lines, also compressed).
///
/// Ctrl-C ends long work and prints what is known so far; a second one ends the program.
///
/// Exit code 0: done. 1: the record or a problem does not follow its rules; what comes before is
/// printed. 2: the command cannot be carried out as given. 130: Ctrl-C.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  kriegspiel belief examples/castling.txt --seat white
  kriegspiel belief games.pgn --game 3 --seat black --at 20 --json
  kriegspiel belief games.pgn --seat white --follow
  kriegspiel belief games.pgn --seat white --model fitted
  kriegspiel belief fit games.pgn more.jsonl --out weights.txt
  kriegspiel belief --problems sample.jsonl.gz --compat berkeley-database --json"
)]
pub(super) struct Args {
    #[command(subcommand)]
    task: Option<Task>,

    /// A file of recorded games, perhaps gzip; - reads standard input
    #[arg(value_name = "FILE", required_unless_present = "problems")]
    file: Option<PathBuf>,

    /// Whose belief
    #[arg(long, value_name = "COLOUR", default_value = "white")]
    seat: Seat,

    /// Stop after so many completed moves of both sides
    #[arg(long, value_name = "N")]
    at: Option<usize>,

    /// Which game of the file, counted from 1
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: u64,

    /// The form of the file, where its beginning does not tell
    #[arg(long, value_name = "FORM")]
    from: Option<FormName>,

    /// Read the game under this ruleset, whatever the file names
    #[arg(long, value_name = "ID|FILE.toml")]
    rules: Option<String>,

    /// How many positions are kept before a sample replaces them
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    limit: u32,

    /// How many threads; as many as there are processors if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// How the opponent is believed to choose: uniform, fitted, or a file that `fit` has written
    #[arg(long, value_name = "MODEL", default_value = "uniform")]
    model: String,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Print a line for each thing heard that tells of the position
    #[arg(long)]
    follow: bool,

    /// Write a heat map of the opponent's men to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// A file of problems (JSON lines, may be gzip)
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    problems: Option<PathBuf>,

    /// Depart from the rules as a collection of problems does
    #[arg(long, value_name = "WHOSE")]
    compat: Option<Whose>,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    Fit(fit::Args),
}

#[derive(Copy, Clone, Debug, clap::ValueEnum)]
enum Seat {
    White,
    Black,
}

#[derive(Copy, Clone, Debug, clap::ValueEnum)]
enum Whose {
    /// The Berkeley Kriegspiel mate database
    BerkeleyDatabase,
}

impl Args {
    fn settings(&self) -> anyhow::Result<Settings> {
        Ok(Settings {
            limit: self.limit as usize,
            threads: self.threads.map_or_else(
                || thread::available_parallelism().map_or(1, usize::from),
                usize::from,
            ),
            model: model(&self.model)?,
            compat: self.compat.map(|whose| match whose {
                Whose::BerkeleyDatabase => Compat::BerkeleyDatabase,
            }),
        })
    }

    fn seat(&self) -> Color {
        match self.seat {
            Seat::White => Color::White,
            Seat::Black => Color::Black,
        }
    }
}

/// The opponent model of that name, or in that file.
fn model(name: &str) -> anyhow::Result<Model> {
    match name {
        "uniform" => Ok(Model::Uniform),
        "fitted" => Ok(Model::fitted()),
        path => {
            let text = fs::read_to_string(path).map_err(|e| {
                usage(format_args!(
                    "--model {path}: {e}; it is uniform, fitted, or a file of weights"
                ))
            })?;
            let opponent: Opponent = text
                .parse()
                .map_err(|e| usage(format_args!("--model {path}: {e}")))?;
            Ok(Model::Fitted(Arc::new(opponent)))
        }
    }
}

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(Task::Fit(args)) = &args.task {
        fit::main(args)?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.compat.is_some() && args.problems.is_none() {
        return Err(usage("--compat is for --problems FILE"));
    }
    match (&args.problems, &args.file) {
        (Some(path), _) => problems::main(path, args),
        (None, Some(path)) => game::main(path, args),
        (None, None) => Err(usage("give a file of games, or --problems FILE")),
    }
}
