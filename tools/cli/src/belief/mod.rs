//! The command `kriegspiel belief`.

mod fit;
mod game;
mod heat;
mod problems;
mod report;

use std::{fs, path::PathBuf, process::ExitCode, sync::Arc, thread};

use belief::{Compat, Model, Opponent, Overflow, Settings};
use rules::chess::{ByRole, Color, Role};

use super::{
    games::{FormName, game_number},
    interrupt,
    moment::At,
    usage,
};

/// List the positions that were possible for a player of a recorded game
///
/// Uses only what that player heard. Up to a limit the positions are exact;
/// beyond the limit they are a weighted sample, and the output says so. Reads
/// every format that `kriegspiel convert` reads. With --rules, also reads the
/// scores that `kriegspiel score read` reads. With --problems, reads a file of
/// problems (JSON lines, also compressed).
///
/// The first Ctrl-C ends long work and prints the result so far; a second
/// Ctrl-C ends the program.
///
/// Exit code 0: done. 1: the record or a problem violates its rules, or the file is cut
/// off in the game; the result before that point is printed. 2: wrong use of the command. 130: Ctrl-C.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:
  kriegspiel belief examples/castling.txt --seat white
  kriegspiel belief games.pgn --seat white --at 10w
  kriegspiel belief games.pgn --game 3 --seat black --at 20 --json
  kriegspiel belief games.pgn --seat white --follow
  kriegspiel belief games.pgn --seat white --model fitted
  kriegspiel belief games.jsonl --all --sample 100 --seed 7 --json
  kriegspiel belief examples/hayes-juhasz-1971-score.txt --rules cincinnati --at 10
  kriegspiel belief fit games.pgn more.jsonl --out weights.txt
  kriegspiel belief --problems sample.jsonl.gz --compat berkeley-database --json"
)]
pub(super) struct Args {
    #[command(subcommand)]
    task: Option<Task>,

    /// File of recorded games, may be compressed by gzip or Zstandard; - reads standard input
    #[arg(value_name = "FILE", required_unless_present = "problems")]
    file: Option<PathBuf>,

    /// Player whose belief is printed: white, if not given. For a player's own file, this player
    #[arg(long, value_name = "COLOUR")]
    seat: Option<Seat>,

    /// The opponent's men at the start, for a player's own file that has only this player's men
    #[arg(long, value_name = "LETTERS", value_parser = men)]
    men: Option<ByRole<u8>>,

    /// Stop reading after N half-moves (moves of White and Black together), and after the refused
    /// tries and questions that follow them; or before White's move N (Nw) or Black's (Nb), and
    /// before any try of its turn
    #[arg(long, value_name = "N|Nw|Nb", value_parser = At::read)]
    at: Option<At>,

    /// Number of the game in the file, counted from 1
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = game_number)]
    game: u64,

    /// Print the belief of every game of the file, as JSON
    #[arg(long, requires = "json", conflicts_with_all = ["game", "svg"])]
    all: bool,

    /// Draw K positions at random according to their weights, with replacement, and print them
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    sample: Option<u32>,

    /// Seed of --sample
    #[arg(long, value_name = "N", default_value_t = 1, requires = "sample")]
    seed: u64,

    /// Format of the file, if it cannot be detected from the start of the file
    #[arg(long, value_name = "FORM")]
    from: Option<FormName>,

    /// Read the game under this ruleset, even if the file names another one
    #[arg(long, value_name = "ID|FILE.toml")]
    rules: Option<String>,

    /// Maximum number of positions that are kept, at least 100. If there are more, a sample
    /// replaces them
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = limit)]
    limit: u32,

    /// Number of threads; if not given, as many as processors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Model of how the opponent chooses moves: uniform, fitted, or a file
    /// written by `belief fit`
    #[arg(long, value_name = "MODEL", default_value = "uniform")]
    model: String,

    /// Print JSON
    #[arg(long)]
    json: bool,

    /// Print a line for each hearing that changes the number of positions, and for each turn
    #[arg(long)]
    follow: bool,

    /// Write a heat map of the opponent's men to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// A file of problems (JSON lines, may be compressed); - reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "seat", "men", "at", "game", "from", "rules", "follow", "svg", "all", "sample"])]
    problems: Option<PathBuf>,

    /// Use the rules of this collection of problems, which differ from the ruleset in some points
    #[arg(long, value_name = "WHOSE")]
    compat: Option<Whose>,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    Fit(fit::Args),
}

