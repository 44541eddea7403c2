//! `ks`: the line and its key, the coin between two ends, what is typed, and
//! that nothing leaks.

#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    clippy::single_match,
    reason = "what is not as it should be ends the test"
)]

mod agree;
mod folder;
mod leaks;
mod line;
mod noise;
mod pairs;
// Compiled in the copy of the tree that `cargo xtask leaks` makes.
#[cfg(planted_leaks)]
mod planted;
mod typed;
