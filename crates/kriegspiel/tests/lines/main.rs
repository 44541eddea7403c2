//! The doors of lines at the built program: the server dies under a game, the
//! network goes under one, and nothing that was answered is lost.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]
#![cfg(all(feature = "club", target_os = "linux"))]

mod cuts;
mod deaths;
mod devices;
mod house;
#[path = "../namespace/mod.rs"]
mod namespace;
mod person;
#[path = "../running/mod.rs"]
mod running;
