//! The command `kriegspiel accounts`.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use club::{Clock, Settings, SystemClock, check_name, draw_password, hash_password};
use rules::Family;
use store::{
    Account, AccountChange, AccountKind, AccountState, Against, Database, StoreError, StoredRating,
};

use super::{
    data::{Data, location, open_existing},
    terminal::Text,
    usage,
};

/// List accounts; give an account a new password; rename, rate, disable or delete it
///
/// All of this can be done while the club runs. Sessions and connections of an
/// account that is reset, disabled or deleted end within 2 seconds.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: AccountsCommand,
}

#[derive(Debug, clap::Subcommand)]
enum AccountsCommand {
    /// List all accounts, oldest first
    List(ListArgs),
    /// Give an account a new random password, and print it
    ///
    /// The old password and the recovery codes are no longer valid. Tell the
    /// password to the owner, who can change it on the page.
    Reset(AccountName),
    /// Give an account another name
    Rename(RenameArgs),
    /// Correct a rating of an account
    ///
    /// The profile of the account shows the correction. The deviation stays.
    Rate(RateArgs),
    /// Let nobody sign in to an account; --undo allows it again
    Disable(DisableArgs),
    /// Delete an account; its finished games stay, under a neutral name
    ///
    /// A running club resigns the running games of the account. If no club runs,
    /// the games are resigned when the club is next opened. Then the account is
    /// deleted.
    Delete(AccountName),
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    #[command(flatten)]
    data: Data,

    /// List guests, too
    #[arg(long)]
    guests: bool,
}

#[derive(Debug, clap::Args)]
struct AccountName {
    #[command(flatten)]
    data: Data,

    /// Name of the account
    name: String,
}

#[derive(Debug, clap::Args)]
struct RenameArgs {
    #[command(flatten)]
    named: AccountName,

    /// New name
    new: String,
}

#[derive(Debug, clap::Args)]
struct RateArgs {
    #[command(flatten)]
    named: AccountName,

    /// Family of rulesets
    #[arg(value_parser = PossibleValuesParser::new(Family::ALL.map(Family::name)))]
    family: String,

    /// Kind of the opponents for whom the rating counts
    #[arg(value_parser = PossibleValuesParser::new(Against::ALL.map(Against::name)))]
    against: String,

    /// New rating
    #[arg(value_parser = clap::value_parser!(u16).range(100..=4000))]
    points: u16,
}

#[derive(Debug, clap::Args)]
struct DisableArgs {
    #[command(flatten)]
    named: AccountName,

    /// Allow the owner to sign in again
    #[arg(long)]
    undo: bool,
}

pub(super) fn main(args: &Args) -> anyhow::Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("the program cannot start")?;
    runtime.block_on(run(&args.what))?;
    Ok(ExitCode::SUCCESS)
}

async fn run(what: &AccountsCommand) -> anyhow::Result<()> {
    match what {
        AccountsCommand::List(args) => list(args).await,
        AccountsCommand::Reset(named) => reset(named).await,
        AccountsCommand::Rename(args) => rename(args).await,
        AccountsCommand::Rate(args) => rate(args).await,
        AccountsCommand::Disable(args) => disable(args).await,
        AccountsCommand::Delete(named) => delete(named).await,
    }
}

async fn open(data: &Data) -> anyhow::Result<Database> {
    open_existing(&location(&data.file)?).await
}

/// Opens the store and finds an account by its name. Accounts of the built-in bots are
/// refused.
async fn find(named: &AccountName) -> anyhow::Result<(Database, Account)> {
    let store = open(&named.data).await?;
    let name = &named.name;
    match store.store().account_named(name).await {
        Ok(account) if account.kind == AccountKind::Program && account.password.is_none() => {
            Err(usage(format_args!(
                "{name} is one of the club's own programs: choose the programs with `kriegspiel \
                 serve --bots`"
            )))
        }
        Ok(account) => Ok((store, account)),
        Err(StoreError::Absent) => Err(usage(format_args!(
            "no account has the name {name}: `kriegspiel accounts list` lists the names"
        ))),
        Err(error) => Err(error.into()),
    }
}

fn say(text: &str) -> anyhow::Result<()> {
    let mut output = Text::new(io::stdout().lock());
    writeln!(output, "{text}")?;
    output.flush()?;
    Ok(())
}

fn kind(kind: AccountKind) -> &'static str {
    match kind {
        AccountKind::Person => "person",
        AccountKind::Guest => "guest",
        AccountKind::Program => "program",
    }
}

fn state(state: AccountState) -> &'static str {
    match state {
        AccountState::Active => "active",
        AccountState::Disabled => "disabled",
        AccountState::Waiting => "to be deleted after its games",
        AccountState::Resigning => "being deleted",
        AccountState::Deleted => "deleted",
    }
}

