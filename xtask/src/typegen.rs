//! `cargo xtask typegen`: generates the page's types from the crate `wire`.

use anyhow::{Result, ensure};

use crate::{house::House, run};

/// File of the types; the test that compares them writes it.
const FILE: &str = "web/src/wire.ts";

/// Writes the types.
pub fn run(house: &House, words: &[String]) -> Result<()> {
    ensure!(words.is_empty(), "`cargo xtask typegen` takes nothing");
    let cargo = House::cargo();
    let words = [
        cargo.as_str(),
        "test",
        "--package",
        "testkit",
        "--test",
        "typescript",
    ];
    run::run(&house.root, &words, &[("KRIEGSPIEL_BLESS", "1")])?;
    println!("wrote {FILE}");
    Ok(())
}
