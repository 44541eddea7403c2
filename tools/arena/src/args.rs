//! The command line of `kriegspiel arena`.

use std::{path::PathBuf, time::Duration};

use bots::Budget;
use referee::{Opened, StartPosition};
use rules::{GameSwitch, Ruleset};

use crate::{
    contestant::Contestant,
    factors::FactorsArgs,
    options::{CommonArgs, Usage, at, random_moves},
    play::Opening,
    run::{ANSWER_TIMEOUT, Run},
    schedule::Shard,
    sprt::Sprt,
    tune::TuneArgs,
};

/// Greatest time for one move, in seconds.
const MAX_SECONDS: f64 = 3600.0;

/// Play many games at once and count how they end
///
/// The games depend only on the seed, not on the number of threads, unless --time is given.
#[derive(Clone, Debug, clap::Args)]
#[command(
    after_help = after_help(),
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub struct Args {
    /// A task other than a run of games
    #[command(subcommand)]
    pub task: Option<ArenaTask>,
    /// Player of White: a bot, or cmd:PROGRAM
    #[arg(long, value_name = "BOT", default_value = "random")]
    pub white: Contestant,
    /// Player of Black
    #[arg(long, value_name = "BOT", default_value = "random")]
    pub black: Contestant,
    /// Players of a match or a round robin, instead of --white and --black
    ///
    /// Two players play a match with swapped colours. More players need --round-robin.
    #[arg(long, value_name = "BOT,BOT,...", value_delimiter = ',', conflicts_with_all = ["white", "black"])]
    pub players: Vec<Contestant>,
    /// Play a match between every two of the --players, with swapped colours
    #[arg(long, requires = "players")]
    pub round_robin: bool,
    /// The ruleset: its id, or a ruleset file
    #[arg(long, value_name = "ID|FILE.toml", required = true)]
    pub rules: Option<String>,
    /// Number of games of each pair of players, ten million at most
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=10_000_000), allow_negative_numbers = true)]
    pub games: u64,
    /// Seed and threads.
    #[command(flatten)]
    pub common: CommonArgs,
    /// Swap the colours after every game
    ///
    /// A win counts for the player given as --white or --black, whichever colour
    /// that player had in the game. Intervals are computed from pairs of games.
    #[arg(long)]
    pub swap: bool,
    /// Time of a player for one move, in seconds
    ///
    /// The time is for all attempts of a turn together. A player that needs more is
    /// not stopped; the turns that exceed this time are counted.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, conflicts_with = "nodes")]
    pub time: Option<Duration>,
    /// Number of nodes that a player may use in one turn
    ///
    /// A node is a unit of work, which differs between bots (docs/bots.md). The number is for all
    /// attempts of a turn together. Games are the same on every machine.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), allow_negative_numbers = true)]
    pub nodes: Option<u64>,
    /// Begin each game with random legal moves: random:3 for three of each side
    ///
    /// The moves depend on the seed. Two games with swapped colours begin with the same moves. Each
    /// player hears its own opening moves as if the player had made them.
    #[arg(long, value_name = "random:N", value_parser = random_moves)]
    pub openings: Option<u32>,
    /// Stop as soon as a test decides between two scores of the first player: 0.75,0.85
    ///
    /// The test is a sequential probability ratio test with error probabilities of 5 %.
    #[arg(long, value_name = "SCORE,SCORE", conflicts_with_all = ["round_robin", "shard"])]
    pub sprt: Option<Sprt>,
    /// Play only one part of the games: 3/16 for part 3 of 16
    ///
    /// `kriegspiel arena merge` merges the results of all parts.
    #[arg(long, value_name = "PART/PARTS")]
    pub shard: Option<Shard>,
    /// Stop a game after this many plies; it counts as unfinished
    #[arg(long, value_name = "PLIES", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub max_plies: u32,
    /// Where to keep the games (a directory or FILE.jsonl[.zst]) or the results (FILE.results)
    ///
    /// A directory gets the results, and one file for each game with the lines of
    /// `kriegspiel referee --json`. FILE.results gets the results alone. With a directory or
    /// FILE.results, the same command continues a run that was interrupted; with a greater --games,
    /// it adds games to a run.
    /// FILE.jsonl gets the lines of all games, in the order of the games; FILE.jsonl.zst is
    /// the same, compressed by Zstandard. A file that exists is not overwritten.
    /// `kriegspiel view`, `audit` and `convert` read these files.
    #[arg(long, value_name = "DIR|FILE")]
    pub out: Option<PathBuf>,
    /// Add to each line of --out what the side to move can know of the opponent's men
    ///
    /// The marginals of a belief of at most this many positions; more positions are sampled.
    #[arg(long, value_name = "POSITIONS", requires = "out", value_parser = clap::value_parser!(u32).range(100..=10_000_000))]
    pub marginals: Option<u32>,
    /// Print the figures as one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Change the rules that end a game: one or more of 3, no-3, 50, no-50, mate and no-mate
    ///
    /// 3: the third occurrence of a position is a draw. 50: fifty moves by each
    /// side without a capture or a pawn move are a draw. mate: checkmate and
    /// stalemate are recognised (`umpire` only). no-3, no-50 and no-mate switch
    /// these rules off. If two switches conflict, the last one wins.
    #[arg(long, value_name = "LIST", num_args = 1..)]
    pub game: Vec<String>,
    /// The start position
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
}

