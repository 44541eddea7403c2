//! The command `kriegspiel accounts`.

mod figures;

use std::{
    collections::HashMap,
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use club::{Clock, Settings, SystemClock, check_name, draw_password, hash_password};
use referee::Event;
use rules::{
    Family,
    chess::Color::{Black, White},
};
use store::{
    Account, AccountChange, AccountId, AccountKind, AccountNote, AccountState, Act, Against,
    Database, GameSearch, Millis, StoreError, StoredRating,
};

use super::{
    data::{Data, location, open_existing},
    terminal::Text,
    usage,
};

/// List accounts and who comes back; reset, rename, rate, disable or delete one; read reports
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
    Disable(UndoArgs),
    /// Let an account write no messages; --undo allows it again
    Mute(UndoArgs),
    /// Let an account use the operator's page, /operator; --undo ends it
    ///
    /// The page runs `notes`, `days`, `figures`, `note`, `mute`, `disable` and `rate`, and
    /// ends games.
    Operator(UndoArgs),
    /// Write a note about an account, for the operator only
    ///
    /// A note answers the reports about the account: `notes` without a name no longer lists it.
    Note(NoteArgs),
    /// List what was reported about an account, and what was done
    ///
    /// Without a name: the accounts with reports that no act and no note of the operator has
    /// answered.
    Notes(NotesArgs),
    /// Count newcomers day by day, and who of them came back; no names
    Days(DaysArgs),
    Figures(figures::FiguresArgs),
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
struct UndoArgs {
    #[command(flatten)]
    named: AccountName,

    /// Take it back
    #[arg(long)]
    undo: bool,

    /// Reason, which the notes about the account keep
    #[arg(long, value_name = "TEXT", default_value = "")]
    because: String,
}

#[derive(Debug, clap::Args)]
struct DaysArgs {
    #[command(flatten)]
    data: Data,
}

#[derive(Debug, clap::Args)]
struct NoteArgs {
    #[command(flatten)]
    named: AccountName,

    /// Text of the note
    text: String,
}

#[derive(Debug, clap::Args)]
struct NotesArgs {
    #[command(flatten)]
    data: Data,

    /// Name of the account
    name: Option<String>,
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
        AccountsCommand::Mute(args) => set(args, club::MUTED, ["muted", "no longer muted"]).await,
        AccountsCommand::Operator(args) => {
            set(args, club::OPERATOR, ["an operator", "no operator"]).await
        }
        AccountsCommand::Delete(named) => delete(named).await,
        AccountsCommand::Days(args) => days(args).await,
        AccountsCommand::Figures(args) => figures::figures(args).await,
        AccountsCommand::Note(args) => note(args).await,
        AccountsCommand::Notes(args) => notes(args).await,
    }
}

async fn open(data: &Data) -> anyhow::Result<Database> {
    open_existing(&location(&data.file)?).await
}

/// Opens the store and finds an account by its name. Accounts of the built-in bots are
/// refused.
async fn find(named: &AccountName) -> anyhow::Result<(Database, Account)> {
    find_in(&named.data, &named.name).await
}

