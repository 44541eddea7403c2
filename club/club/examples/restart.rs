//! Measures how long a club takes to open after a kill. The club's file has many running and many
//! finished games. Compares two settings: one game loaded at a time, and many games loaded at the
//! same time.
//!
//! `cargo run --release -p kriegspiel-club --example restart RUNNING FINISHED [FOLDER]`: FOLDER is a folder on
//! the disk to be measured.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use club::{Club, Settings, SystemClock};
use referee::{EndCause, Game, Opened, StartPosition};
use rules::{
    Fifty, Threefold,
    chess::{ByColor, Color},
    rulesets,
};
use store::{
    AccountId, AccountKind, Act, GameId, Millis, NewAccount, NewRow, RequestId, SqliteStore, Store,
    StoreError, TimeControl, testing::opened_game,
};
use tempfile::TempDir;
use tokio::{task::JoinSet, time::sleep};

/// Number of rows of a running game, and of a finished one.
const ROWS: (usize, usize) = (40, 10);
/// Maximum number of calls of the store that are in flight while this program fills the store.
const WAITING: usize = 512;
/// Number of measurements of each kind.
const TIMES: usize = 5;
/// Time between a kill and the next opening: the club treats this time as an outage, which no clock
/// counts.
const OUTAGE: Duration = Duration::from_millis(2_500);

const TIME: TimeControl = TimeControl::Clock {
    initial: 3_600_000,
    increment: 0,
};

fn opened() -> Opened {
    let ruleset = &rulesets::WILD16;
    let mut choices = ruleset.choices;
    choices.threefold = Threefold::Off;
    choices.fifty = Fifty::Off;
    Opened::new(ruleset, choices, StartPosition::initial())
}

/// Returns `count` rows after the opening, in which knights move out and back.
fn rows(at: Millis, count: usize) -> (Game, Vec<NewRow>) {
    let mut game = Game::open(opened());
    let mut rows = Vec::new();
    for step in 0..count {
        let by = game.turn();
        let attempt = ["g1f3", "g8f6", "f3g1", "f6g8"][step % 4].parse();
        let ruling = game.judge(by, attempt.expect("the text is an attempt"));
        let event = ruling.expect("it is this side's turn").event;
        game.apply(&event);
        rows.push(NewRow {
            at,
            act: Act::Game(event),
            request: Some((by, RequestId(format!("{step:08}-0123456789abcdef")))),
        });
    }
    (game, rows)
}

async fn create(
    store: SqliteStore,
    number: u64,
    players: ByColor<AccountId>,
    is_over: bool,
    at: Millis,
) -> Result<(), StoreError> {
    let id = GameId::from_chance(number);
    let mut new = opened_game(id, players, &opened(), TIME, at);
    let count = if is_over { ROWS.1 } else { ROWS.0 };
    let (game, mut more) = rows(at, count - 1);
    new.rows.append(&mut more);
    store.create_game(0, &new).await?;
    if is_over {
        let ruling = game.judge_end(EndCause::Flag(Color::White));
        let event = ruling.expect("it is this side's turn").event;
        let mut after = game.clone();
        after.apply(&event);
        let row = NewRow {
            at,
            act: Act::Game(event),
            request: None,
        };
        let length = u32::try_from(count).expect("the log is short");
        let appended = store.append(id, length.into(), &[row], after.over()).await;
        appended.map_err(|error| StoreError::Other(error.to_string()))?;
    }
    Ok(())
}

async fn fill(file: &Path, running: u64, finished: u64) -> Result<(), StoreError> {
    let store = SqliteStore::open(file).await?;
    let mut accounts = Vec::new();
    for name in ["Anna", "Bert"] {
        let account = NewAccount {
            name: name.to_owned(),
            kind: AccountKind::Guest,
            password: None,
            at: 0,
        };
        accounts.push(store.create_account(&account).await?);
    }
    let players = ByColor {
        white: accounts[0],
        black: accounts[1],
    };
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let at = since.map_or(0, |since| since.as_millis() as Millis);
    let mut tasks = JoinSet::new();
    for number in 0..running + finished {
        if tasks.len() >= WAITING
            && let Some(done) = tasks.join_next().await
        {
            done.expect("the task does not panic")?;
        }
        tasks.spawn(create(
            store.clone(),
            number,
            players,
            number >= running,
            at,
        ));
    }
    while let Some(done) = tasks.join_next().await {
        done.expect("the task does not panic")?;
    }
    store.close().await;
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let mut number = |other: u64| words.next().map_or(Ok(other), |word| word.parse());
    let (running, finished) = (number(1_000)?, number(0)?);
    let folder = words
        .next()
        .map_or_else(tempfile::env::temp_dir, PathBuf::from);
    let folder = TempDir::with_prefix_in("kriegspiel-restart-", folder)?;
    let file = folder.path().join("club.db");
    fill(&file, running, finished).await?;
    let size = std::fs::metadata(&file)?.len() / 1024;
    println!("{running} running games, {finished} finished, {size} KiB");
    let mut spans = [Vec::new(), Vec::new()];
    for round in 0..=2 * TIMES {
        // The first opening is not measured. It writes the heartbeat from which the next opening
        // computes the outage.
        let at_once = [1, Settings::default().games_loaded_at_once][round % 2];
        let settings = Settings {
            games_loaded_at_once: at_once,
            games_in_all: usize::MAX,
            ..Settings::cheap()
        };
        let begun = Instant::now();
        let store = Arc::new(SqliteStore::open(&file).await?);
        let club = Club::open(store, Arc::new(SystemClock), settings).await?;
        if round > 0 {
            spans[round % 2].push(begun.elapsed());
        }
        sleep(Duration::from_millis(600)).await;
        // The club is dropped without being closed. So no clock is paused and no game is closed, as
        // after a kill.
        drop(club);
        sleep(OUTAGE).await;
    }
    for (what, mut spans) in ["one game at a time", "many games at once"]
        .into_iter()
        .zip(spans)
    {
        spans.sort_unstable();
        println!(
            "{what}: {:.0} ms (median), {:.0} ms (slowest of {TIMES})",
            spans[TIMES / 2].as_secs_f64() * 1000.0,
            spans[TIMES - 1].as_secs_f64() * 1000.0,
        );
    }
    Ok(())
}