#[derive(Copy, Clone, Debug, clap::ValueEnum)]
pub(super) enum Seat {
    White,
    Black,
}

#[derive(Copy, Clone, Debug, clap::ValueEnum)]
pub(super) enum Whose {
    /// The Berkeley Kriegspiel mate database
    BerkeleyDatabase,
}

/// Smallest value of `--limit`. A sample of fewer positions is of no use.
const MIN_LIMIT: u32 = 100;
/// Largest value of `--limit`. This number of positions takes about 2.4 GB of memory, and an update
/// needs four times as much.
const MAX_LIMIT: u32 = 100_000_000;

/// Parses a limit on the number of positions.
pub(super) fn limit(text: &str) -> Result<u32, String> {
    let limit: u64 = text.parse().map_err(|_| "this is not a whole number")?;
    match u32::try_from(limit) {
        Ok(limit) if limit < MIN_LIMIT => Err(format!(
            "a sample of fewer than {MIN_LIMIT} positions is of no use: the smallest limit is {MIN_LIMIT}"
        )),
        Ok(limit) if limit <= MAX_LIMIT => Ok(limit),
        _ => Err(format!("the largest limit is {MAX_LIMIT}")),
    }
}

/// Parses men given by their letters.
fn men(text: &str) -> Result<ByRole<u8>, String> {
    let mut men = ByRole::<u8>::default();
    for letter in text.chars() {
        let role = Role::from_char(letter).ok_or("give letters of men, as in KQRRPPP")?;
        let count = men.get_mut(role);
        *count = count.saturating_add(1);
    }
    Ok(men)
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
            compat: self.compat.map(Compat::from),
            rebuild_work: None,
            spread: 0.0,
            overflow: Overflow::Sample,
            invented: 0.0,
            own_untold: false,
        })
    }

    fn seat(&self) -> Color {
        self.seat.map_or(Color::White, Color::from)
    }
}

impl From<Seat> for Color {
    fn from(seat: Seat) -> Color {
        match seat {
            Seat::White => Color::White,
            Seat::Black => Color::Black,
        }
    }
}

impl From<Whose> for Compat {
    fn from(whose: Whose) -> Compat {
        match whose {
            Whose::BerkeleyDatabase => Compat::BerkeleyDatabase,
        }
    }
}

/// Returns the built-in opponent model `name`, or reads a model from the file `name`.
fn model(name: &str) -> anyhow::Result<Model> {
    match name {
        "uniform" => Ok(Model::Uniform),
        "fitted" => Ok(Model::fitted()),
        path => {
            let fault = |message: &dyn std::fmt::Display| {
                usage(format_args!(
                    "--model {path}: {message}; the model is `uniform`, `fitted`, or a file of weights"
                ))
            };
            // A device or a pipe is refused, because reading it may never end.
            if !fs::metadata(path).map_err(|e| fault(&e))?.is_file() {
                return Err(fault(&"not a file"));
            }
            let text = fs::read_to_string(path).map_err(|e| fault(&e))?;
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
    if args.sample.is_some() && args.follow && !args.json {
        return Err(usage("--sample with --follow needs --json"));
    }
    match (&args.problems, &args.file) {
        (Some(path), _) => problems::main(path, args),
        (None, Some(path)) => game::main(path, args),
        (None, None) => Err(usage("give a file of games, or --problems FILE")),
    }
}
