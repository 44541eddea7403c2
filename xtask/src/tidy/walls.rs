//! Checks that code does not use certain names. Dependency checks cannot find these uses.

use anyhow::Result;
use cargo_metadata::Metadata;
use rules::rulesets;

use crate::workspace::{Workspace, crate_name};

/// Crates of the functional core. These crates must use no clock, no I/O and no threads.
const CORE: &[&str] = &[
    "rules", "position", "referee", "views", "notation", "belief",
];

/// Modules of the standard library that the core must not use.
const SHELL: &[&str] = &["env", "fs", "io", "net", "os", "process", "thread", "time"];

/// Exceptions, as (crate, module).
const ALLOWED: &[(&str, &str)] = &[
    // Several threads compute an update. The result does not depend on the number of threads.
    ("belief", "thread"),
];

/// Crates that may name the umpire's sheet: a type with the true position of a game that is still
/// being played.
const UMPIRES: &[&str] = &[
    "referee", "stream", "problems", "cli", "arena", "ksref", "python", "testkit", "xtask",
];

/// Crates that may name a ruleset. All other code must match on a choice instead. `ksref` and
/// `doors` are allowed, because each old program that they imitate has a fixed ruleset.
const NAMERS: &[&str] = &[
    "rules", "doors", "stream", "problems", "cli", "ksref", "python", "testkit", "xtask",
];

/// The only file of the club that may name the sheet: for spectators of two built-in bots.
const EXHIBITION: &str = "club/club/src/table/umpire.rs";

/// Checks the code of every crate, without tests and comments.
pub fn check(workspace: &Workspace, metadata: &Metadata) -> Result<Vec<String>> {
    let tracked = workspace.tracked()?;
    let mut wrong = Vec::new();
    for package in metadata.workspace_packages() {
        let own = crate_name(&package.name);
        let source = format!("{}/src/", workspace.folder(package));
        for file in tracked.iter().filter(|f| f.starts_with(&source)) {
            let text = workspace.read(file)?;
            for (number, line) in code(&text) {
                let mut say = |what: String| wrong.push(format!("{file}:{number}: {what}"));
                if !NAMERS.contains(&own)
                    && let Some(id) = named_ruleset(line)
                {
                    say(format!(
                        "the code names the ruleset `{id}`: match on a choice instead"
                    ));
                }
                if !UMPIRES.contains(&own)
                    && file != EXHIBITION
                    && (line.contains("Sheet") || line.contains(".sheet("))
                {
                    say("only the tools for umpires may name the sheet".to_owned());
                }
                if CORE.contains(&own) && (line.contains("print!(") || line.contains("println!(")) {
                    say("the core must not print".to_owned());
                }
            }
            if CORE.contains(&own) {
                for module in std_modules(&text) {
                    let allowed = ALLOWED.contains(&(own, module.as_str()));
                    if SHELL.contains(&module.as_str()) && !allowed {
                        wrong.push(format!("{file}: the core must not use std::{module}"));
                    }
                }
            }
        }
    }
    Ok(wrong)
}

/// Returns the lines of code with their numbers, up to the tests at the end of the file.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..)
        .zip(text.lines())
        .take_while(|(_, line)| !line.starts_with("#[cfg(test)]"))
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
}

/// Returns a ruleset if its id occurs as a string literal in the line.
fn named_ruleset(line: &str) -> Option<&'static str> {
    rulesets::ALL
        .iter()
        .map(|ruleset| &*ruleset.id)
        .find(|id| line.contains(&format!("\"{id}\"")))
}

/// Returns the modules of the standard library that a text uses: `std::io`, and the
/// modules inside `use std::{...}`.
fn std_modules(text: &str) -> Vec<String> {
    let joined: String = code(text)
        .map(|(_, line)| line)
        .collect::<Vec<_>>()
        .join("\n");
    let mut found = Vec::new();
    for (at, _) in joined.match_indices("std::") {
        let rest = &joined[at + "std::".len()..];
        let Some(group) = rest.strip_prefix('{') else {
            found.push(word(rest));
            continue;
        };
        let mut depth = 1;
        let mut fresh = true;
        for (i, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => fresh = true,
                _ if fresh && c.is_alphabetic() => {
                    found.push(word(&group[i..]));
                    fresh = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    found
}

/// Returns the name at the beginning of a text.
fn word(text: &str) -> String {
    text.chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn std_modules_are_found_in_groups_too() {
        let text = "\
use std::{
    borrow::Cow,
    collections::{BTreeMap, hash_map},
    fmt, io::{self, Write},
};
// std::net
fn f() { std::fs::read(\"x\"); }
#[cfg(test)]
mod tests { use std::time::Instant; }
";
        assert_eq!(
            std_modules(text),
            ["borrow", "collections", "fmt", "io", "fs"]
        );
    }
}
