//! Computes which positions are still possible for one seat, and how probable
//! each of them is.
//!
//! A [`Belief`] is updated with each thing that one seat hears, including the answers to the seat's
//! own attempts. A belief works with every ruleset and with custom choices. A position belongs to
//! the belief if some game leads to the position, and the seat hears in this game exactly what the
//! seat really heard. The announcements for each possible move of the opponent come from the
//! referee's own functions. So belief and referee cannot disagree. If the number of possible
//! positions is not above a limit, the belief holds all of them. Otherwise it holds an [`Envelope`],
//! which never excludes the true position, and usually a weighted sample. [`Belief::regime`] says
//! whether the belief is complete.
//!
//! In this crate, "the seat" is the player whose belief is computed, and "own" men, tries and turns
//! belong to the seat. The module `model` describes how the opponent chooses a move. Only there,
//! "the opponent's own men" are the men of the opponent.
//!
//! [`Situation`] is one possible position; it is small and `Copy`. [`Situation::successors`] gives
//! the moves in this position, and what the seat hears about each move ([`Report`]). Programs that
//! search ahead group the moves by these reports.
//!
//! This crate must never know about a game: only positions that are possible for a seat. The crate
//! does not use the club, a store, serialisation or clocks either, and has no source of randomness:
//! random draws come from seeds that are constants in the code.
//!
//! Modules:
//!
//! - `belief`: [`Belief`], its settings, and how each step changes it;
//! - `hearing`: groups what was heard into steps of the seat's turn and of the
//!   opponent's turn;
//! - `own_turn`, `opponent_refusals`: check whether a position agrees with the seat's own turn, and
//!   with what was heard in the opponent's turn before the move;
//! - `expand`, `moves`, `report`: the opponent's moves in a position, and what the seat hears about
//!   each;
//! - `situation`, `reply`: one position, consisting of what the seat knows (`known`) and the
//!   opponent's men (`men`, or packed: `hidden`); moves played in such a position;
//! - `entries`, `pool`, `sample`: the positions with their weights: all of them, or a sample;
//! - `census`: an estimate of the number of possible positions, if only a sample is kept;
//! - `past`, `invent`: past turns, which are recorded to rebuild a sample that has too few
//!   positions, and invented positions for such a sample;
//! - `envelope`, `marginals`, `certain`, `fact`, `query`: questions that a
//!   belief answers;
//! - `model`: how the opponent is assumed to choose a move;
//! - `start`: the positions in which a belief begins;
//! - `moments`: the belief at each moment of a finished game;
//! - `blame`: the reason why no position is left;
//! - `regime`: whether a belief holds all possible positions, what it keeps if it does not, and the
//!   number of possible positions;
//! - `parallel`: threads;
//! - `watch`: progress of long work, and cancelling it;
//! - `ahead`: the belief after a certain reply of the opponent, computed before the seat hears the
//!   reply;
//! - `compat`: rules of another project, to compare results with it.
//!
//! ```
//! use belief::{Belief, Size};
//! use rules::{Announcement, Heard, Reply, Tries, Verdict, chess::{Color, Role, Square}, rulesets};
//!
//! let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
//! let mut white = Belief::usual(wild16, Color::White);
//! // White plays 1. e4. Black's reply: no capture, no check, one pawn try for
//! // White.
//! let e4 = "e2e4".parse()?;
//! let moved = Reply::Verdict { verdict: Verdict::Moved, by: Color::Black, attempt: None };
//! for heard in [
//!     Heard::own_verdict(Verdict::Moved, Color::White, e4),
//!     Announcement::Tries(Tries::Count(0)).into(),
//!     Announcement::Turn { to_move: Color::Black }.into(),
//!     moved.into(),
//!     Announcement::Tries(Tries::Count(1)).into(),
//!     Announcement::Turn { to_move: Color::White }.into(),
//! ] {
//!     white.hear(&heard)?;
//! }
//! // Black played d7-d5 or f7-f5.
//! assert_eq!(white.size(), Size::Exactly(2));
//! assert_eq!(white.marginals().of(Role::Pawn, Square::D5), 0.5);
//! assert_eq!(white.prospect("e4d5".parse()?).no, 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ahead;
mod belief;
mod blame;
mod census;
mod certain;
mod compat;
mod counts;
mod entries;
mod envelope;
mod expand;
mod fact;
mod hearing;
mod hidden;
mod invent;
mod known;
mod marginals;
mod men;
mod model;
mod moments;
mod moves;
mod opponent_refusals;
mod own_turn;
mod parallel;
mod past;
mod pool;
mod query;
mod regime;
mod reply;
mod report;
mod sample;
mod situation;
mod start;
mod watch;

pub use crate::{
    ahead::Ahead,
    belief::{Belief, Settings, Unexplained, Unheard},
    blame::Part,
    certain::Certain,
    compat::Compat,
    envelope::Envelope,
    fact::Fact,
    known::Known,
    marginals::Marginals,
    men::Men,
    model::{Decisions, Likelihood, Model, Opponent, OpponentError, Study},
    moments::{Moment, Moments, ReviewLimits},
    query::Prospect,
    regime::{MAX_ESTIMATE, Overflow, Regime, Size},
    reply::Replies,
    report::Report,
    situation::Situation,
    start::{Origin, StartError},
    watch::Watch,
};
