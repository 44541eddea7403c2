//! Checks for circles: groups of more than two files of a crate that use one another,
//! directly or indirectly. Cargo itself forbids circles between crates.
//!
//! A file uses another file if it names an item of that file. The name of a re-exported
//! item counts as a use of the file that defines the item.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;
use cargo_metadata::Metadata;

use crate::workspace::{Workspace, crate_name};

/// Maximum size of an allowed circle: two files that use each other.
const MAX: usize = 2;

/// For each crate, the number of files in larger circles. These circles are older than this check,
/// so they are allowed. But the numbers must not increase.
const KNOWN: &[(&str, usize)] = &[
    ("cli", 6),
    ("ksref", 4),
    ("notation", 3),
    ("server", 7),
    ("testkit", 3),
];

/// Looks for circles in every crate.
pub fn check(workspace: &Workspace, metadata: &Metadata) -> Result<Vec<String>> {
    let tracked = workspace.tracked()?;
    let mut wrong = Vec::new();
    for package in metadata.workspace_packages() {
        let source = format!("{}/src/", workspace.folder(package));
        let mut modules = Modules::default();
        for file in &tracked {
            let inner = file.strip_prefix(&source);
            if let Some(inner) = inner.and_then(|name| name.strip_suffix(".rs")) {
                modules.add(inner, &workspace.read(file)?);
            }
        }
        let circles = modules.circles();
        let large: Vec<_> = circles.iter().filter(|c| c.len() > MAX).collect();
        let name = crate_name(&package.name);
        let known = KNOWN.iter().find(|(known, _)| *known == name);
        let allowed = known.map_or(0, |(_, files)| *files);
        let files: usize = large.iter().map(|circle| circle.len()).sum();
        if files < allowed {
            println!("note: {name}: {files} files in circles; lower the count from {allowed}");
        }
        if files > allowed {
            wrong.extend(large.iter().map(|circle| {
                let count = circle.len();
                format!("{source}: a circle of {count} files: {}", circle.join(", "))
            }));
        }
    }
    Ok(wrong)
}

/// Path of a module within its crate; empty for the root.
type Place = Vec<String>;

/// Modules of a crate; one for each file.
#[derive(Default)]
struct Modules(BTreeMap<Place, Module>);

#[derive(Default)]
struct Module {
    /// Imported and re-exported items, by their local names.
    names: BTreeMap<String, Place>,
    /// Paths that the code names, including imports.
    paths: Vec<Place>,
    /// Items that the module defines.
    items: BTreeSet<String>,
}

impl Modules {
    fn add(&mut self, inner: &str, text: &str) {
        let mut place: Place = inner.split('/').map(str::to_owned).collect();
        if place.last().is_some_and(|last| last == "mod") || matches!(inner, "lib" | "main") {
            place.pop();
        }
        let mut module = Module::default();
        let mut rest = String::new();
        let mut import: Option<(bool, String)> = None;
        for line in code(text) {
            if import.is_none() {
                let line = line.trim_start();
                let (public, tree) = match line.strip_prefix("pub") {
                    Some(after) => match after.split_once("use ") {
                        Some((scope, tree))
                            if matches!(scope.trim(), "" | "(crate)" | "(super)") =>
                        {
                            (true, Some(tree))
                        }
                        _ => (true, None),
                    },
                    None => (false, line.strip_prefix("use ")),
                };
                match tree {
                    Some(tree) => import = Some((public, tree.to_owned())),
                    None => {
                        rest.push_str(line);
                        rest.push('\n');
                        continue;
                    }
                }
            } else if let Some((_, tree)) = &mut import {
                tree.push_str(line);
            }
            if let Some((public, tree)) = import.take_if(|(_, tree)| tree.contains(';')) {
                for (name, path) in leaves(tree.trim_end().trim_end_matches(';')) {
                    if !public {
                        module.paths.push(path.clone());
                    }
                    module.names.insert(name, path);
                }
            }
        }
        module.paths.extend(paths(&rest));
        module.items.extend(items(&rest));
        // If a crate has a library and a binary, the two root files are treated as one module.
        let root = self.0.entry(place).or_default();
        root.names.extend(module.names);
        root.paths.extend(module.paths);
        root.items.extend(module.items);
    }

