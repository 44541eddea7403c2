//! How long a long game takes to come back after the club was closed: its log
//! is read, the table is folded, and a player has heard all of it.
//!
//! `cargo run --release -p club --example resume [FOLDER]`; the folder decides
//! which disk is measured.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use club::{Club, Settings, SystemClock, Told};
use referee::{Game, Opened, StartPosition};
use rules::{
    Fifty, Threefold,
    chess::{ByColor, Color},
    rulesets,
};
use store::{
    AccountKind, Act, ColorWish, GameId, Millis, NewAccount, NewGame, NewRow, RequestId,
    SqliteStore, Store, Terms, TimeControl,
};

/// Events of the game.
const EVENTS: usize = 10_000;
/// How often it is opened.
const TIMES: usize = 5;

/// Knights go out and back, and before each move a try is refused.
fn rows() -> Vec<NewRow> {
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
    for step in 0..EVENTS - 1 {
        let by = game.turn();
        let moved = ["g1f3", "g8f6", "f3g1", "f6g8"][step / 2 % 4];
        // Nothing stands where these pawns take.
        let refused = if by == Color::White { "e2d3" } else { "e7d6" };
        let text = if step % 2 == 0 { refused } else { moved };
        let attempt = text.parse().expect("an attempt");
        let ruling = game.judge(by, attempt).expect("the game goes on");
        game.apply(&ruling.event);
        rows.push(NewRow {
            at: step as Millis,
            act: Act::Game(ruling.event),
            request: Some((by, RequestId(format!("{step:08}-0123456789abcdef")))),
        });
    }
    rows
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os()
        .nth(1)
        .map_or_else(std::env::temp_dir, PathBuf::from);
    let folder = folder.join(format!("kriegspiel-resume-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let file = folder.join("club.db");
    let store = SqliteStore::open(&file).await?;
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
    let id = GameId::from_chance(0);
    let rows = rows();
    let game = NewGame {
        id,
        players: ByColor {
            white: accounts[0],
            black: accounts[1],
        },
        terms: Terms {
            rules: "wild16".to_owned(),
            custom: None,
            time: TimeControl::Unlimited,
            rated: false,
            color: ColorWish::Any,
        },
        at: 0,
        rows: rows[..1].to_vec(),
        offer: None,
    };
    store.create_game(&game).await?;
    store.append(id, 1, &rows[1..], None).await?;
    store.close().await;

    let mut spans = Vec::new();
    for _ in 0..TIMES {
        let begun = Instant::now();
        let store = SqliteStore::open(&file).await?;
        let club = Club::open(Arc::new(store), Arc::new(SystemClock), Settings::cheap()).await?;
        let mut listening = club.listen(id, Some(accounts[0]), 0).await?;
        let mut heard = 0;
        while let Some(told) = listening.ready() {
            heard += usize::from(matches!(told, Told::Hearing(_)));
        }
        spans.push(begun.elapsed());
        assert!(heard > EVENTS / 2, "White hears his tries and every move");
        drop(listening);
        club.close().await;
    }
    spans.sort_unstable();
    let ms = |span: Duration| span.as_secs_f64() * 1000.0;
    println!(
        "{EVENTS} events: file opened, club opened, game resumed, all of it heard: {:.1} ms (half), {:.1} ms (slowest of {TIMES})",
        ms(spans[TIMES / 2]),
        ms(spans[TIMES - 1])
    );
    std::fs::remove_dir_all(&folder)?;
    Ok(())
}
