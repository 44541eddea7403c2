//! Tests of the teletype door, byte for byte.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod beside;
mod limits;
#[path = "../quiet/mod.rs"]
mod quiet;
#[allow(dead_code, reason = "this test uses only a part of the file")]
mod script;
mod sessions;
#[allow(dead_code, reason = "this test uses only a part of the file")]
mod test_club;
