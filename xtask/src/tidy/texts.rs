//! Checks texts that no tracked file may contain, and texts that crate docs must contain.

use std::fs;

use anyhow::Result;
use cargo_metadata::Metadata;

use crate::{
    crates,
    workspace::{Workspace, crate_name},
};

/// Maximum number of lines of a Rust file.
const MAX_LINES: usize = 700;

/// Longer files that are allowed, as (file, reason).
const LONG: &[(&str, &str)] = &[];

/// Files that are not checked: licence and lock files.
const FOREIGN: &[&str] = &["LICENSE", "Cargo.lock", "fuzz/Cargo.lock"];

/// Folders of test inputs and outputs that are used byte by byte. These files are not checked.
const INPUTS: &[&str] = &["fuzz/corpus/", "terminal/ksref/tests/golden/"];

/// Paths of a developer's machine. Each is split, so that this file does not contain the path.
const MACHINES: &[[&str; 2]] = &[
    ["/wo", "rk/"],
    ["/ro", "ot/"],
    ["/ho", "me/"],
    ["/Us", "ers/"],
    ["C:\\", "Users"],
    ["/tm", "p/"],
];

/// Markers of unfinished code, also split into two parts.
const LEFTOVERS: &[[&str; 2]] = &[
    ["todo", "!("],
    ["dbg", "!("],
    ["unimplemented", "!("],
    ["#[ig", "nore]"],
];

/// Checks every tracked text file.
pub fn check(workspace: &Workspace, _: &Metadata) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for file in workspace.tracked()? {
        let foreign = FOREIGN.contains(&file.as_str());
        if foreign || INPUTS.iter().any(|dir| file.starts_with(dir)) {
            continue;
        }
        let Ok(text) = String::from_utf8(fs::read(workspace.path(&file))?) else {
            continue;
        };
        let rust = file.ends_with(".rs");
        for (number, line) in (1..).zip(text.split('\n')) {
            let mut say = |what: &str| wrong.push(format!("{file}:{number}: {what}"));
            if line.contains('\t') {
                say("the line contains a tab");
            }
            if line.ends_with([' ', '\r']) {
                say("the line ends with a space or a carriage return");
            }
            for path in MACHINES.iter().map(|halves| halves.concat()) {
                if line.contains(&path) {
                    say(&format!(
                        "the line contains a path of a developer's machine ({path})"
                    ));
                }
            }
            for word in LEFTOVERS.iter().map(|halves| halves.concat()) {
                if rust && line.contains(&word) {
                    say(&format!(
                        "the line contains a marker of unfinished code ({word})"
                    ));
                }
            }
        }
        if !text.is_empty() && !text.ends_with('\n') {
            wrong.push(format!("{file}: the file does not end with a line feed"));
        }
        let lines = text.lines().count();
        let meant = LONG.iter().any(|(name, _)| *name == file);
        if rust && lines > MAX_LINES && !meant {
            wrong.push(format!("{file}: {lines} lines, more than {MAX_LINES}"));
        }
    }
    for (name, why) in LONG {
        if !workspace.path(name).is_file() {
            wrong.push(format!(
                "{name} is in the list of long files ({why}), but does not exist"
            ));
        }
    }
    Ok(wrong)
}

/// Phrases for the docs of a crate. They say what the crate must not depend on.
const LIMITS: [&str; 3] = [
    "does not depend on",
    "must never know about",
    "knows nothing about",
];

/// Checks that every crate has docs. If the rules of a crate demand it (`says_so`), also checks
/// that the docs say what the crate must not depend on.
pub fn crate_docs(workspace: &Workspace, metadata: &Metadata) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for package in metadata.workspace_packages() {
        let own = crate_name(&package.name);
        let dir = workspace.folder(package);
        let root = ["src/lib.rs", "src/main.rs"]
            .map(|file| format!("{dir}/{file}"))
            .into_iter()
            .find(|file| workspace.path(file).is_file());
        let Some(root) = root else {
            wrong.push(format!("`{own}` has neither lib.rs nor main.rs"));
            continue;
        };
        let text = workspace.read(&root)?;
        let docs: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("//!"))
            .map(str::trim)
            .collect();
        if docs.is_empty() {
            wrong.push(format!("{root}: the crate has no docs"));
        }
        let says_so = crates::rules_of(own).is_some_and(|rules| rules.says_so);
        let docs = docs.join(" ");
        if says_so && !LIMITS.iter().any(|phrase| docs.contains(phrase)) {
            wrong.push(format!(
                "{root}: the docs do not say what the crate must not depend on ({})",
                LIMITS.map(|phrase| format!("\"{phrase}\"")).join(", ")
            ));
        }
    }
    Ok(wrong)
}
