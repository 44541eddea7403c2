//! Arrows between rooms: the direct normal edges, and the sealed walls.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use anyhow::{Context, Result, ensure};
use cargo_metadata::{DependencyKind, Metadata, PackageId};

use crate::{house::House, rooms};

/// Which packages a package depends on by normal edges.
type Edges<'a> = BTreeMap<&'a PackageId, Vec<&'a PackageId>>;

/// Compares `cargo metadata` with the table of rooms.
pub fn check(house: &House, metadata: &Metadata) -> Result<Vec<String>> {
    let resolve = metadata.resolve.as_ref().context("resolved packages")?;
    let names: BTreeMap<&PackageId, &str> = metadata
        .packages
        .iter()
        .map(|package| (&package.id, package.name.as_str()))
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
        let Some(room) = rooms::room(own) else {
            wrong.push(format!("crate `{own}` is in no row of xtask/src/rooms.rs"));
            continue;
        };
        for next in edges.get(id).into_iter().flatten() {
            let other = name(next);
            let is_room = metadata.workspace_members.contains(next);
            if is_room && !room.may.contains(&other) {
                wrong.push(format!("`{own}` may not depend on the room `{other}`"));
            }
            if room.never.contains(&other) {
                wrong.push(format!("`{own}` must never know `{other}`"));
            }
        }
        if room.sealed {
            for other in reached(house, own)? {
                if room.never.contains(&other.as_str()) {
                    wrong.push(format!("`{own}` reaches `{other}`"));
                }
            }
        }
    }
    wrong.sort();
    wrong.dedup();
    Ok(wrong)
}

/// Every package that a room is built from, by what cargo resolves for it
/// alone: `cargo metadata` adds up the features of the whole workspace.
fn reached(house: &House, room: &str) -> Result<BTreeSet<String>> {
    let output = Command::new(House::cargo())
        .args(["tree", "--package", room, "--edges", "normal"])
        .args(["--prefix", "none", "--format", "{p}"])
        .current_dir(&house.root)
        .output()
        .context("cargo tree")?;
    ensure!(
        output.status.success(),
        "cargo tree --package {room} failed"
    );
    let text = String::from_utf8_lossy(&output.stdout);
    let names = text.lines().filter_map(|line| line.split(' ').next());
    Ok(names
        .filter(|name| !name.is_empty() && *name != room)
        .map(str::to_owned)
        .collect())
}
