//! Functions that several tests of the server use.

use std::{env, str::FromStr};

use club::{Club, HeardItem, ListenerItem, Listening};
use rules::{Announcement, Heard, chess::Color};
use server::{Given, Server};

/// Starts a built-in bot in a club, with default settings except for the seed and
/// `think_ahead`.
pub async fn run_bot(club: &Club, bot: &str, seed: u64, thinks_ahead: bool) {
    let given = Given {
        bots: Some(vec![bot.to_owned()]),
        think_ahead: Some(thinks_ahead),
        ..Given::default()
    };
    let mut config = given.settle().unwrap();
    config.bot_seed = Some(seed);
    let server = Server::open(club.clone(), config).await.unwrap();
    tokio::spawn(async move { server.run_built_in_bots().await });
}

/// Waits until it is White's turn. Returns false if the game is over.
pub async fn whites_turn(listening: &mut Listening) -> bool {
    loop {
        let Some(ListenerItem::Hearing(hearing)) = listening.next().await else {
            continue;
        };
        for item in hearing.heard.iter() {
            match item {
                HeardItem::Heard(Heard::Announced(Announcement::Turn {
                    to_move: Color::White,
                })) => return true,
                HeardItem::Heard(Heard::Over(_)) => return false,
                HeardItem::Start(_) | HeardItem::Heard(_) => {}
            }
        }
    }
}

/// Returns the value of an environment variable, or the default.
pub fn setting<T: FromStr>(name: &str, default: T) -> T {
    env::var(name).map_or(default, |text| text.parse().ok().unwrap())
}
