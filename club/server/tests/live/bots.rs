//! Functions that several tests of the server use.

use club::Club;
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
