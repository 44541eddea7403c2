//! Measures whether the cost of an attempt depends on the number of rows in the game's log.
//!
//! `cargo run --release -p kriegspiel-club --example attempts [FOLDER | postgres://USER@HOST/DATABASE]`: FOLDER is a folder on the
//! disk to be measured. Without an argument, the store is in memory.

use std::{
    fs,
    sync::Arc,
    time::{Duration, Instant},
};

use club::{Club, Settings, SystemClock, request_id};
use referee::{Game, Opened, StartPosition};
use rules::{
    Fifty, Threefold,
    chess::{ByColor, Color},
    rulesets,
};
use store::{
    Act, GameId, MemoryStore, Millis, NewRow, PostgresStore, RequestId, SqliteStore, Store,
    TimeControl, testing::opened_game,
};
use tempfile::TempDir;

/// Approximate number of rows in the log of each game before the measurement.
const LENGTHS: [usize; 4] = [10, 100, 1_000, 10_000];
/// Number of attempts in a game in each round.
const ATTEMPTS: usize = 100;
/// Number of rounds. Each round makes attempts in every game.
const ROUNDS: usize = 20;
/// Number of rows that are appended at once before the measurement.
const ROWS_AT_ONCE: usize = 100;
/// Number of processor ticks in a second, for the times in `/proc/self/stat`.
const TICKS: f64 = 100.0;

type Error = Box<dyn std::error::Error>;

/// Returns attempt number `step` of a game, counted from 0. A try that is refused and a legal move
/// of a knight follow each other in turn.
fn text(step: usize) -> &'static str {
    let refused = ["e2d3", "e7d6"][step / 2 % 2];
    let moved = ["g1f3", "g8f6", "f3g1", "f6g8"][step / 2 % 4];
    if step.is_multiple_of(2) {
        refused
    } else {
        moved
    }
}

/// Returns the colour that makes attempt number `step`.
fn by(step: usize) -> Color {
    if (step / 2).is_multiple_of(2) {
        Color::White
    } else {
        Color::Black
    }
}

fn id(step: usize) -> String {
    format!("{step:08}-0123456789abcdef")
}

/// Returns the rows of the first `count` attempts of a game, all with the time `at`.
fn rows(opened: &Opened, count: usize, at: Millis) -> Vec<NewRow> {
    let mut game = Game::open(opened.clone());
    let rows = (0..count).map(|step| {
        let attempt = text(step).parse().expect("the text is an attempt");
        let ruling = game
            .judge(by(step), attempt)
            .expect("it is this side's turn");
        game.apply(&ruling.event);
        NewRow {
            at,
            act: Act::Game(ruling.event),
            request: Some((by(step), RequestId(id(step)))),
        }
    });
    rows.collect()
}

/// Returns the processor time of this process.
fn processor_time() -> Result<Duration, Error> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat
        .rsplit_once(')')
        .ok_or("no fields")?
        .1
        .split_whitespace()
        .collect();
    let ticks: u64 = fields[11].parse::<u64>()? + fields[12].parse::<u64>()?;
    Ok(Duration::from_secs_f64(ticks as f64 / TICKS))
}

#[tokio::main]
async fn main() -> Result<(), Error> {
    let place = std::env::args().nth(1);
    let (store, _folder): (Arc<dyn Store>, Option<TempDir>) = match place {
        None => (Arc::new(MemoryStore::default()), None),
        Some(address) if address.contains("://") => {
            (Arc::new(PostgresStore::open(&address).await?), None)
        }
        Some(folder) => {
            let folder = TempDir::with_prefix_in("kriegspiel-attempts-", folder)?;
            let file = folder.path().join("club.db");
            (Arc::new(SqliteStore::open(&file).await?), Some(folder))
        }
    };
    let club = Club::open(Arc::clone(&store), Arc::new(SystemClock), Settings::cheap()).await?;
    let players = ByColor {
        white: club.guest().await?.id,
        black: club.guest().await?.id,
    };
    let ruleset = &rulesets::WILD16;
    let mut choices = ruleset.choices;
    choices.threefold = Threefold::Off;
    choices.fifty = Fifty::Off;
    let opened = Opened::new(ruleset, choices, StartPosition::initial());
    let mut games = Vec::new();
    for count in LENGTHS {
        let game = GameId::from_chance(rand::random());
        let at = club.now();
        let new = opened_game(game, players, &opened, TimeControl::Unlimited, at);
        store.create_game(0, &new).await?;
        // The length is a multiple of four, so the next attempt is White's.
        let count = count / 4 * 4;
        let mut length = 1;
        for part in rows(&opened, count, at).chunks(ROWS_AT_ONCE) {
            store.append(game, length.into(), part, None).await?;
            length += u32::try_from(part.len())?;
        }
        games.push((game, count, Duration::ZERO, Duration::ZERO));
    }
    for round in 0..=ROUNDS {
        for (game, step, spent, waited) in &mut games {
            let (begun, at) = (processor_time()?, Instant::now());
            for _ in 0..ATTEMPTS {
                let player = *players.get(by(*step));
                let after = club.seat_view(*game, player).await?.n;
                let said = club.say(*game, player, request_id(&id(*step))?, after, text(*step));
                said.await?;
                *step += 1;
            }
            // The first round is not measured, because it also builds the tables from their logs.
            if round > 0 {
                *spent += processor_time()?.saturating_sub(begun);
                *waited += at.elapsed();
            }
        }
    }
    let attempts = (ATTEMPTS * ROUNDS) as f64;
    let us = |time: Duration| time.as_secs_f64() * 1e6 / attempts;
    let first = (us(games[0].2), us(games[0].3));
    println!("{attempts} attempts in each game, one after the other");
    for ((_, _, spent, waited), length) in games.iter().zip(LENGTHS) {
        println!(
            "{length:>6} rows: {:>6.0} us of processor time ({:.2}), {:>6.0} us until the answer ({:.2})",
            us(*spent),
            us(*spent) / first.0,
            us(*waited),
            us(*waited) / first.1
        );
    }
    club.close().await;
    Ok(())
}
