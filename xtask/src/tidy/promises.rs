//! Checks that the pages of promises have no open row.

use anyhow::Result;
use cargo_metadata::Metadata;

use crate::workspace::Workspace;

/// One page for each source.
const PAGES: [&str; 5] = [
    "docs/promises/umpire.md",
    "docs/promises/cincinnati.md",
    "docs/promises/ks.md",
    "docs/promises/variant-pages.md",
    "docs/promises/ksref.md",
];

/// The words with which a row says whether its promise is kept. There is no word for a promise that
/// is not kept yet. So a row for such a promise is a fault.
const STATES: [&str; 3] = ["works", "differs", "does not apply"];

/// Checks that each page has a table, and that each row says whether its promise is kept.
pub fn check(workspace: &Workspace, _: &Metadata) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for page in PAGES {
        wrong.extend(faults(page, &workspace.read(page)?));
    }
    Ok(wrong)
}

fn faults(page: &str, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut rows = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let Some(row) = line
            .strip_prefix("| ")
            .filter(|row| !row.starts_with("---"))
        else {
            continue;
        };
        let cells: Vec<&str> = row.trim_end_matches(" |").split(" | ").collect();
        let [place, _, here, _] = cells[..] else {
            wrong.push(format!("{page}:{number}: the row does not have four cells"));
            continue;
        };
        if place == "place" {
            continue;
        }
        let state = STATES.iter().any(|state| here.starts_with(state));
        if !state {
            wrong.push(format!(
                "{page}:{number}: `{here}`: say `works`, `differs` or `does not apply`"
            ));
        }
        // A difference needs its reason.
        if here == "differs" {
            wrong.push(format!(
                "{page}:{number}: the row does not say why it differs"
            ));
        }
        rows += 1;
    }
    if rows == 0 {
        wrong.push(format!("{page}: there is no row"));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_rows_and_missing_tables_are_faults() {
        let page = |here: &str| {
            format!(
                "| place | promise | here | test |\n| --- | --- | --- | --- |\n| 1 | a | {here} | `t` |\n"
            )
        };
        let faults = |text: &str| faults("page.md", text).len();
        assert_eq!(faults(&page("works: so")), 0);
        assert_eq!(faults(&page("missing")), 1);
        assert_eq!(faults(&page("differs")), 1);
        assert_eq!(faults(""), 1);
        assert_eq!(faults(&page("works").replace("| a |", "|")), 2);
    }
}
