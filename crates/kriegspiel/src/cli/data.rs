//! Path of the club's file.

use std::path::PathBuf;

/// The club's file, as `serve` and `store` are told of it.
#[derive(Debug, clap::Args)]
pub(super) struct Data {
    /// The club's file: accounts, games, everything
    #[arg(
        long = "data",
        value_name = "FILE",
        env = "KRIEGSPIEL_DATA",
        hide_env_values = true,
        default_value = "kriegspiel.db"
    )]
    pub(super) file: PathBuf,
}
