//! `cargo xtask fuzz`: runs the fuzz targets with the stable compiler.
//!
//! `fuzz/` is a separate workspace. The option `--sanitizer none` switches the sanitizers off, so
//! that the coverage of the fuzzing engine works with stable Rust. A target fails if it panics.

use std::fs;

use anyhow::{Context, Result, ensure};

use crate::{
    run::{self, Done},
    workspace::Workspace,
};

/// Command that installs cargo-fuzz.
pub const INSTALL: [&str; 6] = [
    "cargo",
    "install",
    "cargo-fuzz",
    "--locked",
    "--version",
    "0.13.2",
];

/// Returns the names of the targets: the files in `fuzz/fuzz_targets`.
pub fn targets(workspace: &Workspace) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(workspace.path("fuzz/fuzz_targets")).context("fuzz/fuzz_targets")? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "rs") {
            let stem = path.file_stem().context("a file has a name")?;
            names.push(stem.to_string_lossy().into_owned());
        }
    }
    names.sort();
    ensure!(!names.is_empty(), "fuzz/fuzz_targets contains no target");
    Ok(names)
}

/// Runs a fuzz target for `seconds` seconds. New inputs are written to cargo's target folder;
/// `fuzz/corpus` contains only seeds chosen by hand.
pub fn one(workspace: &Workspace, target: &str, seconds: &str) -> Result<Done> {
    let kept = workspace.path("fuzz/corpus").join(target);
    ensure!(kept.is_dir(), "the target `{target}` has no corpus");
    let found = workspace.target().join("fuzz-corpus").join(target);
    fs::create_dir_all(&found)?;
    let (found, kept) = (found.to_string_lossy(), kept.to_string_lossy());
    let time = format!("-max_total_time={seconds}");
    let built = workspace.target().join("fuzz");
    let built = built.to_string_lossy();
    run::run_showing(
        &workspace.root,
        &[
            "cargo",
            "fuzz",
            "run",
            "--sanitizer",
            "none",
            "--target-dir",
            &built,
            target,
            &found,
            &kept,
            "--",
            &time,
            "-max_len=16384",
            "-rss_limit_mb=4096",
            "-verbosity=0",
            "-print_final_stats=1",
        ],
        &[],
        // Hide the dictionary that the engine proposes, because it is not used.
        |line| !line.contains("# Uses:"),
    )
    .with_context(|| format!("fuzz target `{target}`"))
}

/// Fuzzes one target or all targets.
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    if !run::works(&["cargo", "fuzz", "--version"]) {
        run::run(&workspace.root, &INSTALL, &[])?;
    }
    let all = targets(workspace)?;
    let seconds = words.get(1).map_or("60", String::as_str);
    for target in &all {
        if words.first().is_none_or(|name| name == target) {
            one(workspace, target, seconds)?;
        }
    }
    if let Some(name) = words.first() {
        ensure!(
            all.contains(name),
            "there is no target `{name}`; the targets are {}",
            all.join(", ")
        );
    }
    Ok(())
}
