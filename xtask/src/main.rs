//! Tasks of the repository; `cargo xtask` without arguments lists them.
//!
//! A step that a contributor would have to remember is a task. A rule that a
//! reviewer would have to check is a check of the task `tidy`.

mod bless;
mod crates;
mod docgen;
mod e2e;
mod expand;
mod fuzz;
mod leaks;
mod mutants;
mod pages;
mod picture;
mod proof;
mod readme;
mod run;
mod serve;
mod setup;
mod terminal;
mod test;
mod tidy;
mod typegen;
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
    Task {
        name: "setup",
        arguments: "",
        about: "checks what this machine has, installs what is missing",
        run: setup::run,
    },
    Task {
        name: "test",
        arguments: "[STEP...]",
        about: "all that CI runs, in order, until the first failure; or some steps of it",
        run: test::run,
    },
    Task {
        name: "tidy",
        arguments: "",
        about: "dependencies between crates, licences, bans, texts, named tests, generated pages",
        run: tidy::run,
    },
    Task {
        name: "docgen",
        arguments: "[--check]",
        about: "writes docs/rules/ from the rulesets (or says what is out of date)",
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
        arguments: "[terminal]",
        about: "the pictures: of what the program prints, of the page in a browser, and of the terminal, or the last alone",
        run: picture::run,
    },
    Task {
        name: "bless",
        arguments: "",
        about: "rewrites the stories of transcripts/ from the slow oracle; read the diff",
        run: bless::run,
    },
    Task {
        name: "expand",
        arguments: "STORY RULESET",
        about: "prints a story as the transcript of one ruleset; or all: --into FOLDER",
        run: expand::run,
    },
    Task {
        name: "leaks",
        arguments: "[--check]",
        about: "plants every leak in a copy of the tree and checks that it is caught; or only applies the patches",
        run: leaks::run,
    },
    Task {
        name: "fuzz",
        arguments: "[TARGET] [SECONDS]",
        about: "fuzzes one target, or each in turn",
        run: fuzz::run,
    },
    Task {
        name: "proof",
        arguments: "[CHECK...]",
        about: "the long checks in release, all or some; writes docs/proofs.md with the counts; `mutants [--shard K/N]` plants faults where attempts are judged",
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
