//! A table: the fold of a game's log, and what each listener makes of what
//! is told. Nothing here waits, tells the time or draws a lot.

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
