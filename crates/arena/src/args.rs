//! The command line of `kriegspiel arena`.

use std::{fs, num::NonZeroUsize, path::PathBuf, thread};

use anyhow::{Context, bail};
use clap::Parser;
use referee::{Opened, StartPosition};
use rules::{GameSwitch, Ruleset, rulesets};

use crate::{
    contestant::Contestant,
    play::Opening,
    run::{PATIENCE, Run},
};

/// Plays many games in one process and counts how they end.
///
/// The games depend on nothing but the seed, whatever the number of threads.
#[derive(Clone, Debug, Parser)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Who plays White: a bot, or cmd:PROGRAM.
    #[arg(long, value_name = "BOT", default_value = "random")]
    pub white: Contestant,
    /// Who plays Black.
    #[arg(long, value_name = "BOT", default_value = "random")]
    pub black: Contestant,
    /// The ruleset: its id, or a ruleset file (FILE.toml).
    #[arg(long, value_name = "ID|FILE.toml")]
    pub rules: String,
    /// How many games.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub games: u64,
    /// Where all chance comes from; equal seeds play equal games.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// How many threads; as many as there are processors if not given.
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// The players change colours after every game; won games are counted for
    /// the player, not for the colour.
    #[arg(long)]
    pub swap: bool,
    /// Stops a game after so many plies; it counts as unfinished.
    #[arg(long, value_name = "PLIES", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_plies: u32,
    /// Writes every game into this directory, one file each, as the lines of
    /// `kriegspiel referee --json`.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// The last line of the output is one JSON object with the figures.
    #[arg(long)]
    pub json: bool,
    /// Switches of the games: 3, no-3, 50, no-50, mate, no-mate.
    #[arg(long, value_name = "LIST")]
    pub game: Option<String>,
    /// The start position.
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
}

const AFTER_HELP: &str = "\
Bots:
  random       any attempt worth making, each equally likely; never asks
  random+any   as random; asks Any?, counts, recaps, offers draws
  cmd:PROGRAM  a program of yours, started once a game (\"cmd:sh bot.sh\")

A program reads one JSON object a line:
  {\"heard\":[...]}                      what its seat hears, `start` first
  {\"your_turn\":true,\"tries\":[...]}     its turn, and the attempts worth making
  {\"refused\":\"...\"}                    why its last word was refused; it is asked again
and writes one word a line for every your_turn: e2e4, e7e8q, N@f5, any, resign, ...
Ten seconds of silence, an end of the program, or 100 refused words in one turn
lose the game as abandoned.";

impl Args {
    /// The run that was asked for.
    ///
    /// # Errors
    /// Names the ruleset, file, switch or position at fault.
    pub fn run(self) -> anyhow::Result<Run> {
        let ruleset = ruleset(&self.rules)?;
        let switches = self
            .game
            .iter()
            .flat_map(|list| list.split([',', ' ']))
            .filter(|word| !word.is_empty())
            .map(GameSwitch::from_word)
            .collect::<Result<Vec<_>, _>>()?;
        let choices = ruleset.switched(&switches)?;
        let start = match &self.fen {
            Some(fen) => StartPosition::from_fen(fen, &choices)
                .with_context(|| format!("the start position `{fen}` cannot be played"))?,
            None => StartPosition::initial(),
        };
        let threads = self.threads.map_or_else(
            || thread::available_parallelism().map_or(1, NonZeroUsize::get),
            usize::from,
        );
        Ok(Run {
            opening: Opening::new(Opened::new(&ruleset, choices, start)),
            white: self.white,
            black: self.black,
            swap: self.swap,
            games: self.games,
            seed: self.seed,
            threads,
            max_plies: self.max_plies,
            out: self.out,
            patience: PATIENCE,
        })
    }
}

/// The named ruleset, or the one in a file.
fn ruleset(name: &str) -> anyhow::Result<Ruleset> {
    if let Some(ruleset) = rulesets::by_id(name) {
        return Ok(ruleset.clone());
    }
    if !name.ends_with(".toml") {
        let ids: Vec<&str> = rulesets::ALL.iter().map(|r| r.id.as_ref()).collect();
        bail!(
            "there is no ruleset `{name}`; the rulesets are {}, or a file FILE.toml",
            ids.join(", ")
        );
    }
    let text = fs::read_to_string(name).with_context(|| format!("{name} cannot be read"))?;
    notation::read_ruleset(&text).with_context(|| name.to_owned())
}
