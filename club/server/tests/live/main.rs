//! Tests of a real server by its clients: every route and every role. Each test has its own port.

#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod accounts;
mod bad_frames;
mod bad_input;
mod belief;
mod bot_load;
mod bot_pauses;
mod bots;
mod config;
mod doors;
mod elsewhere;
mod evenings;
mod game;
mod hall;
mod headers;
mod latency;
mod lobby_cost;
mod long_game;
mod mail;
mod messages;
mod open;
mod operator;
mod own_rules;
mod pgn;
mod problems;
mod profiles;
mod push;
mod request_limits;
mod roles;
mod rows;
mod socket;
mod stall;
mod stored;
mod studies;
