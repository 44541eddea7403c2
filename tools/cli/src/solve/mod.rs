//! The command `kriegspiel solve`.

mod args;
mod check;
mod game;
mod problems;
mod question;

use std::process::ExitCode;

pub(super) use self::args::Args;

use super::usage;

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    match (&args.check, &args.problems, &args.file) {
        (Some(path), _, _) => check::main(path, args),
        (None, Some(path), _) => problems::main(path, args),
        (None, None, Some(path)) => game::main(path, args),
        (None, None, None) => Err(usage(
            "give a file of games, --problems FILE or --check FILE",
        )),
    }
}
