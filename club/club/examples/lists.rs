//! Fills a club's file with accounts, finished games and ratings, and measures how long the club
//! takes to open, and how long profiles, leaderboards, searches and the lobby take.
//!
//! `cargo run --release -p kriegspiel-club --example lists ACCOUNTS GAMES [FILE]`: FILE is kept, and
//! only measured if it exists. One game of ten is played by the program `engine`.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use club::{Club, ClubError, FinishedSearch, Settings, SystemClock};
use referee::{EndCause, Game, Opened, StartPosition};
use rules::{
    Family, Winner,
    chess::{ByColor, Color},
    rulesets::WILD16,
};
use store::{
    AccountId, AccountKind, Act, Against, GameId, Millis, NewAccount, NewRow, RatingStore,
    SqliteStore, Store, StoreError, StoredRating, TimeControl, testing::opened_game,
};
use tempfile::TempDir;
use tokio::task::JoinSet;

/// Number of moves in each game.
const MOVES: usize = 20;
/// Maximum number of calls of the store that are in flight while this program fills the store.
const WAITING: usize = 512;
/// Number of measurements of each kind.
const TIMES: usize = 500;
/// Time of the first game.
const START: Millis = 1_700_000_000_000;

fn row(at: Millis, event: referee::Event) -> NewRow {
    NewRow {
        at,
        act: Act::Game(event),
        request: None,
    }
}

/// Returns a game that White loses on time after knights have moved out and back.
fn played(at: Millis) -> (Opened, Game, Vec<NewRow>) {
    let opened = Opened::new(&WILD16, WILD16.choices, StartPosition::initial());
    let mut game = Game::open(opened.clone());
    let mut rows = Vec::new();
    let moves = [
        "b1c3", "b8c6", "a1b1", "a8b8", "g1f3", "g8f6", "f3g5", "f6g4",
    ];
    for step in 0..MOVES {
        let text = match moves.get(step) {
            Some(text) => text,
            None => [
                "h2h3", "h7h6", "a2a3", "a7a6", "b2b3", "b7b6", "d2d3", "d7d6", "e2e3", "e7e6",
                "g2g3", "g7g6",
            ][step - moves.len()],
        };
        let attempt = text.parse().expect("the text is an attempt");
        let ruling = game.judge(game.turn(), attempt);
        let event = ruling.expect("it is this side's turn").event;
        game.apply(&event);
        rows.push(row(at, event));
    }
    let ruling = game.judge_end(EndCause::Flag(Color::White));
    let event = ruling.expect("the game is not over").event;
    game.apply(&event);
    rows.push(row(at, event));
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

async fn create(store: SqliteStore, number: u64, accounts: u64) -> Result<(), StoreError> {
    let at = START + number as Millis * 60_000;
    let (opened, game, rows) = played(at);
    let id = GameId::from_chance(number);
    let new = opened_game(
        id,
        players(number, accounts),
        &opened,
        TimeControl::Unlimited,
        at,
    );
    store.create_game(0, &new).await?;
    let appended = store.append(id, 1.into(), &rows, game.over()).await;
    appended.map_err(|error| StoreError::Other(error.to_string()))
}

async fn fill(file: &PathBuf, accounts: u64, games: u64) -> Result<(), StoreError> {
    let store = SqliteStore::open(file).await?;
    for number in 0..accounts {
        let (name, kind) = match number {
            0 => ("engine".to_owned(), AccountKind::Program),
            _ => (format!("person-{number}"), AccountKind::Person),
        };
        let password = Some("$argon2id$none".to_owned());
        let at = START;
        let new = NewAccount {
            name,
            kind,
            password,
            at,
        };
        store.create_account(&new).await?;
    }
    let mut tasks = JoinSet::new();
    for number in 0..games {
        if tasks.len() >= WAITING
            && let Some(done) = tasks.join_next().await
        {
            done.expect("the task does not panic")?;
        }
        tasks.spawn(create(store.clone(), number, accounts));
    }
    while let Some(done) = tasks.join_next().await {
        done.expect("the task does not panic")?;
    }
    let mut numbers = std::collections::HashMap::new();
    let mut changes = Vec::new();
    for number in 0..games {
        let pair = players(number, accounts);
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

/// Prints the median and the 99th percentile of the times that `call` takes.
async fn measure<T>(
    what: &str,
    call: impl AsyncFn(usize) -> Result<T, ClubError>,
) -> Result<(), ClubError> {
    let mut times = Vec::new();
    for n in 0..TIMES {
        let begun = Instant::now();
        call(n).await?;
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    println!(
        "{what}: p50 {:.1} ms, p99 {:.1} ms",
        ms(times[TIMES / 2]),
        ms(times[TIMES * 99 / 100])
    );
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let mut number = |other: u64| words.next().map_or(Ok(other), |word| word.parse());
    let (accounts, games) = (number(10_000)?, number(100_000)?);
    let folder = TempDir::with_prefix("kriegspiel-lists-")?;
    let file = words
        .next()
        .map_or_else(|| folder.path().join("club.db"), PathBuf::from);
    if !file.exists() {
        let begun = Instant::now();
        fill(&file, accounts, games).await?;
        println!("filled in {:.0} s", begun.elapsed().as_secs_f64());
    }
    let bytes = std::fs::metadata(&file)?.len();
    println!(
        "{accounts} accounts, {games} games, {} bytes a game",
        bytes / games
    );
    let begun = Instant::now();
    let store = Arc::new(SqliteStore::open(&file).await?);
    let club = Club::open(store, Arc::new(SystemClock), Settings::cheap()).await?;
    println!("opened in {:.0} ms", begun.elapsed().as_secs_f64() * 1000.0);
    let person = |n: usize| format!("person-{}", n % (accounts as usize - 1) + 1);
    let all = FinishedSearch::default;
    measure("lobby", async |_| club.lobby_for(None).await).await?;
    measure("profile of a person", async |n| {
        club.profile(&person(n * 17)).await
    })
    .await?;
    measure("profile of the program", async |_| {
        club.profile("engine").await
    })
    .await?;
    for kind in Against::ALL {
        let what = format!("leaderboard of {}", kind.name());
        let of_kind = async |_| {
            club.leaderboard(Family::Wild16, kind, Against::People)
                .await
        };
        measure(&what, of_kind).await?;
    }
    let page = |n: usize| START + (n as Millis * 997 % games as Millis) * 60_000;
    measure("a page of all games", async |n| {
        let before = page(n);
        club.games(&FinishedSearch { before, ..all() }, None, 50)
            .await
    })
    .await?;
    measure("a page of a ruleset and a result", async |n| {
        let (before, rules) = (page(n), Some("wild16".to_owned()));
        let winner = Some(Winner::Draw);
        club.games(
            &FinishedSearch {
                before,
                rules,
                winner,
                ..all()
            },
            None,
            50,
        )
        .await
    })
    .await?;
    measure("a page of the program", async |n| {
        let before = page(n);
        let of = FinishedSearch::of(AccountId(1));
        club.games(&FinishedSearch { before, ..of }, None, 50).await
    })
    .await?;
    measure("the program against a person", async |n| {
        let opponent = Some(AccountId(n as i64 * 17 + 2));
        let of = FinishedSearch::of(AccountId(1));
        club.games(&FinishedSearch { opponent, ..of }, None, 50)
            .await
    })
    .await?;
    club.close().await;
    Ok(())
}
