//! The dialect of internet chess servers, for their clients and for bare
//! telnet.
//!
//! - `login` signs people in: guests, and accounts by their password;
//! - [`commands`] is the table of all commands, from which help is made;
//! - [`chair`] turns what one listener is told into boards and lines: it is the only
//!   path from a game to a console, and it knows nothing else;
//! - [`style`] writes a position as style 12, which clients read, or style 1;
//! - `session` is one console: what is typed, what is heard, what others say;
//! - [`Hall`] holds the people at this door.
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
mod replay;
mod session;
mod settings;
pub mod style;
mod talk;
pub mod terms;
mod watch;
mod words;
mod wrap;

pub use self::{hall::Hall, login::converse};
use crate::base::{ConnectionLimits, Door, DoorOption, Kind, Opening, listen};

/// This door, in the table of doors.
pub const DOOR: Door = Door {
    address: DoorOption {
        name: "ics",
        env: "KRIEGSPIEL_ICS",
        help: "Let the clients of internet chess servers in, xboard among them, and bare telnet; a \
               port alone is one of this machine [default: off]",
        kind: Kind::Address,
    },
    visitors: "Chess clients",
    options: &[],
    serve: |opening| Box::pin(serve(opening)),
};

/// Serves clients until the door is to close.
async fn serve(opening: Opening) {
    let closing = opening.closing.clone();
    let hall = Hall::new(opening.club.clone(), opening.limits, closing);
    let serve_one = |console| converse(hall.clone(), console);
    listen(opening, ConnectionLimits::default(), serve_one).await;
}
