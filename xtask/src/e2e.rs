//! The page's tests in a real browser, and the pictures that they take.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::{
    house::House,
    run::{self, Done},
    serve, terminal,
};

/// Where the pictures of the README are.
const PICTURES: &str = "docs/pictures";

/// Builds the program as its tests build it, and says where it is.
///
/// A plain build chooses other features of outside crates than the tests do,
/// and compiles all of them once more.
///
/// # Errors
/// It does not build.
pub fn program(house: &House) -> Result<PathBuf> {
    let cargo = House::cargo();
    let words = [
        cargo.as_str(),
        "test",
        "--workspace",
        "--locked",
        "--no-run",
        "--test",
        "command",
    ];
    run::run(&house.root, &words, &[])?;
    Ok(house.root.join(house.target()).join("debug/kriegspiel"))
}

/// Builds the page and the program, then plays in the browser.
///
/// # Errors
/// Something does not build, or a test fails.
pub fn run_all(house: &House, env: &[(&str, &str)]) -> Result<Done> {
    serve::build(house)?;
    let program = program(house)?;
    let program = program
        .to_str()
        .context("the target folder has a strange name")?;
    let mut all = vec![("NO_COLOR", "1"), ("KRIEGSPIEL", program)];
    all.extend(env);
    let words = ["npm", "run", "--silent", "e2e"];
    let done = run::run(&house.path("web"), &words, &all)?;
    // A runner that finds no file is content.
    ensure!(
        done.lines.iter().any(|line| line.contains("golden game")),
        "no test was run in the browser"
    );
    Ok(done)
}

/// Takes the pictures anew, of the page and of the terminal.
///
/// # Errors
/// See [`run_all`] and [`terminal_pictures`].
pub fn pictures(house: &House) -> Result<()> {
    run_all(house, &[("KRIEGSPIEL_PICTURES", PICTURES)])?;
    println!("wrote {PICTURES}/");
    terminal_pictures(house)
}

/// Takes those of the terminal.
///
/// # Errors
/// See [`terminal::pictures`].
pub fn terminal_pictures(house: &House) -> Result<()> {
    terminal::pictures(house, &program(house)?, &house.path(PICTURES))
}
