//! The command `kriegspiel arena` as a separate program.

use std::process::ExitCode;

use clap::Parser;
use rules::rulesets;

#[derive(Parser)]
struct Cli {
    #[command(flatten)]
    args: arena::Args,
}

fn main() -> ExitCode {
    let args = Cli::parse().args;
    let Some(ruleset) = rulesets::by_id(&args.rules) else {
        eprintln!("there is no ruleset `{}`", args.rules);
        return ExitCode::from(2);
    };
    match arena::main(args, ruleset) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::from(2)
        }
    }
}
