//! Comparison of the solver with a search that tries every policy, and checks of the solver's
//! certificates with the referee. A policy is a plan of one player: what to try next after each
//! answer of the referee. A certificate is a file that proves a verdict of the solver.

mod brute;
mod certificates;
mod conditions;
mod costs;
mod database;
mod random;
mod recorded;

use std::env;

/// Returns the number in an environment variable, or another number.
fn number(name: &str, otherwise: u64) -> u64 {
    env::var(name)
        .ok()
        .map_or(otherwise, |n| n.parse().expect("the variable is a number"))
}
