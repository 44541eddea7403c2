//! Tests of a running club with its tasks, over a store in memory, in paused
//! time.

mod absence;
mod account_races;
mod accounts;
mod acts;
mod beside;
mod common;
mod damage;
mod fold;
mod games;
mod held;
mod lobby;
mod messages;
mod outages;
mod people;
mod programs;
mod request_limits;
mod requests;
mod tables;
mod wall_clock;
