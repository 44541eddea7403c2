//! `cargo xtask docgen`: generates the rules pages, the page of sources and a part of the web
//! page's texts from the rulesets.

use std::{collections::BTreeSet, fs};

use anyhow::{Result, bail, ensure};
use cargo_metadata::Metadata;

use crate::{pages, workspace::Workspace};

/// Folder to which the paths of the generated pages are relative.
const FOLDER: &str = "docs";

/// Folder that contains only generated pages.
const OWN: &str = "docs/rules";

/// Writes the pages. With `--check`, writes nothing, and fails if a page is out of date.
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
        _ => bail!("usage: cargo xtask docgen [--check]"),
    }
}

/// Returns one fault for each page that is out of date; a check of `tidy`.
pub fn check(workspace: &Workspace, _: &Metadata) -> Result<Vec<String>> {
    Ok(stale(workspace)?
        .into_iter()
        .map(|name| format!("{name} is out of date: run `cargo xtask docgen`"))
        .collect())
}

/// Returns the text of the page with this path; `None` if no page has the path.
fn page(path: &str) -> Option<String> {
    pages::all()
        .into_iter()
        .find(|page| format!("{FOLDER}/{}", page.file) == path)
        .map(|page| page.text)
}

/// Returns the paths of wrong pages: missing pages, pages that are out of date, and pages that are
/// no longer generated.
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
