//! The dialect of internet chess servers, for their clients and for bare
//! telnet.
//!
//! - `login` lets people in: guests, and accounts by their password;
//! - [`commands`] is the table of all commands, of which help is made;
//! - [`chair`] turns what one listener is told into boards and lines: the only
//!   road from a game to a console, and it knows nothing else;
//! - [`style`] writes a position as style 12, which clients read, or style 1;
//! - `session` is one console: what is typed, what is heard, what others say;
//! - [`Hall`] is who is at this door.
//!
//! The fields of style 12 that would tell of unseen men hold what they hold at
//! the beginning; refusals of the other side produce nothing at all.

pub mod chair;
pub mod commands;
mod dispatch;
mod examine;
mod hall;
mod help;
mod lobby;
mod login;
mod play;
mod session;
mod settings;
pub mod style;
mod talk;
pub mod terms;
mod watch;
mod words;
mod wrap;

use std::future::Future;

use club::Club;
use tokio::net::TcpListener;

pub use self::{
    hall::{Hall, Patience},
    login::converse,
};
use crate::{Limits, Manners, listen};

/// Lets clients in until `closes`.
pub async fn serve(
    listener: TcpListener,
    club: Club,
    limits: Limits,
    patience: Patience,
    closes: impl Future<Output = ()>,
) {
    let hall = Hall::new(club, patience);
    let closes = async {
        closes.await;
        hall.close();
    };
    let let_in = |console| converse(hall.clone(), console);
    listen(listener, limits, Manners::default(), closes, let_in).await;
}
