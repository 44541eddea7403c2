//! Checks that no two crates have a public type with the same name.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use cargo_metadata::Metadata;

use crate::workspace::{Workspace, owner};

/// Names that several crates still have. The list must not become longer.
const SHARED: &[&str] = &[
    "Account",
    "AccountId",
    "AccountKind",
    "Act",
    "Answered",
    "App",
    "Args",
    "Asked",
    "Body",
    "ColorWish",
    "Contradiction",
    "Difference",
    "Form",
    "GameId",
    "Given",
    "Input",
    "Known",
    "Listener",
    "Losses",
    "Men",
    "Millis",
    "OfferId",
    "OfferKind",
    "Outcome",
    "PasswordCost",
    "Player",
    "Position",
    "Reader",
    "Refusal",
    "Report",
    "RequestId",
    "Settings",
    "Shown",
    "Start",
    "Step",
    "Stop",
    "Style",
    "Terms",
    "TimeControl",
    "Verdict",
];

/// Finds names of public types that occur in several crates.
pub fn check(workspace: &Workspace, _: &Metadata) -> Result<Vec<String>> {
    let mut owners: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in workspace.tracked()? {
        let Some((owner, inside)) = owner(&file) else {
            continue;
        };
        if inside.starts_with("src/") && inside.ends_with(".rs") {
            for name in workspace.read(&file)?.lines().filter_map(public_type) {
                owners
                    .entry(name.to_owned())
                    .or_default()
                    .insert(owner.to_owned());
            }
        }
    }
    let mut wrong = Vec::new();
    for (name, owners) in &owners {
        if owners.len() > 1 && !SHARED.contains(&name.as_str()) {
            let owners: Vec<&str> = owners.iter().map(String::as_str).collect();
            wrong.push(format!("`{name}` is public in {}", owners.join(", ")));
        }
    }
    for name in SHARED {
        if owners.get(*name).is_none_or(|owners| owners.len() < 2) {
            println!("note: `{name}` is no longer shared: remove it from the list");
        }
    }
    Ok(wrong)
}

/// Returns the name of the public type that a line declares.
fn public_type(line: &str) -> Option<&str> {
    let rest = ["struct ", "enum ", "trait ", "type "]
        .iter()
        .find_map(|kind| line.strip_prefix("pub ")?.strip_prefix(kind))?;
    rest.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unindented_public_types_are_found() {
        for (line, name) in [
            ("pub struct Seat {", Some("Seat")),
            ("pub enum Said<'a> {", Some("Said")),
            ("pub type Millis = i64;", Some("Millis")),
            ("pub(crate) struct Own;", None),
            ("    pub struct Inner;", None),
            ("pub fn seat() {", None),
        ] {
            assert_eq!(public_type(line), name, "{line}");
        }
    }
}
