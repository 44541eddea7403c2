//! Tests that log lines reveal no secret, because the operator may be a player.

#![allow(clippy::unwrap_used, reason = "a mistake here fails the test")]

#[path = "live/open.rs"]
#[allow(dead_code, reason = "this test uses only a part of the file")]
mod open;

use std::{
    io,
    sync::{Arc, Mutex},
};

use open::open;
use serde_json::json;

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the log lines, with times masked.
fn lines(written: &Written) -> Vec<String> {
    let text = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    text.lines()
        .map(|line| {
            let mut json: serde_json::Value = serde_json::from_str(line).unwrap();
            json["timestamp"] = json!("-");
            json["ms"] = json!("-");
            json.to_string()
        })
        .collect()
}

// There is only one test in this program, because the whole process shares one log.
#[tokio::test]
async fn log_lines_contain_no_try_name_token_or_query() {
    let written = Written::default();
    let lines_to = written.clone();
    tracing_subscriber::fmt()
        .json()
        .flatten_event(true)
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_writer(move || lines_to.clone())
        .init();
    let club = open().await;
    let mut logs = Vec::new();
    let mut secrets = Vec::new();
    // Black hears the same in two games. In the first game, White makes no try that is refused. In
    // the second game, White makes seven such tries over HTTP and seven over the socket.
    for refused in [0, 7] {
        let (white, black, game) = club.game("wild16").await;
        written.0.lock().unwrap().clear();
        let mut socket = white.socket().await;
        socket.next_of("welcome").await;
        for n in 0..refused {
            // Tries over HTTP and over the socket.
            white.say(&game, &format!("h{n}"), "e2d3").await;
            socket
                .say(
                    json!({"type": "try", "id": format!("s{n}"), "game": game, "after": 1,
                    "text": "e2f3"}),
                )
                .await;
            socket.next_of("answer").await;
        }
        white.say(&game, "e4", "e2e4").await;
        black.say(&game, "e5", "e7e5").await;
        white.heard(&game, 0).await;
        club.get("/api/lobby?secret=1").await;
        club.get(&format!("/game/{game}?token=secret")).await;
        logs.push(lines(&written));
        secrets.extend([
            game,
            white.name.clone(),
            white.bearer.clone(),
            black.bearer.clone(),
        ]);
    }
    assert_eq!(logs[0], logs[1]);
    assert!(
        logs[0].iter().any(|line| line.contains("/api/lobby")),
        "{logs:?}"
    );
    let all = logs.concat().join("\n");
    secrets.extend(["secret", "e2e4", "e2d3", "e7e5", "tries"].map(str::to_owned));
    for secret in secrets {
        let secret = secret.trim_start_matches("Bearer ");
        assert!(!all.contains(secret), "{secret}: {all}");
    }
    club.close().await;
}
