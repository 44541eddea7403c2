//! The pure chess of the referee: verdicts and announcements on a bare
//! position, answered set-wise.
//!
//! No move is ever generated to answer a question here: an attempt's legality
//! is one look-up and the attackers of the king on the changed board; pawn
//! tries are two shifts and a count unless a pin, a check or an en passant
//! square asks for more. The boards and tables are shakmaty's.

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
