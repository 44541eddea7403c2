//! The state of a table and of each of its listeners, computed from the game's log. This module
//! does no I/O, reads no clock and draws no random numbers.

mod asked;
mod clock;
mod judge;
mod listener;
mod reason;
mod state;
mod umpire;

pub(crate) use self::listener::Idle;
pub use self::{
    asked::{Asked, Body, Request},
    judge::{Circumstances, Judgement},
    listener::{Examined, ListenerState, Update},
    reason::cause_words,
    state::{Presence, Table},
};
