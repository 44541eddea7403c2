//! UMPIRE's dialogue of 1965, for two teletypes.
//!
//! Two waiting consoles are paired. The two users play a game as two guests of the club, without a
//! clock. The ruleset is `umpire-today`, or `umpire` with the option `--1965`. What the players
//! hear is printed in UMPIRE's words. For some events UMPIRE had no words. The words for these
//! events are ours; docs/doors.md lists them.

mod greeting;
mod instruction;
mod links;
mod pairing;
mod printer;
mod seat;
mod settings;
mod teletypes;
mod typed;
mod words;

pub use self::{
    greeting::converse,
    settings::{Settings, TODAY},
    teletypes::Teletypes,
};
use crate::base::{Door, DoorOption, DoorSetup, OptionKind, listen};

/// The teletype door, for the table of doors.
pub const DOOR: Door = Door {
    address: DoorOption {
        name: "teletype",
        env: "KRIEGSPIEL_TELETYPE",
        help: "Accept teletypes by telnet, with UMPIRE's dialogue of 1965; a port without an address is \
               on this machine only [default: off]",
        kind: OptionKind::Address,
    },
    visitors: "Teletypes",
    options: settings::OPTIONS,
    serve: |opening| {
        let settings = Settings::from(&opening.options);
        Box::pin(serve(opening, settings))
    },
};

/// Serves teletypes until the door closes.
pub async fn serve(opening: DoorSetup, settings: Settings) {
    let teletypes = Teletypes::new(opening.club.clone(), settings, opening.closing.clone());
    let serve_one = |console| {
        let teletypes = teletypes.clone();
        async move {
            // A client that has disconnected needs no last message.
            let _gone = converse(&teletypes, console).await;
        }
    };
    listen(opening, settings.connection(), serve_one).await;
}
