//! Tests of the door for chess clients, over pipes in memory. Every session in `golden/` is
//! compared byte for byte. Other tests check properties that a session cannot show.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod golden;
mod lobby;
mod noise;
#[path = "../quiet/mod.rs"]
mod quiet;
mod rows;
mod table;
mod talk;
mod test_club;
