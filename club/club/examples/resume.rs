//! Measures the time to resume a long game after the club was closed. In this time the club reads
//! the log, builds the table, and sends all hearings to a player.
//!
//! `cargo run --release -p kriegspiel-club --example resume [FOLDER]`: FOLDER is a folder on the disk to be
//! measured.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use club::{AccountId, Club, ClubError, ListenerItem, Settings, SystemClock};
use referee::{Game, Opened, StartPosition};
use rules::{
    Fifty, Threefold,
    chess::{ByColor, Color},
    rulesets,
};
use store::{
    Act, GameId, Millis, NewRow, RequestId, SqliteStore, Store, StoreError, TimeControl,
    testing::opened_game,
};
use tempfile::TempDir;

/// Number of events in the game.
const EVENTS: usize = 10_000;
/// Number of measurements.
const TIMES: usize = 20;

/// Returns the rows after the row `opened`. Both sides move knights out and back, and a try is
/// refused before each move.
fn rows(opened: Opened) -> Vec<NewRow> {
    let mut game = Game::open(opened);
    let rows = (1..EVENTS).map(|step| {
        let by = game.turn();
        // Each of these tries is refused: the square on which the pawn would capture is empty.
        let refused = if by == Color::White { "e2d3" } else { "e7d6" };
        let moved = ["g1f3", "g8f6", "f3g1", "f6g8"][(step - 1) / 2 % 4];
        let text = if step % 2 == 1 { refused } else { moved };
        let attempt = text.parse().expect("the text is an attempt");
        let ruling = game.judge(by, attempt).expect("it is this side's turn");
        game.apply(&ruling.event);
        NewRow {
            at: step as Millis,
            act: Act::Game(ruling.event),
            request: Some((by, RequestId(format!("{step:08}-0123456789abcdef")))),
        }
    });
    rows.collect()
}

async fn open(file: &Path) -> Result<Club, StoreError> {
    let store = Arc::new(SqliteStore::open(file).await?);
    Club::open(store, Arc::new(SystemClock), Settings::cheap()).await
}

/// Reads all hearings of White: the answers to White's tries, and every move.
async fn hear_all(club: &Club, game: GameId, white: AccountId) -> Result<(), ClubError> {
    let mut listening = club.listen(game, Some(white), 0).await?;
    let mut heard = 0;
    while let Some(item) = listening.ready() {
        heard += usize::from(matches!(item, ListenerItem::Hearing(_)));
    }
    assert!(heard > EVENTS / 2, "only {heard} hearings");
    Ok(())
}

fn show(what: &str, mut spans: Vec<Duration>) {
    spans.sort_unstable();
    let ms = |span: Duration| span.as_secs_f64() * 1000.0;
    println!(
        "{what}: {:.1} ms (median), {:.1} ms (slowest of {TIMES})",
        ms(spans[TIMES / 2]),
        ms(spans[TIMES - 1])
    );
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os()
        .nth(1)
        .map_or_else(tempfile::env::temp_dir, PathBuf::from);
    let folder = TempDir::with_prefix_in("kriegspiel-resume-", folder)?;
    let file = folder.path().join("club.db");

    let club = open(&file).await?;
    let players = ByColor {
        white: club.guest().await?.id,
        black: club.guest().await?.id,
    };
    club.close().await;
    let ruleset = &rulesets::WILD16;
    let mut choices = ruleset.choices;
    choices.threefold = Threefold::Off;
    choices.fifty = Fifty::Off;
    let opened = Opened::new(ruleset, choices, StartPosition::initial());
    let id = GameId::from_chance(0);
    let store = SqliteStore::open(&file).await?;
    let game = opened_game(id, players, &opened, TimeControl::Unlimited, 0);
    store.create_game(0, &game).await?;
    store.append(id, 1.into(), &rows(opened), None).await?;
    store.close().await;

    let (mut restarted, mut open_already) = (Vec::new(), Vec::new());
    for _ in 0..TIMES {
        let begun = Instant::now();
        let club = open(&file).await?;
        hear_all(&club, id, players.white).await?;
        restarted.push(begun.elapsed());
        let begun = Instant::now();
        hear_all(&club, id, players.white).await?;
        open_already.push(begun.elapsed());
        club.close().await;
    }
    println!("{EVENTS} events; time to send all hearings to White:");
    show("including opening the file and the club", restarted);
    show("in a club that is already open", open_already);
    Ok(())
}
