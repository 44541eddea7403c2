//! Endings against the lone king.
//!
//! One side has the king and one or two more men, and does not see the other king. The other side
//! has only the king. The functions of this module compute with the set of possible squares of the
//! lone king.

mod advice;
mod distance;
mod game;
mod geometry;
mod men;
mod outcome;
mod placements;
mod plans;
mod table;
mod weights;

pub use self::{
    advice::{Advice, Estimate, StartBound, Tables},
    distance::Distances,
    game::{HuntEnd, HuntTally, Hunter, SeededNumbers, random_start},
    men::OwnMen,
    outcome::TryOutcome,
    table::{Plan, SolvedTable, TableSize},
    weights::{Weights, equal_weights},
};
