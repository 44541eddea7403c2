//! Checks for plain English: pronouns, banned names, and lengths of test names.
//!
//! The table [`ALLOWED`] gives the number of faults that a crate may still have. No number
//! may increase. If you remove a fault, lower the number.

use std::collections::BTreeMap;

use anyhow::Result;
use cargo_metadata::Metadata;

use crate::workspace::{self, Workspace};

/// Pronouns that must not be used for a person or a program.
const PRONOUNS: &[&str] = &["he", "him", "his", "himself"];

/// Names that a new reader cannot understand.
const BANNED_NAMES: &[&str] = &[
    "Chair",
    "Ears",
    "Manners",
    "NAP",
    "PATIENCE",
    "Paper",
    "Pulse",
    "Turnstile",
    "seat_flies",
];

/// Maximum length of a test name, in characters.
const MAX_TEST_NAME: usize = 60;

/// Files that contain the banned words as data.
const DEFINITIONS: &[&str] = &["xtask/src/tidy/language.rs", "xtask/src/tidy/types.rs"];

/// For each crate, the number of allowed faults of each kind in [`KINDS`].
const ALLOWED: &[(&str, [usize; 3])] = &[("doors", [1, 0, 0])];

/// Kinds of faults in source files.
const KINDS: [&str; 3] = ["pronouns", "banned names", "test names over 60 characters"];

/// Checks the words and the test names of every source file.
pub fn sources(workspace: &Workspace, _: &Metadata) -> Result<Vec<String>> {
    let mut found: BTreeMap<&str, [Vec<String>; 3]> = BTreeMap::new();
    let tracked = workspace.tracked()?;
    for file in &tracked {
        if !file.ends_with(".rs") || DEFINITIONS.contains(&file.as_str()) {
            continue;
        }
        let text = workspace.read(file)?;
        let faults = found.entry(owner(file)).or_default();
        for (number, line) in (1..).zip(text.lines()) {
            for word in words(line) {
                if PRONOUNS.contains(&word.to_ascii_lowercase().as_str()) {
                    faults[0].push(format!("{file}:{number}: `{word}`"));
                }
                if BANNED_NAMES.contains(&word) {
                    faults[1].push(format!("{file}:{number}: `{word}`"));
                }
            }
        }
        for (number, name) in tests(&text) {
            if name.len() > MAX_TEST_NAME {
                faults[2].push(format!("{file}:{number}: `{name}`"));
            }
        }
    }
    let mut wrong = Vec::new();
    for (owner, kinds) in &found {
        let allowed = ALLOWED
            .iter()
            .find_map(|(name, counts)| (name == owner).then_some(*counts))
            .unwrap_or_default();
        for ((kind, faults), allowed) in KINDS.iter().zip(kinds).zip(allowed) {
            compare(owner, kind, faults, allowed, &mut wrong);
        }
    }
    Ok(wrong)
}

/// Compares the number of faults with the allowed number. If there are more faults, reports an
/// error. If there are fewer, prints a note.
fn compare(owner: &str, kind: &str, faults: &[String], allowed: usize, wrong: &mut Vec<String>) {
    let count = faults.len();
    if count > allowed {
        wrong.push(format!("{owner}: {count} {kind}, {allowed} allowed:"));
        wrong.extend(faults.iter().map(|fault| format!("  {fault}")));
    } else if count < allowed {
        println!("note: {owner}: {count} {kind}; lower the allowed count from {allowed}");
    }
}

/// Returns the crate or the top folder of a file.
fn owner(file: &str) -> &str {
    let top = || file.split('/').next().unwrap_or(file);
    workspace::owner(file).map_or_else(top, |(owner, _)| owner)
}

/// Splits a line into words: letters, digits and underscores.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
}

/// Returns the tests in a file, as (line number, name).
fn tests(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut marked = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start();
        if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
            marked = true;
        } else if marked && let Some((_, rest)) = line.split_once("fn ") {
            marked = false;
            found.extend(words(rest).next().map(|name| (number, name)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_names_are_found_after_attributes() {
        let text = "#[test]\nfn one() {}\n#[tokio::test(start_paused = true)]\n#[cfg(unix)]\nasync fn two() {}\nfn three() {}\n";
        assert_eq!(tests(text), [(2, "one"), (5, "two")]);
    }

    #[test]
    fn parts_of_a_longer_word_are_not_words() {
        let found: Vec<&str> = words("the (his) seat_flies: here, he's").collect();
        assert_eq!(found, ["the", "his", "seat_flies", "here", "he", "s"]);
    }

    #[test]
    fn owner_of_a_file_is_its_crate_or_top_folder() {
        assert_eq!(owner("club/club/src/lib.rs"), "club");
        assert_eq!(owner("xtask/src/main.rs"), "xtask");
    }

    #[test]
    fn more_faults_than_allowed_are_reported() {
        let faults = ["one".to_owned(), "two".to_owned()];
        let mut wrong = Vec::new();
        compare("club", "pronouns", &faults, 2, &mut wrong);
        assert!(wrong.is_empty());
        compare("club", "pronouns", &faults, 1, &mut wrong);
        assert_eq!(wrong.len(), 3);
    }
}
