//! The club, live: with its tasks, over a store, in time that is paused.

mod absence;
mod common;
mod fold;
mod games;
mod held;
mod outages;
mod people;
mod requests;
mod tables;
mod wall_clock;
