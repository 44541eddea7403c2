//! `cargo xtask leaks` plants every leak in a copy of the source tree. `cargo xtask faults` plants
//! every fault of the solver in another copy. Each task then runs, in its copy, the tests that must
//! catch the leaks or faults.
//!
//! The program itself contains no planted leak or fault. The patches are in a folder, one for each
//! leak or fault. The name of the leak or fault is the name of the file; [`patch`] describes the
//! format. All patches are applied to one copy, which is built once. A test enables one leak at a
//! time with `club::leak::open`, and one fault at a time with `solver::fault::plant`.

mod patch;

use std::{collections::BTreeMap, fs, path::PathBuf};

use anyhow::{Context, Result, bail, ensure};

use crate::{
    run::{self, Done},
    workspace::Workspace,
};

/// Changes that are planted in a copy of the source tree.
struct Plants {
    /// Word for one change, for messages.
    noun: &'static str,
    /// Task that plants the changes.
    task: &'static str,
    /// Folder of the patches.
    patches: &'static str,
    /// Name of the copy, in the target folder.
    copy: &'static str,
    /// Suffix that the packages of the copy have in their version.
    version: &'static str,
}

/// Leaks that the tests of pairs of games must catch.
const LEAKS: Plants = Plants {
    noun: "leak",
    task: "leaks",
    patches: "tools/testkit/leaks/",
    copy: "planted-leaks",
    version: "leaks",
};

/// Faults of the solver that its tests or the check of certificates must catch.
const FAULTS: Plants = Plants {
    noun: "fault",
    task: "faults",
    patches: "mind/solver/faults/",
    copy: "planted-faults",
    version: "faults",
};

/// Test programs that must catch the leaks.
const TESTS: [&str; 4] = ["pairs_wire", "teletype_pairs", "door_pairs", "ks_line"];

/// Plants the leaks and runs the tests. With `--check`, only checks that the patches apply.
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    match words {
        [] => test(workspace).map(drop),
        _ => only_check(workspace, &LEAKS, words),
    }
}

/// Plants the faults of the solver and runs the tests. With `--check`, only checks that the patches
/// apply. With names, plants only the named faults.
pub fn run_faults(workspace: &Workspace, words: &[String]) -> Result<()> {
    match words {
        [flag, ..] if flag.starts_with('-') => only_check(workspace, &FAULTS, words),
        _ => test_faults(workspace, words).map(drop),
    }
}

fn only_check(workspace: &Workspace, plants: &Plants, words: &[String]) -> Result<()> {
    match words {
        [word] if word == "--check" => {
            let wrong = planted(workspace, plants)?.1;
            ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
            println!("every patch of {} applies", plants.patches);
            Ok(())
        }
        _ => bail!("usage: cargo xtask {} [--check]", plants.task),
    }
}

/// Returns one message for each patch that does not apply.
pub fn check(workspace: &Workspace) -> Result<Vec<String>> {
    let mut wrong = planted(workspace, &LEAKS)?.1;
    wrong.extend(planted(workspace, &FAULTS)?.1);
    Ok(wrong)
}

/// Makes the copy and runs the tests that must catch the leaks.
pub fn test(workspace: &Workspace) -> Result<Done> {
    let copy = copy(workspace, &LEAKS)?;
    let program = Workspace::cargo();
    // With `--workspace`, packages from outside have the same features as in the other tests. So
    // cargo need not compile these packages again.
    let mut all = vec![program.as_str(), "test", "--workspace", "--offline"];
    for name in TESTS {
        all.extend(["--test", name]);
    }
    all.extend(["--", "--nocapture", "every_planted_leak_is_caught"]);
    let target = workspace.target();
    let target = target
        .to_str()
        .context("the path of the target folder is not UTF-8")?;
    run::run(&copy, &all, &[("CARGO_TARGET_DIR", target)])
}

/// Makes the copy and runs the tests that must catch the named faults of the solver, or all
/// faults if none is named.
pub fn test_faults(workspace: &Workspace, names: &[String]) -> Result<Done> {
    let all = FAULTS.names(workspace)?;
    if let Some(strange) = names.iter().find(|name| !all.contains(name)) {
        bail!(
            "there is no planted fault `{strange}`; the faults are {}",
            all.join(", ")
        );
    }
    let names = if names.is_empty() { &all } else { names };
    let copy = copy(workspace, &FAULTS)?;
    let program = Workspace::cargo();
    let words = [program.as_str(), "test", "--workspace", "--offline"];
    let test = [
        "--test",
        "policies",
        "--",
        "--nocapture",
        "every_planted_fault_is_caught",
    ];
    let target = workspace.target();
    let target = target
        .to_str()
        .context("the path of the target folder is not UTF-8")?;
    let env = [
        ("CARGO_TARGET_DIR", target),
        ("KRIEGSPIEL_FAULTS", &names.join(",")),
    ];
    run::run(&copy, &[&words[..], &test].concat(), &env)
}

impl Plants {
    /// Returns the name of the change in a patch file; `None` for other files.
    fn name<'a>(&self, file: &'a str) -> Option<&'a str> {
        file.strip_prefix(self.patches)?.strip_suffix(".patch")
    }

    /// Returns the names of all changes. A patch whose name begins with `_` is not one of the
    /// changes. Such a patch adds the switch that tests use to enable a change.
    fn names(&self, workspace: &Workspace) -> Result<Vec<String>> {
        let files = workspace.tracked()?;
        let names = files.iter().filter_map(|file| self.name(file));
        let names = names.filter(|name| !name.starts_with('_'));
        Ok(names.map(str::to_owned).collect())
    }
}

/// Returns the texts of all changed files after all changes are planted. Also returns a
/// message for each patch that does not apply.
fn planted(
    workspace: &Workspace,
    plants: &Plants,
) -> Result<(BTreeMap<String, String>, Vec<String>)> {
    let manifest = manifest(workspace, plants.version)?;
    let mut changed = BTreeMap::from([("Cargo.toml".to_owned(), manifest)]);
    let mut wrong = Vec::new();
    for file in workspace.tracked()? {
        let Some(name) = plants.name(&file) else {
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
                    "the planted {} `{name}` does not fit {}: {why}; edit {file} \
                     until `cargo xtask {} --check` passes",
                    plants.noun, part.file, plants.task
                )),
            }
        }
    }
    Ok((changed, wrong))
}

/// Returns the workspace's manifest with another version. Because of this version, the build output
/// of the copy gets other names. So cargo also keeps the build output of the original.
fn manifest(workspace: &Workspace, suffix: &str) -> Result<String> {
    let text = workspace.read("Cargo.toml")?;
    let (head, package) = text
        .split_once("[workspace.package]\nversion = \"")
        .context("Cargo.toml: no version below [workspace.package]")?;
    let (version, rest) = package.split_once('"').context("a version")?;
    Ok(format!(
        "{head}[workspace.package]\nversion = \"{version}-{suffix}\"{rest}"
    ))
}

/// Plants all changes in the copy. A file that already has the right text is not written, so
/// that cargo compiles only what has changed.
fn copy(workspace: &Workspace, plants: &Plants) -> Result<PathBuf> {
    let (changed, wrong) = planted(workspace, plants)?;
    ensure!(wrong.is_empty(), "{}", wrong.join("\n"));
    let root = workspace.target().join(plants.copy);
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
    // Files that are no longer tracked are removed, because cargo would still build them as tests
    // or crates.
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
