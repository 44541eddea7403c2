//! Runs the console examples of README.md and docs/commands.md with the built program.
//!
//! In a fenced block marked `console`, a line `$ COMMAND` is run by the shell. The shell runs in a
//! new folder with links to the files and folders of the repository. So an example finds the files
//! of the repository, but creates no file in it. The lines below this line, up to the next command or the end of the block, must
//! equal the output of the command. A line `...` stands for any number of lines. If no lines
//! follow, the output is not compared.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail, ensure};

use crate::workspace::Workspace;

/// Files whose examples are run.
const FILES: &[&str] = &["README.md", "docs/commands.md"];

/// A command and its expected output.
#[derive(Debug, PartialEq)]
struct Example {
    line: usize,
    command: String,
    output: Vec<String>,
}

/// Runs every example; returns the number of examples.
pub fn check(workspace: &Workspace) -> Result<usize> {
    let binaries = workspace.target().join("debug");
    let folder = new_folder(workspace)?;
    let mut count = 0;
    for file in FILES {
        for example in examples(&workspace.read(file)?) {
            // Commands of `cargo xtask` are not run: `cargo xtask test` calls this function, so the
            // two would call each other without end.
            if example.command.starts_with("cargo xtask") {
                continue;
            }
            let at = format!("{file}:{}", example.line);
            let printed = printed(&folder, &binaries, &example.command).context(at.clone())?;
            if !matches(&example.output, &printed) {
                bail!(
                    "{at}: `{}` should print\n{}\nbut prints\n{}",
                    example.command,
                    example.output.join("\n"),
                    printed.join("\n")
                );
            }
            println!("{at}: {} ... ok", example.command);
            count += 1;
        }
    }
    Ok(count)
}

/// Makes the folder in which the examples run. The folder of an earlier run is removed, so no
/// example finds its own old output.
fn new_folder(workspace: &Workspace) -> Result<PathBuf> {
    let folder = workspace.target().join("examples-in-docs");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
    }
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    for entry in fs::read_dir(&workspace.root)? {
        let entry = entry?;
        if entry.file_name() != "target" && entry.file_name() != ".git" {
            symlink(entry.path(), folder.join(entry.file_name()))?;
        }
    }
    Ok(folder)
}

/// Runs a command in `folder`, with the folder of the built program first in `PATH`. Returns its
/// output lines.
fn printed(folder: &Path, binaries: &Path, command: &str) -> Result<Vec<String>> {
    let command = command.replace("cargo run --release -- ", "kriegspiel ");
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("bash")
        .args(["-o", "pipefail", "-c", &command])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", binaries.display()))
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .context("bash")?;
    ensure!(
        output.status.success(),
        "`{command}` failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).context("not UTF-8")?;
    Ok(text.lines().map(|l| l.trim_end().to_owned()).collect())
}

/// Returns the examples of a page.
fn examples(text: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut inside = false;
    let mut open = false;
    for (line, content) in (1..).zip(text.lines()) {
        if let Some(fence) = content.strip_prefix("```") {
            inside = !inside && fence.trim() == "console";
            open = false;
        } else if let (true, Some(command)) = (inside, content.strip_prefix("$ ")) {
            open = true;
            found.push(Example {
                line,
                command: command.to_owned(),
                output: Vec::new(),
            });
        } else if inside
            && open
            && let Some(example) = found.last_mut()
        {
            example.output.push(content.trim_end().to_owned());
        }
    }
    found
}

/// Checks whether printed lines match the expected lines. If no lines are expected, any output matches.
fn matches(expected: &[String], printed: &[String]) -> bool {
    fn from(expected: &[String], printed: &[String]) -> bool {
        match expected.split_first() {
            None => printed.is_empty(),
            Some((any, rest)) if any == "..." => {
                (0..=printed.len()).any(|skip| from(rest, &printed[skip..]))
            }
            Some((line, rest)) => printed.first() == Some(line) && from(rest, &printed[1..]),
        }
    }
    expected.is_empty() || from(expected, printed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn examples_are_found_in_console_blocks_only() {
        let text = "$ no\n```console\n$ one\na\n...\n$ two\n```\n```sh\n$ three\n```\n";
        assert_eq!(
            examples(text),
            [
                Example {
                    line: 3,
                    command: "one".to_owned(),
                    output: lines("a\n...")
                },
                Example {
                    line: 6,
                    command: "two".to_owned(),
                    output: Vec::new()
                },
            ]
        );
    }

    #[test]
    fn three_dots_stand_for_any_lines() {
        for (expected, printed, value) in [
            ("a\nb", "a\nb", true),
            ("a\nb", "a", false),
            ("a\n...", "a\nb\nc", true),
            ("...\nc", "a\nb\nc", true),
            ("...\nb", "a\nb\nc", false),
            ("a\n...\nc", "a\nc", true),
            ("", "whatever", true),
        ] {
            assert_eq!(
                matches(&lines(expected), &lines(printed)),
                value,
                "{expected}"
            );
        }
    }
}
