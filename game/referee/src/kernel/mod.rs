//! Chess rules of the referee: uses bitboards to answer questions about a position alone, without
//! ruleset and history.
//!
//! The referee does not build a list of legal moves to answer a question. To decide whether a try
//! is legal, the kernel looks up the man's targets. Then it looks up the men that would attack the
//! king after the move. To count pawn tries, the kernel shifts the bitboard of all pawns diagonally
//! to each side and counts the captures. Only a pin, a check or an en passant square needs more
//! work. The bitboards and attack tables are shakmaty's.

mod announce;
mod legal;
mod position;
mod repetition;
mod targets;

pub(crate) use self::{announce::Facts, repetition::Past};
pub use self::{
    announce::{PawnTryFacts, Seen},
    position::{Captured, Position},
};
