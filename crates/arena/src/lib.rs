//! Plays many games in one process: bots and programs against each other, under
//! any ruleset, on any number of threads.
//!
//! [`play_game`] plays one game, [`Run`] plays many. A game of built-in bots depends
//! only on the seed and on the number of the game. So the number of threads does not
//! change the games. [`main`] is the command `kriegspiel arena`.
//!
//! This crate does not depend on the network.
//!
//! ```
//! use arena::{Opening, ANSWER_TIMEOUT, Run, Summary};
//! use referee::{Opened, StartPosition};
//! use rules::rulesets::WILD16;
//!
//! let opened = Opened::new(&WILD16, WILD16.choices, StartPosition::initial());
//! let run = Run {
//!     opening: Opening::new(opened, "new".to_owned()),
//!     white: "random".parse()?,
//!     black: "random+any".parse()?,
//!     swap: true,
//!     games: 4,
//!     seed: 7,
//!     threads: 2,
//!     max_plies: 2000,
//!     out: None,
//!     answer_timeout: ANSWER_TIMEOUT,
//! };
//! let figures = Summary::from(&run.play(|_finished| {}));
//! assert_eq!(figures.games, 4);
//! assert_eq!(figures.white + figures.black + figures.draws + figures.unfinished, 4);
//! # Ok::<(), arena::ContestantError>(())
//! ```

mod args;
mod command;
mod contestant;
mod play;
mod processor;
mod program;
mod record;
mod run;
mod scribe;
mod seat;
mod summary;

pub use crate::{
    args::{Args, Usage},
    command::main,
    contestant::{CommandLine, Contestant, ContestantError},
    play::{Buffers, MAX_ATTEMPTS_PER_TURN, MAX_REFUSALS_PER_TURN, Opening, Played, play_game},
    program::Program,
    record::Record,
    run::{ANSWER_TIMEOUT, GameOfRun, Outcome, Run, RunError, file_name},
    scribe::Scribe,
    seat::{Seat, Word},
    summary::{Report, Summary},
};
