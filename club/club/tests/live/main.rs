//! Tests of a running club with its tasks. The club uses a store in memory, and the time of tokio is
//! paused.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

mod absence;
mod account_races;
mod accounts;
mod acts;
mod common;
mod conditional;
mod correspondence;
mod damage;
mod evenings;
mod fold;
mod games;
mod held;
mod lobby;
mod messages;
mod notices;
mod outages;
mod people;
mod programs;
mod ratings;
mod request_limits;
mod requests;
mod tables;
mod three_clubs;
mod wall_clock;
