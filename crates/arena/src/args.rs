//! The command line of `kriegspiel arena`.

use std::{num::NonZeroUsize, path::PathBuf, thread};

use referee::{Opened, StartPosition};
use rules::{GameSwitch, Ruleset};

use crate::{
    contestant::Contestant,
    play::Opening,
    run::{ANSWER_TIMEOUT, Run},
};

/// Play many games at once and count how they end
///
/// The games depend only on the seed, not on the number of threads.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = after_help())]
pub struct Args {
    /// Player of White: a bot, or cmd:PROGRAM
    #[arg(long, value_name = "BOT", default_value = "random")]
    pub white: Contestant,
    /// Player of Black
    #[arg(long, value_name = "BOT", default_value = "random")]
    pub black: Contestant,
    /// The ruleset: its id, or a ruleset file
    #[arg(long, value_name = "ID|FILE.toml")]
    pub rules: String,
    /// Number of games, ten million at most
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000_000), allow_negative_numbers = true)]
    pub games: u64,
    /// Seed of all random numbers; equal seeds give equal games
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    pub seed: u64,
    /// Number of threads; by default the number of processors
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024), allow_negative_numbers = true)]
    pub threads: Option<u16>,
    /// Swap the colours after every game
    ///
    /// A win counts for the player given as --white or --black, whichever colour
    /// that player had in the game.
    #[arg(long)]
    pub swap: bool,
    /// Stop a game after this many plies; it counts as unfinished
    #[arg(long, value_name = "PLIES", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub max_plies: u32,
    /// Write every game into this directory
    ///
    /// One file for each game, with the lines of `kriegspiel referee --json`.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print the figures as one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Switches of the games: 3 no-3 50 no-50 mate no-mate
    #[arg(long, value_name = "LIST", num_args = 1..)]
    pub game: Vec<String>,
    /// The start position
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
}

/// Returns the part of the help with the list of bots and of other players.
fn after_help() -> String {
    let bots = bots::ALL.iter().map(|bot| (bot.name, bot.about));
    let program = "a program of yours, started for each game (\"cmd:sh bot.sh\")";
    let lines = bots.chain([("cmd:PROGRAM", program)]);
    let lines: String = lines
        .map(|(name, about)| format!("  {name:11}  {about}\n"))
        .collect();
    format!("Bots:\n{lines}\n{PROGRAMS}")
}

const PROGRAMS: &str = "\
A program reads one JSON object per line:
  {\"heard\":[...]}                      what its seat hears, `start` first
  {\"your_turn\":true,\"tries\":[...]}     its turn, and the attempts worth making
  {\"refused\":\"...\"}                    why its last word was refused; it is asked again
and writes a line with one word for every your_turn: e2e4, e7e8q, N@f5, any, resign, ...
A program loses the game as abandoned if it is silent for ten seconds, if it ends, or if it
writes more than 100 refused words in one turn.";

/// Error in the arguments, as one line of text; the exit status is 2.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// Returns a function that prefixes an error with the name of the option.
fn at(option: &str) -> impl Fn(&dyn std::fmt::Display) -> Usage {
    move |fault| Usage(format!("{option}: {fault}"))
}

impl Args {
    /// Returns the run that the arguments describe. The caller looks up `ruleset` by its name,
    /// [`rules`](Args::rules).
    ///
    /// # Errors
    /// An option has a bad value. The error names the option.
    pub fn run(self, ruleset: &Ruleset) -> Result<Run, Usage> {
        let choices = GameSwitch::from_lists(&self.game)
            .and_then(|switches| ruleset.switched(&switches))
            .map_err(|fault| at("--game")(&fault))?;
        let start = self
            .fen
            .as_ref()
            .map(|fen| StartPosition::from_fen(fen, &choices))
            .transpose()
            .map_err(|fault| at("--fen")(&fault))?;
        let asked = start
            .as_ref()
            .map_or_else(|| "new".to_owned(), |start| format!("new {}", start.fen()));
        let start = start.unwrap_or_else(StartPosition::initial);
        let threads = self.threads.map_or_else(
            || thread::available_parallelism().map_or(1, NonZeroUsize::get),
            usize::from,
        );
        Ok(Run {
            opening: Opening::new(Opened::new(ruleset, choices, start), asked),
            white: self.white,
            black: self.black,
            swap: self.swap,
            games: self.games,
            seed: self.seed,
            threads,
            max_plies: self.max_plies,
            out: self.out,
            answer_timeout: ANSWER_TIMEOUT,
        })
    }
}
