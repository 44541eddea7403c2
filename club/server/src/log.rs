//! Log lines for the operator, who may also be a player.
//!
//! Log lines contain no address of a game or an invitation, no text, no name and no token. A
//! request at the table of a game causes no log line, because only the player may know how often
//! the referee has refused a try.

use std::{
    io::{self, IsTerminal},
    time::{Duration, Instant},
};

use axum::{
    extract::{MatchedPath, Request, State},
    middleware::Next,
    response::Response,
};
use club::Club;
use tokio::time::sleep;

use crate::{app::App, config::LogForm, refusal::Unavailable};

/// Prefix of the addresses at which games are played and heard.
const TABLES: &str = "/api/games/{id}";

/// Writes a log line for every request except requests at the tables. Passes every answer to the
/// observer, if there is one.
pub async fn every_request(State(app): State<App>, request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let begun = Instant::now();
    let response = next.run(request).await;
    let route = route.as_ref().map_or("page", MatchedPath::as_str);
    let status = response.status();
    let took = begun.elapsed();
    if let Some(observe) = app.observer() {
        observe(method.as_str(), route, status.as_u16(), took);
    }
    let took = took.as_millis();
    if route.starts_with(TABLES) {
        // A request at a table causes no log line, even if it fails. If the club's file cannot be
        // written, `watch_file` writes a log line.
    } else if let Some(Unavailable(why)) = response.extensions().get() {
        tracing::error!(%method, route, status = status.as_u16(), ms = took, %why, "request");
    } else if status.is_server_error() {
        tracing::error!(%method, route, status = status.as_u16(), ms = took, "request");
    } else {
        tracing::info!(%method, route, status = status.as_u16(), ms = took, "request");
    }
    response
}

/// Interval between checks whether the club can write its file.
const FILE_CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Writes a log line when the club can no longer write its file, and when the club can write the
/// file again. The club writes a heartbeat twice per second by itself, so the time of the log line
/// does not depend on requests.
pub async fn watch_file(club: Club) {
    let mut was_writable = true;
    loop {
        sleep(FILE_CHECK_INTERVAL).await;
        let checked = club.check_file();
        match &checked {
            Err(error) if was_writable => {
                tracing::error!(why = %error, "the club's data cannot be written")
            }
            Ok(()) if !was_writable => tracing::info!("the club's data can be written again"),
            Ok(()) | Err(_) => {}
        }
        was_writable = checked.is_ok();
    }
}

/// Starts writing log lines to stderr. Only the first call has an effect.
pub fn begin(form: LogForm) {
    let lines = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false)
        // A line that cannot be written is lost. Without this setting, the subscriber would report
        // the loss on stderr. If stderr cannot be written either, for example because the disk is
        // full, the subscriber would panic.
        .log_internal_errors(false)
        .with_max_level(tracing::Level::INFO);
    // If another subscriber is set already, that subscriber writes the lines.
    let _begun = match form {
        LogForm::Text => tracing::subscriber::set_global_default(lines.finish()),
        LogForm::Json => {
            let lines = lines.json().flatten_event(true);
            tracing::subscriber::set_global_default(lines.finish())
        }
    };
}
