//! Plays many games in one process: bots and programs against each other, under
//! any ruleset, on any number of threads.
//!
//! [`play_game`] plays one game, [`Run`] plays many. Unless the budget is a time, a game of
//! built-in bots depends only on the settings, the seed and the number of the game. So the number
//! of threads does not change the games. [`main`] is the command `kriegspiel arena`.
//!
//! This crate does not depend on the network.
//!
//! ```
//! use arena::{ANSWER_TIMEOUT, Opening, Run, Shard, Summary};
//! use bots::Budget;
//! use referee::{Opened, StartPosition};
//! use rules::rulesets::WILD16;
//!
//! let opened = Opened::new(&WILD16, WILD16.choices, StartPosition::initial());
//! let run = Run {
//!     opening: Opening::new(opened, "new".to_owned()),
//!     players: vec!["random".parse()?, "random+any".parse()?],
//!     swap: true,
//!     games: 4,
//!     seed: 7,
//!     random_moves: 3,
//!     budget: Budget::Usual,
//!     shard: Shard::WHOLE,
//!     sprt: None,
//!     threads: 2,
//!     max_plies: 2000,
//!     out: None,
//!     marginals: None,
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
mod cost;
mod factors;
mod forced;
mod game;
mod games_file;
mod guard;
mod merge;
mod options;
mod play;
mod processor;
mod program;
mod ratings;
mod record;
mod report;
mod results;
mod run;
mod run_statistics;
mod schedule;
mod scored;
mod scribe;
mod seat;
mod sprt;
mod statistics;
mod summary;
mod tune;

pub use crate::{
    args::{ArenaTask, Args, MergeArgs},
    command::{RunEnd, main},
    contestant::{CommandLine, Contestant, ContestantError, WeightedMaster},
    cost::{Cost, Times},
    factors::{
        EstimatedPoints, Factor, FactorGain, FactorGains, FactorTest, FactorsArgs, FactorsError,
        FitError,
    },
    game::{GameOfRun, file_name},
    guard::GuardedPlayer,
    merge::{MergeError, Merged, merge},
    options::{CommonArgs, ScoredArgs, Usage},
    play::{
        Buffers, FaultKind, MAX_ATTEMPTS_PER_TURN, MAX_REFUSALS_PER_TURN, Opening, PlaySettings,
        Played, PlayerFault, play_game,
    },
    program::{PROGRAM_PROTOCOL, Program, ProgramPlayer, ProgramSeat},
    record::Record,
    report::Report,
    results::{RESULTS_NAME, ResultsError},
    run::{ANSWER_TIMEOUT, Outcome, Run, RunError},
    run_statistics::{PairStatistics, PlayerStatistics, Results, RunStatistics, SprtStatistics},
    schedule::{Meeting, Schedule, Shard, ShardError},
    scored::ScoredGames,
    scribe::Scribe,
    seat::{Seat, SeatAnswer},
    sprt::{Sprt, SprtError, SprtTracker},
    statistics::{Interval, UnitScores, elo},
    summary::Summary,
    tune::{TuneArgs, Tuned, TunedWeight, Tuning},
};
