//! Endings against the lone king.
//!
//! One side has only the king and sees nothing. The other side has the king and
//! one or two more men, and keeps the set of squares on which the lone king can be.

mod advice;
mod distance;
mod game;
mod geometry;
mod men;
mod outcome;
mod placements;
mod table;

pub use self::{
    advice::{Advice, Estimate, Tables, Weights, equal_weights},
    distance::Distances,
    game::{HuntEnd, HuntTally, Hunter, SeededNumbers, random_start},
    men::OwnMen,
    outcome::TryOutcome,
    table::{Plan, SolvedTable, TableSize},
};
