//! Runs the tests of the web page in a browser. One of them also takes the picture of the page.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::{
    run::{self, Done},
    serve,
    workspace::Workspace,
};

/// Folder of the pictures in the README.
const PICTURES: &str = "docs/pictures";

/// Builds the program with the same features as the tests, and returns its path.
///
/// A plain build would select other features of the dependencies, so cargo would compile all
/// dependencies a second time.
///
/// # Errors
/// The build fails.
pub fn program(workspace: &Workspace) -> Result<PathBuf> {
    let cargo = Workspace::cargo();
    let words = [
        cargo.as_str(),
        "test",
        "--workspace",
        "--locked",
        "--no-run",
        "--test",
        "command",
    ];
    run::run(&workspace.root, &words, &[])?;
    Ok(workspace
        .root
        .join(workspace.target())
        .join("debug/kriegspiel"))
}

/// Builds the page and the program, and returns the program's path.
///
/// # Errors
/// A build fails.
pub fn build(workspace: &Workspace) -> Result<PathBuf> {
    serve::build(workspace)?;
    program(workspace)
}

/// Runs the tests in the browser, with a program that [`build`] has built.
///
/// # Errors
/// A test fails.
pub fn run_all(workspace: &Workspace, program: &Path, env: &[(&str, &str)]) -> Result<Done> {
    run_script(workspace, program, ("e2e", "golden game"), env)
}

/// Builds the page and the program, then looks at every screen in every size, with a finger and with
/// axe. CI does not run this.
///
/// # Errors
/// A build or a test fails.
pub fn screens(workspace: &Workspace, env: &[(&str, &str)]) -> Result<Done> {
    let program = build(workspace)?;
    run_script(
        workspace,
        &program,
        ("screens", "a game fits every screen"),
        env,
    )
}

/// Runs a script of the page's package. One of its tests has the words `named` in its title.
fn run_script(
    workspace: &Workspace,
    program: &Path,
    (script, named): (&str, &str),
    env: &[(&str, &str)],
) -> Result<Done> {
    let program = program
        .to_str()
        .context("the path of the target folder is not UTF-8")?;
    let mut all = vec![("NO_COLOR", "1"), ("KRIEGSPIEL", program)];
    all.extend(env);
    let words = ["npm", "run", "--silent", script];
    let done = run::run(&workspace.path("web"), &words, &all)?;
    // The test runner reports success even if it finds no test file.
    ensure!(
        done.lines.iter().any(|line| line.contains(named)),
        "no test was run in the browser"
    );
    Ok(done)
}

/// Measures a first visit and a first game on a slow phone.
///
/// # Errors
/// A build fails, or a measurement misses its limit.
pub fn slow_phone(workspace: &Workspace) -> Result<Done> {
    let program = build(workspace)?;
    let program = program
        .to_str()
        .context("the path of the target folder is not UTF-8")?;
    let env = [
        ("NO_COLOR", "1"),
        ("KRIEGSPIEL", program),
        ("KRIEGSPIEL_SLOW_RUNS", "9"),
    ];
    let words = [
        "node",
        "--test",
        "--test-force-exit",
        "--test-reporter=spec",
        "e2e/weight.test.mjs",
    ];
    run::run(&workspace.path("web"), &words, &env)
}

/// Takes the pictures of the page.
///
/// # Errors
/// See [`run_all`].
pub fn pictures(workspace: &Workspace) -> Result<()> {
    let program = build(workspace)?;
    run_all(workspace, &program, &[("KRIEGSPIEL_PICTURES", PICTURES)])?;
    println!("wrote {PICTURES}/");
    Ok(())
}
