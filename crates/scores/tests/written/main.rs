//! Games as people and programs write them: reading, and writing them again.

mod audit_pgn;
mod docs;
mod files;
mod hayes;
mod moves;
mod notations;
mod pgn;
mod round_trip;
mod san;
