//! Many games in one process: bots and programs against each other, under any
//! ruleset, on any number of threads.
//!
//! [`play_game`] is one game from first to last; [`Run`] is many. A game
//! depends on nothing but the seed and its number, so a run is the same
//! whatever the threads. [`main`] is `kriegspiel arena`.
//!
//! It must never know the network.
//!
//! ```
//! use arena::{Run, Summary};
//!
//! let words = "arena --rules wild16 --games 4 --seed 7 --threads 2";
//! let args = <arena::Args as clap::Parser>::try_parse_from(words.split(' '))?;
//! let outcome = args.run()?.play(|_finished| {});
//! let figures = Summary::from(&outcome);
//! assert_eq!(figures.games, 4);
//! assert_eq!(figures.white + figures.black + figures.draws + figures.unfinished, 4);
//! # Ok::<(), anyhow::Error>(())
//! ```

mod args;
mod command;
mod contestant;
mod play;
mod program;
mod record;
mod run;
mod scribe;
mod seat;
mod summary;

pub use crate::{
    args::Args,
    command::main,
    contestant::{CommandLine, Contestant, ContestantError},
    play::{Buffers, MOST_ATTEMPTS, MOST_REFUSALS, Opening, Played, play_game},
    program::Program,
    record::Record,
    run::{GameOfRun, Outcome, PATIENCE, Run, RunError, file_name},
    scribe::Scribe,
    seat::{Seat, Word},
    summary::{Report, Summary},
};
