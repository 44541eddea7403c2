//! Settings of one end of a game.

use std::{path::PathBuf, time::Duration};

use doors::ks::Options;

/// Settings of one end.
pub(super) struct Setup {
    /// The folder of all games.
    pub(super) state: PathBuf,
    pub(super) new: bool,
    pub(super) silence: Duration,
    pub(super) dumb: bool,
    pub(super) options: Options,
}
