//! The command `kriegspiel games`.

use std::{
    collections::HashMap,
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Context;
use store::{EveningId, GameId, StoreError};

use super::{
    data::{Data, location, open_existing},
    terminal::Text,
    usage,
};

/// List the running games of a club; end one, show one in a hall; cancel an evening
///
/// All of it can be done while the club runs. The list shows nothing of a position.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: GamesCommand,
}

#[derive(Debug, clap::Subcommand)]
enum GamesCommand {
    /// List the running games, oldest first
    List(ListArgs),
    /// End a game without a result
    ///
    /// A running club ends the game within 2 seconds, and tells its players that
    /// it was aborted. If no club runs, the game ends when the club is next opened.
    End(EndArgs),
    /// Print the address of a page that shows the umpire's board of a running game
    ///
    /// For a screen in a hall, where no player is. Only if both players agreed before the
    /// game: the rules that they accepted have the line `hall = true`. Give the address to
    /// nobody. It works until the game is over (then everybody may look), or until --revoke.
    Hall(HallArgs),
    /// Cancel an evening that is not over
    ///
    /// Nothing of it stays but its games, which go on.
    Cancel(CancelArgs),
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    #[command(flatten)]
    data: Data,
}

#[derive(Debug, clap::Args)]
struct EndArgs {
    #[command(flatten)]
    data: Data,

    /// Id of the game
    game: GameId,
}

#[derive(Debug, clap::Args)]
struct HallArgs {
    #[command(flatten)]
    game: EndArgs,

    /// Show the board so many minutes late
    #[arg(long, value_name = "MINUTES", default_value_t = 0, value_parser = clap::value_parser!(u32).range(..=1440))]
    delay: u32,

    /// Make all earlier addresses of this game invalid, and print a new one
    #[arg(long)]
    revoke: bool,
}

#[derive(Debug, clap::Args)]
struct CancelArgs {
    #[command(flatten)]
    data: Data,

    /// Id of the evening, as in its address
    evening: String,
}

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the program cannot start")?;
    runtime.block_on(async {
        match &args.what {
            GamesCommand::List(args) => list(args).await,
            GamesCommand::End(args) => end(args).await,
            GamesCommand::Hall(args) => hall(args).await,
            GamesCommand::Cancel(args) => cancel(args).await,
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn list(args: &ListArgs) -> anyhow::Result<()> {
    let store = open_existing(&location(&args.data.file)?).await?;
    let games = store.store().running().await?;
    let accounts = store.store().accounts().await?;
    store.close().await;
    let names: HashMap<_, _> = accounts.iter().map(|a| (a.id, a.name.as_str())).collect();
    let name = |id| names.get(&id).copied().unwrap_or("?");
    let mut output = Text::new(io::stdout().lock());
    writeln!(
        output,
        "{:<12}  {:<19}  {:<12}  {:<7}  players",
        "game", "begun (UTC)", "rules", "clock"
    )?;
    for game in &games {
        writeln!(
            output,
            "{:<12}  {:<19}  {:<12}  {:<7}  {}, {}",
            game.id.to_string(),
            club::utc(game.at),
            game.terms.rules,
            game.terms.time.pgn(),
            name(game.players.white),
            name(game.players.black),
        )?;
    }
    output.flush()?;
    Ok(())
}

async fn end(args: &EndArgs) -> anyhow::Result<()> {
    let store = open_existing(&location(&args.data.file)?).await?;
    let ordered = store.store().order_end(args.game).await;
    store.close().await;
    match ordered {
        Ok(()) => {}
        Err(StoreError::Absent) => {
            return Err(usage(format_args!(
                "no running game has the id {}: `kriegspiel games list` lists the ids",
                args.game
            )));
        }
        Err(error) => return Err(error.into()),
    }
    let mut output = io::stdout().lock();
    writeln!(output, "Game {} ends without a result.", args.game)?;
    output.flush()?;
    Ok(())
}

async fn hall(args: &HallArgs) -> anyhow::Result<()> {
    let HallArgs {
        game,
        delay,
        revoke,
    } = args;
    let store = open_existing(&location(&game.data.file)?).await?;
    let address = club::hall_address(&*store.store(), game.game, *delay, *revoke).await;
    store.close().await;
    let address = address?.ok_or_else(|| {
        usage(format_args!(
            "no running game whose players agreed to a hall has the id {}: `kriegspiel games list` \
             lists the ids",
            game.game
        ))
    })?;
    let mut output = io::stdout().lock();
    writeln!(output, "{address}")?;
    output.flush()?;
    Ok(())
}

async fn cancel(args: &CancelArgs) -> anyhow::Result<()> {
    let store = open_existing(&location(&args.data.file)?).await?;
    let id = EveningId(args.evening.clone());
    let cancelled = store.store().cancel_evening(&id).await;
    store.close().await;
    match cancelled {
        Ok(()) => {}
        Err(StoreError::Absent) => {
            return Err(usage(format_args!(
                "no evening that is not over has the id {}: its address ends with the id",
                args.evening
            )));
        }
        Err(error) => return Err(error.into()),
    }
    let mut output = io::stdout().lock();
    writeln!(output, "Evening {} is cancelled.", args.evening)?;
    output.flush()?;
    Ok(())
}
