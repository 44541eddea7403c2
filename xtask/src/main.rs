//! Tasks of the repository; `cargo xtask` without arguments lists them.
//!
//! The tasks do what a contributor would otherwise have to remember. The task `tidy` checks what a
//! reviewer would otherwise have to check.

mod bless;
#[cfg(unix)]
mod cluster;
mod crates;
mod dist;
mod docgen;
mod e2e;
mod expand;
mod fuzz;
mod pages;
mod planted;
mod proof;
mod readme;
mod run;
mod serve;
mod setup;
mod supply;
mod test;
mod tidy;
mod typegen;
mod wheel;
mod workspace;

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::workspace::Workspace;

/// A task: name, arguments, description, function.
struct Task {
    name: &'static str,
    arguments: &'static str,
    about: &'static str,
    run: fn(&Workspace, &[String]) -> Result<()>,
}

const TASKS: &[Task] = &[
    Task {
        name: "serve",
        arguments: "[ARGS]",
        about: "builds the page, then opens a club: `kriegspiel serve ARGS`",
        run: serve::run,
    },
    #[cfg(unix)]
    Task {
        name: "cluster",
        arguments: "[PORT | --check] [--program FILE]",
        about: "opens a club on three nodes over PostgreSQL, with a proxy, until Ctrl-C; or plays games at this club for some seconds",
        run: cluster::run,
    },
    Task {
        name: "setup",
        arguments: "",
        about: "checks which tools this machine has, and installs missing tools",
        run: setup::run,
    },
    Task {
        name: "test",
        arguments: "[STEP...]",
        about: "runs all steps of CI, in order, until the first failure; or only some steps",
        run: test::run,
    },
    Task {
        name: "tidy",
        arguments: "",
        about: "checks dependencies between crates, licences, banned crates, texts, named tests, generated pages",
        run: tidy::run,
    },
    Task {
        name: "docgen",
        arguments: "[--check]",
        about: "writes docs/rules/, docs/sources.md and texts of the page (web/src/) from the rulesets (or checks that they are up to date)",
        run: docgen::run,
    },
    Task {
        name: "typegen",
        arguments: "",
        about: "writes web/src/wire.ts from the crate wire",
        run: typegen::run,
    },
    Task {
        name: "picture",
        arguments: "",
        about: "takes the pictures of the web page",
        run: |workspace, _| e2e::pictures(workspace),
    },
    Task {
        name: "bless",
        arguments: "",
        about: "rewrites the golden files: stories from the slow oracle, conversations of ksref, screens of tui; read the diff",
        run: bless::run,
    },
    Task {
        name: "expand",
        arguments: "STORY RULESET",
        about: "prints a story as the transcript of one ruleset; --into FOLDER writes all transcripts",
        run: expand::run,
    },
    Task {
        name: "planted",
        arguments: "[--check | NAME...]",
        about: "plants faults and leaks, one at a time, in a copy of the sources and checks that a test fails; or only checks the patches",
        run: planted::run,
    },
    Task {
        name: "fuzz",
        arguments: "[TARGET] [SECONDS]",
        about: "fuzzes one target, or all targets one after the other",
        run: fuzz::run,
    },
    Task {
        name: "dist",
        arguments: "[--check | --smoke]",
        about: "builds target/dist: archive, Debian package, container image; --check also installs, tries and removes them",
        run: dist::run,
    },
    Task {
        name: "wheel",
        arguments: "[--check [STEP...] | --stubs | --smoke]",
        about: "builds the Python package for manylinux (wheel and sdist); or tests the wheel, writes the stubs, plays one game",
        run: wheel::run,
    },
    Task {
        name: "proof",
        arguments: "[CHECK...]",
        about: "runs all or some long checks, and writes their counts to docs/proofs.md",
        run: proof::run,
    },
];

fn list() {
    println!("cargo xtask TASK\n");
    for task in TASKS {
        let call = format!("{} {}", task.name, task.arguments);
        println!("  {call:<27}{}", task.about);
    }
}

fn start() -> Result<()> {
    let mut words = std::env::args().skip(1);
    let Some(name) = words.next() else {
        list();
        return Ok(());
    };
    if matches!(name.as_str(), "help" | "--help" | "-h") {
        list();
        return Ok(());
    }
    let Some(task) = TASKS.iter().find(|t| t.name == name) else {
        list();
        bail!("there is no task `{name}`");
    };
    let rest: Vec<String> = words.collect();
    (task.run)(&Workspace::open()?, &rest)
}

fn main() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
