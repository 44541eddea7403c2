//! Loads rulesets by id or from a file.

use std::{fs, io::Read, path::Path};

use notation::{self, distance, nearest, read_ruleset};
use rules::{Ruleset, rulesets};

use super::usage;

/// Longest ruleset file that is read, in bytes.
const MAX_FILE: u64 = 1 << 20;

/// Returns the ruleset with the id `named`, or reads a ruleset from the file `named`.
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
    // A device or a pipe is refused: it has no length, and reading it may never end.
    if !fs::metadata(path).map_err(|e| fault(&e))?.is_file() {
        return Err(fault(
            &"not a file; give a ruleset file like the one that `kriegspiel rules --toml wild16` prints",
        ));
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(|e| fault(&e))?;
    file.take(MAX_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| fault(&e))?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(fault(
            &"the file is too long: a ruleset file has at most 1 MiB",
        ));
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        fault(&format_args!("byte {at}: not UTF-8"))
    })?;
    let ruleset = read_ruleset(&text).map_err(|e| fault(&e))?;
    if ruleset.start.is_some() {
        return Err(fault(
            &"`start` is for games of a club; here remove it and use --fen",
        ));
    }
    Ok(ruleset)
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

/// Returns the error for an unknown bot. The message names the most similar bot.
pub(super) fn unknown_bot(named: &str) -> anyhow::Error {
    let names: Vec<&str> = bots::ALL.iter().map(|bot| bot.name).collect();
    let meant = nearest(named, &names);
    let meant = meant.map(|name| format!("did you mean `{name}`? "));
    usage(format_args!(
        "there is no bot `{}`: {}the bots are {}",
        notation::printable(named),
        meant.unwrap_or_default(),
        bots::names()
    ))
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
    }
}
