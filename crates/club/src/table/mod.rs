//! A table: the fold of a game's log, and the state of each listener. Nothing here waits,
//! reads a clock or draws random numbers.

mod asked;
mod clock;
mod judge;
mod listener;
mod reason;
mod state;

pub use self::{
    asked::{Asked, Body, Request},
    judge::{Circumstances, Judgement},
    listener::{Examined, ListenerState, Update},
    state::{Presence, Table},
};
