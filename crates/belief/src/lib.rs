//! What can the position be? Which positions are still possible for a seat,
//! and how probable each is.
//!
//! A [`Belief`] is a fold of what one seat heard, its own attempts among it,
//! under any ruleset and custom choices. Its positions are those that the
//! referee could have refereed so: every reply of the opponent is judged and
//! announced by the referee's own functions, so that belief and referee cannot
//! disagree. Up to a limit the belief is exact; beyond it a weighted sample and
//! a sound [`Envelope`] remain, and [`Belief::regime`] says so.
//!
//! [`Situation`] is one of these positions, `Copy` and small; its
//! [`successors`](Situation::successors) with what the seat hears of each move
//! ([`Report`]) are what a solver branches on. [`Packed`] is a situation's
//! unseen half in 16 bytes.
//!
//! It must never know: the game. No public signature here names a type of the
//! referee; clubs, stores, serialisation, clocks and chance are not its own
//! either: what is drawn is drawn from written seeds.
//!
//! Modules:
//!
//! - `belief`: [`Belief`], its steps and its limits;
//! - `hearing`: what was heard, regrouped into own turns and the opponent's;
//! - `own_turn`, `opponent_refusals`: whether a position agrees with the seat's own turn, and
//!   with what was heard of the opponent's;
//! - `expand`, `moves`, `report`: the opponent's moves in a position, and what the seat hears;
//! - `situation`, `known`, `men`, `hidden`: one position, its certain and its unseen half;
//! - `entries`, `pool`, `sample`: the positions with their weights: all, or a sample;
//! - `past`: what is kept to make a collapsed sample again;
//! - `envelope`, `marginals`, `certain`, `fact`, `query`: what a belief is asked;
//! - `model`: how the opponent is believed to choose;
//! - `start`, `moments`: where a belief begins; the belief at each moment of a finished game;
//! - `blame`, `regime`: why no position is left; how much a belief can be trusted;
//! - `parallel`, `watch`: threads; progress and cancelling;
//! - `compat`: rules of other collections of positions.
//!
//! ```
//! use belief::{Belief, Size};
//! use rules::{Announcement, Heard, Reply, Tries, Verdict, chess::{Color, Role, Square}, rulesets};
//!
//! let wild16 = rulesets::by_id("wild16").expect("a named ruleset").choices;
//! let mut white = Belief::usual(wild16, Color::White);
//! // 1. e4, and Black moves somewhere: no capture, no check, one pawn try.
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
//! // It was d7-d5 or f7-f5.
//! assert_eq!(white.size(), Size::Exactly(2));
//! assert_eq!(white.marginals().of(Role::Pawn, Square::D5), 0.5);
//! assert_eq!(white.prospect("e4d5".parse()?).no, 0.5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod belief;
mod blame;
mod certain;
mod compat;
mod entries;
mod envelope;
mod expand;
mod fact;
mod hearing;
mod hidden;
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
mod report;
mod sample;
mod situation;
mod start;
mod watch;

pub use crate::{
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
    regime::{MAX_ESTIMATE, Regime, Size},
    report::Report,
    situation::{Packed, Situation},
    start::{Origin, StartError},
    watch::Watch,
};
