//! The doors of lines: where people sit down at a club with nothing but a
//! terminal.
//!
//! - [`telnet`] reads what terminals and telnet programs send, and survives it;
//! - [`Console`] is one such connection: lines in, text out;
//! - [`listen`] takes connections in, within limits;
//! - [`teletype`] is UMPIRE's dialogue of 1965;
//! - [`ks`] is the command of 1986: two people and no server between them;
//! - [`ics`] is the dialect of internet chess servers.
//!
//! Each door is a conversation over a seat of the [`club`]; none knows the true
//! position. It must never know: the referee, HTTP.

mod console;
pub mod ics;
pub mod ks;
mod listen;
pub mod teletype;
pub mod telnet;

pub use crate::{
    console::{Console, Gone, Input, Lines, Manners, Paper},
    listen::{Limits, listen},
};
