//! The teletype door, byte for byte.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod hall;
#[path = "../../../server/tests/pairs_wire/late_store.rs"]
#[allow(dead_code, reason = "nothing is held here")]
mod late_store;
mod manners;
mod pairs;
#[allow(dead_code, reason = "the program's own test uses all of it")]
mod script;
mod sessions;
