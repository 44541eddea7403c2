//! Log lines: for the operator, who may be a player.
//!
//! They hold no address of a game or an invitation, no text, no name, no
//! token. A request at the table of a game leaves no line at all: only the player
//! may know how often they were refused.

use std::{
    io::{self, IsTerminal},
    time::Instant,
};

use axum::{
    extract::{MatchedPath, Request},
    middleware::Next,
    response::Response,
};

use crate::config::LogForm;

/// The addresses at which games are played and heard.
const TABLES: &str = "/api/games/{id}";

/// Writes a line for every request but those at the tables.
pub async fn every_request(request: Request, next: Next) -> Response {
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let begun = Instant::now();
    let response = next.run(request).await;
    let route = route.as_ref().map_or("page", MatchedPath::as_str);
    let status = response.status();
    let took = begun.elapsed().as_millis();
    if route.starts_with(TABLES) {
        // Nor when it fails: the club says by itself when its file takes nothing.
    } else if status.is_server_error() {
        tracing::error!(%method, route, status = status.as_u16(), ms = took, "request");
    } else {
        tracing::info!(%method, route, status = status.as_u16(), ms = took, "request");
    }
    response
}

/// Begins to write log lines to stderr. Only the first call counts.
pub fn begin(form: LogForm) {
    let lines = tracing_subscriber::fmt()
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal())
        .with_target(false)
        .with_max_level(tracing::Level::INFO);
    // If a subscriber is set already, it writes the lines.
    let _begun = match form {
        LogForm::Text => tracing::subscriber::set_global_default(lines.finish()),
        LogForm::Json => {
            tracing::subscriber::set_global_default(lines.json().flatten_event(true).finish())
        }
    };
}
