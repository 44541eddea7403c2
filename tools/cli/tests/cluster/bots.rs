//! A node is killed while its built-in bot plays a game. The built-in bot of another node continues
//! the game.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use referee::Event;
use rules::chess::Color;
use services::Postgres;
use store::{Act, GameId, PostgresStore, Store};
use tokio::time::sleep;
use wire::{ColorWish, LobbyJson, NewChallengeJson, TermsJson, TimeControlJson, TryJson};

use crate::running::{Folder, Running, http, plain, words};

/// Timeout of each wait, long enough for another node to take over the games of a killed node.
const TAKEN_OVER: Duration = Duration::from_secs(20);

/// Starts a node whose built-in bot is `random`.
fn node(data: &str, folder: &Folder) -> Running {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    plain(&mut command);
    let words = words(data.as_ref());
    let words = words.iter().map(|word| match word.as_str() {
        "none" => "random",
        other => other,
    });
    command.args(words).args(["--think", "100"]);
    Running::start(command, folder)
}

/// Waits until the bot has made this number of moves. Returns all requests of the bot's seat.
async fn bot_moves(store: &PostgresStore, game: GameId, moves: usize) -> Vec<String> {
    let until = Instant::now() + TAKEN_OVER;
    loop {
        let rows = store.rows(game, 0).await.expect("the log can be read");
        let is_move =
            |act: &Act| matches!(act, Act::Game(Event::Moved { by, .. }) if *by == Color::Black);
        if rows.iter().filter(|row| is_move(&row.act)).count() >= moves {
            let requests = rows.into_iter().filter_map(|row| row.request);
            let own = requests.filter(|(by, _)| *by == Color::Black);
            return own.map(|(_, id)| id.0).collect();
        }
        assert!(Instant::now() < until, "the bot has not made move {moves}");
        sleep(Duration::from_millis(20)).await;
    }
}

/// Sends a try of White until the answer is `moved`. A node may refuse requests for a moment.
async fn white_moves(at: &Running, token: &str, game: GameId, after: u32, text: &str) {
    let asked = TryJson {
        id: text.to_owned(),
        after,
        text: text.to_owned(),
    };
    let body = serde_json::to_string(&asked).expect("writing succeeds");
    let path = format!("/api/games/{game}/tries");
    let until = Instant::now() + TAKEN_OVER;
    loop {
        let (status, said) =
            http::ask(at.address, "POST", &path, token, &body).expect("the node answers");
        if status == 200 && said.contains("moved") {
            return;
        }
        assert!(Instant::now() < until, "{text}: {status} {said}");
        sleep(Duration::from_millis(100)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bot_of_another_node_continues_after_a_kill() {
    let postgres = Postgres::start().expect("PostgreSQL is installed");
    let data = postgres.address();
    let folders = [Folder::new(), Folder::new()];
    let mut dying = node(&data, &folders[0]);
    let token = http::guest(dying.address);
    let challenge = NewChallengeJson {
        to: "random".to_owned(),
        terms: TermsJson {
            rules: "wild16".to_owned(),
            custom: None,
            time: TimeControlJson::Plain { initial: 600 },
            rated: false,
            color: ColorWish::White,
        },
    };
    let body = serde_json::to_string(&challenge).expect("writing succeeds");
    let (status, said) = http::ask(dying.address, "POST", "/api/challenges", &token, &body)
        .expect("the node answers");
    assert_eq!(status, 201, "{said}");
    let game = loop {
        let (_, said) =
            http::ask(dying.address, "GET", "/api/lobby", &token, "").expect("the node answers");
        let lobby: LobbyJson = serde_json::from_str(&said).expect("the lobby is valid JSON");
        if let Some(game) = lobby.mine.first() {
            break game.id.parse().expect("the text is a game id");
        }
        sleep(Duration::from_millis(50)).await;
    };
    let store = PostgresStore::open(&data).await.expect("the store opens");
    white_moves(&dying, &token, game, 1, "e2e4").await;
    bot_moves(&store, game, 1).await;
    // The second node starts only now, so the first node has played the bot's move.
    let living = node(&data, &folders[1]);
    dying.kill();
    white_moves(&living, &token, game, 3, "d2d4").await;
    let mut requests = bot_moves(&store, game, 2).await;
    let count = requests.len();
    requests.sort_unstable();
    requests.dedup();
    assert_eq!(
        requests.len(),
        count,
        "two attempts must not have the same id"
    );
    assert!(living.terminate().success(), "{}", folders[1].log());
    store.close().await;
}
