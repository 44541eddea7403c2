//! What proves the referee: a slow oracle written from the rules page, random
//! starts and games, comparison of two umpires, and planted faults.
//!
//! A room for tests only: nothing that is played depends on it.

#![forbid(unsafe_code)]

pub mod oracle;
pub mod starts;
