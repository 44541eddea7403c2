//! `cargo xtask expand`: the transcript of one ruleset from its story, or all
//! of them into a folder.

use anyhow::Result;

use crate::{house::House, run};

/// Prints or writes the transcripts.
pub fn run(house: &House, words: &[String]) -> Result<()> {
    let cargo = House::cargo();
    let mut call = vec![cargo.as_str(), "run", "--quiet", "--package", "testkit"];
    call.extend(["--example", "expand", "--"]);
    call.extend(words.iter().map(String::as_str));
    run::run(&house.root, &call, &[])?;
    Ok(())
}
