//! `cargo xtask proof mutants`: cargo-mutants plants one fault at a time in the
//! code that judges attempts, and tells which of them no test notices.

use anyhow::{Result, bail};

use crate::{
    house::House,
    run::{self, Done},
};

/// How cargo-mutants is installed.
pub const INSTALL: [&str; 4] = ["cargo", "install", "cargo-mutants", "--locked"];

/// Files whose faults are looked for by the same tests.
struct Group {
    /// What the folder of its results is called.
    name: &'static str,
    /// The files.
    files: &'static [&'static str],
    /// The packages whose tests are run.
    packages: &'static str,
    /// Which tests of them, as nextest filters; those that notice fast.
    tests: &'static str,
}

/// The tests of the house that judge with an oracle.
const ORACLE: &str =
    "package(referee) + package(rules) + package(views) + binary(differential) + binary(golden)";

const GROUPS: &[Group] = &[
    Group {
        name: "referee",
        files: &[
            "crates/referee/src/judge.rs",
            "crates/referee/src/consequence.rs",
            "crates/referee/src/calls.rs",
        ],
        packages: "referee,rules,views,testkit",
        tests: ORACLE,
    },
    Group {
        name: "rules",
        files: &["crates/rules/src/verdict.rs", "crates/rules/src/own.rs"],
        packages: "referee,rules,views,testkit",
        tests: ORACLE,
    },
    Group {
        name: "views",
        files: &["crates/views/src/player.rs"],
        packages: "views,testkit",
        tests: "package(views) + binary(given) + binary(differential)",
    },
    Group {
        name: "club",
        files: &["crates/club/src/table/judge.rs"],
        packages: "club",
        tests: "package(club)",
    },
];

/// Faults that no test can notice, as cargo-mutants names them, and why.
pub const MEANT: &[(&str, &str)] = &[];

/// Runs cargo-mutants over every group, or over a part of each:
/// `--shard K/N`. What it finds lies in `target/mutants`.
///
/// # Errors
/// A fault is planted that no test notices, and [`MEANT`] has no reason for it.
pub fn run(house: &House, words: &[String]) -> Result<()> {
    let shard = match words {
        [] => None,
        [flag, shard] if flag == "--shard" => Some(shard.as_str()),
        _ => bail!("usage: cargo xtask proof mutants [--shard K/N]"),
    };
    if !run::works(&["cargo", "mutants", "--version"]) {
        run::run(&house.root, &INSTALL, &[])?;
    }
    let mut missed = Vec::new();
    for group in GROUPS {
        println!("\n== mutants of {}", group.name);
        missed.extend(missed_of(&mutate(house, group, shard)?));
    }
    missed.retain(|fault| !MEANT.iter().any(|(meant, _)| fault.ends_with(meant)));
    if !missed.is_empty() {
        bail!("no test notices:\n{}", missed.join("\n"));
    }
    Ok(())
}

fn mutate(house: &House, group: &Group, shard: Option<&str>) -> Result<Done> {
    let output = house.target().join("mutants").join(group.name);
    std::fs::create_dir_all(&output)?;
    let output = output.to_string_lossy().into_owned();
    let mut words = vec!["cargo", "mutants", "--no-shuffle", "--test-tool", "nextest"];
    words.extend(["--output", &output, "--test-package", group.packages]);
    words.extend(["--minimum-test-timeout", "60"]);
    for file in group.files {
        words.extend(["--file", file]);
    }
    if let Some(shard) = shard {
        words.extend(["--shard", shard]);
    }
    words.extend(["--", "--filterset", group.tests]);
    run::run_any(
        &house.root,
        &words,
        &[("KRIEGSPIEL_GAMES", "150")],
        |code| {
            // Everything was noticed; a fault was missed; a test took too long.
            matches!(code, 0 | 2 | 3)
        },
    )
}

/// The faults that were missed, by what cargo-mutants printed.
fn missed_of(done: &Done) -> Vec<String> {
    let lines = done.lines.iter();
    let missed = lines.filter_map(|line| line.trim().strip_prefix("MISSED"));
    missed
        .map(|rest| match rest.split_once(" in ") {
            Some((fault, _)) => fault.trim().to_owned(),
            None => rest.trim().to_owned(),
        })
        .collect()
}