    /// Resolves a path to a path from the crate root; `None` if the path leads out of the crate.
    fn absolute(&self, at: &Place, path: &[String]) -> Option<Place> {
        let (first, rest) = path.split_first()?;
        let mut base = at.clone();
        match first.as_str() {
            "crate" => return Some(rest.to_vec()),
            "self" => {}
            "super" => {
                base.pop();
                if rest.first().is_some_and(|next| next == "super") {
                    return self.absolute(&base, rest);
                }
            }
            _ => {
                let mut child = base.clone();
                child.push(first.clone());
                if self.0.contains_key(&child) {
                    base = child;
                } else {
                    let import = self.0.get(at)?.names.get(first)?;
                    if import.first() == Some(first) {
                        return None;
                    }
                    base = self.absolute(at, import)?;
                }
            }
        }
        base.extend_from_slice(rest);
        Some(base)
    }

    /// Returns the file that defines the item of a path, and whether the path names a whole file
    /// instead of an item.
    fn home(&self, path: &[String], depth: usize) -> (Place, bool) {
        let known = |n: &usize| self.0.contains_key(&path[..*n]);
        let n = (0..=path.len()).take_while(known).last().unwrap_or(0);
        let place = path[..n].to_vec();
        let Some(item) = path.get(n) else {
            return (place, true);
        };
        let module = self.0.get(&place);
        let import = module.and_then(|module| module.names.get(item));
        if import.is_none() && !module.is_some_and(|module| module.items.contains(item)) {
            // A macro defines or re-exports the item, so search the submodules for the item.
            let children = self
                .0
                .iter()
                .filter(|(at, _)| at.len() == place.len() + 1 && at.starts_with(&place));
            let mut having = children.filter(|(_, child)| child.items.contains(item));
            return match (having.next(), having.next()) {
                (Some((child, _)), None) => (child.clone(), false),
                (_, _) => (place, true),
            };
        }
        if let Some(import) = import
            && depth > 0
            && let Some(mut next) = self.absolute(&place, import)
            && next != path[..=n]
        {
            next.extend_from_slice(&path[n + 1..]);
            return self.home(&next, depth - 1);
        }
        (place, false)
    }

    fn uses(&self) -> BTreeMap<&Place, BTreeSet<Place>> {
        let of = |(at, module): (_, &Module)| {
            let paths = module.paths.iter();
            let homes = paths.filter_map(|path| {
                let (home, whole) = self.home(&self.absolute(at, path)?, 8);
                // A path that names only a module, and no item in it, does not count as a use of
                // the module's file.
                (!whole && home != *at).then_some(home)
            });
            (at, homes.collect())
        };
        self.0.iter().map(of).collect()
    }

    /// Returns all circles; the files of each circle are sorted.
    fn circles(&self) -> Vec<Vec<String>> {
        let uses = self.uses();
        let reached = |from: &Place| {
            let mut found = BTreeSet::new();
            let mut open = vec![from.clone()];
            while let Some(place) = open.pop() {
                for next in uses.get(&place).into_iter().flatten() {
                    if found.insert(next.clone()) {
                        open.push(next.clone());
                    }
                }
            }
            found
        };
        let all: BTreeMap<&Place, BTreeSet<Place>> =
            self.0.keys().map(|place| (place, reached(place))).collect();
        let mut circles = BTreeSet::new();
        for (place, reached) in &all {
            if reached.contains(*place) {
                let mutual = reached.iter().filter(|other| all[other].contains(*place));
                circles.insert(mutual.map(file_of).collect::<Vec<_>>());
            }
        }
        circles.into_iter().collect()
    }
}

fn file_of(place: &Place) -> String {
    if place.is_empty() {
        return "lib".to_owned();
    }
    place.join("/")
}

/// Returns the lines of code, without comments and tests.
fn code(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut all = text.lines().peekable();
    while let Some(line) = all.next() {
        if line.starts_with("#[cfg(test)]") {
            if all.next().is_some_and(|next| next.ends_with('{')) {
                break;
            }
            continue;
        }
        let line = line.split(" // ").next().unwrap_or(line);
        if !line.trim_start().starts_with("//") {
            lines.push(line);
        }
    }
    lines
}