/// A task other than a run of games.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum ArenaTask {
    /// Merge the results of the parts of a run, and print the figures of the whole run
    Merge(MergeArgs),
    /// Tune the weights of master by the results of games
    Tune(TuneArgs),
    /// Test many changes of the weights of master in the same games
    Factors(FactorsArgs),
}

/// Arguments of `kriegspiel arena merge`.
#[derive(Clone, Debug, clap::Args)]
pub struct MergeArgs {
    /// Results of the parts: the --out of each part
    #[arg(value_name = "DIR|FILE.results", required = true)]
    pub results: Vec<PathBuf>,
    /// Decide between two scores of the first player of a match: 0.75,0.85
    #[arg(long, value_name = "SCORE,SCORE")]
    pub sprt: Option<Sprt>,
    /// Print the figures as one line of JSON
    #[arg(long)]
    pub json: bool,
}

/// Parses a time in seconds.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text
        .parse()
        .map_err(|_| "write a number, for example 0.1")?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if !time.is_zero() && seconds <= MAX_SECONDS => Ok(time),
        Ok(_) | Err(_) => Err(format!(
            "the time must be greater than 0 and at most {MAX_SECONDS}"
        )),
    }
}

/// Returns the part of the help with the list of bots and of other players.
fn after_help() -> String {
    let bots = bots::ALL.iter().map(|bot| (bot.name, bot.about));
    let program = "a program of yours (\"cmd:python3 bot.py\")";
    let weighted = "the bot master with other weights (kriegspiel arena tune)";
    let lines = bots.chain([("master@FILE", weighted), ("cmd:PROGRAM", program)]);
    let lines: String = lines
        .map(|(name, about)| format!("  {name:11}  {about}\n"))
        .collect();
    format!("Bots:\n{lines}\n{PROGRAMS}")
}

const PROGRAMS: &str = "\
A program plays many games, in the arena one after another, at a club (kriegspiel bot) several at
once. It reads one JSON object per line; each but new_game and end_game has \"game\", the game's id:
  {\"new_game\":{\"protocol\":2,...}}     game (its id), seed, color, rules, choices, clock
  {\"heard\":[...]}                      what its seat hears, `start` first
  {\"your_turn\":true,\"tries\":[...]}     its turn, and the attempts worth making;
                                        with --time also \"seconds\", with --nodes \"nodes\":
                                        the time that is left, or
                                        the number of nodes for the whole turn;
                                        at a club \"clock\", the seconds on its clock
  {\"refused\":\"...\"}                    why its last answer was refused; another your_turn follows
  {\"end_game\":\"...\"}                   this game is over; heard has told the result
and writes a line with one word for every your_turn: e2e4, e7e8q, N@f5, any, resign, ... Only one
your_turn is open at a time.
A program loses the game as abandoned if it is silent for ten seconds beyond the time of a move,
if it ends, or if it writes more than 100 refused words in one turn. A bot that panics loses the
game as abandoned too.";

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
        let threads = self.common.threads();
        let budget = match (self.time, self.nodes) {
            (Some(time), _) => Budget::Time(time),
            (None, Some(nodes)) => Budget::Nodes(nodes),
            (None, None) => Budget::Usual,
        };
        let swap = self.swap || !self.players.is_empty();
        let players = if self.players.is_empty() {
            vec![self.white, self.black]
        } else {
            self.players
        };
        match players.len() {
            0 | 1 => return Err(at("--players")(&"name two players or more")),
            2 => {}
            _ if !self.round_robin => {
                return Err(at("--players")(&"more than two players need --round-robin"));
            }
            _ if self.sprt.is_some() => {
                return Err(at("--sprt")(&"the test is for a match of two players"));
            }
            _ => {}
        }
        Ok(Run {
            opening: Opening::new(Opened::new(ruleset, choices, start), asked),
            players,
            swap,
            games: self.games,
            seed: self.common.seed,
            random_moves: self.openings.unwrap_or(0),
            budget,
            shard: self.shard.unwrap_or_default(),
            sprt: self.sprt,
            threads,
            max_plies: self.max_plies,
            out: self.out,
            marginals: self.marginals.map(|most| most as usize),
            answer_timeout: ANSWER_TIMEOUT,
        })
    }
}
