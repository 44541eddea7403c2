//! `cargo xtask fuzz`: the fuzz targets, on the stable compiler.
//!
//! `fuzz/` is a workspace of its own. Without a sanitizer (`-s none`) the
//! engine's coverage works on stable Rust; a panic is what it looks for.

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

/// Lists the targets by the files of `fuzz/fuzz_targets`.
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
    ensure!(!names.is_empty(), "no fuzz target");
    Ok(names)
}

/// Fuzzes a target for some seconds. New inputs go to the build folder;
/// `fuzz/corpus` holds only seeds chosen by hand.
pub fn one(workspace: &Workspace, target: &str, seconds: &str) -> Result<Done> {
    let kept = workspace.path("fuzz/corpus").join(target);
    ensure!(kept.is_dir(), "no corpus for `{target}`");
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
        // The dictionary that the engine suggests is not used.
        |line| !line.contains("# Uses:"),
    )
    .with_context(|| format!("fuzz target `{target}`"))
}

/// Compiles all targets and returns their number. The test `corpora` reads
/// their seeds; fuzzing itself needs a separate build.
pub fn check(workspace: &Workspace) -> Result<usize> {
    // Use a separate folder, so that what clippy has checked is not compiled
    // again.
    let built = workspace.target();
    let built = built.to_string_lossy();
    let words = [
        "cargo",
        "check",
        "--locked",
        "--bins",
        "--manifest-path",
        "fuzz/Cargo.toml",
        "--target-dir",
        &built,
    ];
    run::run(&workspace.root, &words, &[])?;
    Ok(targets(workspace)?.len())
}

/// Parses how often the target was run.
pub fn runs(done: &Done) -> Option<String> {
    done.lines
        .iter()
        .find_map(|line| line.strip_prefix("stat::number_of_executed_units:"))
        .map(|number| number.trim().to_owned())
}

/// Fuzzes the named target, or each in turn.
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
        ensure!(all.contains(name), "no target `{name}`: {}", all.join(", "));
    }
    Ok(())
}
