//! `cargo xtask proof supply`: checks the third-party packages that the program contains, and writes
//! a bill of materials: the list of these packages.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::Path,
};

use anyhow::{Context, Result, bail};
use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package, PackageId};
use serde_json::{Value, json};

use crate::{run, workspace::Workspace};

/// Command that installs cargo-deny. cargo-deny takes several minutes on two cores, so CI does not
/// run it. In CI, `cargo xtask tidy` checks the licences.
const INSTALL: &str = "cargo install cargo-deny --locked";

/// Environment variable with the path of a clone of the RustSec advisory database.
const ADVISORIES: &str = "KRIEGSPIEL_ADVISORIES";

/// Name that cargo-deny gives to the folder of the RustSec advisory database. cargo-deny computes
/// the name from the address of the database.
const DATABASE: &str = "advisory-db-3157b0e258782691";

/// File of the bill of materials, in the target folder.
pub const BILL: &str = "kriegspiel.cdx.json";

/// Package that the bill of materials describes.
const PRODUCT: &str = "kriegspiel";

/// Checks licences, banned packages, sources and, if a database is given, advisories. Writes the
/// bill of materials. Returns the text for the page of proofs.
///
/// # Errors
/// cargo-deny is not installed, or it finds a fault.
pub fn check(workspace: &Workspace) -> Result<String> {
    if !run::works(&["cargo", "deny", "--version"]) {
        bail!("cargo-deny is not installed: run `{INSTALL}`, then this command again");
    }
    let words = [
        "cargo",
        "deny",
        "--all-features",
        "check",
        "licenses",
        "bans",
        "sources",
    ];
    run::run(&workspace.root, &words, &[])?;
    let advisories = match env::var_os(ADVISORIES) {
        Some(database) => {
            check_advisories(workspace, Path::new(&database))?;
            "no advisory of the given database applies"
        }
        None => "not checked",
    };
    let bill = write_bill(workspace)?;
    let parts = bill["components"].as_array().map_or(0, Vec::len);
    let is_crate = |part: &&Value| {
        part["purl"]
            .as_str()
            .is_some_and(|p| p.starts_with("pkg:cargo"))
    };
    let crates = bill["components"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(is_crate)
        .count();
    Ok(format!(
        "The licences of all third-party packages allow their use in a program under GPL-3.0-or-later. No package is banned, and \
         all packages come from crates.io (`deny.toml`). The bill of materials `target/{BILL}` lists the packages, in the format CycloneDX 1.6.\n\n\
         Advisories: {advisories}. `{ADVISORIES}=FOLDER` names a clone of <https://github.com/RustSec/advisory-db>.\n\n\
         | counted | number |\n| --- | ---: |\n| crates of the program, on all systems | {crates} |\n\
         | packages of the web page and of the tools that build it | {} |\n",
        parts - crates
    ))
}

/// Checks the advisories of a database that is already on this machine.
fn check_advisories(workspace: &Workspace, database: &Path) -> Result<()> {
    let database = fs::canonicalize(database)
        .with_context(|| format!("{ADVISORIES}: {}", database.display()))?;
    let folder = workspace.target().join("advisories");
    fs::create_dir_all(&folder)?;
    let link = folder.join(DATABASE);
    // The link may be left over from an earlier run.
    fs::remove_file(&link).ok();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&database, &link)?;
    #[cfg(not(unix))]
    bail!("advisories can only be checked on Unix");
    let config = folder.join("deny.toml");
    let text = workspace.read("deny.toml")?;
    let given = format!(
        "[advisories]\ndb-path = {:?}\n",
        folder.display().to_string()
    );
    fs::write(&config, text.replace("[advisories]\n", &given))?;
    let config = config
        .to_str()
        .context("the path of the target folder is not UTF-8")?;
    // The database is used as it is: cargo-deny must not update it.
    let words = [
        "cargo",
        "deny",
        "--offline",
        "--all-features",
        "--config",
        config,
        "check",
        "advisories",
    ];
    run::run(&workspace.root, &words, &[]).map(drop)
}

