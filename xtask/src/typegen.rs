//! `cargo xtask typegen`: generates the TypeScript types of the page from the crate `wire`.

use anyhow::{Result, ensure};

use crate::{run, workspace::Workspace};

/// Files of the types and of the words of calls. The tests `typescript` and `page_words` compare or
/// write them.
const FILES: &str = "web/src/wire.ts and web/src/heard.json";

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
        "--test",
        "page_words",
    ];
    run::run(&workspace.root, &words, &[("KRIEGSPIEL_BLESS", "1")])?;
    println!("wrote {FILES}");
    Ok(())
}
