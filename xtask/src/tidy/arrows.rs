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

/// Returns every package that a crate depends on, directly or indirectly. Uses `cargo tree`, because
/// `cargo metadata` combines the features of the whole workspace.
fn reached(workspace: &Workspace, package: &str) -> Result<BTreeSet<String>> {
    let output = command(Workspace::cargo())
        .args(["tree", "--package", package, "--edges", "normal"])
        .args(["--prefix", "none", "--format", "{p}"])
        .current_dir(&workspace.root)
        .output()
        .context("cargo tree")?;
    ensure!(
        output.status.success(),
        "cargo tree --package {package} failed"
    );
    let text = String::from_utf8_lossy(&output.stdout);
    let names = text.lines().filter_map(|line| line.split(' ').next());
    Ok(names
        .filter(|name| !name.is_empty() && *name != package)
        .map(|name| crate_name(name).to_owned())
        .collect())
}