/// Returns the bill of materials: each crate that the program is compiled from, and each package
/// that the web page is built from.
fn bill(workspace: &Workspace) -> Result<Value> {
    let metadata = MetadataCommand::new()
        .manifest_path(workspace.path("Cargo.toml"))
        .features(cargo_metadata::CargoOpt::AllFeatures)
        .other_options(["--locked".to_owned()])
        .exec()?;
    let checksums = checksums(&workspace.read("Cargo.lock")?);
    let (parts, links) = crates(&metadata, &checksums)?;
    let page: Value = serde_json::from_str(&workspace.read("web/package-lock.json")?)?;
    let mut components: Vec<Value> = parts;
    components.extend(page_packages(&page)?);
    let version = &product(&metadata)?.version;
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": PRODUCT,
                "name": PRODUCT,
                "version": version.to_string(),
                "licenses": [{"expression": "GPL-3.0-or-later"}],
            },
        },
        "components": components,
        "dependencies": links,
    }))
}

/// Writes the bill of materials into the target folder, and returns it.
///
/// # Errors
/// A file cannot be read or written.
pub fn write_bill(workspace: &Workspace) -> Result<Value> {
    let bill = bill(workspace)?;
    let path = workspace.target().join(BILL);
    fs::write(&path, serde_json::to_string_pretty(&bill)?)
        .with_context(|| format!("writing {}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(bill)
}

fn product(metadata: &Metadata) -> Result<&Package> {
    let mut own = metadata.workspace_packages().into_iter();
    own.find(|package| package.name == "kriegspiel-cli")
        .context("the workspace has no package kriegspiel")
}

/// Returns the SHA-256 checksums of a lock file, by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let mut all = BTreeMap::new();
    for package in lock.split("[[package]]").skip(1) {
        let value = |key: &str| {
            let mut lines = package.lines();
            lines.find_map(|line| line.strip_prefix(&format!("{key} = \""))?.strip_suffix('"'))
        };
        if let (Some(name), Some(version), Some(sum)) =
            (value("name"), value("version"), value("checksum"))
        {
            all.insert((name.to_owned(), version.to_owned()), sum.to_owned());
        }
    }
    all
}

/// Returns the third-party crates from which the program is compiled, and the dependencies between
/// them.
fn crates(
    metadata: &Metadata,
    checksums: &BTreeMap<(String, String), String>,
) -> Result<(Vec<Value>, Vec<Value>)> {
    let resolve = metadata
        .resolve
        .as_ref()
        .context("cargo resolved no dependencies")?;
    let mut waiting: Vec<&PackageId> = vec![&product(metadata)?.id];
    let mut seen = BTreeSet::from([waiting[0]]);
    let mut links = Vec::new();
    while let Some(id) = waiting.pop() {
        let node = resolve.nodes.iter().find(|node| node.id == *id);
        let node = node.with_context(|| format!("{id} is not resolved"))?;
        // Dependencies that only tests use are skipped.
        let is_used = |kind: &cargo_metadata::DepKindInfo| kind.kind != DependencyKind::Development;
        let used = node
            .deps
            .iter()
            .filter(|dep| dep.dep_kinds.iter().any(is_used));
        let used: BTreeSet<&PackageId> = used.map(|dep| &dep.pkg).collect();
        links.push((id, used.clone()));
        waiting.extend(used.into_iter().filter(|id| seen.insert(id)));
    }
    let own: BTreeSet<&PackageId> = metadata.workspace_members.iter().collect();
    let main = &product(metadata)?.id;
    let reference = |id: &PackageId| {
        if id == main {
            PRODUCT.to_owned()
        } else {
            purl(&metadata[id])
        }
    };
    let mut components = Vec::new();
    for id in seen.iter().filter(|id| !own.contains(*id)) {
        let package = &metadata[*id];
        let key = (package.name.to_string(), package.version.to_string());
        let sum = checksums.get(&key);
        let sum = sum.with_context(|| format!("Cargo.lock has no checksum of {}", package.name))?;
        components.push(json!({
            "type": "library",
            "bom-ref": purl(package),
            "name": package.name,
            "version": package.version.to_string(),
            "purl": purl(package),
            "scope": "required",
            "licenses": [{"expression": expression(package.license.as_deref().unwrap_or_default())}],
            "hashes": [{"alg": "SHA-256", "content": sum}],
        }));
    }
    let links = links.into_iter().map(|(id, used)| {
        let used: Vec<String> = used.into_iter().map(reference).collect();
        json!({"ref": reference(id), "dependsOn": used})
    });
    // The crates of this workspace are parts of the program, so they are not separate components.
    let links: Vec<Value> = merged(links.collect(), &own, metadata);
    Ok((components, links))
}

/// In lists of dependencies, replaces the crates of this workspace by the program.
fn merged(links: Vec<Value>, own: &BTreeSet<&PackageId>, metadata: &Metadata) -> Vec<Value> {
    let own: BTreeSet<String> = own.iter().map(|id| purl(&metadata[*id])).collect();
    let is_own = |name: &str| name == PRODUCT || own.contains(name);
    let mut program = BTreeSet::new();
    let mut others = Vec::new();
    for link in links {
        let used = link["dependsOn"].as_array().into_iter().flatten();
        if is_own(link["ref"].as_str().unwrap_or_default()) {
            let used = used.filter_map(Value::as_str).filter(|name| !is_own(name));
            program.extend(used.map(str::to_owned));
        } else {
            others.push(link);
        }
    }
    others.insert(0, json!({"ref": PRODUCT, "dependsOn": program}));
    others
}

fn purl(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version)
}

