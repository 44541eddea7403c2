//! Options that several tasks of `kriegspiel arena` have.

use std::{num::NonZeroUsize, path::PathBuf, thread};

use bots::Weights;
use referee::{Opened, StartPosition};
use rules::Ruleset;

use crate::{
    contestant::{Contestant, read_weights},
    play::Opening,
    scored::ScoredGames,
};

/// Greatest number of random opening moves of each side.
const MAX_RANDOM_MOVES: u32 = 100;

/// Options of games.
#[derive(Copy, Clone, Debug, clap::Args)]
pub struct CommonArgs {
    /// Seed of all random numbers; equal seeds give equal games
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    pub seed: u64,
    /// Number of threads; by default the number of processors
    #[arg(long, visible_alias = "jobs", value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    pub threads: Option<u16>,
}

impl CommonArgs {
    /// Returns the number of threads; by default the number of processors.
    pub(crate) fn threads(self) -> usize {
        self.threads.map_or_else(
            || thread::available_parallelism().map_or(1, NonZeroUsize::get),
            usize::from,
        )
    }
}

/// Options of the tasks in which `master` plays with changed weights.
#[derive(Clone, Debug, clap::Args)]
pub struct ScoredArgs {
    /// The ruleset: its id, or a ruleset file
    #[arg(long, value_name = "ID|FILE.toml")]
    pub rules: String,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=10_000_000), allow_negative_numbers = true)]
    pub games: u64,
    /// Number of nodes that a player may use in one turn
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    pub nodes: u64,
    /// Seed and threads.
    #[command(flatten)]
    pub common: CommonArgs,
    /// Opponent of master in all games; by default, master plays against itself
    #[arg(long, value_name = "BOT")]
    pub against: Option<Contestant>,
    /// The weights at the start; by default those of master
    #[arg(long, value_name = "FILE")]
    pub weights: Option<String>,
    /// The result
    ///
    /// The scores of the games are stored in FILE.games. If the command was interrupted, the same
    /// command continues.
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Begin each game with random legal moves; see kriegspiel arena
    #[arg(long, value_name = "random:N", default_value = "random:3", value_parser = random_moves)]
    pub openings: u32,
    /// Stop a game after this many plies; it counts as a draw
    #[arg(long, value_name = "PLIES", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub max_plies: u32,
    /// Print the result as one line of JSON
    #[arg(long)]
    pub json: bool,
}

impl ScoredArgs {
    /// Returns the games that the options describe.
    pub(crate) fn scored_games(self, ruleset: &Ruleset) -> Result<ScoredGames, Usage> {
        let weights = match &self.weights {
            Some(file) => read_weights(file).map_err(|fault| at("--weights")(&fault))?,
            None => (*Weights::shipped()).clone(),
        };
        let opened = Opened::new(ruleset, ruleset.choices, StartPosition::initial());
        Ok(ScoredGames {
            opening: Opening::new(opened, "new".to_owned()),
            weights,
            against: self.against,
            count: self.games,
            seed: self.common.seed,
            random_moves: self.openings,
            nodes: self.nodes,
            threads: self.common.threads(),
            max_plies: self.max_plies,
            out: self.out,
        })
    }
}

/// Parses `random:N`.
pub(crate) fn random_moves(text: &str) -> Result<u32, String> {
    let moves = text.strip_prefix("random:").and_then(|n| n.parse().ok());
    moves
        .filter(|moves| (1..=MAX_RANDOM_MOVES).contains(moves))
        .ok_or_else(|| format!("write random:N with N from 1 to {MAX_RANDOM_MOVES}"))
}

/// Error in the arguments, as one line of text; the exit status is 2.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// Returns a function that prefixes an error with the name of the option.
pub(crate) fn at(option: &str) -> impl Fn(&dyn std::fmt::Display) -> Usage {
    move |fault| Usage(format!("{option}: {fault}"))
}
