//! Checks that the page of promises has no open row.

use anyhow::Result;
use cargo_metadata::Metadata;

use crate::workspace::Workspace;

const PAGE: &str = "docs/promises.md";

/// Beginnings of the headings, one for each source.
const SOURCES: [&str; 5] = [
    "## UMPIRE",
    "## Kriegspiel, Cincinnati style",
    "## `ks` and `xks`",
    "## Kriegspiel, Chess Variant Pages",
    "## KSREF",
];

/// The words with which a row says whether its promise is kept. There is no word for a promise that
/// is not kept yet. So a row for such a promise is a fault.
const STATES: [&str; 3] = ["works", "differs", "does not apply"];

/// Checks that each source has a table, and that each row says whether its promise is kept.
pub fn check(workspace: &Workspace, _: &Metadata) -> Result<Vec<String>> {
    Ok(faults(&workspace.read(PAGE)?))
}

fn faults(page: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut rows = [0; SOURCES.len()];
    let mut source = None;
    for (number, line) in (1..).zip(page.lines()) {
        if line.starts_with("## ") {
            source = SOURCES.iter().position(|head| line.starts_with(head));
        }
        let Some(row) = line
            .strip_prefix("| ")
            .filter(|row| !row.starts_with("---"))
        else {
            continue;
        };
        let cells: Vec<&str> = row.trim_end_matches(" |").split(" | ").collect();
        let [place, _, here, _] = cells[..] else {
            wrong.push(format!("{PAGE}:{number}: the row does not have four cells"));
            continue;
        };
        if place == "place" {
            continue;
        }
        let state = STATES.iter().any(|state| here.starts_with(state));
        if !state {
            wrong.push(format!(
                "{PAGE}:{number}: `{here}`: say `works`, `differs` or `does not apply`"
            ));
        }
        // A difference needs its reason.
        if here == "differs" {
            wrong.push(format!(
                "{PAGE}:{number}: the row does not say why it differs"
            ));
        }
        if let Some(source) = source {
            rows[source] += 1;
        }
    }
    for (head, rows) in SOURCES.iter().zip(rows) {
        if rows == 0 {
            wrong.push(format!("{PAGE}: there is no row under `{head}`"));
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_rows_and_missing_sources_are_faults() {
        let table = |here: &str| {
            format!(
                "| place | promise | here | test |\n| --- | --- | --- | --- |\n| 1 | a | {here} | `t` |\n"
            )
        };
        let page = |here: &str| {
            let parts = SOURCES
                .iter()
                .map(|head| format!("{head}, 1965\n\n{}\n", table(here)));
            parts.collect::<String>()
        };
        assert!(faults(&page("works: so")).is_empty());
        assert_eq!(faults(&page("missing")).len(), 5);
        assert_eq!(faults(&page("differs")).len(), 5);
        assert_eq!(faults("").len(), 5);
        assert_eq!(faults(&page("works").replace("| a |", "|")).len(), 10);
    }
}
