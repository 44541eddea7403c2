//! Hearings over HTTP: one line for each message, in a response that stays open.

use std::{convert::Infallible, time::Duration};

use axum::{
    body::{Body, Bytes},
    extract::{Path, Query, State},
    http::{HeaderName, Method, header},
    response::{IntoResponse, Response},
};
use futures_util::stream;
use serde::Deserialize;
use tokio::sync::mpsc;
use wire::{RefusalCode, RefusedJson};

use crate::{
    app::App,
    reader::{From, Listener},
    refusal::Refusal,
    routes::games::game_id,
    watching::Watching,
};

/// A client that reads no line for this time is disconnected.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);

/// After this time without a message, an empty line is sent, to find out whether the client still
/// exists.
const EMPTY_LINE_INTERVAL: Duration = Duration::from_secs(20);

/// Query parameters: with which hearing the response begins, and whether it stays open.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct Since {
    /// Number of the last hearing that you heard; 0 for all hearings.
    #[serde(default)]
    after: u32,
    /// 0: end after all past hearings; 1 (default): stay open.
    #[serde(default = "one")]
    wait: u8,
}

const fn one() -> u8 {
    1
}

/// Hear a game in an answer that does not end, from your own seat or as a spectator
///
/// One JSON message (`ServerSays`) for each line, as on the socket: `heard`, `view` (for a player),
/// `game`. An empty line from time to time shows that the connection works. The response stays open until the
/// club closes or the session ends.
#[utoipa::path(get, path = "/api/games/{id}/heard", tag = "games",
    params(("id" = String, Path), Since), security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = String, content_type = "application/x-ndjson"),
        (status = "default", body = RefusedJson)))]
pub async fn heard(
    State(app): State<App>,
    method: Method,
    from: From,
    Listener { reader, token }: Listener,
    Path(id): Path<String>,
    query: Result<Query<Since>, axum::extract::rejection::QueryRejection>,
) -> Result<Response, Refusal> {
    let invalid = || {
        Refusal::new(
            RefusalCode::Invalid,
            "`after` must be the last number heard, `wait` must be 0 or 1; no other parameter is allowed",
        )
    };
    let Query(Since { after, wait }) = query.map_err(|_| invalid())?;
    if wait > 1 {
        return Err(invalid());
    }
    // A HEAD request does not subscribe. A player counts as present only if the response stays
    // open. Otherwise others would notice each single request of the player.
    let stays = wait == 1 && method != Method::HEAD;
    let (club, game) = (app.club(), game_id(&id)?);
    let listening = if stays {
        club.listen(game, reader.id(), after).await?
    } else {
        club.heard(game, reader.id(), after).await?
    };
    let watching = Watching::new(game, listening, after);
    let (lines, mut receiver) = mpsc::channel(64);
    tokio::spawn(async move {
        let _counters = from.counters;
        tokio::select! {
            () = send_lines(watching, stays, &lines) => {}
            () = lines.closed() => {}
            () = app.session_ends(token.as_deref()), if stays => {}
            () = app.closing() => {}
        }
    });
    let body = Body::from_stream(stream::poll_fn(move |context| receiver.poll_recv(context)));
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        // A proxy must not buffer the lines.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, body).into_response())
}

type Lines = mpsc::Sender<Result<Bytes, Infallible>>;

async fn send_lines(mut watching: Watching, stays: bool, lines: &Lines) {
    while stays || !watching.is_idle() {
        let line = match tokio::time::timeout(EMPTY_LINE_INTERVAL, watching.next()).await {
            Ok(Some(says)) => {
                let Ok(mut line) = serde_json::to_vec(&says) else {
                    return;
                };
                line.push(b'\n');
                Bytes::from(line)
            }
            Ok(None) => return,
            Err(_) => Bytes::from_static(b"\n"),
        };
        if lines.send_timeout(Ok(line), WRITE_TIMEOUT).await.is_err() {
            return;
        }
    }
}
