//! Tests of the teletype door, byte for byte.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod beside;
mod limits;
#[path = "../quiet/mod.rs"]
mod quiet;
#[allow(dead_code, reason = "the program's own test uses all of it")]
mod script;
mod sessions;
#[allow(dead_code, reason = "the pairs use the rest")]
mod test_club;
