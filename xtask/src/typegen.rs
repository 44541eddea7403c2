//! `cargo xtask typegen`: generates the TypeScript types of the page from the crate `wire`.

use anyhow::{Result, ensure};

use crate::{run, workspace::Workspace};

/// File of the types. The test `typescript` compares or writes this file.
const FILE: &str = "web/src/wire.ts";

/// Writes the types.
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    ensure!(words.is_empty(), "`cargo xtask typegen` has no arguments");
    let cargo = Workspace::cargo();
    let words = [
        cargo.as_str(),
        "test",
        "--package",
        "kriegspiel-testkit",
        "--test",
        "typescript",
    ];
    run::run(&workspace.root, &words, &[("KRIEGSPIEL_BLESS", "1")])?;
    println!("wrote {FILE}");
    Ok(())
}
