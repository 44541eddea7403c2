//! `cargo xtask expand`: prints the transcript of a story under one ruleset, or writes
//! all transcripts to a folder.

use anyhow::Result;

use crate::{run, workspace::Workspace};

/// Prints or writes the transcripts.
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    let cargo = Workspace::cargo();
    let mut call = vec![
        cargo.as_str(),
        "run",
        "--quiet",
        "--package",
        "kriegspiel-testkit",
    ];
    call.extend(["--example", "expand", "--"]);
    call.extend(words.iter().map(String::as_str));
    run::run(&workspace.root, &call, &[])?;
    Ok(())
}