async fn list(args: &ListArgs) -> anyhow::Result<()> {
    let store = open(&args.data).await?;
    let accounts = store.store().accounts().await?;
    let running = store.store().running().await?;
    let shown = |account: &&Account| {
        account.state != AccountState::Deleted
            && (args.guests || account.kind != AccountKind::Guest)
    };
    let mut output = Text::new(io::stdout().lock());
    let (name, kind_of, created) = ("name", "kind", "created (UTC)");
    writeln!(
        output,
        "{name:<20}  {kind_of:<7}  {created:<19}  games  state"
    )?;
    for account in accounts.iter().filter(shown) {
        let games = running
            .iter()
            .filter(|game| game.seat(Some(account.id)).color().is_some())
            .count();
        writeln!(
            output,
            "{:<20}  {:<7}  {:<19}  {games:>5}  {}",
            account.name,
            kind(account.kind),
            club::utc(account.at),
            state(account.state),
        )?;
    }
    output.flush()?;
    store.close().await;
    Ok(())
}

async fn reset(named: &AccountName) -> anyhow::Result<()> {
    let (store, account) = find(named).await?;
    if account.kind == AccountKind::Guest {
        return Err(usage("a guest has no password"));
    }
    let password = draw_password();
    let hash = hash_password(Settings::default().password_cost, &password)?;
    let no_codes = AccountChange::RecoveryCodes {
        old: None,
        new: Vec::new(),
    };
    store
        .store()
        .change_account(account.id, None, &no_codes)
        .await?;
    let change = AccountChange::Password(hash);
    store
        .store()
        .change_account(account.id, None, &change)
        .await?;
    store.close().await;
    say(&format!(
        "The new password of {} is {password}\nThe sessions of this account end now, and \
         its old recovery codes are no longer valid.",
        account.name
    ))
}

async fn rename(args: &RenameArgs) -> anyhow::Result<()> {
    let (store, account) = find(&args.named).await?;
    if let Err(error) = check_name(&args.new) {
        return Err(usage(format_args!("{}: {error}", args.new)));
    }
    let is_bot = |bot: &bots::Bot| bot.name.eq_ignore_ascii_case(&args.new);
    if bots::ALL.iter().any(is_bot) {
        return Err(usage(format_args!(
            "{}: this name is kept for one of the club's own programs: choose another",
            args.new
        )));
    }
    let change = AccountChange::Rename(args.new.clone());
    match store
        .store()
        .change_account(account.id, None, &change)
        .await
    {
        Ok(()) => {}
        Err(StoreError::Taken) => {
            return Err(usage(format_args!(
                "{}: this name is taken: choose another",
                args.new
            )));
        }
        Err(error) => return Err(error.into()),
    }
    store.close().await;
    say(&format!("{} is now {}.", account.name, args.new))
}

async fn rate(args: &RateArgs) -> anyhow::Result<()> {
    let (store, account) = find(&args.named).await?;
    let name = &account.name;
    let ratings = store.store().ratings(account.id).await?;
    let is_meant = |rating: &&StoredRating| {
        rating.family == args.family && rating.against.name() == args.against
    };
    let last = ratings.iter().find(is_meant).ok_or_else(|| {
        usage(format_args!(
            "{name} has no rating in {} against {}: a rating begins with a rated game",
            args.family, args.against
        ))
    })?;
    let corrected = StoredRating {
        n: last.n.saturating_add(1),
        rating: i64::from(args.points) * 1000,
        at: SystemClock.now(),
        game: None,
        ..last.clone()
    };
    let rated = store.store().rate(None, &[corrected]).await;
    store.close().await;
    match rated {
        Ok(()) => say(&format!(
            "The rating of {name} in {} against {} is now {}; it was {:.0}.",
            args.family,
            args.against,
            args.points,
            last.rating as f64 / 1000.0,
        )),
        Err(StoreError::Taken) => Err(anyhow::anyhow!(
            "the rating of {name} changed at this moment, because a game ended: try again"
        )),
        Err(error) => Err(error.into()),
    }
}

async fn disable(args: &DisableArgs) -> anyhow::Result<()> {
    let (store, account) = find(&args.named).await?;
    let change = if args.undo {
        AccountChange::Enable
    } else {
        AccountChange::Disable
    };
    store
        .store()
        .change_account(account.id, None, &change)
        .await?;
    store.close().await;
    let name = &account.name;
    say(&if args.undo {
        format!("{name} can sign in again.")
    } else {
        format!("{name} is disabled: its sessions end now, and nobody can sign in to it.")
    })
}

async fn delete(named: &AccountName) -> anyhow::Result<()> {
    let (store, account) = find(named).await?;
    let resign = AccountChange::Resign;
    store
        .store()
        .change_account(account.id, None, &resign)
        .await?;
    let deleted = store
        .store()
        .change_account(account.id, None, &AccountChange::Delete)
        .await;
    store.close().await;
    let name = &account.name;
    match deleted {
        // A running club may already have deleted the account.
        Ok(()) | Err(StoreError::Absent) => say(&format!(
            "{name} is deleted. Its finished games stay, with the name {}.",
            store::DELETED_NAME
        )),
        Err(StoreError::Taken) => say(&format!(
            "{name} has games that are not over. A running club resigns them now; otherwise they are \
             resigned when the club is next opened. Then the account is deleted."
        )),
        Err(error) => Err(error.into()),
    }
}
