//! Refusals as HTTP responses: status, code and text.

use std::{borrow::Cow, collections::BTreeMap, time::Duration};

use axum::{
    Json,
    extract::Request,
    http::{HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use club::{ClubError, request_id};
use serde::Deserialize;
use wire::{ClientSays, RefusalCode, RefusedJson, ServerSays};

/// Maximum length of a text of a refused message that its refusal repeats.
const MAX_ECHO_BYTES: usize = 64;

/// What a refusal on the socket repeats of the refused message. It is parsed separately, so that even
/// the refusal of a malformed message can contain it.
#[derive(Deserialize, Clone, Default)]
pub struct RefusedMessage {
    /// Id of the message.
    pub id: Option<String>,
    /// Id of the game that the message names.
    pub game: Option<String>,
    /// Type of the message.
    #[serde(rename = "type")]
    pub request: Option<String>,
}

impl From<&ClientSays> for RefusedMessage {
    fn from(says: &ClientSays) -> RefusedMessage {
        let json = serde_json::to_value(says).unwrap_or_default();
        serde_json::from_value(json).unwrap_or_default()
    }
}

fn owned(args: Vec<(&'static str, String)>) -> BTreeMap<String, String> {
    let owned = args.into_iter();
    owned
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// A refusal of a request; nothing has changed.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("{why}")]
pub struct Refusal {
    /// Reason, for programs.
    pub code: RefusalCode,
    /// Reason, more exactly than the code; `None` if the code says everything.
    pub reason: Option<&'static str>,
    /// Values in the text, by name.
    pub args: Vec<(&'static str, String)>,
    /// Reason as text, with what the client can do about it.
    pub why: Cow<'static, str>,
    /// Time to wait before the client asks again, if known.
    pub wait: Option<Duration>,
}

impl Refusal {
    /// Creates a refusal.
    pub fn new(code: RefusalCode, why: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal {
            code,
            reason: None,
            args: Vec::new(),
            why: why.into(),
            wait: None,
        }
    }

    /// Names the reason more exactly than the code.
    #[must_use]
    pub fn because(self, reason: &'static str) -> Refusal {
        Refusal {
            reason: Some(reason),
            ..self
        }
    }

    /// Creates a refusal because of a limit. `wait` is the time after which the client may ask
    /// again.
    pub fn too_many(what: &str, wait: Duration) -> Refusal {
        let wait_in_words = match wait.as_millis() {
            ms @ 0..1000 => format!("{} ms", ms.max(1)),
            ms => format!("{} s", ms.div_ceil(1000)),
        };
        Refusal {
            wait: Some(wait),
            ..Refusal::new(
                RefusalCode::TooMany,
                format!("{what}: try again in {wait_in_words}"),
            )
        }
    }

    /// Converts the refusal of this message to a message of the socket.
    pub fn says(self, RefusedMessage { id, game, request }: RefusedMessage) -> ServerSays {
        let retry_after_ms = self.retry_after_ms();
        ServerSays::Refused {
            id: id.filter(|id| request_id(id).is_ok()),
            game: game.filter(|game| game.len() <= MAX_ECHO_BYTES),
            request: request.filter(|request| request.len() <= MAX_ECHO_BYTES),
            code: self.code,
            reason: self.reason.map(str::to_owned),
            args: owned(self.args),
            retry_after_ms,
            why: self.why.into_owned(),
        }
    }

    fn retry_after_ms(&self) -> Option<u64> {
        let wait = self.wait?.as_millis();
        Some(u64::try_from(wait).unwrap_or(u64::MAX).saturating_add(1))
    }

    /// Returns the HTTP status.
    pub fn status(&self) -> StatusCode {
        match self.code {
            RefusalCode::Malformed => StatusCode::BAD_REQUEST,
            RefusalCode::SignIn | RefusalCode::WrongPassword => StatusCode::UNAUTHORIZED,
            RefusalCode::Forbidden => StatusCode::FORBIDDEN,
            RefusalCode::NotFound => StatusCode::NOT_FOUND,
            RefusalCode::NotUnderstood | RefusalCode::Ambiguous | RefusalCode::Invalid => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            RefusalCode::NotYourTurn
            | RefusalCode::Stale
            | RefusalCode::IdReused
            | RefusalCode::GameOver
            | RefusalCode::Adjourned
            | RefusalCode::NotPossible
            | RefusalCode::Taken => StatusCode::CONFLICT,
            RefusalCode::TooMany => StatusCode::TOO_MANY_REQUESTS,
            RefusalCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            RefusalCode::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

/// Gives the router's own refusals the form of all other refusals. The router refuses unknown
/// methods, and addresses that cannot be parsed.
pub async fn one_form(request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let is_file = reads && !request.uri().path().starts_with("/api");
    let response = next.run(request).await;
    let status = response.status();
    let is_json = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
    if is_file || is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (code, why) = match status {
        StatusCode::NOT_FOUND => (
            RefusalCode::NotFound,
            "nothing is at this address: /api lists all addresses",
        ),
        StatusCode::METHOD_NOT_ALLOWED => (
            RefusalCode::NotPossible,
            "this address does not have this method: the header `allow` names its methods",
        ),
        StatusCode::PAYLOAD_TOO_LARGE
        | StatusCode::URI_TOO_LONG
        | StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => {
            (RefusalCode::TooLarge, "the request is too large")
        }
        _ if status.is_client_error() => (
            RefusalCode::Malformed,
            "the request cannot be read: /api says what is expected here",
        ),
        _ => (
            RefusalCode::Unavailable,
            "the server cannot answer this request now: ask again in a minute",
        ),
    };
    let mut refused = Refusal::new(code, why).into_response();
    *refused.status_mut() = status;
    if let Some(allow) = response.headers().get(header::ALLOW) {
        refused.headers_mut().insert(header::ALLOW, allow.clone());
    }
    refused
}

/// Reason why the club could not carry out a request. The code that creates the refusal does not
/// log the reason, because requests at tables must not cause log lines. `log::every_request` logs
/// the reason for all other requests.
#[derive(Clone, Debug)]
pub struct Unavailable(pub Cow<'static, str>);

impl From<ClubError> for Refusal {
    fn from(error: ClubError) -> Refusal {
        Refusal {
            wait: error.wait,
            reason: Some(error.reason),
            args: error.args,
            ..Refusal::new(error.code, error.why)
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = self.status();
        // This text comes from the store, or is a constant of this crate. It contains nothing about
        // a game, so it may be logged.
        let unavailable = (self.code == RefusalCode::Unavailable).then(|| self.why.clone());
        let wait = self.wait;
        let body = RefusedJson {
            refused: self.code,
            reason: self.reason.map(str::to_owned),
            retry_after_ms: self.retry_after_ms(),
            args: owned(self.args),
            why: self.why.into_owned(),
        };
        let mut response = (status, Json(body)).into_response();
        if let Some(why) = unavailable {
            response.extensions_mut().insert(Unavailable(why));
        }
        if let Some(wait) = wait {
            let seconds = HeaderValue::from(wait.as_secs() + 1);
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        if status == StatusCode::UNAUTHORIZED {
            response.headers_mut().insert(
                header::WWW_AUTHENTICATE,
                HeaderValue::from_static("Bearer realm=\"kriegspiel\""),
            );
        }
        response
    }
}
