//! Runs commands. The output of a command is shown and also returned.

use std::{
    env,
    ffi::OsStr,
    io::{self, BufRead, BufReader, Write},
    path::Path,
    process::{Command, ExitStatus, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use anyhow::{Context, Result, ensure};

/// Output of a command.
#[derive(Debug)]
pub struct Done {
    /// Lines of standard output and standard error, in the order of arrival.
    pub lines: Vec<String>,
}

/// Whether the crates of the workspace are compiled by clippy.
static WITH_CLIPPY: AtomicBool = AtomicBool::new(false);

/// From now on, clippy compiles the crates of the workspace: it is the compiler with more warnings.
/// A separate `cargo clippy` would read all sources, also those of the dependencies, once more.
pub fn compile_with_clippy() {
    WITH_CLIPPY.store(true, Ordering::Relaxed);
}

/// A command that does not get what `cargo run` told xtask about its own package: cargo would
/// compile `ring`, and what depends on it, again.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    if WITH_CLIPPY.load(Ordering::Relaxed) {
        command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    }
    command
}

/// Runs a command in `dir` with extra environment variables. Shows its output
/// immediately, and returns it.
///
/// # Errors
/// The command cannot be started, or exits with a failure.
pub fn run(dir: &Path, words: &[&str], env: &[(&str, &str)]) -> Result<Done> {
    run_showing(dir, words, env, |_| true)
}

/// Like [`run`], but shows only the selected lines. All lines are returned.
///
/// # Errors
/// See [`run`].
pub fn run_showing(
    dir: &Path,
    words: &[&str],
    env: &[(&str, &str)],
    wanted: fn(&str) -> bool,
) -> Result<Done> {
    let mut shown = io::stdout();
    let (done, status) = watch(dir, words, env, |line| {
        if wanted(line) {
            writeln!(shown, "{line}")?;
        }
        Ok(())
    })?;
    shown.flush()?;
    succeeded(words, status)?;
    Ok(done)
}

/// Like [`run`], but for a command that has several exit codes for success.
///
/// # Errors
/// The command cannot be started, or exits with a code that `fine` does not accept.
pub fn run_any(
    dir: &Path,
    words: &[&str],
    env: &[(&str, &str)],
    fine: fn(i32) -> bool,
) -> Result<Done> {
    let mut shown = io::stdout();
    let (done, status) = watch(dir, words, env, |line| Ok(writeln!(shown, "{line}")?))?;
    ensure!(
        status.code().is_some_and(fine),
        "`{}` failed ({status})",
        words.join(" ")
    );
    Ok(done)
}

fn succeeded(words: &[&str], status: ExitStatus) -> Result<()> {
    ensure!(status.success(), "`{}` failed ({status})", words.join(" "));
    Ok(())
}

/// Runs a command to its end, and calls `each` for every line of its output.
fn watch(
    dir: &Path,
    words: &[&str],
    env: &[(&str, &str)],
    mut each: impl FnMut(&str) -> Result<()>,
) -> Result<(Done, ExitStatus)> {
    let (program, arguments) = words.split_first().context("the command is empty")?;
    let (reader, writer) = io::pipe()?;
    // `command` keeps the write ends of the pipe open. It is dropped at the end of this block,
    // because otherwise the read of the pipe would never end.
    let mut child = {
        let mut command = command(program);
        command
            .args(arguments)
            .envs(env.iter().copied())
            .current_dir(dir)
            .stdin(Stdio::null())
            .stdout(writer.try_clone()?)
            .stderr(writer);
        command
            .spawn()
            .with_context(|| format!("cannot start `{program}`"))?
    };
    let mut lines = Vec::new();
    for line in BufReader::new(reader).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        each(&line)?;
        lines.push(line);
    }
    let status = child.wait()?;
    Ok((Done { lines }, status))
}

/// Checks whether a command can be started and succeeds. The output is not shown.
pub fn works(words: &[&str]) -> bool {
    command(words[0])
        .args(&words[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Formats a time in seconds with one decimal.
pub fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
