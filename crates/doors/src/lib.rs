//! The doors of a club: ways to play with nothing but a terminal or a program
//! that sends lines.
//!
//! - [`base`] is what all doors share: lines over telnet, the accept loop with
//!   its limits, and the description of a door;
//! - [`teletype`] is UMPIRE's dialogue of 1965;
//! - [`ics`] is the dialect of internet chess servers;
//! - [`ks`] is the command of 1986: two people and no server between them.
//!
//! Each door is a conversation over a seat of the [`club`]; none knows the true
//! position. It must never know: the referee, HTTP.

pub mod base;
pub mod ics;
pub mod ks;
pub mod teletype;

use std::time::Duration;

use base::{Door, DoorOption, FromFile, OptionKind, Options};
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// Every door that `serve` opens. A new door is added here.
pub const ALL: [Door; 2] = [teletype::DOOR, ics::DOOR];

/// Options that hold for every door.
const SHARED: [DoorOption; 1] = [DoorOption {
    name: SILENCE,
    env: "KRIEGSPIEL_SILENCE",
    help: "Seconds of silence after which the machine of a teletype or of a chess client counts as \
           gone [default: 60]",
    kind: OptionKind::Number("SECONDS"),
}];

const SILENCE: &str = "silence";

/// All options of [`ALL`] as they were given.
#[derive(Clone, Debug, Default)]
pub struct Given(pub Options);

impl Given {
    fn all() -> impl Iterator<Item = DoorOption> {
        Door::options(&ALL).chain(SHARED)
    }

    /// Drop a peer whose machine has been silent for this long.
    pub fn silence(&self) -> Duration {
        Duration::from_secs(self.0.number(SILENCE).unwrap_or(60).into())
    }

    /// The keys of a file that are doors' options.
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
