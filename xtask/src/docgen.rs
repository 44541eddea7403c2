//! `cargo xtask docgen`: generates the rules pages and the sources page from the
//! rulesets.

use std::{collections::BTreeSet, fs};

use anyhow::{Result, bail, ensure};
use cargo_metadata::Metadata;

use crate::{pages, workspace::Workspace};

/// Folder of the pages.
const FOLDER: &str = "docs";

/// Folder that holds generated pages only.
const OWN: &str = "docs/rules";

/// Writes the pages, or with `--check` reports which are out of date.
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        [] => {
            let wrong = stale(workspace)?;
            fs::create_dir_all(workspace.path(OWN))?;
            for name in &wrong {
                match page(name) {
                    Some(text) => fs::write(workspace.path(name), text)?,
                    None => fs::remove_file(workspace.path(name))?,
                }
                println!("wrote {name}");
            }
            println!("{} pages, {} written", pages::all().len(), wrong.len());
            Ok(())
        }
        ["--check"] => {
            let wrong = stale(workspace)?;
            ensure!(
                wrong.is_empty(),
                "out of date, run `cargo xtask docgen`: {}",
                wrong.join(", ")
            );
            Ok(())
        }
        _ => bail!("docgen takes nothing, or --check"),
    }
}

/// The check of `tidy`.
pub fn check(workspace: &Workspace, _: &Metadata) -> Result<Vec<String>> {
    Ok(stale(workspace)?
        .into_iter()
        .map(|name| format!("{name} is out of date: run `cargo xtask docgen`"))
        .collect())
}

/// The text of a page by its path; `None` if no page has that path.
fn page(path: &str) -> Option<String> {
    pages::all()
        .into_iter()
        .find(|page| format!("{FOLDER}/{}", page.file) == path)
        .map(|page| page.text)
}

/// Pages that are missing, differ, or belong to no ruleset any more.
fn stale(workspace: &Workspace) -> Result<Vec<String>> {
    let mut wrong = BTreeSet::new();
    let mut kept = BTreeSet::new();
    for page in pages::all() {
        let path = format!("{FOLDER}/{}", page.file);
        if fs::read_to_string(workspace.path(&path)).ok().as_ref() != Some(&page.text) {
            wrong.insert(path.clone());
        }
        kept.insert(path);
    }
    if let Ok(entries) = fs::read_dir(workspace.path(OWN)) {
        for entry in entries {
            let path = format!("{OWN}/{}", entry?.file_name().to_string_lossy());
            if !kept.contains(&path) {
                wrong.insert(path);
            }
        }
    }
    Ok(wrong.into_iter().collect())
}
