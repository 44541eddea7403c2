//! The dialect of internet chess servers, for their clients and for bare
//! telnet.
//!
//! - `login` signs people in: guests, and accounts by their password;
//! - [`commands`] is the table of all commands, from which help is made;
//! - [`known_game`] turns what one listener is told into boards and lines: it is the only
//!   path from a game to a console, and it knows nothing else;
//! - [`style`] writes a position as style 12, which clients read, or style 1;
//! - `session` is one console: what is typed, what is heard, what others say;
//! - [`IcsState`] holds the people at this door, and what they share.
//!
//! The fields of style 12 that would tell of unseen men hold what they hold at
//! the beginning; refusals of the other side produce nothing at all.

pub mod commands;
mod dispatch;
mod examine;
mod help;
pub mod known_game;
mod lobby;
mod login;
mod play;
mod replay;
mod session;
mod settings;
mod state;
pub mod style;
mod talk;
pub mod terms;
mod watch;
mod words;
mod wrap;

pub use self::{login::converse, state::IcsState};
use crate::base::{ConnectionLimits, Door, DoorOption, DoorSetup, OptionKind, listen};

/// This door, in the table of doors.
pub const DOOR: Door = Door {
    address: DoorOption {
        name: "ics",
        env: "KRIEGSPIEL_ICS",
        help: "Let the clients of internet chess servers in, xboard among them, and bare telnet; a \
               port alone is one of this machine [default: off]",
        kind: OptionKind::Address,
    },
    visitors: "Chess clients",
    options: &[],
    serve: |opening| Box::pin(serve(opening)),
};

/// Serves clients until the door is to close.
async fn serve(opening: DoorSetup) {
    let closing = opening.closing.clone();
    let state = IcsState::new(opening.club.clone(), opening.limits, closing);
    let serve_one = |console| converse(state.clone(), console);
    listen(opening, ConnectionLimits::default(), serve_one).await;
}
