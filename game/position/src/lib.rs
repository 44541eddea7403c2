//! The chess of Kriegspiel: a position, the legal attempts in it, and what is announced about it.
//!
//! The referee judges with the true [`Position`]; beliefs, solvers and engines compute with
//! positions that are possible for a seat. All of them call the same functions, so they cannot
//! disagree.
//!
//! A question is answered without a list of legal moves. To decide whether a try is legal, a
//! position looks up the man's targets, and the men that would attack the king after the move. To
//! count pawn tries, it shifts the bitboard of all pawns diagonally. Only a pin, a check or an en
//! passant square needs more work. The bitboards and attack tables are shakmaty's.
//!
//! This crate must never know about games, seats, clocks or serialisation.
//!
//! ```
//! use position::StartPosition;
//! use rules::rulesets;
//!
//! let wild16 = rulesets::by_id("wild16").expect("the id names a ruleset").choices;
//! let start = StartPosition::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", &wild16)?;
//! assert_eq!(start.position().pawn_tries().count, 1);
//! assert!(start.position().is_legal("e4d5".parse()?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod announcements;
mod facts;
mod legal;
mod position;
mod start;
mod targets;

pub use crate::{
    facts::{Facts, PawnTryFacts, Seen},
    position::{Captured, Position},
    start::{FenError, StartPosition},
};
