//! Checks the direct dependencies between crates. For sealed crates, also checks indirect dependencies.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use cargo_metadata::{DependencyKind, Metadata, PackageId};

use crate::{
    crates,
    run::command,
    workspace::{Workspace, crate_name},
};

/// Dependencies of each package, without the dependencies that only tests or build scripts use.
type Edges<'a> = BTreeMap<&'a PackageId, Vec<&'a PackageId>>;

/// Compares `cargo metadata` with the table in `xtask/src/crates.rs`.
pub fn check(workspace: &Workspace, metadata: &Metadata) -> Result<Vec<String>> {
    let resolve = metadata.resolve.as_ref().context("resolved packages")?;
    let names: BTreeMap<&PackageId, &str> = metadata
        .packages
        .iter()
        .map(|package| (&package.id, crate_name(&package.name)))
        .collect();
    let edges: Edges = resolve
        .nodes
        .iter()
        .map(|node| {
            let normal = node.deps.iter().filter(|dep| {
                dep.dep_kinds
                    .iter()
                    .any(|kind| kind.kind == DependencyKind::Normal)
            });
            (&node.id, normal.map(|dep| &dep.pkg).collect())
        })
        .collect();
    let name = |id: &PackageId| names.get(id).copied().unwrap_or("?");

    let mut wrong = Vec::new();
    for id in &metadata.workspace_members {
        let own = name(id);
        let Some(rules) = crates::rules_of(own) else {
            wrong.push(format!("crate `{own}` has no row in xtask/src/crates.rs"));
            continue;
        };
        for next in edges.get(id).into_iter().flatten() {
            let other = name(next);
            let is_ours = metadata.workspace_members.contains(next);
            if is_ours && !rules.may.contains(&other) {
                wrong.push(format!("`{own}` must not depend on the crate `{other}`"));
            }
            if rules.never.contains(&other) {
                wrong.push(format!("`{own}` must never depend on `{other}`"));
            }
        }
        if rules.sealed {
            for other in reached(workspace, &metadata[id].name)? {
                if rules.never.contains(&other.as_str()) {
                    wrong.push(format!(
                        "`{own}` must never depend on `{other}`, not even indirectly"
                    ));
                }
            }
        }
    }
    wrong.sort();
    wrong.dedup();
    Ok(wrong)
}

/// Returns every package that a crate depends on, directly or indirectly.
fn reached(workspace: &Workspace, package: &str) -> Result<BTreeSet<String>> {
    let lines = tree(workspace, &["--package", package, "--edges", "normal"])?;
    let names = lines.iter().filter_map(|line| line.split(' ').next());
    Ok(names
        .filter(|name| *name != package)
        .map(|name| crate_name(name).to_owned())
        .collect())
}

/// Returns the packages that `cargo tree` lists. `cargo metadata` would combine the features of the
/// whole workspace.
fn tree(workspace: &Workspace, words: &[&str]) -> Result<BTreeSet<String>> {
    let output = command(Workspace::cargo())
        .args(["tree", "--locked", "--prefix", "none", "--format", "{p}"])
        .args(words)
        .current_dir(&workspace.root)
        .output()
        .context("cargo tree")?;
    ensure!(
        output.status.success(),
        "cargo tree {} failed",
        words.join(" ")
    );
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().map(|line| line.trim_end_matches(" (*)"));
    let packages = lines.filter(|line| !line.is_empty());
    Ok(packages.map(str::to_owned).collect())
}

/// Page with the number of packages that are compiled for each feature of the library.
const LIBRARY: &str = "docs/library.md";

/// Most packages that the library without features may need.
const SMALL: usize = 20;

/// Compares the numbers of packages in the page of the library with `cargo tree`.
pub fn library(workspace: &Workspace, _: &Metadata) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for line in workspace.read(LIBRARY)?.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, feature, _, said, _] = cells[..] else {
            continue;
        };
        let Ok(said) = said.parse::<usize>() else {
            continue;
        };
        let feature = feature.trim_matches(['`', '(', ')']);
        let words = ["--package", "kriegspiel", "--edges", "normal,build"];
        let found = tree(workspace, &[&words[..], &["--features", feature]].concat())?.len();
        if found != said || (feature == "default" && found > SMALL) {
            wrong.push(format!(
                "{LIBRARY}: `{feature}` compiles {found} packages (`default` may compile {SMALL})"
            ));
        }
    }
    Ok(wrong)
}