/// Returns the names that a `use` tree imports, with their paths.
fn leaves(tree: &str) -> Vec<(String, Place)> {
    let mut found = Vec::new();
    let mut open: Vec<Place> = vec![Place::new()];
    let mut word = String::new();
    for c in tree.chars().chain([',']) {
        match c {
            '{' => {
                let mut path = open.last().cloned().unwrap_or_default();
                path.extend(segments(&word));
                open.push(path);
                word.clear();
            }
            ',' | '}' => {
                let mut path = open.last().cloned().unwrap_or_default();
                let (from, alias) = match word.split_once(" as ") {
                    Some((from, alias)) => (from, Some(alias.trim().to_owned())),
                    None => (word.as_str(), None),
                };
                if !from.trim().is_empty() {
                    path.extend(segments(from));
                    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
                        path.pop();
                    }
                    if let Some(name) = alias.or_else(|| path.last().cloned()) {
                        found.push((name, path));
                    }
                }
                word.clear();
                if c == '}' {
                    open.pop();
                }
            }
            _ => word.push(c),
        }
    }
    found
}

fn segments(path: &str) -> impl Iterator<Item = String> {
    let parts = path.split("::").map(str::trim);
    parts.filter(|part| !part.is_empty()).map(str::to_owned)
}

/// Returns every path of two or more segments in the code.
fn paths(code: &str) -> Vec<Place> {
    let name = |c: char| c.is_alphanumeric() || c == '_';
    let words = code.split(|c: char| !name(c) && c != ':');
    let paths = words.map(|word| segments(word).collect::<Place>());
    paths.filter(|path| path.len() > 1).collect()
}

/// Returns the names of the items that the code defines.
fn items(code: &str) -> Vec<String> {
    const KEYWORDS: &[&str] = &[
        "const",
        "enum",
        "fn",
        "macro_rules",
        "static",
        "struct",
        "trait",
        "type",
        "union",
    ];
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let pairs = words.windows(2);
    let defined = pairs.filter(|pair| KEYWORDS.contains(&pair[0]));
    defined.map(|pair| pair[1].to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        let mut modules = Modules::default();
        for (name, text) in files {
            modules.add(name, text);
        }
        modules.circles()
    }

    #[test]
    fn a_circle_through_a_reexport_is_found() {
        let files = [
            (
                "lib",
                "mod a;\nmod b;\npub use crate::{a::A, b::{B, c::C}};\n",
            ),
            ("a", "use crate::{\n    B,\n};\npub struct A;\n"),
            (
                "b/mod",
                "pub mod c;\npub struct B;\nfn f() { c::C::new() }\n",
            ),
            (
                "b/c",
                "//! See crate::a.\npub struct C;\nfn h() -> super::super::a::A { A }\n",
            ),
        ];
        assert_eq!(circles(&files), [["a", "b", "b/c"]]);
    }

    #[test]
    fn a_macro_reexport_counts_for_the_file_of_the_item() {
        let files = [
            ("lib", "mod all;\n"),
            (
                "all/mod",
                "mod a;\nmod b;\nnamed! { a::A, b::B }\nfn all() { [A, B] }\n",
            ),
            ("all/a", "pub const A: u8 = 1;\n"),
            (
                "all/b",
                "pub const B: u8 = super::A;\nfn f() { super::all() }\n",
            ),
        ];
        assert_eq!(circles(&files), [["all", "all/b"]]);
    }

    #[test]
    fn names_of_modules_and_tests_make_no_circle() {
        let files = [
            ("lib", "mod a;\nmod b;\npub use a::A;\n"),
            ("a", "use crate::b;\nfn f() { b::g() }\n"),
            (
                "b",
                "pub fn g() {}\n#[cfg(test)]\nmod tests {\n    use crate::A;\n}\n",
            ),
        ];
        assert_eq!(circles(&files), Vec::<Vec<String>>::new());
    }
}
