//! The arguments of `kriegspiel solve`.

use std::{num::NonZeroU16, path::PathBuf};

use belief::{Compat, Model, Overflow, Settings};

use crate::{
    belief::{Seat, Whose, limit},
    games::{FormName, game_number},
    moment::At,
};

/// Find out whether a mate can be forced
///
/// The player does not see the opponent's men. A mate is forced if one plan mates
/// within N own moves against every position that is possible for the player,
/// whatever the opponent plays. Reads a recorded game (every format that
/// `kriegspiel convert` reads), or with --problems a file of problems (JSON lines,
/// also compressed). A certificate is a proof that `solve --check` replays with
/// the referee alone.
///
/// Exit code 0: done, also if there is no mate. 1: a record, a problem or a
/// certificate is wrong. 2: wrong use of the command. 130: Ctrl-C.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel solve game.pgn --seat white --at 40 --moves 2
  kriegspiel solve game.pgn --seat white --at 40 --moves 2 --best
  kriegspiel solve --problems problems.jsonl --limit 10 --json
  kriegspiel solve --problems problems.jsonl --certificates proofs.jsonl
  kriegspiel solve --check proofs.jsonl
  kriegspiel solve --problems sample.jsonl.gz --compat berkeley-database --plies 3,5 --json")]
pub(crate) struct Args {
    /// File of recorded games, may be gzip; - reads standard input
    #[arg(value_name = "FILE", required_unless_present_any = ["problems", "check"])]
    pub(super) file: Option<PathBuf>,

    /// Number of own moves; with --problems, each problem says its number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=32))]
    pub(super) moves: Option<u8>,

    /// Player who is to mate
    #[arg(long, value_name = "COLOUR", default_value = "white")]
    pub(super) seat: Seat,

    /// Solve the position after N half-moves (moves of White and Black together), and after the
    /// refused tries and questions that follow them; or before White's move N (Nw) or Black's (Nb),
    /// and before any try of its turn
    #[arg(long, value_name = "N|Nw|Nb", value_parser = At::read)]
    pub(super) at: Option<At>,

    /// Number of the game in the file, counted from 1
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = game_number)]
    pub(super) game: u64,

    /// Format of the file, if it cannot be detected from the start of the file
    #[arg(long, value_name = "FORM")]
    pub(super) from: Option<FormName>,

    /// Read the game under this ruleset, even if the file names another one
    #[arg(long, value_name = "ID|FILE.toml")]
    pub(super) rules: Option<String>,

    /// A file of problems (JSON lines, may be gzip); - reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "seat", "at", "game", "from", "rules"])]
    pub(super) problems: Option<PathBuf>,

    /// Use the rules of this collection of problems, which differ from the ruleset in some points
    #[arg(long, value_name = "WHOSE", requires = "problems")]
    pub(super) compat: Option<Whose>,

    /// Solve only problems with these lengths in half-moves (a mate in N moves has 2 N - 1)
    #[arg(long, value_name = "P,Q", value_delimiter = ',', requires = "problems", value_parser = half_moves)]
    pub(super) plies: Option<Vec<u32>>,

    /// Maximum time for each problem, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(super) limit: Option<f64>,

    /// Maximum number of positions examined for each problem
    #[arg(long, value_name = "N")]
    pub(super) nodes: Option<u64>,

    /// Maximum number of possible positions that are computed, at least 100
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = limit)]
    pub(super) positions: u32,

    /// Memory of each thread for positions already examined, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u16).range(1..=16384))]
    pub(super) memory: u16,

    /// Number of problems that are solved at the same time
    #[arg(long, value_name = "N", default_value = "1", requires = "problems")]
    pub(super) threads: NonZeroU16,

    /// Write a certificate of each verdict to this file, one JSON line each. With --compat, the
    /// verdicts follow the rules of the collection. But the certificates, and the key
    /// mate_by_referee of --json, always follow the ruleset alone
    #[arg(long, value_name = "FILE")]
    pub(super) certificates: Option<PathBuf>,

    /// Check the certificates of a file (JSON lines, may be gzip) with the referee
    #[arg(long, value_name = "FILE", conflicts_with_all = ["file", "problems", "moves", "seat", "at", "game", "from", "rules", "certificates", "limit", "nodes"])]
    pub(super) check: Option<PathBuf>,

    /// Also print every try with which a mate can begin (for rulesets without obligations and
    /// limits on attempts)
    #[arg(long, conflicts_with = "check")]
    pub(super) all: bool,

    /// If there is no mate, also search for the plan that mates against the greatest share of the
    /// positions, and print bounds for this share. --limit applies to this search, too
    #[arg(long, conflicts_with = "check")]
    pub(super) best: bool,

    /// Weight of each position for --best
    #[arg(long, value_name = "HOW", default_value = "replies", requires = "best")]
    pub(super) weights: Weights,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Weight of each position.
#[derive(Copy, Clone, Eq, PartialEq, Debug, clap::ValueEnum)]
pub(super) enum Weights {
    /// Its probability, if the opponent chose each try at random
    Replies,
    /// The same weight for every position
    Equal,
}

/// Largest value of `--limit` in seconds: about three years.
const MAX_SECONDS: f64 = 1e8;

fn half_moves(text: &str) -> Result<u32, String> {
    let number = text.parse().ok();
    let possible = number.filter(|plies| plies % 2 == 1 && (1..=63).contains(plies));
    possible.ok_or_else(|| "the number of half-moves is odd, from 1 to 63".to_owned())
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= MAX_SECONDS => Ok(seconds),
        Ok(_) => Err(format!(
            "the time must be above 0 and at most {MAX_SECONDS} seconds"
        )),
        Err(_) => Err("this is not a number of seconds".to_owned()),
    }
}

impl Args {
    pub(super) fn settings(&self) -> Settings {
        Settings {
            limit: self.positions as usize,
            model: Model::Uniform,
            compat: self.compat.map(Compat::from),
            threads: 1,
            rebuild_work: None,
            spread: 0.0,
            overflow: Overflow::Sample,
            invented: 0.0,
            own_untold: false,
        }
    }

    pub(super) fn bytes(&self) -> usize {
        usize::from(self.memory) << 20
    }
}
