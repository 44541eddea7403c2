//! Fixtures of the store's tests.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test program uses only a part of this file"
)]

use std::path::{Path, PathBuf};

use referee::{Event, Game, Opened, StartPosition};
use rules::{
    Fifty, Threefold,
    chess::{ByColor, Color},
    rulesets,
};
use store::{
    AccountId, AccountKind, Act, ColorWish, GameId, Millis, NewAccount, NewGame, NewRow, RequestId,
    Store, Terms, TimeControl,
};
use tempfile::TempDir;

/// A temporary folder for one test, removed when the test ends.
pub struct Folder(TempDir);

impl Folder {
    pub fn new() -> Folder {
        let folder = TempDir::with_prefix("kriegspiel-store-");
        Folder(folder.unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(&self) -> PathBuf {
        self.path().join("club.db")
    }
}

pub fn terms() -> Terms {
    Terms {
        rules: "wild16".to_owned(),
        custom: None,
        time: TimeControl::Clock {
            initial: 180_000,
            increment: 2_000,
        },
        rated: false,
        color: ColorWish::Any,
    }
}

pub fn id(chance: u64) -> GameId {
    GameId::from_chance(chance)
}

pub fn request(name: &str) -> RequestId {
    RequestId(name.to_owned())
}

pub async fn account(store: &dyn Store, name: &str) -> AccountId {
    let account = NewAccount {
        name: name.to_owned(),
        kind: AccountKind::Person,
        password: Some("$argon2id$not-a-hash".to_owned()),
        at: 1,
    };
    store.create_account(&account).await.unwrap()
}

pub async fn players(store: &dyn Store) -> ByColor<AccountId> {
    ByColor {
        white: account(store, "Anna").await,
        black: account(store, "Bert").await,
    }
}

pub fn fresh() -> Game {
    Game::from(rulesets::by_id("wild16").unwrap())
}

/// Returns a row that answers no request.
pub fn row(at: Millis, event: Event) -> NewRow {
    NewRow {
        at,
        act: Act::Game(event),
        request: None,
    }
}

pub fn new_game(game: GameId, players: ByColor<AccountId>, at: Millis) -> NewGame {
    NewGame {
        id: game,
        players,
        terms: terms(),
        at,
        rows: vec![row(at, fresh().opened_event())],
        offer: None,
    }
}

/// Returns the event of an attempt, as the referee judges the attempt, and applies
/// it to `game`.
pub fn said(game: &mut Game, by: Color, text: &str) -> Event {
    let attempt = text.parse().unwrap();
    let ruling = game.judge(by, attempt).unwrap();
    game.apply(&ruling.event);
    ruling.event
}

/// Returns the rows of a game of any length. Knights move out and back. Every third row is a
/// refused try.
pub fn knights(count: usize) -> Vec<NewRow> {
    let ruleset = rulesets::by_id("wild16").unwrap();
    let mut choices = ruleset.choices;
    choices.threefold = Threefold::Off;
    choices.fifty = Fifty::Off;
    let opened = Opened::new(ruleset, choices, StartPosition::initial());
    let mut game = Game::open(opened);
    let mut rows = vec![row(0, game.opened_event())];
    let steps = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let mut step = 0;
    while rows.len() < count {
        let by = game.turn();
        let at = rows.len() as Millis;
        let text = if rows.len().is_multiple_of(3) {
            match by {
                Color::White => "e2d3",
                Color::Black => "e7d6",
            }
        } else {
            step += 1;
            steps[(step - 1) % 4]
        };
        let event = said(&mut game, by, text);
        let request = request(&format!("{by:?}-{at}"));
        rows.push(NewRow {
            at,
            act: Act::Game(event),
            request: Some((by, request)),
        });
    }
    rows
}
