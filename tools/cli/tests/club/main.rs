//! The club as a separate process, and the programs that connect to it.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for")]

mod accounts;
mod https;
mod load;
#[cfg(target_os = "linux")]
mod outages;
#[path = "../running/mod.rs"]
mod running;
#[path = "../../../../terminal/doors/tests/teletype/script.rs"]
#[allow(dead_code, reason = "the test of the door uses the other functions")]
mod script;
mod serve;
mod store;
mod teletype;
mod terminal;
mod tmux;
mod xboard;
