//! The dialect of internet chess servers, for their clients and for plain
//! telnet.
//!
//! - `login` signs people in: as guests, or with the password of an account.
//! - [`commands`] is the table of all commands. The help is made from this table.
//! - [`known_game`] turns what one listener hears into boards and lines. This module is the only
//!   path from a game to a console.
//! - [`style`] writes a position in style 12 for clients, or in style 1 for
//!   people.
//! - `session` is one console: its typed lines, its hearings and the talk of
//!   others.
//! - [`IcsState`] holds the people at this door and their shared state.
//!
//! Some fields of style 12 could reveal unseen men; these fields always hold their values from the
//! start of a game. If only the mover hears an answer (under `wild16`, every refusal), the
//! opponent's refused tries cause no output at all.

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

/// The ICS door, for the table of doors.
pub const DOOR: Door = Door {
    address: DoorOption {
        name: "ics",
        env: "KRIEGSPIEL_ICS",
        help: "Accept clients of internet chess servers, such as xboard, and plain telnet; a port \
               without an address is on this machine only [default: off]",
        kind: OptionKind::Address,
    },
    visitors: "Chess clients",
    options: &[],
    serve: |opening| Box::pin(serve(opening)),
};

/// Serves clients until the door closes.
async fn serve(opening: DoorSetup) {
    let closing = opening.closing.clone();
    let state = IcsState::new(opening.club.clone(), opening.limits, closing);
    let serve_one = |console| converse(state.clone(), console);
    listen(opening, ConnectionLimits::default(), serve_one).await;
}
