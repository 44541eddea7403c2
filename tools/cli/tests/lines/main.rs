//! Tests of the doors for lines of text in the built program. The server is killed
//! during a game, and the network fails during a game. No answered move may be lost.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]
#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for")]

mod club_process;
mod cuts;
mod deaths;
mod devices;
#[path = "../namespace/mod.rs"]
mod namespace;
mod person;
#[path = "../running/mod.rs"]
mod running;
