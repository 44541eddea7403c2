//! The command `kriegspiel arena` as a separate program.

use std::{process::ExitCode, sync::atomic::AtomicBool};

use anyhow::anyhow;
use clap::Parser;
use rules::rulesets;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: arena::Args,
}

fn main() -> ExitCode {
    let args = Cli::parse().args;
    let ruleset = |name: &str| {
        let ruleset = rulesets::by_id(name).cloned();
        ruleset.ok_or_else(|| anyhow!("there is no ruleset `{name}`"))
    };
    match arena::main(args, ruleset, &AtomicBool::new(false)) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}
