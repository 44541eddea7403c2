//! A disk that is full for one server only: the system lets its files grow no further.

use std::{ffi::OsStr, process::Command};

use rustix::process::{Resource, Rlimit, prlimit};

use super::Running;

/// Makes the program that follows get an error if a file may not grow, instead of a signal.
const IGNORES_SIGNAL: &str = "trap '' XFSZ; exec \"$0\" \"$@\"";

/// Returns the command of a program whose files can be limited.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", IGNORES_SIGNAL]).arg(program);
    command
}

/// Lets no file of the server grow beyond this length, also its log; `None` lets them grow again.
pub fn limit(server: &Running, length: Option<u64>) {
    let limit = Rlimit {
        current: length,
        maximum: None,
    };
    let old = prlimit(Some(server.pid()), Resource::Fsize, limit);
    old.expect("the child process exists");
}
