//! `cargo xtask proof mutants`: checks whether the tests notice faults. cargo-mutants plants one
//! fault at a time in the code that judges attempts, and reports the faults that no test notices.

use anyhow::{Context, Result, bail};

use crate::{
    run::{self, Done},
    workspace::Workspace,
};

/// Command that installs cargo-mutants.
const INSTALL: [&str; 4] = ["cargo", "install", "cargo-mutants", "--locked"];

/// Cargo profile for these tests. Its builds must be fast, because each fault needs a new build,
/// and the tests of a fault run only for some seconds.
const PROFILE: &str = "mutants";

/// Timeout of a test, in seconds. After this time the fault counts as detected.
const TIMEOUT: &str = "120";

/// Environment variables of the tests.
const ENV: [(&str, &str); 2] = [("KRIEGSPIEL_GAMES", "150"), ("KRIEGSPIEL_PAIRS", "200")];

/// Files whose faults are tested with the same packages and tests.
struct Group {
    /// Name of the group, and of the folder with its results.
    name: &'static str,
    files: &'static [&'static str],
    /// Packages whose tests are run.
    packages: &'static [&'static str],
    /// Test programs of these packages that are run in addition to the library tests.
    tests: &'static [&'static str],
}

const GROUPS: &[Group] = &[
    Group {
        name: "referee",
        files: &[
            "game/referee/src/judge.rs",
            "game/referee/src/consequence.rs",
            "game/referee/src/calls.rs",
        ],
        packages: &[
            "kriegspiel-referee",
            "kriegspiel-rules",
            "kriegspiel-views",
            "kriegspiel-testkit",
        ],
        tests: &["differential", "golden", "given", "secrecy"],
    },
    Group {
        name: "rules",
        files: &["game/rules/src/verdict.rs", "game/rules/src/own.rs"],
        packages: &[
            "kriegspiel-referee",
            "kriegspiel-rules",
            "kriegspiel-views",
            "kriegspiel-testkit",
        ],
        tests: &["differential", "golden", "given", "secrecy"],
    },
    Group {
        name: "views",
        files: &["game/views/src/player.rs"],
        packages: &["kriegspiel-views", "kriegspiel-testkit", "kriegspiel-arena"],
        tests: &[
            "golden",
            "given",
            "secrecy",
            "pairs",
            "every_ruleset",
            "told",
        ],
    },
    Group {
        name: "club",
        files: &["club/club/src/table/judge.rs"],
        packages: &["kriegspiel-club"],
        tests: &["live"],
    },
];

/// Faults that no test can notice, as (description, reason). The description is what
/// cargo-mutants prints, without the place of the fault.
const UNDETECTABLE: &[(&str, &str)] = &[
    (
        "replace Game::counts_repetition -> bool with true",
        "the code for the end of a game checks the same condition again",
    ),
    (
        "replace Game::is_plain -> bool with false",
        "a shortcut: without it, all rows of the table are applied",
    ),
    (
        "replace < with > in Game::is_plain",
        "a shortcut: with the fault it is used less often",
    ),
    (
        "replace Game::is_open -> bool with false",
        "a shortcut: without it, all rows of the table are applied",
    ),
    (
        "replace || with && in Game::is_open",
        "a shortcut: with the fault it is used less often",
    ),
    (
        "replace | with ^ in reaches",
        "the set of squares between two squares does not contain the second square",
    ),
    (
        "replace | with ^ in Own::all",
        "a square has at most one man, so two bits are never set",
    ),
    (
        "replace | with ^ in Own::pawn_pushes",
        "the two squares in front of a pawn are different",
    ),
    (
        "replace | with ^ in Own::targets",
        "the combined sets have no common square: pawns capture on other files than they advance, and a king castles farther than it steps",
    ),
    (
        "replace > with >= in Table::judge_outage",
        "the comparison differs only if the last row that changed the clocks was written exactly `MIN_OUTAGE` after `from`; then both results are correct",
    ),
    (
        "replace | with ^ in role_on",
        "a square has at most one man, so two bits are never set",
    ),
];