async fn find_in(data: &Data, name: &str) -> anyhow::Result<(Database, Account)> {
    let store = open(data).await?;
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
    keep_note(&store, account.id, "new password".to_owned()).await?;
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
    let text = format!("renamed from {} to {}", account.name, args.new);
    keep_note(&store, account.id, text).await?;
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
    if rated.is_ok() {
        let (from, to) = (last.rating as f64 / 1000.0, args.points);
        let text = format!(
            "rated {to} in {} against {}, not {from:.0}",
            args.family, args.against
        );
        keep_note(&store, account.id, text).await?;
    }
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

async fn disable(args: &UndoArgs) -> anyhow::Result<()> {
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
    keep_act(&store, account.id, ["disabled", "enabled"], args).await?;
    store.close().await;
    let name = &account.name;
    say(&if args.undo {
        format!("{name} can sign in again.")
    } else {
        format!("{name} is disabled: its sessions end now, and nobody can sign in to it.")
    })
}

/// Gives an account a setting of the club, or takes it back.
async fn set(args: &UndoArgs, setting: &str, words: [&str; 2]) -> anyhow::Result<()> {
    let (store, account) = find(&args.named).await?;
    let value = if args.undo { "" } else { club::SET };
    let kept = store
        .store()
        .keep_settings(account.id, setting, value)
        .await;
    kept?;
    keep_act(&store, account.id, words, args).await?;
    store.close().await;
    let word = words[usize::from(args.undo)];
    say(&format!("{} is {word}.", account.name))
}

/// Keeps a note about an act or, with --undo, its opposite, with the reason.
async fn keep_act(
    store: &Database,
    about: AccountId,
    words: [&str; 2],
    args: &UndoArgs,
) -> anyhow::Result<()> {
    let act = words[usize::from(args.undo)];
    let text = match args.because.as_str() {
        "" => act.to_owned(),
        because => format!("{act}: {because}"),
    };
    keep_note(store, about, text).await
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

/// Keeps what the operator did or wrote.
async fn keep_note(store: &Database, about: AccountId, text: String) -> anyhow::Result<()> {
    let note = AccountNote {
        about,
        writer: None,
        game: None,
        at: SystemClock.now(),
        text,
    };
    let kept = store.store().add_note(&note).await;
    kept.context("the note about the account is not kept")
}

async fn note(args: &NoteArgs) -> anyhow::Result<()> {
    let (store, account) = find(&args.named).await?;
    keep_note(&store, account.id, args.text.clone()).await?;
    store.close().await;
    say(&format!("The note about {} is kept.", account.name))
}

async fn notes(args: &NotesArgs) -> anyhow::Result<()> {
    let (store, about) = match &args.name {
        None => (open(&args.data).await?, None),
        Some(name) => {
            let (store, account) = find_in(&args.data, name).await?;
            (store, Some(account.id))
        }
    };
    let mut notes = store.store().notes(about).await?;
    if about.is_none() {
        let last: HashMap<AccountId, Option<AccountId>> =
            notes.iter().map(|note| (note.about, note.writer)).collect();
        notes.retain(|note| last[&note.about].is_some());
    }
    let mut output = Text::new(io::stdout().lock());
    for note in &notes {
        let about = store.store().account(note.about).await?.name;
        let writer = match note.writer {
            None => "operator".to_owned(),
            Some(writer) => store.store().account(writer).await?.name,
        };
        let game = note.game.map(|game| format!(" (game {game})"));
        writeln!(
            output,
            "{}  {about}  {writer}: {}{}",
            club::utc(note.at),
            note.text,
            game.unwrap_or_default(),
        )?;
    }
    if notes.is_empty() {
        writeln!(output, "No reports.")?;
    }
    output.flush()?;
    store.close().await;
    Ok(())
}

/// Number of days that `days` shows.
const DAYS: i64 = 28;

async fn days(args: &DaysArgs) -> anyhow::Result<()> {
    let store = open(&args.data).await?;
    let today = day(SystemClock.now());
    let since = GameSearch {
        since: (today - DAYS) * MILLIS_PER_DAY,
        ..GameSearch::default()
    };
    let finished = store.store().finished(&since, u32::MAX).await?;
    let running = store.store().running().await?;
    let accounts = store.store().accounts().await?;
    let newcomers = accounts.iter().filter(|a| a.kind != AccountKind::Program);
    let made: HashMap<_, _> = newcomers.map(|a| (a.id, day(a.at))).collect();
    // Days on which an account played a game, whether it made a try in it on its first day, and whether
    // the game is finished.
    let mut played: HashMap<AccountId, Vec<(i64, bool, bool)>> = HashMap::new();
    for game in finished.iter().chain(&running) {
        let on = day(game.at);
        for (color, player) in [(White, game.players.white), (Black, game.players.black)] {
            let tried = made.get(&player) == Some(&on)
                && store.store().rows(game.id, 0).await?.iter().any(|row| {
                    matches!(&row.act, Act::Game(Event::Moved { by, .. } | Event::Rebuffed { by, .. })
                        if *by == color)
                });
            let of = played.entry(player).or_default();
            of.push((on, tried, game.over.is_some()));
        }
    }
    store.close().await;
    let mut output = Text::new(io::stdout().lock());
    writeln!(
        output,
        "{:<10}  {:>9}  {:>10}  {:>15}  {:>13}  {:>14}",
        "day (UTC)",
        "newcomers",
        "made a try",
        "finished a game",
        "back next day",
        "back in a week"
    )?;
    for on in today - DAYS..=today {
        let is_new =
            |account: &&Account| account.kind != AccountKind::Program && day(account.at) == on;
        let new: Vec<_> = accounts.iter().filter(is_new).collect();
        let count = |has: &dyn Fn(i64, bool, bool) -> bool| {
            let games = |account: &&&Account| {
                let mut games = played.get(&account.id).into_iter().flatten();
                games.any(|&(day, tried, is_over)| has(day - on, tried, is_over))
            };
            new.iter().filter(games).count()
        };
        writeln!(
            output,
            "{}  {:>9}  {:>10}  {:>15}  {:>13}  {:>14}",
            &club::utc(on * MILLIS_PER_DAY)[..10],
            new.len(),
            count(&|_, tried, _| tried),
            count(&|after, _, is_over| after == 0 && is_over),
            count(&|after, _, _| after == 1),
            count(&|after, _, _| (1..=7).contains(&after)),
        )?;
    }
    output.flush()?;
    Ok(())
}

const MILLIS_PER_DAY: i64 = 24 * 3600 * 1000;

fn day(at: Millis) -> i64 {
    at.div_euclid(MILLIS_PER_DAY)
}
