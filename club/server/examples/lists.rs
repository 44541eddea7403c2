//! Fills a club's file with accounts, finished games, ratings and running games of days, and
//! measures how long the club takes to open and to load these games afterwards, and how long the
//! answers with the lobby, profiles, leaderboards and lists of finished games take. Says if they take longer than [`OPENING`] or, at the
//! 99th percentile, than [`ANSWER`].
//!
//! `cargo run --release -p kriegspiel-server --example lists [ACCOUNTS GAMES RUNNING [FILE]]`: FILE is
//! kept, and only measured if it exists. One game of ten is played by the program `engine`.

#![allow(clippy::unwrap_used, reason = "a mistake here ends the measurement")]

#[path = "../tests/live/open.rs"]
#[allow(dead_code, reason = "this program uses only a part of the file")]
mod open;

use std::{
    collections::HashMap,
    path::Path,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use club::{Club, Settings, SystemClock};
use open::{Person, serve, usual};
use referee::{EndCause, Game, Opened, StartPosition};
use rules::{
    Family,
    chess::{ByColor, Color},
    rulesets::WILD16,
};
use sha2::{Digest, Sha256};
use store::{
    AccountId, AccountKind, Act, Against, GameId, Millis, NewAccount, NewRow, RatingStore, Scope,
    Session, SqliteStore, Store, StoreError, StoredRating, TimeControl, TokenHash,
    testing::opened_game,
};
use tempfile::TempDir;
use tokio::{task::JoinSet, time::sleep};

/// Maximum number of calls of the store that are in flight while this program fills the store.
const WAITING: usize = 512;
/// Number of measurements of each kind.
const TIMES: usize = 500;
/// Time of the first game.
const START: Millis = 1_700_000_000_000;
const DAY: Millis = 24 * 3600 * 1000;
/// Token of a session of the first person.
const TOKEN: &str = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

const OPENING: Duration = Duration::from_secs(5);
const ANSWER: Duration = Duration::from_millis(100);

/// Sizes of the club.
#[derive(Copy, Clone)]
struct Sizes {
    accounts: u64,
    finished: u64,
    running: u64,
}

fn row(at: Millis, event: referee::Event) -> NewRow {
    NewRow {
        at,
        act: Act::Game(event),
        request: None,
    }
}

/// Returns a game in which knights have moved out. If it is over, White has lost on time.
fn played(at: Millis, is_over: bool) -> (Opened, Game, Vec<NewRow>) {
    let opened = Opened::new(&WILD16, WILD16.choices, StartPosition::initial());
    let mut game = Game::open(opened.clone());
    let mut rows = Vec::new();
    let moves = [
        "b1c3", "b8c6", "a1b1", "a8b8", "g1f3", "g8f6", "f3g5", "f6g4", "h2h3", "h7h6", "a2a3",
        "a7a6", "b2b3", "b7b6", "d2d3", "d7d6", "e2e3", "e7e6", "g2g3", "g7g6",
    ];
    for text in moves {
        let ruling = game.judge(game.turn(), text.parse().unwrap());
        let event = ruling.expect("it is this side's turn").event;
        game.apply(&event);
        rows.push(row(at, event));
    }
    if is_over {
        let ruling = game.judge_end(EndCause::Flag(Color::White));
        let event = ruling.expect("the game is not over").event;
        game.apply(&event);
        rows.push(row(at, event));
    }
    (opened, game, rows)
}

/// Returns the players of a game. The first account is the program.
fn players(number: u64, accounts: u64) -> ByColor<AccountId> {
    let draw = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16;
    let one = draw % (accounts - 1) + 2;
    let other = match number % 10 {
        0 => 1,
        _ => (draw >> 20) % (accounts - 1) + 2,
    };
    let other = if other == one { 1 } else { other };
    let [one, other] = [one, other].map(|n| AccountId(i64::try_from(n).unwrap_or(1)));
    match number % 2 {
        0 => ByColor {
            white: one,
            black: other,
        },
        _ => ByColor {
            white: other,
            black: one,
        },
    }
}

/// Creates a finished game. If `now` is given, creates a game of days that runs.
async fn create(
    store: SqliteStore,
    number: u64,
    accounts: u64,
    now: Option<Millis>,
) -> Result<(), StoreError> {
    let at = now.unwrap_or(START + number as Millis * 60_000);
    let (opened, game, mut rows) = played(at, now.is_none());
    let id = GameId::from_chance(number);
    let time = TimeControl::Days {
        initial: 30 * DAY,
        increment: DAY,
        cap: 45 * DAY,
    };
    let mut new = opened_game(id, players(number, accounts), &opened, time, at);
    let last = rows.split_off(rows.len() - 1);
    new.rows.append(&mut rows);
    store.create_game(0, &new).await?;
    let length = u32::try_from(new.rows.len()).unwrap();
    let appended = store.append(id, length.into(), &last, game.over()).await;
    appended.map_err(|error| StoreError::Other(error.to_string()))
}

async fn add_account(store: SqliteStore, number: u64) -> Result<(), StoreError> {
    let (name, kind) = match number {
        0 => ("engine".to_owned(), AccountKind::Program),
        _ => (format!("person-{number}"), AccountKind::Person),
    };
    let password = Some("$argon2id$none".to_owned());
    let new = NewAccount {
        name,
        kind,
        password,
        at: START,
    };
    store.create_account(&new).await.map(drop)
}

/// Runs a call of the store for each number, many at once.
async fn each<F>(numbers: std::ops::Range<u64>, call: impl Fn(u64) -> F) -> Result<(), StoreError>
where
    F: Future<Output = Result<(), StoreError>> + Send + 'static,
{
    let mut tasks = JoinSet::new();
    for number in numbers {
        if tasks.len() >= WAITING
            && let Some(done) = tasks.join_next().await
        {
            done.unwrap()?;
        }
        tasks.spawn(call(number));
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap()?;
    }
    Ok(())
}

async fn fill(file: &Path, sizes: Sizes) -> Result<(), StoreError> {
    let store = SqliteStore::open(file).await?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let now = Millis::try_from(now.as_millis()).unwrap();
    add_account(store.clone(), 0).await?;
    each(1..sizes.accounts, |n| add_account(store.clone(), n)).await?;
    let session = Session {
        token: TokenHash(Sha256::digest(TOKEN).into()),
        account: store.account_named("person-1").await?.id,
        at: now,
        until: now + 1000 * DAY,
        generation: 0,
        label: String::new(),
        scope: Scope::All,
    };
    store.create_session(&session).await?;
    each(0..sizes.finished + sizes.running, |n| {
        let now = (n >= sizes.finished).then_some(now);
        create(store.clone(), n, sizes.accounts, now)
    })
    .await?;
    let mut numbers = HashMap::new();
    let mut changes = Vec::new();
    for number in 0..sizes.finished {
        let pair = players(number, sizes.accounts);
        for account in [pair.white, pair.black] {
            let n = numbers.entry(account).or_insert(0);
            *n += 1;
            let points = 1500 + (account.0 * 37 + i64::from(*n) * 11) % 700;
            changes.push(StoredRating {
                account,
                family: Family::Wild16.name().to_owned(),
                against: Against::People,
                n: *n,
                rating: points * 1000,
                deviation: 80_000,
                volatility: 60_000,
                at: START + number as Millis * 60_000,
                game: Some(GameId::from_chance(number)),
            });
        }
        if changes.len() >= 1000 {
            store.rate(None, &changes).await?;
            changes.clear();
        }
    }
    store.rate(None, &changes).await?;
    store.close().await;
    Ok(())
}

/// Prints the median, the 99th percentile and the largest of the times that the answers to `TIMES`
/// requests take, each over a new connection.
async fn measure(person: &Person<'_>, what: &str, path: impl Fn(usize) -> String) {
    let mut times = Vec::new();
    for n in 0..TIMES {
        let path = path(n);
        let begun = Instant::now();
        let answer = person.get(&path).await;
        times.push(begun.elapsed());
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
    }
    times.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    println!(
        "{what}: p50 {:.1} ms, p99 {:.1} ms, longest {:.1} ms",
        ms(times[TIMES / 2]),
        ms(times[TIMES * 99 / 100]),
        ms(times[TIMES - 1])
    );
    if times[TIMES * 99 / 100] > ANSWER {
        println!("{what}: too slow");
    }
}

/// Returns the memory of this process, in MB.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kib.unwrap_or(0) / 1000
}

