//! `cargo xtask leaks`: plants every leak in a copy of the source tree. In this copy it
//! runs the tests that must catch the leaks.
//!
//! The program itself contains no planted leak. `crates/testkit/leaks` contains one patch
//! for each leak, named after the leak; [`patch`] describes the format. All patches are
//! applied to one copy, which is built once. A test enables one leak at a time with
//! `club::leak::open`.

mod patch;

use std::{collections::BTreeMap, fs, path::PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::{
    run::{self, Done},
    workspace::Workspace,
};

/// Folder of the patches.
const PATCHES: &str = "crates/testkit/leaks/";

/// Name of the copy, in the target folder.
const COPY: &str = "planted-leaks";

/// Test programs that must catch the leaks.
const TESTS: [&str; 4] = ["pairs_wire", "teletype_pairs", "door_pairs", "ks_line"];

/// Applies all patches and runs the tests. With `--check`, only checks that the patches apply.
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    match words {
        [] => test(workspace).map(drop),
        [word] if word == "--check" => {
            let wrong = check(workspace)?;
            ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
            println!("every patch of {PATCHES} applies");
            Ok(())
        }
        _ => bail!("usage: cargo xtask leaks [--check]"),
    }
}

/// Returns one fault for each patch that does not apply.
pub fn check(workspace: &Workspace) -> Result<Vec<String>> {
    Ok(planted(workspace)?.1)
}

/// Makes the copy and runs the tests that must catch the leaks.
pub fn test(workspace: &Workspace) -> Result<Done> {
    let (changed, wrong) = planted(workspace)?;
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    let copy = copy(workspace, &changed)?;
    let program = Workspace::cargo();
    // With `--workspace`, packages from outside have the same features as in the other
    // tests, so cargo does not compile these packages again.
    let mut all = vec![program.as_str(), "test", "--workspace", "--offline"];
    for name in TESTS {
        all.extend(["--test", name]);
    }
    all.extend(["--", "--nocapture", "every_planted_leak_is_caught"]);
    let target = workspace.target();
    let target = target.to_str().context("the target folder's name")?;
    run::run(&copy, &all, &[("CARGO_TARGET_DIR", target)])
}

/// Returns the texts of all changed files after all leaks are planted. Also returns the
/// faults of patches that do not apply.
fn planted(workspace: &Workspace) -> Result<(BTreeMap<String, String>, Vec<String>)> {
    let mut changed = BTreeMap::from([("Cargo.toml".to_owned(), manifest(workspace)?)]);
    let mut wrong = Vec::new();
    for file in workspace.tracked()? {
        let name = file.strip_prefix(PATCHES);
        let Some(name) = name.and_then(|name| name.strip_suffix(".patch")) else {
            continue;
        };
        for part in patch::read(&workspace.read(&file)?) {
            let before = match changed.get(part.file) {
                Some(text) => Ok(text.clone()),
                None => workspace.read(part.file).map_err(|error| error.to_string()),
            };
            match before.and_then(|before| patch::apply(&before, &part)) {
                Ok(after) => drop(changed.insert(part.file.to_owned(), after)),
                Err(why) => wrong.push(format!(
                    "the planted leak `{name}` does not fit {}: {why}; edit {file} \
                     until `cargo xtask leaks --check` passes",
                    part.file
                )),
            }
        }
    }
    Ok((changed, wrong))
}

/// Returns the workspace's manifest with another version. So the build output of the
/// copy has other names, and cargo cannot confuse it with the build output of the program.
fn manifest(workspace: &Workspace) -> Result<String> {
    let text = workspace.read("Cargo.toml")?;
    let (head, package) = text
        .split_once("[workspace.package]\nversion = \"")
        .context("Cargo.toml: no version below [workspace.package]")?;
    let (version, rest) = package.split_once('"').context("a version")?;
    Ok(format!(
        "{head}[workspace.package]\nversion = \"{version}-leaks\"{rest}"
    ))
}

/// Updates the copy. A file that is already equal is not written, so that cargo compiles
/// only what has changed.
fn copy(workspace: &Workspace, changed: &BTreeMap<String, String>) -> Result<PathBuf> {
    let root = workspace.target().join(COPY);
    let tracked = workspace.tracked()?;
    for file in &tracked {
        let wanted = match changed.get(file) {
            Some(text) => text.clone().into_bytes(),
            None => fs::read(workspace.path(file))?,
        };
        let path = root.join(file);
        if fs::read(&path).is_ok_and(|there| there == wanted) {
            continue;
        }
        fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
        fs::write(&path, wanted).with_context(|| format!("writing {}", path.display()))?;
    }
    // Remove files that are no longer tracked: cargo would still build them as tests or crates.
    let list = root.join("files");
    for file in fs::read_to_string(&list).unwrap_or_default().lines() {
        if tracked
            .binary_search_by(|one| one.as_str().cmp(file))
            .is_err()
        {
            fs::remove_file(root.join(file)).ok();
        }
    }
    fs::write(&list, tracked.join("\n"))?;
    Ok(root)
}
