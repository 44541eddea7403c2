//! `kriegspiel ks`: two real ends play, die, lose the network, and are talked
//! to by strangers.
#![cfg(all(feature = "club", target_os = "linux"))]

mod deaths;
mod ends;
mod games;
mod journal;
mod manual;
mod network;
mod screens;
mod strangers;