#[tokio::main(worker_threads = 2)]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let mut number = |other: u64| words.next().map_or(Ok(other), |word| word.parse());
    let sizes = Sizes {
        accounts: number(10_000)?,
        finished: number(100_000)?,
        running: number(10_000)?,
    };
    let folder = TempDir::with_prefix("kriegspiel-lists-")?;
    let file = words
        .next()
        .map_or_else(|| folder.path().join("club.db"), PathBuf::from);
    if !file.exists() {
        let begun = Instant::now();
        fill(&file, sizes).await?;
        println!("filled in {:.0} s", begun.elapsed().as_secs_f64());
    }
    let games = sizes.finished + sizes.running;
    let bytes = std::fs::metadata(&file)?.len();
    println!("{games} games, {} bytes a game", bytes / games);
    let (begun, before) = (Instant::now(), memory());
    let store = Arc::new(SqliteStore::open(&file).await?);
    let tables = Club::open(store, Arc::new(SystemClock), Settings::cheap()).await?;
    let club = serve(tables.clone(), usual()).await;
    let opening = begun.elapsed();
    println!("opened in {:.0} ms", opening.as_secs_f64() * 1000.0);
    if opening > OPENING {
        println!("opened too slowly");
    }
    let reader = Person::at(&club, "person-1", TOKEN);
    measure(&reader, "lobby while games are loaded", |_| {
        "/api/lobby".to_owned()
    })
    .await;
    while (tables.open_tables() as u64) < sizes.running {
        sleep(Duration::from_millis(50)).await;
    }
    println!("loaded in {:.0} ms", begun.elapsed().as_secs_f64() * 1000.0);
    println!("memory: {} MB more", memory() - before);
    let person = |n: usize| format!("person-{}", n * 17 % (sizes.accounts as usize - 1) + 1);
    let before = |n: usize| START + (n as Millis * 9973 % sizes.finished as Millis) * 60_000;
    measure(&reader, "lobby", |_| "/api/lobby".to_owned()).await;
    measure(&reader, "profile of a person", |n| {
        format!("/api/people/{}", person(n))
    })
    .await;
    measure(&reader, "profile of the program", |_| {
        "/api/people/engine".to_owned()
    })
    .await;
    for kind in Against::ALL.map(Against::name) {
        measure(&reader, &format!("leaderboard of {kind}"), |_| {
            format!("/api/leaderboard?kind={kind}")
        })
        .await;
    }
    for (what, query) in [
        ("own games", ""),
        ("all games", "&player=*"),
        (
            "games with a ruleset and a result that none has",
            "&player=*&ruleset=wild16&result=1/2-1/2",
        ),
        ("games that nobody won or lost", "&player=*&result=1/2-1/2"),
        ("own games with a ruleset", "&ruleset=wild16"),
        ("games of the program", "&player=engine"),
        ("games that the program lost", "&player=engine&result=lost"),
    ] {
        measure(&reader, what, |n| {
            format!("/api/games?before={}{query}", before(n))
        })
        .await;
    }
    measure(&reader, "games of the program against a person", |n| {
        format!("/api/games?player=engine&opponent={}", person(n))
    })
    .await;
    measure(&reader, "the first page of all games", |_| {
        "/api/games?player=*".to_owned()
    })
    .await;
    club.close().await;
    Ok(())
}
