//! `cargo xtask planted`: plants faults and leaks, one at a time, in a copy of the committed
//! sources, and checks that a test fails.
//!
//! A patch in [`FOLDER`] is one fault. Its first line says what is wrong; the line [`CAUGHT`] has the
//! arguments of `cargo nextest run --workspace` that select the tests, and `NAME=VALUE` for the
//! environment.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};

use crate::{run, workspace::Workspace};

/// Folder of the patches.
const FOLDER: &str = "tools/testkit/planted/";

/// Beginning of the line that names the tests.
const CAUGHT: &str = "Caught by: ";

/// Exit code of nextest if a test failed.
const FAILED: i32 = 100;

/// A planted fault: name, path of the patch, selection of tests.
struct Fault {
    name: String,
    file: String,
    tests: String,
}

/// Plants the named faults, or all. With `--check`, only checks that the patches apply.
///
/// # Errors
/// A patch does not apply, the changed code does not compile, or no test fails.
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    if words.iter().any(|word| word == "--check") {
        let wrong = check(workspace)?;
        ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
        return Ok(());
    }
    let mut faults = all(workspace)?;
    if let Some(strange) = words.iter().find(|w| faults.iter().all(|f| f.name != **w)) {
        bail!("there is no patch {FOLDER}{strange}.patch");
    }
    faults.retain(|fault| words.is_empty() || words.contains(&fault.name));
    let copy = copy(workspace)?;
    let selections: BTreeSet<&str> = faults.iter().map(|fault| fault.tests.as_str()).collect();
    for tests in selections {
        let code = nextest(workspace, &copy, tests)?;
        ensure!(code == 0, "without a fault, `{tests}` ends with {code}");
    }
    let mut wrong = Vec::new();
    for fault in &faults {
        let patch = workspace.path(&fault.file);
        let patch = patch.to_str().context("a path is not UTF-8")?;
        git(&copy, &["apply", patch])?;
        match nextest(workspace, &copy, &fault.tests)? {
            FAILED => println!("planted {}: caught", fault.name),
            0 => wrong.push(format!("{}: no test fails", fault.name)),
            code => wrong.push(format!("{}: nextest ends with {code}", fault.name)),
        }
        git(&copy, &["apply", "--reverse", patch])?;
    }
    println!(
        "figure: planted faults caught {}",
        faults.len() - wrong.len()
    );
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

/// Returns one message for each patch that does not apply or does not name its tests.
///
/// # Errors
/// A patch cannot be read.
pub fn check(workspace: &Workspace) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for fault in all(workspace)? {
        if let Err(why) = git(&workspace.root, &["apply", "--check", &fault.file]) {
            wrong.push(format!("{}: {why:#}", fault.file));
        }
        if fault.tests.is_empty() {
            wrong.push(format!("{}: no line `{CAUGHT}`", fault.file));
        }
    }
    Ok(wrong)
}

fn all(workspace: &Workspace) -> Result<Vec<Fault>> {
    let mut faults = Vec::new();
    for file in workspace.tracked()? {
        let name = file
            .strip_prefix(FOLDER)
            .and_then(|f| f.strip_suffix(".patch"));
        let Some(name) = name.map(str::to_owned) else {
            continue;
        };
        let text = workspace.read(&file)?;
        let tests = text.lines().find_map(|line| line.strip_prefix(CAUGHT));
        let tests = tests.unwrap_or_default().to_owned();
        faults.push(Fault { name, file, tests });
    }
    Ok(faults)
}

/// Makes the copy, or brings it to the current commit.
fn copy(workspace: &Workspace) -> Result<PathBuf> {
    let copy = workspace.target().join("planted");
    let path = copy
        .to_str()
        .context("the path of the target folder is not UTF-8")?;
    if !copy.exists() {
        git(
            &workspace.root,
            &["clone", "--quiet", "--shared", ".", path],
        )?;
    }
    git(&copy, &["fetch", "--quiet", "origin", "HEAD"])?;
    git(&copy, &["checkout", "--quiet", "--force", "FETCH_HEAD"])?;
    Ok(copy)
}

/// Runs tests in the copy, with the packages from outside that are already compiled. Returns the
/// exit code.
fn nextest(workspace: &Workspace, copy: &Path, tests: &str) -> Result<i32> {
    let (variables, words): (Vec<&str>, Vec<&str>) = tests
        .split_whitespace()
        .partition(|word| word.contains('='));
    let status = run::command(Workspace::cargo())
        .args(["nextest", "run", "--workspace", "--cargo-quiet"])
        .args(words)
        .envs(variables.iter().filter_map(|word| word.split_once('=')))
        .env("CARGO_TARGET_DIR", workspace.target())
        .current_dir(copy)
        .status()
        .context("cannot start cargo")?;
    status.code().context("cargo was killed")
}

fn git(folder: &Path, words: &[&str]) -> Result<()> {
    let done = run::command("git")
        .args(words)
        .current_dir(folder)
        .output()?;
    let said = String::from_utf8_lossy(&done.stderr);
    ensure!(
        done.status.success(),
        "git {}: {}",
        words.join(" "),
        said.trim()
    );
    Ok(())
}
