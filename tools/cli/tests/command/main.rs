//! Tests of the commands that do not need a club.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod bad_input;
mod belief;
mod corpora;
mod damaged_games;
mod endgame;
mod garbage;
mod help;
mod json_page;
mod ksref;
mod lines;
mod outputs;
mod own_file;
mod problems;
mod program;
mod referee;
mod review;
mod sampled;
mod score;
mod scores;
mod solve;
mod table;
mod versions;
