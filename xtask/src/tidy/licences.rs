//! Checks that the licence of every package allows a program under GPL-3.0-or-later to contain it.

use anyhow::Result;
use cargo_metadata::Metadata;

use crate::workspace::Workspace;

/// Licences of packages that a GPL-3.0-or-later program may contain.
const ADMITTED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "GPL-3.0",
    "GPL-3.0-only",
    "GPL-3.0-or-later",
    "GPL-3.0+",
    "ISC",
    "LGPL-3.0-or-later",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "NCSA",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "WTFPL",
    "Zlib",
];

/// Checks the licence of every package in the lock file, including dev-dependencies.
pub fn check(_: &Workspace, metadata: &Metadata) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for package in &metadata.packages {
        let at = format!("{} {}", package.name, package.version);
        match package.license.as_deref() {
            None => wrong.push(format!("{at} has no licence")),
            Some(text) => match admitted(text) {
                Some(true) => {}
                Some(false) => wrong.push(format!("{at}: the licence `{text}` is not allowed")),
                None => wrong.push(format!(
                    "{at}: the licence expression `{text}` cannot be read"
                )),
            },
        }
        let own = metadata.workspace_members.contains(&package.id);
        if own && package.license.as_deref() != Some("GPL-3.0-or-later") {
            wrong.push(format!(
                "{at} belongs to this workspace and must be GPL-3.0-or-later"
            ));
        }
    }
    Ok(wrong)
}

/// Checks whether the allowed licences satisfy a licence expression; `None` if the expression cannot be parsed.
fn admitted(text: &str) -> Option<bool> {
    // The old form `MIT/Apache-2.0` means `MIT OR Apache-2.0`.
    let spaced = text
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    let value = any_of(&words, &mut at)?;
    (at == words.len()).then_some(value)
}

fn any_of(words: &[&str], at: &mut usize) -> Option<bool> {
    let mut value = all_of(words, at)?;
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        value |= all_of(words, at)?;
    }
    Some(value)
}

fn all_of(words: &[&str], at: &mut usize) -> Option<bool> {
    let mut value = one(words, at)?;
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        value &= one(words, at)?;
    }
    Some(value)
}

fn one(words: &[&str], at: &mut usize) -> Option<bool> {
    let word = *words.get(*at)?;
    *at += 1;
    match word {
        "(" => {
            let value = any_of(words, at)?;
            (words.get(*at) == Some(&")")).then(|| *at += 1)?;
            Some(value)
        }
        ")" | "OR" | "AND" | "WITH" => None,
        _ => {
            // An exception (`WITH`) only adds permissions, so it is skipped.
            if words.get(*at) == Some(&"WITH") {
                *at += 1;
                words.get(*at)?;
                *at += 1;
            }
            Some(ADMITTED.contains(&word))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licence_expressions_are_read() {
        for (text, value) in [
            ("MIT", Some(true)),
            ("MIT/Apache-2.0", Some(true)),
            ("MIT OR GPL-2.0-only", Some(true)),
            ("MIT AND GPL-2.0-only", Some(false)),
            ("GPL-2.0-only", Some(false)),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", Some(true)),
            (
                "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
                Some(true),
            ),
            ("(MIT", None),
            ("MIT Apache-2.0", None),
            ("", None),
        ] {
            assert_eq!(admitted(text), value, "{text}");
        }
    }
}
