//! Loads rulesets by id or from a file.

use std::{fs, io::Read, path::Path};

use kriegspiel::{
    notation::read_ruleset,
    rules::{Ruleset, rulesets},
};

use super::usage;

/// Longest ruleset file that is read, in bytes.
const LONGEST_FILE: u64 = 1 << 20;

/// Returns the ruleset with this id, or reads it from this file.
///
/// # Errors
/// For a file, the message names the fault and its place. For an unknown id, it
/// names the most similar id.
pub(super) fn ruleset(named: &str) -> anyhow::Result<Ruleset> {
    if let Some(ruleset) = rulesets::by_id(named) {
        return Ok(ruleset.clone());
    }
    let path = Path::new(named);
    let is_toml = path
        .extension()
        .is_some_and(|ext| ext.eq_ignore_ascii_case("toml"));
    if !is_toml && !path.is_file() {
        return Err(usage(unknown(named)));
    }
    let fault = |said: &dyn std::fmt::Display| usage(format_args!("{}: {said}", path.display()));
    // A device or a pipe has no length, and reading it may never end.
    if !fs::metadata(path).map_err(|e| fault(&e))?.is_file() {
        return Err(fault(
            &"not a file; give a ruleset file like the one that `kriegspiel rules --toml wild16` prints",
        ));
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(|e| fault(&e))?;
    file.take(LONGEST_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| fault(&e))?;
    if bytes.len() as u64 > LONGEST_FILE {
        return Err(fault(
            &"the file is too long: a ruleset file has at most 1 MiB",
        ));
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        fault(&format_args!("byte {at}: not UTF-8"))
    })?;
    read_ruleset(&text).map_err(|e| fault(&e))
}

fn unknown(named: &str) -> String {
    let shown: String = named
        .chars()
        .take(60)
        .flat_map(char::escape_debug)
        .collect();
    let lower = named.to_lowercase();
    let nearest = rulesets::ALL
        .iter()
        .map(|r| {
            let part = lower.len() >= 3 && r.id.contains(&lower);
            (if part { 0 } else { distance(&lower, &r.id) }, &r.id)
        })
        .min()
        .filter(|(distance, id)| *distance <= 1 + id.len() / 3)
        .map(|(_, id)| format!("did you mean `{id}`? "))
        .unwrap_or_default();
    format!(
        "there is no ruleset `{shown}`: {nearest}`kriegspiel rules` lists the rulesets; a file name must end with .toml"
    )
}

/// Returns the most similar of some names, if one is similar.
pub(super) fn nearest<'a>(typed: &str, names: &[&'a str]) -> Option<&'a str> {
    let lower = typed.to_lowercase();
    let near = names.iter().map(|name| (distance(&lower, name), *name));
    near.min()
        .filter(|(distance, name)| *distance <= 1 + name.len() / 3)
        .map(|(_, name)| name)
}

/// Returns the edit distance of two words: the number of letters to insert,
/// delete or change.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(64).enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_id_is_suggested() {
        for (typed, meant) in [
            ("wild15", "wild16"),
            ("Cincinatti", "cincinnati"),
            ("berkely", "berkeley"),
            ("crazy", "crazykrieg"),
            ("ladder", "rand-ladder"),
        ] {
            let said = unknown(typed);
            assert!(said.contains(&format!("`{meant}`?")), "{typed}: {said}");
        }
        assert!(!unknown("something else entirely").contains("mean"));
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
