//! Rows for a store that a test fills without a club.

use club::GameId;
use referee::{Event, Opened, StartPosition};
use rules::{chess::ByColor, rulesets::WILD16};
use store::{AccountId, Act, ColorWish, NewGame, NewRow, Terms, TimeControl};

/// Returns a new game without clocks between these players. The game begins at the time `at`.
pub fn new_game(id: GameId, players: ByColor<AccountId>, at: i64) -> NewGame {
    let opened = Opened::new(&WILD16, WILD16.choices, StartPosition::initial());
    NewGame {
        id,
        players,
        terms: Terms {
            rules: "wild16".to_owned(),
            custom: None,
            time: TimeControl::Unlimited,
            rated: false,
            color: ColorWish::White,
        },
        at,
        rows: vec![NewRow {
            at,
            act: Act::Game(Event::Opened(Box::new(opened))),
            request: None,
        }],
        offer: None,
    }
}
