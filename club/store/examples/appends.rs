//! Measures the speed of the store: appends to one game and to many games at the same time, and
//! reading a long game.
//!
//! `cargo run --release -p kriegspiel-store --example appends [FOLDER]`: FOLDER is a folder on the disk to be
//! measured.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use referee::{Game, Opened, StartPosition};
use rules::{
    Fifty, Threefold,
    chess::{ByColor, Color},
    rulesets,
};
use store::{
    AccountKind, Act, ColorWish, GameId, Millis, NewAccount, NewGame, NewRow, RequestId,
    SqliteStore, Store, StoreError, Terms, TimeControl,
};
use tempfile::TempDir;

/// Number of events in the long game.
const LONG_GAME_EVENTS: usize = 10_000;

/// Duration of each measurement.
const MEASURED_TIME: Duration = Duration::from_secs(3);

/// Returns the first `count` rows of a game. Knights move out and back.
fn knights(count: usize) -> Vec<NewRow> {
    let ruleset = &rulesets::WILD16;
    let mut choices = ruleset.choices;
    choices.threefold = Threefold::Off;
    choices.fifty = Fifty::Off;
    let opened = Opened::new(ruleset, choices, StartPosition::initial());
    let mut game = Game::open(opened);
    let mut rows = vec![NewRow {
        at: 0,
        act: Act::Game(game.opened_event()),
        request: None,
    }];
    for step in 0..count - 1 {
        let text = ["g1f3", "g8f6", "f3g1", "f6g8"][step % 4];
        let by = game.turn();
        let attempt = text.parse().expect("the text is an attempt");
        let ruling = game.judge(by, attempt).expect("it is this side's turn");
        game.apply(&ruling.event);
        let seat = match by {
            Color::White => 'w',
            Color::Black => 'b',
        };
        rows.push(NewRow {
            at: step as Millis,
            act: Act::Game(ruling.event),
            request: Some((by, RequestId(format!("{seat}-{step:08}-0123456789abcdef")))),
        });
    }
    rows
}

async fn begin(store: &SqliteStore, games: u64) -> Result<(), StoreError> {
    let mut players = ByColor {
        white: None,
        black: None,
    };
    for (color, name) in [(Color::White, "Anna"), (Color::Black, "Bert")] {
        let account = NewAccount {
            name: name.to_owned(),
            kind: AccountKind::Guest,
            password: None,
            at: 0,
        };
        *players.get_mut(color) = Some(store.create_account(&account).await?);
    }
    let (Some(white), Some(black)) = (players.white, players.black) else {
        return Err(StoreError::Absent);
    };
    for number in 0..games {
        let game = NewGame {
            id: GameId::from_chance(number),
            players: ByColor { white, black },
            terms: Terms {
                rules: "wild16".to_owned(),
                custom: None,
                time: TimeControl::Unlimited,
                rated: false,
                color: ColorWish::Any,
            },
            at: 0,
            rows: knights(1),
            offer: None,
        };
        store.create_game(0, &game).await?;
    }
    Ok(())
}

/// Appends to the games `from..to` at the same time, each in its own task, one row after another.
/// Prints the rate and the waiting times.
async fn rate(store: &SqliteStore, rows: &Arc<Vec<NewRow>>, from: u64, to: u64) {
    let until = Instant::now() + MEASURED_TIME;
    let begun = Instant::now();
    let mut tasks = Vec::new();
    for number in from..to {
        let store = store.clone();
        let rows = rows.clone();
        tasks.push(tokio::spawn(async move {
            let game = GameId::from_chance(number);
            let mut waits = Vec::new();
            for (seq, row) in (0_u32..).zip(rows.iter()).skip(1) {
                if Instant::now() > until {
                    break;
                }
                let asked = Instant::now();
                let row = std::slice::from_ref(row);
                store
                    .append(game, seq.into(), row, None)
                    .await
                    .expect("the row is stored");
                waits.push(asked.elapsed());
            }
            waits
        }));
    }
    let mut waits = Vec::new();
    for task in tasks {
        waits.extend(task.await.expect("the task does not panic"));
    }
    let rate = waits.len() as f64 / begun.elapsed().as_secs_f64();
    waits.sort_unstable();
    let at = |share: usize| waits[(waits.len() - 1) * share / 100];
    println!(
        "{:>4} games at once: {rate:>8.0} appends a second, wait {:?} (median), {:?} (99 of 100)",
        to - from,
        at(50),
        at(99)
    );
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os()
        .nth(1)
        .map_or_else(tempfile::env::temp_dir, PathBuf::from);
    let folder = TempDir::with_prefix_in("kriegspiel-speed-", folder)?;
    let store = SqliteStore::open(folder.path().join("club.db")).await?;
    let sizes = [1, 4, 20, 100];
    begin(&store, sizes.iter().sum::<u64>() + 1).await?;

    let long = GameId::from_chance(0);
    store
        .append(long, 1.into(), &knights(LONG_GAME_EVENTS)[1..], None)
        .await?;
    for _ in 0..5 {
        let begun = Instant::now();
        let rows = store.rows(long, 0).await?;
        let read = begun.elapsed();
        let events: Vec<_> = rows
            .iter()
            .filter_map(|row| match &row.act {
                Act::Game(event) => Some(event.clone()),
                Act::Table(_) => None,
            })
            .collect();
        Game::replay(&events)?;
        println!(
            "{} rows read in {read:?}, with the replay {:?}",
            rows.len(),
            begun.elapsed()
        );
    }
    let rows = Arc::new(knights(40_000));
    let mut from = 1;
    for size in sizes {
        rate(&store, &rows, from, from + size).await;
        from += size;
    }
    let begun = Instant::now();
    let report = store.check().await?;
    println!(
        "check: {report}, {} faults, in {:?}",
        report.faults.len(),
        begun.elapsed()
    );
    store.close().await;
    Ok(())
}
