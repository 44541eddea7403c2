//! Simulates a full disk for one server: the operating system refuses to let the server's files
//! grow.

use std::{ffi::OsStr, process::Command};

use rustix::process::{Resource, Rlimit, prlimit};

use super::Running;

/// Command prefix. If the program after the prefix writes to a file that must not grow, the program
/// gets an error instead of a signal.
const IGNORES_SIGNAL: &str = "trap '' XFSZ; exec \"$0\" \"$@\"";

/// Returns the command of a program. [`limit`] can limit the length of its files.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", IGNORES_SIGNAL]).arg(program);
    command
}

/// Limits the length of every file of the server, including its log. `None` removes the limit.
pub fn limit(server: &Running, length: Option<u64>) {
    let limit = Rlimit {
        current: length,
        maximum: None,
    };
    prlimit(Some(server.pid()), Resource::Fsize, limit).unwrap();
}
