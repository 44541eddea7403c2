//! `cargo xtask tidy`: rules that a reviewer would otherwise have to check.

mod arrows;
mod bans;
mod language;
mod licences;
mod named;
mod promises;
mod reexports;
mod texts;
mod types;
mod walls;

use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, MetadataCommand};

use crate::{docgen, planted, workspace::Workspace};

/// A check: description and function. The function returns the faults, one line each.
struct Check {
    about: &'static str,
    run: fn(&Workspace, &Metadata) -> Result<Vec<String>>,
}

const CHECKS: &[Check] = &[
    Check {
        about: "dependencies",
        run: arrows::check,
    },
    Check {
        about: "packages of the library",
        run: arrows::library,
    },
    Check {
        about: "licences",
        run: licences::check,
    },
    Check {
        about: "banned crates",
        run: bans::check,
    },
    Check {
        about: "the fuzzing workspace",
        run: |workspace, _| {
            // The fuzzing workspace has a separate lock file, which must follow the same rules.
            let metadata = metadata(workspace, "fuzz/Cargo.toml", &[])?;
            let mut wrong = licences::check(workspace, &metadata)?;
            wrong.extend(bans::check(workspace, &metadata)?);
            Ok(wrong)
        },
    },
    Check {
        about: "promises of the sources",
        run: promises::check,
    },
    Check {
        about: "re-exports",
        run: reexports::check,
    },
    Check {
        about: "names that code must not use",
        run: walls::check,
    },
    Check {
        about: "texts",
        run: texts::check,
    },
    Check {
        about: "crate docs",
        run: texts::crate_docs,
    },
    Check {
        about: "named tests",
        run: named::check,
    },
    Check {
        about: "planted faults",
        run: |workspace, _| planted::check(workspace),
    },
    Check {
        about: "plain words",
        run: language::sources,
    },
    Check {
        about: "names of types",
        run: types::check,
    },
    Check {
        about: "generated pages",
        run: docgen::check,
    },
];

/// Runs every check and prints all faults.
pub fn run(workspace: &Workspace, _: &[String]) -> Result<()> {
    let metadata = metadata(workspace, "Cargo.toml", &["--locked"])?;
    let mut wrong = 0;
    for check in CHECKS {
        let found = (check.run)(workspace, &metadata)?;
        println!(
            "tidy: {:<32}{}",
            check.about,
            if found.is_empty() { "ok" } else { "WRONG" }
        );
        for line in &found {
            println!("  {line}");
        }
        wrong += found.len();
    }
    if wrong > 0 {
        bail!("tidy found {wrong} faults");
    }
    Ok(())
}

/// Returns the packages and dependencies of a workspace, as resolved by cargo.
fn metadata(workspace: &Workspace, manifest: &str, options: &[&str]) -> Result<Metadata> {
    MetadataCommand::new()
        .manifest_path(workspace.path(manifest))
        .other_options(options.iter().map(|o| (*o).to_owned()).collect::<Vec<_>>())
        .exec()
        .with_context(|| format!("cargo metadata of {manifest}"))
}
