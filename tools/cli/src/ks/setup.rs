//! Settings of one end of a game. An end is the program of one player.

use std::{path::PathBuf, time::Duration};

use doors::ks::Options;

/// Where the player sees the game.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum FaceKind {
    /// Plain lines.
    Plain,
    /// Full screen of the terminal.
    Screen,
    /// A page in a browser.
    Window,
}

/// Settings of one end of a game.
pub(super) struct Setup {
    /// Folder that contains all games.
    pub(super) state: PathBuf,
    pub(super) new: bool,
    pub(super) silence: Duration,
    /// Where the player sees the game.
    pub(super) face: FaceKind,
    pub(super) options: Options,
}
