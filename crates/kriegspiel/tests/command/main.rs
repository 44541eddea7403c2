//! Tests of the command in a terminal or a pipe, without the club.

mod belief;
mod corpora;
mod garbage;
mod help;
mod json_page;
mod ksref;
mod lines;
mod program;
mod referee;
mod score;
mod scores;
