//! Tests of a running club, with its tasks, over a store, in paused time.

mod absence;
mod acts;
mod common;
mod damage;
mod fold;
mod games;
mod held;
mod outages;
mod people;
mod requests;
mod programs;
mod tables;
mod wall_clock;
