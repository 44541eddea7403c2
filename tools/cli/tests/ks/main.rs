//! Tests of `kriegspiel ks`: two ends (the program `ks` of each player) run as processes. The ends
//! are killed, lose the network, and get calls from strangers.
#![allow(
    clippy::unwrap_used,
    clippy::wildcard_enum_match_arm,
    clippy::single_match,
    reason = "an unexpected value must fail the test"
)]
#![cfg(target_os = "linux")]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for")]

mod club;
mod deaths;
mod ends;
mod games;
mod journal;
mod manual;
#[path = "../namespace/mod.rs"]
mod namespace;
mod network;
#[path = "../running/mod.rs"]
mod running;
mod screens;
mod strangers;
mod synced;
mod versions;
