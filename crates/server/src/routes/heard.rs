//! Hearing by HTTP: a line a message, held open.

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
use wire::{RefusalCode, RefusedJson, ServerSays};

use crate::{
    app::App,
    reader::{From, Listener},
    refusal::Refusal,
    routes::games::game_id,
    watching::Watching,
};

/// Time after which a reader who takes no line is dropped.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);

/// Time without a line after which an empty one is sent, so that a reader who is gone is
/// noticed.
const EMPTY_LINE_INTERVAL: Duration = Duration::from_secs(20);

/// From where on, and how long.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct Since {
    /// The last number heard; 0 for everything.
    #[serde(default)]
    after: u32,
    /// 0: end when everything is said; 1, as without it: stay.
    #[serde(default = "one")]
    wait: u8,
}

const fn one() -> u8 {
    1
}

/// Hear a game, from your own seat or as a spectator
///
/// A JSON message a line, as on the socket: `heard`, `view` (from a seat), `game`; an empty line
/// now and then says that the connection lives. The answer is held open until the club closes or
/// the session ends.
#[utoipa::path(get, path = "/api/games/{id}/heard", tag = "games",
    params(("id" = String, Path), Since), security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = ServerSays, content_type = "application/x-ndjson"),
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
            "`after` is the last number heard, `wait` is 0 or 1, and there is nothing else to ask",
        )
    };
    let Query(Since { after, wait }) = query.map_err(|_| invalid())?;
    if wait > 1 {
        return Err(invalid());
    }
    // A request for the head alone does not listen. A reader who does not stay does not count
    // as present: the request must not be visible to others.
    let stays = wait == 1 && method != Method::HEAD;
    let (club, game) = (app.club(), game_id(&id)?);
    let listening = if stays {
        club.listen(game, reader.id(), after).await?
    } else {
        club.heard(game, reader.id(), after).await?
    };
    let watching = Watching::new(game, listening, after);
    let (lines, mut said) = mpsc::channel(64);
    tokio::spawn(async move {
        let _place = from.held;
        tokio::select! {
            () = tell(watching, stays, &lines) => {}
            () = lines.closed() => {}
            () = app.session_ends(token.as_deref()), if stays => {}
            () = app.closing() => {}
        }
    });
    let body = Body::from_stream(stream::poll_fn(move |context| said.poll_recv(context)));
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        // A proxy must not wait for more.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, body).into_response())
}

type Lines = mpsc::Sender<Result<Bytes, Infallible>>;

async fn tell(mut watching: Watching, stays: bool, lines: &Lines) {
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
