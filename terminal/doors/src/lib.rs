//! The doors of a club: ways to play with a plain terminal, or with a program
//! that sends lines of text.
//!
//! - [`base`] holds what all doors share: lines over telnet, the accept loop
//!   with its limits, and the description of a door.
//! - [`teletype`] is the dialogue of the program UMPIRE of 1965.
//! - [`ics`] is the dialect of internet chess servers.
//! - [`ks`] is the command `ks` of 1986: two people play without a server.
//!
//! Each door is a dialogue with a player or a spectator of the [`club`]. No door knows the true
//! position. This crate does not depend on HTTP. Only the tests depend on the referee.

pub mod base;
pub mod ics;
pub mod ks;
pub mod teletype;

use std::time::Duration;

use base::{Door, DoorOption, FromFile, OptionKind, Options};
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// Table of all doors that the command `kriegspiel serve` can open. A new door is added here.
pub const ALL: [Door; 2] = [teletype::DOOR, ics::DOOR];

/// Options that apply to all doors together.
const SHARED: [DoorOption; 1] = [DoorOption {
    name: SILENCE,
    env: "KRIEGSPIEL_SILENCE",
    help: "Seconds of silence after which the machine of a teletype or of a chess client counts as \
           gone [default: 60]",
    kind: OptionKind::Number("SECONDS"),
}];

const SILENCE: &str = "silence";

/// Values of the options of [`ALL`], as the user gave them.
#[derive(Clone, Debug, Default)]
pub struct Given(pub Options);

impl Given {
    fn all() -> impl Iterator<Item = DoorOption> {
        Door::options(&ALL).chain(SHARED)
    }

    /// Returns the time after which a connection counts as broken if the client's machine does not
    /// respond; 60 seconds by default.
    pub fn silence(&self) -> Duration {
        Duration::from_secs(self.0.number(SILENCE).unwrap_or(60).into())
    }

    /// Returns the keys of a configuration file that are options of doors.
    pub fn keys() -> FromFile {
        FromFile(Given::all().collect())
    }
}

impl Args for Given {
    fn augment_args(command: Command) -> Command {
        Options::add_to(command, Given::all())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Given::augment_args(command)
    }
}

impl FromArgMatches for Given {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Given, Error> {
        Ok(Given(Options::of(matches, Given::all())))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0 = Options::of(matches, Given::all()).or(std::mem::take(&mut self.0));
        Ok(())
    }
}
