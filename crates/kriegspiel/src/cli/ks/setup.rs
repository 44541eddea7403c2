//! Settings of one end of a game.

use std::{path::PathBuf, time::Duration};

use doors::ks::Options;

/// Settings of one end of a game.
pub(super) struct Setup {
    /// Folder that contains all games.
    pub(super) state: PathBuf,
    pub(super) new: bool,
    pub(super) silence: Duration,
    pub(super) dumb: bool,
    pub(super) options: Options,
}
