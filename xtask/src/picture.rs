//! `cargo xtask picture`: takes the pictures for the docs.

use anyhow::{Result, ensure};

use crate::{e2e, workspace::Workspace};

/// Takes all pictures. With `terminal`, takes only the pictures of the terminal client.
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    if words == ["terminal"] {
        return e2e::terminal_pictures(workspace);
    }
    ensure!(words.is_empty(), "usage: cargo xtask picture [terminal]");
    e2e::pictures(workspace)
}
