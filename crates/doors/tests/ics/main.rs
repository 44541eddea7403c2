//! The door for clients of chess servers, over pipes in memory: every session
//! of `golden/` byte for byte, and what a session cannot show.

mod golden;
mod house;
mod lobby;
mod noise;
mod table;