/// Returns a licence as an SPDX expression: some crates still write `/` for `OR`.
fn expression(licence: &str) -> String {
    licence
        .split('/')
        .map(str::trim)
        .collect::<Vec<_>>()
        .join(" OR ")
}

/// Returns the packages that the web page needs. If a package only builds or tests the page, its
/// scope is `excluded`.
fn page_packages(lock: &Value) -> Result<Vec<Value>> {
    let packages = lock["packages"]
        .as_object()
        .context("package-lock.json lists no packages")?;
    let mut waiting = vec!["svelte".to_owned(), "chessground".to_owned()];
    let mut in_page = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        let used = packages.get(&format!("node_modules/{name}"));
        let used = used.with_context(|| format!("package-lock.json: no package {name}"))?;
        if in_page.insert(name) {
            let names = used["dependencies"].as_object().into_iter().flatten();
            waiting.extend(names.map(|(name, _)| name.clone()));
        }
    }
    let mut all = Vec::new();
    for (path, package) in packages.iter().filter(|(path, _)| !path.is_empty()) {
        let name = path.rsplit("node_modules/").next().unwrap_or(path);
        let version = package["version"]
            .as_str()
            .with_context(|| format!("{path}: no version"))?;
        let licence = package["license"]
            .as_str()
            .with_context(|| format!("{path}: no licence"))?;
        let purl = format!("pkg:npm/{}@{version}", name.replace('@', "%40"));
        all.push(json!({
            "type": "library",
            "bom-ref": format!("{purl}#{path}"),
            "name": name,
            "version": version,
            "purl": purl,
            "scope": if in_page.contains(name) { "required" } else { "excluded" },
            "licenses": [{"expression": licence}],
        }));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bill_of_materials_has_every_part_once() {
        let workspace = Workspace::open().unwrap();
        let bill = bill(&workspace).unwrap();
        let parts = bill["components"].as_array().unwrap();
        let mut refs = BTreeSet::from([PRODUCT]);
        for part in parts {
            let name = part["bom-ref"].as_str().unwrap();
            assert!(refs.insert(name), "{name} occurs twice");
            let licence = part["licenses"][0]["expression"].as_str().unwrap();
            assert!(!licence.is_empty() && !licence.contains('/'), "{part}");
        }
        let has = |start: &str| refs.iter().any(|name| name.starts_with(start));
        // A direct dependency, an indirect dependency, and a part of the page.
        for part in [
            "pkg:cargo/shakmaty@",
            "pkg:cargo/libsqlite3-sys@",
            "pkg:npm/chessground@",
        ] {
            assert!(has(part), "{part}");
        }
        // Crates that only tests use, and crates of this workspace, are not components.
        for part in [
            "pkg:cargo/proptest@",
            "pkg:cargo/cozy-chess@",
            "pkg:cargo/rules@",
        ] {
            assert!(!has(part), "{part}");
        }
        let links = bill["dependencies"].as_array().unwrap();
        assert_eq!(links[0]["ref"], PRODUCT);
        for link in links {
            for name in link["dependsOn"]
                .as_array()
                .unwrap()
                .iter()
                .chain([&link["ref"]])
            {
                assert!(refs.contains(name.as_str().unwrap()), "{name}");
            }
        }
    }
}
