//! Checks that no crate re-exports another crate.
//!
//! Exceptions: `kriegspiel`, whose library re-exports other crates for its users; `rules`, which
//! re-exports shakmaty as `chess`; `referee`, which re-exports the start position.

use anyhow::Result;
use cargo_metadata::Metadata;

use crate::workspace::{Workspace, crate_name};

/// Allowed re-exports, as (crate, re-exported crate).
const ALLOWED_REEXPORTS: &[(&str, &str)] = &[
    ("rules", "shakmaty"),
    // The start of a game is a position.
    ("referee", "kriegspiel-position"),
];

/// Scans the sources for `pub use` of a dependency.
pub fn check(workspace: &Workspace, metadata: &Metadata) -> Result<Vec<String>> {
    let tracked = workspace.tracked()?;
    let mut wrong = Vec::new();
    for package in metadata.workspace_packages() {
        let own = crate_name(&package.name);
        if own == "kriegspiel" {
            continue;
        }
        let source = format!("{}/src/", workspace.folder(package));
        for file in tracked.iter().filter(|f| f.starts_with(&source)) {
            for (number, line) in (1..).zip(workspace.read(file)?.lines()) {
                let Some(first) = first_segment(line) else {
                    continue;
                };
                let dependency = package.dependencies.iter().find(|dep| {
                    dep.rename.as_deref().unwrap_or(&dep.name).replace('-', "_") == first
                });
                if let Some(dependency) = dependency
                    && !ALLOWED_REEXPORTS.contains(&(own, dependency.name.as_str()))
                {
                    wrong.push(format!("{file}:{number}: re-exports `{first}`"));
                }
            }
        }
    }
    Ok(wrong)
}

/// Returns the first path segment of a `pub use` line: a crate or a module.
fn first_segment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let path = line
        .strip_prefix("pub use ")
        .or_else(|| line.strip_prefix("pub extern crate "))?
        .trim_start_matches("::");
    path.split(|c: char| !c.is_alphanumeric() && c != '_')
        .next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_segment_of_a_pub_use_is_found() {
        assert_eq!(
            first_segment("pub use shakmaty as chess;"),
            Some("shakmaty")
        );
        assert_eq!(first_segment("    pub use ::rules::Try;"), Some("rules"));
        assert_eq!(first_segment("pub use crate::call::Call;"), Some("crate"));
        assert_eq!(first_segment("use rules::Try;"), None);
    }
}
