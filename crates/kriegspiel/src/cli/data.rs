//! The option that names the club's file.

use std::path::PathBuf;

/// The option that names the club's file, for `serve` and `store`.
#[derive(Debug, clap::Args)]
pub(super) struct Data {
    /// File of the club, with all accounts and games
    #[arg(
        long = "data",
        value_name = "FILE",
        env = "KRIEGSPIEL_DATA",
        hide_env_values = true,
        default_value = "kriegspiel.db"
    )]
    pub(super) file: PathBuf,
}
