//! One of two nodes is shut down by a signal while games run. The leaving node asks its clients to
//! connect again, and every game continues at the staying node.

use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
    time::Duration,
};

use services::Postgres;
use store::{Act, PostgresStore, Store, TableEvent};
use tokio::{
    task::spawn_blocking,
    time::{Instant, sleep, sleep_until, timeout},
};
use wire::{ClientSays, ServerSays, TimeControlJson};

use crate::running::{
    Folder, Running, http, plain,
    socket::{Gone, Socket},
    words,
};

/// Starts a node.
fn node(data: &str, folder: &Folder) -> Running {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    plain(&mut command);
    command.args(words(data.as_ref()));
    Running::start(command, folder)
}

/// Maximum time to wait for an expected message.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// Time after the end of a node. Then the other node no longer regards the ended node as alive.
const GONE_AFTER: Duration = Duration::from_secs(5);

/// Pause before a refused attempt is sent again.
const RETRY_PAUSE: Duration = Duration::from_millis(200);

/// Reads messages until a wanted message comes.
async fn hear<T>(socket: &mut Socket, wanted: impl Fn(ServerSays) -> Option<T>) -> Result<T, Gone> {
    let heard = async {
        loop {
            if let Some(found) = wanted(socket.hear().await?) {
                return Ok(found);
            }
        }
    };
    let heard = timeout(ANSWER_TIMEOUT, heard).await;
    heard.expect("the message comes in time")
}

/// Sends an attempt until it is answered. On a machine with much other work, the club may refuse it
/// for a while.
async fn attempt(socket: &mut Socket, says: ClientSays) {
    let answered = async {
        loop {
            socket.say(&says).await.unwrap();
            let is_answered = hear(socket, |says| match says {
                ServerSays::Answer { .. } => Some(true),
                ServerSays::Refused { .. } => Some(false),
                ServerSays::Welcome { .. }
                | ServerSays::Lobby { .. }
                | ServerSays::LobbyChanges { .. }
                | ServerSays::Game { .. }
                | ServerSays::Heard { .. }
                | ServerSays::View { .. }
                | ServerSays::Message { .. }
                | ServerSays::Pong {}
                | ServerSays::Bye { .. } => None,
            });
            if is_answered.await.unwrap() {
                return;
            }
            sleep(RETRY_PAUSE).await;
        }
    };
    timeout(ANSWER_TIMEOUT, answered)
        .await
        .expect("the attempt is answered in time");
}

#[tokio::test(flavor = "multi_thread")]
async fn games_continue_elsewhere_while_a_node_ends() {
    let postgres = Postgres::start().expect("PostgreSQL is installed");
    let data = postgres.address();
    let folders = [Folder::new(), Folder::new()];
    let [leaving, staying] = folders.each_ref().map(|folder| node(&data, folder));
    let [first, second] = [leaving.address, staying.address];

    // In a game with clocks, White is connected to the leaving node.
    let tokens = [http::guest(first), http::guest(second)];
    let time = TimeControlJson::Plain { initial: 600 };
    let game = http::game(first, &tokens[0], &tokens[1], "wild16", time);
    let mut white = Socket::open(first, &tokens[0]).await.unwrap();
    let watch = |after| ClientSays::Watch {
        game: game.clone(),
        after,
    };
    let try_of = |id: &str, after, text: &str| ClientSays::Try {
        id: id.to_owned(),
        game: game.clone(),
        after,
        text: text.to_owned(),
    };
    white.say(&watch(0)).await.unwrap();
    attempt(&mut white, try_of("one", 1, "e2e4")).await;

    // Many other games run at both nodes.
    let mut load = Command::new(env!("CARGO_BIN_EXE_kriegspiel"));
    plain(&mut load);
    load.args(["load", "--json", "--games", "6", "--watchers", "4"])
        .args(["--rate", "40", "--duration", "8", "--data", &data])
        .args(["--url", &format!("http://{first},http://{second}")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let load = spawn_blocking(move || {
        let mut load = load.spawn().expect("the program starts");
        let mut said = BufReader::new(load.stderr.take().expect("the stream is piped"));
        let mut line = String::new();
        said.read_line(&mut line).expect("the output is UTF-8");
        assert!(line.contains("6 games are open"), "{line}");
        load
    });
    let load = load.await.expect("the games begin");
    sleep(Duration::from_millis(500)).await;
    let ending = spawn_blocking(move || leaving.terminate());

    // White gets the message to connect again, and finds the game at the staying node.
    let bye = hear(&mut white, |says| {
        if let ServerSays::Bye { why } = says {
            return Some(why);
        }
        None
    });
    let why = bye.await.expect("the node says goodbye");
    assert!(why.contains("connect again"), "{why}");
    // On a machine with much other work, the staying node may give no heartbeat for seconds.
    // Then the leaving node stops the clocks when it ends.
    let knew_other = why.contains("connect again at once");
    let mut white = Socket::open(second, &tokens[0]).await.unwrap();
    white.say(&watch(2)).await.unwrap();
    let mut black = Socket::open(second, &tokens[1]).await.unwrap();
    black.say(&watch(0)).await.unwrap();
    attempt(&mut black, try_of("one", 2, "e7e5")).await;
    let heard = hear(&mut white, |says| {
        if let ServerSays::Heard { hearing, .. } = says {
            return Some(hearing.n);
        }
        None
    });
    assert_eq!(heard.await.unwrap(), 3);

    assert!(ending.await.unwrap().success(), "{}", folders[0].log());
    let is_alone = Instant::now() + GONE_AFTER;
    let load = spawn_blocking(|| load.wait_with_output());
    let load = load.await.unwrap().unwrap();
    let said = String::from_utf8(load.stdout).unwrap();
    assert!(load.status.success(), "{said}\n{}", folders[1].log());
    let line = said.lines().find(|line| line.starts_with('{')).unwrap();
    let figures: serde_json::Value = serde_json::from_str(line).unwrap();
    let number = |key: &str| figures[key].as_u64().unwrap();
    // In each game of `kriegspiel load`, White or Black was connected to the leaving node, and so
    // were some of the spectators. So at least six connections were opened again.
    assert!(number("reconnections") >= 6, "{line}");
    assert_eq!(number("logs_compared"), number("games"), "{line}");
    println!(
        "figure: connections opened again at another node {}",
        number("reconnections")
    );
    println!(
        "figure: longest time from an attempt until both players heard the move, in a run in which a node is shut down, milliseconds {}",
        figures["both_heard_ms"]["max"].as_f64().unwrap() as u64
    );
    sleep_until(is_alone).await;
    assert!(staying.terminate().success());

    let store = PostgresStore::open(&data).await.unwrap();
    let rows = store.rows(game.parse().unwrap(), 0).await.unwrap();
    let table = |act: &Act| match act {
        Act::Table(event) => Some(*event),
        Act::Game(_) => None,
    };
    let events: Vec<TableEvent> = rows.iter().filter_map(|row| table(&row.act)).collect();
    let moves = rows.len() - events.len();
    assert_eq!(moves, 3, "{rows:?}");
    // The staying node was the last one that ran, so it paused the clocks when it ended.
    let is_pause = |event: &&TableEvent| matches!(event, TableEvent::Paused);
    let pauses = events.iter().filter(is_pause).count();
    assert_eq!(pauses, if knew_other { 1 } else { 2 }, "{rows:?}");
    store.close().await;
}
