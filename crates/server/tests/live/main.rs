//! The club as its clients see it: every route and role, at a port of its own.

#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod bad_input;
mod belief;
mod config;
mod doors;
mod game;
mod open;
mod own_rules;
mod roles;
mod socket;
