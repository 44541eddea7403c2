//! Tests of `ks`: the encrypted connection, the coin toss between two ends,
//! typed lines, and the absence of leaks.
#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    clippy::single_match,
    reason = "an unexpected value fails the test"
)]

mod agree;
mod folder;
mod line;
mod noise;
mod pairs;
#[path = "../quiet/mod.rs"]
mod quiet;
mod typed;