/// Runs cargo-mutants for every group. With `--shard K/N`, runs only a part of each
/// group. The results are in `target/mutants`.
///
/// # Errors
/// A fault was not noticed by any test, and is not in [`UNDETECTABLE`].
pub fn run(workspace: &Workspace, words: &[String]) -> Result<()> {
    let shard = match words {
        [] => None,
        [flag, shard] if flag == "--shard" => Some(shard.as_str()),
        _ => bail!("usage: cargo xtask proof mutants [--shard K/N]"),
    };
    if !run::works(&["cargo", "mutants", "--version"]) {
        run::run(&workspace.root, &INSTALL, &[])?;
    }
    let mut missed = Vec::new();
    for group in GROUPS {
        println!("\n== mutants of {}", group.name);
        group.test(workspace)?;
        missed.extend(missed_of(&group.mutate(workspace, shard)?));
    }
    missed.retain(|fault| !UNDETECTABLE.iter().any(|(meant, _)| fault.ends_with(meant)));
    if !missed.is_empty() {
        bail!("no test notices:\n{}", missed.join("\n"));
    }
    Ok(())
}

impl Group {
    /// Returns the cargo arguments that select the tests.
    fn selection(&self) -> Vec<String> {
        let tests = self.tests.iter().map(|name| format!("--test={name}"));
        ["--lib".to_owned()].into_iter().chain(tests).collect()
    }

    /// Runs the tests without a planted fault. The tests must pass. Otherwise a test that always
    /// fails would count as a test that notices every fault.
    fn test(&self, workspace: &Workspace) -> Result<()> {
        let selection = self.selection();
        let mut words = vec!["cargo", "nextest", "run", "--cargo-profile", PROFILE];
        for package in self.packages {
            words.extend(["--package", package]);
        }
        words.extend(selection.iter().map(String::as_str));
        run::run(&workspace.root, &words, &ENV).map(drop).context(
            "the tests without a planted fault (cargo-nextest is needed: cargo install cargo-nextest --locked)",
        )
    }

    fn mutate(&self, workspace: &Workspace, shard: Option<&str>) -> Result<Done> {
        let output = workspace.target().join("mutants").join(self.name);
        std::fs::create_dir_all(&output)?;
        let output = output.to_string_lossy().into_owned();
        let packages = self.packages.join(",");
        let arguments: Vec<String> = self
            .selection()
            .iter()
            .map(|word| format!("--cargo-arg={word}"))
            .collect();
        let mut words = vec!["cargo", "mutants", "--no-shuffle", "--output", &output];
        words.extend(["--test-tool", "nextest", "--profile", PROFILE]);
        words.extend(["--baseline", "skip", "--timeout", TIMEOUT]);
        words.extend(["--test-package", &packages]);
        words.extend(arguments.iter().map(String::as_str));
        for file in self.files {
            words.extend(["--file", file]);
        }
        if let Some(shard) = shard {
            words.extend(["--shard", shard]);
        }
        run::run_any(&workspace.root, &words, &ENV, |code| {
            // Exit codes: 0 if every fault was noticed, 2 if a fault was missed, 3 if a test timed out.
            matches!(code, 0 | 2 | 3)
        })
    }
}

/// Returns the faults that no test noticed, from the output of cargo-mutants.
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

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn missed_faults_are_read_from_the_output() {
        let lines = [
            "Found 2 mutants to test",
            "MISSED   crates/a/src/b.rs:7:5: replace f -> bool with true in 2s build + 1s test",
            "2 mutants tested in 6m: 1 missed, 1 caught",
        ];
        let done = Done {
            lines: lines.map(str::to_owned).to_vec(),
        };
        let fault = "crates/a/src/b.rs:7:5: replace f -> bool with true";
        assert_eq!(missed_of(&done), [fault]);
    }
}
