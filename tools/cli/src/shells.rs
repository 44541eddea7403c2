//! The commands `kriegspiel completions` and `kriegspiel man`.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use clap_complete::Shell;
use clap_mangen::Man;

use notation::nearest;

use super::usage;

/// Print a completion script for a shell
///
/// The script completes commands, options and their values.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel completions bash > ~/.local/share/bash-completion/completions/kriegspiel
  kriegspiel completions zsh > ~/.zfunc/_kriegspiel
  kriegspiel completions fish > ~/.config/fish/completions/kriegspiel.fish")]
pub(super) struct CompletionArgs {
    /// The shell
    shell: Shell,
}

/// Print the manual page of a command, or write all pages
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  kriegspiel man referee | man -l -
  kriegspiel man --out ~/.local/share/man/man1")]
pub(super) struct ManArgs {
    /// The command, for example `referee` or `score read`
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Vec<String>,

    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn completions(args: &CompletionArgs, mut command: clap::Command) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "kriegspiel", &mut script);
    let mut output = io::stdout().lock();
    output.write_all(&script)?;
    output.flush()?;
    Ok(())
}

pub(super) fn man(args: &ManArgs, mut command: clap::Command) -> anyhow::Result<()> {
    if let Some(folder) = &args.out {
        let named = |e: io::Error| usage(format_args!("--out {}: {e}", folder.display()));
        fs::create_dir_all(folder).map_err(named)?;
        clap_mangen::generate_to(command, folder).map_err(named)?;
        return Ok(());
    }
    // This call completes the full names of subcommands, for example `kriegspiel score read`.
    command.build();
    let mut page = &command;
    for word in &args.command {
        let known = page.get_subcommands().find(|c| c.get_name() == word);
        page = known.ok_or_else(|| {
            let names: Vec<&str> = page
                .get_subcommands()
                .map(clap::Command::get_name)
                .collect();
            let meant = nearest(word, &names).map(|name| format!("did you mean `{name}`? "));
            usage(format_args!(
                "there is no command `{}`: {}`kriegspiel --help` lists the commands",
                word.escape_debug(),
                meant.unwrap_or_default()
            ))
        })?;
    }
    let mut text = Vec::new();
    Man::new(page.clone()).render(&mut text)?;
    let mut output = io::stdout().lock();
    output.write_all(&text)?;
    output.flush()?;
    Ok(())
}
