//! The command as a person or a pipe has it, but for the club.

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
