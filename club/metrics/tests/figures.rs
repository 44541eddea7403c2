//! Tests what the metrics count, and that they contain no name, game or attempt.
#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

use std::{sync::Arc, time::Duration};

use metrics::Metrics;
use referee::Game;
use rules::{
    chess::{ByColor, Color},
    rulesets,
};
use store::{
    AccountId, AccountKind, Act, AppendError, ColorWish, GameId, MemoryStore, NewAccount, NewGame,
    NewRow, Store, Terms, TimeControl,
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::oneshot,
};

/// Returns the value of the only line that begins with this name and these labels.
fn value(text: &str, line: &str) -> f64 {
    let mut found = text.lines().filter_map(|whole| {
        let rest = whole.strip_prefix(line)?;
        rest.strip_prefix(' ')?.parse().ok()
    });
    let value = found
        .next()
        .unwrap_or_else(|| panic!("no {line} in {text}"));
    assert_eq!(found.next(), None, "{text}");
    value
}

async fn account(store: &Arc<dyn Store>, name: &str) -> AccountId {
    let account = NewAccount {
        name: name.to_owned(),
        kind: AccountKind::Guest,
        password: None,
        at: 0,
    };
    store.create_account(&account).await.unwrap()
}

fn row(event: referee::Event) -> NewRow {
    NewRow {
        at: 0,
        act: Act::Game(event),
        request: None,
    }
}

#[tokio::test]
async fn calls_rows_and_conflicts_are_counted() {
    let metrics = Metrics::new();
    let store = metrics.measured(Arc::new(MemoryStore::default()));
    let players = ByColor {
        white: account(&store, "Ottilie").await,
        black: account(&store, "Balthasar").await,
    };
    let game = Game::from(&rulesets::WILD16);
    let new = NewGame {
        id: GameId::from_chance(7),
        players,
        terms: Terms {
            rules: "wild16".to_owned(),
            custom: None,
            time: TimeControl::Unlimited,
            rated: false,
            color: ColorWish::Any,
        },
        at: 0,
        rows: vec![row(game.opened_event())],
        offer: None,
    };
    store.create_game(0, &new).await.unwrap();
    let attempt = "e2e4".parse().unwrap();
    let event = game.judge(Color::White, attempt).unwrap().event;
    let rows = [row(event)];
    let append = || store.append(new.id, 1.into(), &rows, None);
    assert_eq!(append().await, Ok(()));
    assert_eq!(append().await, Err(AppendError::Conflict));
    assert!(store.game(GameId::from_chance(8)).await.is_err());

    let text = metrics.text();
    let calls = |call| {
        let line = format!("kriegspiel_store_call_seconds_count{{call=\"{call}\"}}");
        value(&text, &line)
    };
    assert_eq!(calls("create_account"), 2.0);
    assert_eq!(calls("create_game"), 1.0);
    assert_eq!(calls("append"), 2.0);
    assert_eq!(value(&text, "kriegspiel_store_rows_total"), 1.0);
    assert_eq!(value(&text, "kriegspiel_store_conflicts_total"), 1.0);
    let under_way = "kriegspiel_store_calls_under_way{call=\"append\"}";
    assert_eq!(value(&text, under_way), 0.0);
    // The store answers that there is no such game. This answer is not a failure.
    assert!(!text.contains("store_failures_total{"), "{text}");
    // No metric contains the players, the id of the game or an attempt.
    for private in ["Ottilie", "Balthasar", "e2e4", &new.id.to_string()] {
        assert!(!text.contains(private), "{private}: {text}");
    }
}

#[tokio::test]
async fn clients_cannot_add_labels_of_their_own() {
    let metrics = Metrics::new();
    for n in 0..100 {
        let method = format!("METHOD{n}");
        metrics.answered(&method, "page", 405, Duration::from_millis(2));
    }
    let text = metrics.text();
    assert!(!text.contains("METHOD"), "{text}");
    let line = "kriegspiel_answer_seconds_count{method=\"other\",route=\"page\",status=\"405\"}";
    assert_eq!(value(&text, line), 100.0);
}

async fn ask(listener: &std::net::SocketAddr, host: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(listener).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn only_metrics_path_and_known_hosts_are_answered() {
    let metrics = Metrics::new();
    metrics.gauge("kriegspiel_games", "Games that are not over", || 3);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let serving = tokio::spawn(metrics::serve(metrics, listener, async {
        let _stopped = stopped.await;
    }));
    let answer = ask(&at, "127.0.0.1:9464", "/metrics").await;
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.contains("application/openmetrics-text; version=1.0.0"));
    assert!(answer.contains("\nkriegspiel_games 3\n"), "{answer}");
    assert!(answer.ends_with("# EOF\n"), "{answer}");
    let other = ask(&at, "localhost", "/api/lobby").await;
    assert!(other.starts_with("HTTP/1.1 404"), "{other}");
    // The owner of a foreign web site can make the site's host name point to this machine. A
    // request with such a name is refused.
    let strange = ask(&at, "evil.example:9464", "/metrics").await;
    assert!(strange.starts_with("HTTP/1.1 421"), "{strange}");
    assert!(!strange.contains("kriegspiel_"), "{strange}");
    stop.send(()).unwrap();
    assert!(serving.await.unwrap().is_ok());
}
