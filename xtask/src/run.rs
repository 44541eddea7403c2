//! Running a command: its output is shown as it comes, and kept.

use std::{
    io::{self, BufRead, BufReader, Write},
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};

/// What a command printed and how long it took.
#[derive(Debug)]
pub struct Done {
    /// Its standard output and error, joined as they came.
    pub lines: Vec<String>,
    /// The time it took.
    pub took: Duration,
}

impl Done {
    /// The lines that report a count, without the word `count `.
    pub fn counts(&self) -> Vec<String> {
        self.lines
            .iter()
            .filter_map(|line| line.trim().strip_prefix("count "))
            .map(str::to_owned)
            .collect()
    }
}

/// Runs a command in `dir` with extra environment; what it prints is shown as
/// it comes, and kept.
///
/// # Errors
/// It cannot be started, or ends with a failure.
pub fn run(dir: &Path, words: &[&str], env: &[(&str, &str)]) -> Result<Done> {
    run_showing(dir, words, env, |_| true)
}

/// [`run`], but only the lines that are wanted are shown; all are kept.
///
/// # Errors
/// See [`run`].
pub fn run_showing(
    dir: &Path,
    words: &[&str],
    env: &[(&str, &str)],
    wanted: fn(&str) -> bool,
) -> Result<Done> {
    let (program, arguments) = words.split_first().context("an empty command")?;
    let started = Instant::now();
    let (reader, writer) = io::pipe()?;
    // The command holds the writing end: it must go before we read to the end.
    let mut child = {
        let mut command = Command::new(program);
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
    let mut shown = io::stdout().lock();
    for line in BufReader::new(reader).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        if wanted(&line) {
            writeln!(shown, "{line}")?;
        }
        lines.push(line);
    }
    shown.flush()?;
    let status = child.wait()?;
    ensure!(status.success(), "`{}` failed ({status})", words.join(" "));
    Ok(Done {
        lines,
        took: started.elapsed(),
    })
}

/// Whether a command can be started and succeeds; nothing is shown.
pub fn works(words: &[&str]) -> bool {
    Command::new(words[0])
        .args(&words[1..])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Seconds with one digit.
pub fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
