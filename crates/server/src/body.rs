//! Request bodies: JSON, with limits of size and time.

use std::{error::Error, time::Duration};

use axum::{
    body::to_bytes,
    extract::{FromRequest, Request},
    http::header,
};
use http_body_util::LengthLimitError;
use serde::de::DeserializeOwned;
use wire::RefusalCode;

use crate::{app::App, refusal::Refusal};

/// Maximum length of a body in bytes: several times the longest custom ruleset.
pub const LONGEST_BODY: usize = 64 * 1024;

/// Time within which the whole body must arrive.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);

/// A JSON body.
#[derive(Clone, Copy, Debug)]
pub struct Body<T>(pub T);

/// A JSON body. An empty body means the default value.
#[derive(Clone, Copy, Debug)]
pub struct MayBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for Body<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &App) -> Result<Body<T>, Refusal> {
        let json = is_json(&request);
        let bytes = read(request).await?;
        said_so(json)?;
        parse(&bytes).map(Body)
    }
}

impl<T: DeserializeOwned + Default> FromRequest<App> for MayBody<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &App) -> Result<MayBody<T>, Refusal> {
        let json = is_json(&request);
        let bytes = read(request).await?;
        if bytes.is_empty() {
            return Ok(MayBody(T::default()));
        }
        said_so(json)?;
        parse(&bytes).map(MayBody)
    }
}

fn is_json(request: &Request) -> bool {
    request
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| {
            let kind = value.split(';').next().unwrap_or_default().trim();
            kind.eq_ignore_ascii_case("application/json")
        })
}

async fn read(request: Request) -> Result<axum::body::Bytes, Refusal> {
    let too_large = || {
        Refusal::new(
            RefusalCode::TooLarge,
            format!("a body is at most {LONGEST_BODY} bytes"),
        )
    };
    if request.headers().contains_key(header::CONTENT_ENCODING) {
        return Err(Refusal::new(
            RefusalCode::Malformed,
            "a body must not be compressed: send it without content-encoding",
        ));
    }
    let told = request
        .headers()
        .get(header::CONTENT_LENGTH)
        .and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if told.is_some_and(|length| length > LONGEST_BODY as u64) {
        return Err(too_large());
    }
    match tokio::time::timeout(BODY_TIMEOUT, to_bytes(request.into_body(), LONGEST_BODY)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if is_too_long(&error) => Err(too_large()),
        Ok(Err(_)) => Err(Refusal::new(
            RefusalCode::Malformed,
            "the body ended too early, or its chunks cannot be read",
        )),
        Err(_) => Err(Refusal::new(
            RefusalCode::Malformed,
            format!("the body did not come within {} s", BODY_TIMEOUT.as_secs()),
        )),
    }
}

/// Whether reading failed because the body was too long.
fn is_too_long(error: &axum::Error) -> bool {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.is::<LengthLimitError>() {
            return true;
        }
        cause = error.source();
    }
    false
}

fn said_so(json: bool) -> Result<(), Refusal> {
    if json {
        return Ok(());
    }
    Err(Refusal::new(
        RefusalCode::Malformed,
        "the body must be JSON, with the header `content-type: application/json` (curl --json)",
    ))
}

/// Parses a message of a client. No message of a client contains a list, but serde would accept a
/// list instead of an object. So lists are refused.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    let said = serde_json::from_slice(bytes).map_err(|error| malformed(&error))?;
    match list(bytes) {
        None => Ok(said),
        Some((line, column)) => Err(Refusal::new(
            RefusalCode::Malformed,
            format!("a list where an object should be, at line {line} column {column}"),
        )),
    }
}

/// Returns the line and column of the first list in a JSON text, if there is one.
fn list(bytes: &[u8]) -> Option<(usize, usize)> {
    let (mut line, mut column) = (1, 0);
    let (mut in_text, mut escaped) = (false, false);
    for &byte in bytes {
        column += 1;
        match byte {
            b'\n' => (line, column) = (line + 1, 0),
            _ if escaped => escaped = false,
            b'\\' => escaped = in_text,
            b'"' => in_text = !in_text,
            b'[' if !in_text => return Some((line, column)),
            _ => {}
        }
    }
    None
}

/// Returns the refusal of a JSON text, with the fault and its place.
fn malformed(error: &serde_json::Error) -> Refusal {
    let mut why = error.to_string();
    // The error quotes names of the message, which can be as long as the message itself.
    if let Some((end, _)) = why.char_indices().nth(300) {
        why.truncate(end);
        why.push_str("...");
    }
    Refusal::new(RefusalCode::Malformed, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_found_outside_of_texts_only() {
        assert_eq!(list(br#"{"a":"[","b\"[":"\\"}"#), None);
        assert_eq!(list(br#"["a"]"#), Some((1, 1)));
        assert_eq!(list(b"{\"a\\\\\":\n [1]}"), Some((2, 2)));
    }
}
