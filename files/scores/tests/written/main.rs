//! Tests of games written by people and by other programs: reading, auditing and rewriting them.

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
