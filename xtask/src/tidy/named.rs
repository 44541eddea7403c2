//! Checks that every test named in a table of the docs exists, and every file named in the docs.

use anyhow::Result;
use cargo_metadata::Metadata;

use crate::workspace::{Workspace, owner};

/// Pages with tables of tests. The last column of these tables is `test`.
const DOCS: &[&str] = &[
    "docs/leaks.md",
    "docs/leaks-club.md",
    "docs/leaks-clients.md",
    "docs/promises/umpire.md",
    "docs/promises/cincinnati.md",
    "docs/promises/ks.md",
    "docs/promises/variant-pages.md",
    "docs/promises/ksref.md",
    "docs/security.md",
    "ARCHITECTURE.md",
];

/// Text of a cell that says that its row needs no test.
const NO_TEST: &str = "| does not apply |";

/// Pages that also name tests outside of tables, as Rust paths between backticks.
const PROSE: &[&str] = &["docs/security.md"];

/// Looks up every test that these pages name.
pub fn check(workspace: &Workspace, _: &Metadata) -> Result<Vec<String>> {
    let tracked = workspace.tracked()?;
    let mut wrong = Vec::new();
    for doc in DOCS {
        let text = workspace.read(doc)?;
        let rows = rows(&text);
        if rows.is_empty() {
            wrong.push(format!("{doc} has no table with a column `test`"));
        }
        for (number, names) in rows {
            if names.is_empty() {
                wrong.push(format!("{doc}:{number}: the row does not name a test"));
            }
            for name in names {
                if !exists(workspace, &tracked, &name)? {
                    wrong.push(format!("{doc}:{number}: there is no test `{name}`"));
                }
            }
        }
    }
    for doc in PROSE {
        for (number, name) in paths(&workspace.read(doc)?) {
            if !exists(workspace, &tracked, &name)? {
                wrong.push(format!("{doc}:{number}: there is no test `{name}`"));
            }
        }
    }
    for doc in tracked.iter().filter(|path| path.ends_with(".md")) {
        for (number, name) in files(&workspace.read(doc)?) {
            let is_there = |path: &String| {
                path.strip_suffix(name.as_str())
                    .is_some_and(|folder| folder.is_empty() || folder.ends_with('/'))
            };
            if !tracked.iter().any(is_there) {
                wrong.push(format!("{doc}:{number}: there is no file `{name}`"));
            }
        }
    }
    Ok(wrong)
}

/// Returns every path of a source file between backticks, with its line number.
fn files(text: &str) -> Vec<(usize, String)> {
    let is_source = |name: &str| {
        let (stem, end) = name.rsplit_once('.').unwrap_or_default();
        stem.contains('/')
            && ["rs", "ts", "svelte", "mjs", "toml", "sql"].contains(&end)
            && stem
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c))
            && !stem.starts_with(['/', '.'])
    };
    quoted(text).filter(|(_, name)| is_source(name)).collect()
}

/// Returns every Rust path between backticks, with its line number.
fn paths(text: &str) -> Vec<(usize, String)> {
    let is_path = |name: &str| name.contains("::") && !name.contains([' ', '(']);
    quoted(text).filter(|(_, name)| is_path(name)).collect()
}

/// Returns the texts between backticks, with their line numbers.
fn quoted(text: &str) -> impl Iterator<Item = (usize, String)> {
    (1..).zip(text.lines()).flat_map(|(number, line)| {
        let names = line.split('`').skip(1).step_by(2);
        names.map(move |name| (number, name.to_owned()))
    })
}

/// Returns the rows of the tables with `test` as the head of the last column. A row is given as its
/// line number and the names between backticks in its last column.
fn rows(text: &str) -> Vec<(usize, Vec<String>)> {
    let mut found = Vec::new();
    let mut inside = false;
    for (number, line) in (1..).zip(text.lines()) {
        let Some(cells) = line.trim().strip_prefix('|') else {
            inside = false;
            continue;
        };
        let last = cells
            .trim_end_matches('|')
            .rsplit('|')
            .next()
            .unwrap_or_default()
            .trim();
        if last == "test" {
            inside = true;
        } else if inside && line.contains(NO_TEST) {
            // Every row needs a test, except a row that does not apply.
        } else if inside && !last.chars().all(|c| matches!(c, '-' | ':' | ' ')) {
            let names = last.split('`').skip(1).step_by(2);
            found.push((number, names.map(str::to_owned).collect()));
        } else if inside && last.is_empty() {
            found.push((number, Vec::new()));
        }
    }
    found
}

/// Checks whether a test exists. The name has one of four forms. `game/x/tests/y.rs::name` is a
/// test in that file. `crate::file::name` is a test in a file or folder of the crate.
/// `web/e2e/y.test.mjs::title` is a test of the page, and `tools/python/tests/y.py::name` one of the
/// Python package.
fn exists(workspace: &Workspace, tracked: &[String], name: &str) -> Result<bool> {
    let Some((place, function)) = name.rsplit_once("::") else {
        return Ok(false);
    };
    if place.starts_with("web/") {
        // The title is the first argument of a call of `test` or `it`, or the first cell of a row
        // in a table of cases.
        let wanted = format!("(\"{function}\"");
        return Ok(
            tracked.iter().any(|file| file == place) && workspace.read(place)?.contains(&wanted)
        );
    }
    if place.ends_with(".py") {
        let wanted = format!("def {function}(");
        return Ok(
            tracked.iter().any(|file| file == place) && workspace.read(place)?.contains(&wanted)
        );
    }
    let mut parts = place.split("::");
    let package = parts.next().unwrap_or_default();
    let inside: Vec<&str> = parts.filter(|part| *part != "tests").collect();
    let wanted = format!("fn {function}(");
    for file in tracked {
        let in_package = owner(file)
            .or_else(|| file.split_once('/'))
            .filter(|(owner, _)| *owner == package)
            .and_then(|(_, rest)| rest.strip_suffix(".rs"))
            .is_some_and(|rest| {
                inside
                    .iter()
                    .all(|part| rest.split('/').any(|p| p == *part))
            });
        if (file == place || in_package) && workspace.read(file)?.contains(&wanted) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_in_prose_are_read() {
        let text =
            "**Test.** `club::a::b`\n\nSee `x`, `cargo run a::b` and `f::g()`, `web/a.mjs::c`.";
        let found = [(1, "club::a::b"), (3, "web/a.mjs::c")];
        assert_eq!(paths(text), found.map(|(n, name)| (n, name.to_owned())));
    }

    #[test]
    fn rows_of_test_tables_are_read() {
        let text = "\
| output | test |
| --- | --- |
| a | `views::one`, `crates/x/tests/y.rs::two` |
| b | |

| no | such |
| --- | --- |
| c | `d` |
";
        assert_eq!(
            rows(text),
            [
                (
                    3,
                    vec![
                        "views::one".to_owned(),
                        "crates/x/tests/y.rs::two".to_owned()
                    ]
                ),
                (4, vec![]),
            ]
        );
    }
}
