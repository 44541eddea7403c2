//! Decides whether a mate can be forced, and how.
//!
//! A player of Kriegspiel does not know where the opponent's men are. A mate is
//! forced if one policy mates against every position that is possible for the
//! player, whatever the opponent plays.
//!
//! Modules:
//!
//! - [`endgame`]: endings against the lone king;
//! - [`search`]: mates in few moves against any belief;
//! - [`policy`]: policies, which say what the seat attempts, depending on what it hears;
//! - [`refutation`]: proofs that there is no forced mate.
//!
//! This crate must never know about the true position of a game. It computes only with the
//! positions that are possible for a player. It uses no club, no store, no serialisation and no
//! clocks. The module `endgame` uses only the crate `rules`.

pub mod endgame;
pub mod policy;
pub mod refutation;
pub mod search;
