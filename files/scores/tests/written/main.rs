//! Tests of games written by people and by other programs: reading, auditing and rewriting them.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod audit_pgn;
mod docs;
mod files;
mod hayes;
mod moves;
mod notations;
mod page;
mod pgn;
mod published;
mod round_trip;
mod san;
mod split;
