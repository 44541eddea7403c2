//! `cargo xtask tidy`: rules that a reviewer would otherwise have to check.

mod arrows;
mod bans;
mod circles;
mod language;
mod licences;
mod named;
mod reexports;
mod texts;
mod types;
mod walls;

use anyhow::{Context, Result, bail};
use cargo_metadata::{Metadata, MetadataCommand};

use crate::{docgen, house::House, leaks};

/// Check: description and function. The function returns faults, one line each.
struct Check {
    about: &'static str,
    run: fn(&House, &Metadata) -> Result<Vec<String>>,
}

const CHECKS: &[Check] = &[
    Check {
        about: "arrows between rooms",
        run: arrows::check,
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
        run: |house, _| {
            // Its lock file follows the dependencies of the rooms it fuzzes.
            let metadata = metadata(house, "fuzz/Cargo.toml", &[])?;
            let mut wrong = licences::check(house, &metadata)?;
            wrong.extend(bans::check(house, &metadata)?);
            Ok(wrong)
        },
    },
    Check {
        about: "re-exports",
        run: reexports::check,
    },
    Check {
        about: "circles of modules",
        run: circles::check,
    },
    Check {
        about: "walls in the code",
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
        about: "planted leaks",
        run: |house, _| leaks::check(house),
    },
    Check {
        about: "plain words",
        run: language::sources,
    },
    Check {
        about: "lengths of lines",
        run: language::prose,
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

/// Runs every check and shows all faults.
pub fn run(house: &House, _: &[String]) -> Result<()> {
    let metadata = metadata(house, "Cargo.toml", &["--locked"])?;
    let mut wrong = 0;
    for check in CHECKS {
        let found = (check.run)(house, &metadata)?;
        println!(
            "tidy: {:<22}{}",
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

/// What cargo resolves for a workspace.
fn metadata(house: &House, manifest: &str, options: &[&str]) -> Result<Metadata> {
    MetadataCommand::new()
        .manifest_path(house.path(manifest))
        .other_options(options.iter().map(|o| (*o).to_owned()).collect::<Vec<_>>())
        .exec()
        .with_context(|| format!("cargo metadata of {manifest}"))
}
