//! Tests of the page in a real browser, and the pictures that they take.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};

use crate::{
    house::House,
    run::{self, Done},
    serve, terminal,
};

/// Where the pictures of the README are.
const PICTURES: &str = "docs/pictures";

/// Builds the program as its tests build it, and returns its path.
///
/// A plain build selects other features of dependencies than the tests do, and
/// compiles all of them again.
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

/// Builds the page and the program, then runs the tests in the browser.
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
    // The runner reports success if it finds no file.
    ensure!(
        done.lines.iter().any(|line| line.contains("golden game")),
        "no test was run in the browser"
    );
    Ok(done)
}

/// Takes the pictures of the page and of the terminal.
///
/// # Errors
/// See [`run_all`] and [`terminal_pictures`].
pub fn pictures(house: &House) -> Result<()> {
    run_all(house, &[("KRIEGSPIEL_PICTURES", PICTURES)])?;
    println!("wrote {PICTURES}/");
    terminal_pictures(house)
}

/// Takes the pictures of the terminal.
///
/// # Errors
/// See [`terminal::pictures`].
pub fn terminal_pictures(house: &House) -> Result<()> {
    terminal::pictures(house, &program(house)?, &house.path(PICTURES))
}
