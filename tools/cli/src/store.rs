//! The command `kriegspiel store`.

use std::{
    io::{self, BufWriter, Write},
    path::PathBuf,
    process::ExitCode,
};

use anyhow::Context;
use referee::Event;
use scores::{Tags, write_umpire_view};
use store::{Database, ExportError, ExportForm, ExportGames};

use super::{
    data::{Data, default_data, location, open_existing, open_to_read},
    terminal::Text,
};

/// Check, export, back up or copy the club's data
///
/// Checks, exports and backups are also possible while the club runs. Stop all clubs before a copy.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: StoreCommand,
}

#[derive(Debug, clap::Subcommand)]
enum StoreCommand {
    Check(CheckArgs),
    Export(ExportArgs),
    Backup(BackupArgs),
    Copy(CopyArgs),
}

/// Check whether the data is complete and every game can be replayed
///
/// Checks the database, replays each game's log from its first row to its last,
/// and compares the index of games with the logs. Exit code 0: everything is
/// correct; 1: something is wrong, and the output says what.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  kriegspiel store check --data /var/lib/kriegspiel/kriegspiel.db")]
struct CheckArgs {
    /// File of the club, or the address of its Postgres database
    /// [env: KRIEGSPIEL_DATA] [default: kriegspiel.db]
    // The function `check` reads the environment variable. If clap read the variable, clap would
    // count it as an argument that conflicts with FILE.
    #[arg(long = "data", value_name = "FILE|ADDRESS", conflicts_with = "named")]
    data: Option<PathBuf>,

    /// The same as --data
    #[arg(value_name = "FILE|ADDRESS")]
    named: Option<PathBuf>,
}

/// Write every game to standard output, one line of JSON each
///
/// A line contains the players' names, the terms, and all rows of the log.
///
/// FOR THE UMPIRE ONLY: the log of a running game contains the true position,
/// which its players may not see. --finished omits running games.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kriegspiel store export > games.jsonl
  kriegspiel store export --finished > finished.jsonl
  kriegspiel store export --pgn > games.pgn")]
struct ExportArgs {
    #[command(flatten)]
    data: Data,

    /// Write finished games only
    #[arg(long)]
    finished: bool,

    /// Write finished games as PGN with tries (docs/pgn.md)
    #[arg(long)]
    pgn: bool,
}

/// Make a complete and consistent copy of the data, while the club runs
///
/// A copy made with `cp` would lose the data in the -wal file in the same
/// folder. The copy is a complete club file: it can be checked and served. It
/// contains the true positions of running games and the hashes of passwords;
/// only its owner can read it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  kriegspiel store backup kriegspiel-2024-06-01.db")]
struct BackupArgs {
    #[command(flatten)]
    data: Data,

    /// Path of the copy; the file must not exist yet
    #[arg(value_name = "COPY")]
    to: PathBuf,
}

/// Copy the club from a file to a Postgres database, or back
///
/// Copies accounts, sessions, games, logs, offers, messages and settings in one
/// transaction, and compares the copy with the original. Stop the clubs first:
/// what they write after the copy began is not in the copy.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  kriegspiel store copy kriegspiel.db postgres://club@db.example.org/club
  PGPASSWORD=... kriegspiel store copy postgres://club@db.example.org/club copy.db")]
struct CopyArgs {
    /// Existing file or database
    #[arg(value_name = "FROM")]
    from: PathBuf,

    /// New file or empty database
    #[arg(value_name = "TO")]
    to: PathBuf,
}

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the program cannot start")?;
    match &args.what {
        StoreCommand::Check(args) => runtime.block_on(check(args)),
        StoreCommand::Export(args) => runtime.block_on(export(args)),
        StoreCommand::Backup(args) => runtime.block_on(backup(args)),
        StoreCommand::Copy(args) => runtime.block_on(copy(args)),
    }
}

async fn check(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let given = args.named.as_ref().or(args.data.as_ref()).cloned();
    let name = location(&given.unwrap_or_else(default_data))?;
    let store = open_to_read(&name).await?;
    let report = store.check().await.with_context(|| name.to_string())?;
    store.close().await;
    let mut output = Text::new(io::stdout().lock());
    for fault in &report.faults {
        writeln!(output, "{fault}")?;
    }
    let (code, verdict) = match report.faults.len() {
        0 => (ExitCode::SUCCESS, "no error found".to_owned()),
        1 => (ExitCode::FAILURE, "1 error found".to_owned()),
        n => (ExitCode::FAILURE, format!("{n} errors found")),
    };
    writeln!(output, "{name}: {report}: {verdict}")?;
    output.flush()?;
    Ok(code)
}

async fn export(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    let name = location(&args.data.file)?;
    let store = open_to_read(&name).await?;
    let form = if args.pgn {
        ExportForm::Pgn(pgn)
    } else {
        ExportForm::Lines
    };
    let games = if args.finished {
        ExportGames::Finished
    } else {
        ExportGames::All
    };
    let mut output = BufWriter::new(io::stdout());
    match store.export(form, games, &mut output).await {
        Ok(_) => {}
        Err(ExportError::Io(error)) => return Err(error.into()),
        Err(ExportError::Store(error)) => {
            return Err(error).with_context(|| name.to_string());
        }
    }
    output.flush()?;
    sync_output()?;
    store.close().await;
    Ok(ExitCode::SUCCESS)
}

/// Returns a finished game as PGN with tries.
fn pgn(tags: &[(&str, &str)], log: &[Event]) -> String {
    let mut named = Tags::default();
    for (name, value) in tags {
        named.set(name, value);
    }
    let mut text = String::new();
    write_umpire_view(&mut text, &named, log, &[]);
    text
}

/// Syncs standard output, if it is a file: an export must be on the disk when the command has ended.
fn sync_output() -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;
        let file = std::fs::File::from(io::stdout().as_fd().try_clone_to_owned()?);
        if file.metadata()?.is_file() {
            file.sync_all()?;
        }
    }
    Ok(())
}

async fn backup(args: &BackupArgs) -> anyhow::Result<ExitCode> {
    if args.to.exists() {
        anyhow::bail!(
            "{}: the file already exists, and a backup does not overwrite files: give another name",
            args.to.display()
        );
    }
    let name = location(&args.data.file)?;
    let store = open_existing(&name).await?;
    let copied = store.backup(&args.to).await;
    store.close().await;
    copied.with_context(|| name.to_string())?;
    let mut output = io::stdout().lock();
    writeln!(output, "{} is a copy of {name}", args.to.display())?;
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}

async fn copy(args: &CopyArgs) -> anyhow::Result<ExitCode> {
    let (from, to) = (location(&args.from)?, location(&args.to)?);
    let source = open_existing(&from).await?;
    let target = Database::open(&to).await.with_context(|| to.to_string())?;
    let copied = source.copy_to(&target).await;
    source.close().await;
    target.close().await;
    let copied = copied.with_context(|| format!("{from} to {to}"))?;
    let mut output = io::stdout().lock();
    writeln!(
        output,
        "{to} is a copy of {from}: {} accounts, {} games, {} rows, compared",
        copied.accounts, copied.games, copied.rows
    )?;
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}
