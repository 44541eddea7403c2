//! Request bodies: JSON, with limits of size and time.

use std::{error::Error, fmt, str, time::Duration};

use axum::{
    body::to_bytes,
    extract::{FromRequest, Request},
    http::header,
};
use http_body_util::LengthLimitError;
use rules::Attempt;
use serde::{
    Deserialize, Deserializer,
    de::{DeserializeOwned, MapAccess, Visitor},
};
use serde_json::value::RawValue;
use wire::RefusalCode;

use crate::{app::App, plain::plain, refusal::Refusal};

/// Maximum length of a body in bytes: several times the longest custom ruleset.
pub const MAX_BODY: usize = 64 * 1024;

/// The whole body must arrive within this time.
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
        require_json(json)?;
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
        require_json(json)?;
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
    read_body(request, MAX_BODY).await
}

/// Reads a body of at most `most` bytes.
pub async fn read_body(request: Request, most: usize) -> Result<axum::body::Bytes, Refusal> {
    let too_large = || {
        Refusal::new(
            RefusalCode::TooLarge,
            format!("a body is at most {most} bytes"),
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
    if told.is_some_and(|length| length > most as u64) {
        return Err(too_large());
    }
    match tokio::time::timeout(BODY_TIMEOUT, to_bytes(request.into_body(), most)).await {
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

fn require_json(json: bool) -> Result<(), Refusal> {
    if json {
        return Ok(());
    }
    Err(Refusal::new(
        RefusalCode::Malformed,
        "the body must be JSON, with the header `content-type: application/json` (curl --json)",
    ))
}

/// Parses a message of a client. Serde would accept a list instead of an object. No message of a
/// client contains a list, so every list is refused.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    let parsed = serde_json::from_slice(bytes).map_err(|error| malformed::<T>(bytes, &error))?;
    match list(bytes) {
        None => Ok(parsed),
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
fn malformed<T: DeserializeOwned>(bytes: &[u8], error: &serde_json::Error) -> Refusal {
    let mut why = plain(&error.to_string());
    // The parser reads all keys of a message with a `type` before it examines the values. So the
    // parser's error names no place, or only the place where the parser stopped reading.
    let fault = if error.is_data() {
        fault::<T>(bytes)
    } else {
        None
    };
    if let Some(fault) = &fault
        && let Some(attempt) = fault.attempt_as_act()
        && why.starts_with("unknown variant")
    {
        let Fault { line, column, .. } = fault;
        return Refusal::new(
            RefusalCode::Malformed,
            format!(
                "`{attempt}`, at line {line} column {column}, is an attempt, not an act: send it as a try, \
                 with `{attempt}` as the `text` of the try"
            ),
        );
    }
    let place = fault.map(|fault| (fault.line, fault.column));
    let serdes = format!(" at line {} column {}", error.line(), error.column());
    if let (Some(fault), true) = (why.strip_suffix(&serdes), place.is_some()) {
        why.truncate(fault.len());
    }
    // The error text quotes names from the message, and such a name can be as long as the message.
    // So the text is cut.
    if let Some((end, _)) = why.char_indices().nth(300) {
        why.truncate(end);
        why.push_str("...");
    }
    if let Some((line, column)) = place {
        why = format!("{why} at line {line} column {column}");
    }
    Refusal::new(RefusalCode::Malformed, why)
}

/// The keys and values of an object, in the order of the text. A value is represented by the part
/// of the text that contains it.
struct Entries<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(object: D) -> Result<Entries<'a>, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Entries<'de>, M::Error> {
                let mut all = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    all.push(entry);
                }
                Ok(Entries(all))
            }
        }

        object.deserialize_map(Reader)
    }
}

/// The fault in a JSON text.
struct Fault<'a> {
    /// Line and column of the wrong value. If no single value is wrong, for example if a key is
    /// missing: the end of the text.
    line: usize,
    column: usize,
    /// The wrong value and its key.
    wrong: Option<(String, &'a RawValue)>,
}

impl Fault<'_> {
    /// Returns the value of the key `act` if this value is an attempt for the referee, for example
    /// `resign`.
    fn attempt_as_act(&self) -> Option<Attempt> {
        let (_, value) = self.wrong.as_ref().filter(|(key, _)| key == "act")?;
        serde_json::from_str::<String>(value.get())
            .ok()?
            .parse()
            .ok()
    }
}

/// Returns the fault in a JSON text that cannot be read as a `T`. Returns `None` if the text is not an
/// object.
fn fault<T: DeserializeOwned>(bytes: &[u8]) -> Option<Fault<'_>> {
    let text = str::from_utf8(bytes).ok()?;
    let Entries(entries) = serde_json::from_str(text).ok()?;
    let kind = entries.iter().find(|(key, _)| key == "type");
    let wrong = entries.iter().position(|(key, value)| {
        // The object `part` contains only this value and `type`. So every error is a fault of this
        // value, except the error that another key is missing.
        let mut part = serde_json::Map::new();
        for (key, value) in kind.into_iter().chain([&(key.clone(), *value)]) {
            let value = serde_json::from_str(value.get()).unwrap_or_default();
            part.insert(key.clone(), value);
        }
        let read = serde_json::from_value::<T>(part.into());
        read.is_err_and(|error| !error.to_string().starts_with("missing field"))
    });
    let end = text.trim_end().len();
    let wrong = wrong.and_then(|at| entries.into_iter().nth(at));
    let at = wrong.as_ref().map_or(end.saturating_sub(1), |(_, value)| {
        value.get().as_ptr().addr() - text.as_ptr().addr()
    });
    let before = text.get(..at)?;
    let line = before.matches('\n').count() + 1;
    let column = at - before.rfind('\n').map_or(0, |end| end + 1) + 1;
    Some(Fault {
        line,
        column,
        wrong,
    })
}

#[cfg(test)]
mod tests {
    use wire::{ActJson, ClientSays};

    use super::*;

    #[test]
    fn refusal_of_a_message_names_the_fault_and_its_place() {
        #[rustfmt::skip]
        let rows = [
            ("{", "EOF", "line 1 column 1"),
            ("null", "invalid type: null", "line 1 column 4"),
            (r#"{"type":"sing"}"#, "unknown variant `sing`", "line 1 column 9"),
            (r#"{"type":"ping","x":1}"#, "unknown field `x`", "line 1 column 20"),
            ("{\"type\":\"watch\",\n \"game\":7,\"after\":0}", "integer `7`", "line 2 column 9"),
            (r#"{"after":-1,"type":"watch","game":"x"}"#, "`-1`", "line 1 column 10"),
            (r#"{"type":"watch","game":"x"} "#, "missing field `after`", "line 1 column 27"),
            (r#"{"game":"x"}"#, "missing field `type`", "line 1 column 12"),
        ];
        for (text, part, place) in rows {
            let refusal = parse::<ClientSays>(text.as_bytes()).unwrap_err();
            assert!(refusal.why.contains(part), "{text}: {}", refusal.why);
            assert!(refusal.why.ends_with(place), "{text}: {}", refusal.why);
        }
    }

    #[test]
    fn attempt_sent_as_an_act_is_refused_with_the_remedy() {
        for attempt in ["resign", "offer-draw", "accept-draw", "px=q", "e2e4"] {
            let said = |column: u32| {
                format!(
                    "`{attempt}`, at line 1 column {column}, is an attempt, not an act: \
                     send it as a try, with `{attempt}` as the `text` of the try"
                )
            };
            let body = format!(r#"{{"id":"w1", "act":"{attempt}"}}"#);
            let refusal = parse::<ActJson>(body.as_bytes()).unwrap_err();
            assert_eq!(refusal.code, RefusalCode::Malformed);
            assert_eq!(refusal.why, said(19));
            let frame = format!(r#"{{"type": "act","act":"{attempt}","id":"w1","game":"x"}}"#);
            let refusal = parse::<ClientSays>(frame.as_bytes()).unwrap_err();
            assert_eq!(refusal.why, said(22));
        }
        for (body, part) in [
            (
                r#"{"id":"w1","act":"win"}"#,
                "unknown variant `win`, expected one of `abort`",
            ),
            (r#"{"id":"w1","act":7}"#, "expected"),
            (
                r#"{"id":"w1","act":"abort","x":"resign"}"#,
                "unknown field `x`",
            ),
        ] {
            let refusal = parse::<ActJson>(body.as_bytes()).unwrap_err();
            assert!(refusal.why.contains(part), "{body}: {}", refusal.why);
        }
        let ping = r#"{"type":"ping","act":"resign"}"#;
        let refusal = parse::<ClientSays>(ping.as_bytes()).unwrap_err();
        assert!(
            refusal.why.contains("unknown field `act`"),
            "{}",
            refusal.why
        );
    }

    #[test]
    fn texts_that_are_no_object_are_refused() {
        for text in [
            "4é",
            "4 é",
            "\"é",
            "é",
            "[é]",
            "{\"é\":é",
            "{\"é\":1}é",
            "{}é",
            "\u{301}",
        ] {
            let refusal = parse::<ClientSays>(text.as_bytes()).unwrap_err();
            assert_eq!(refusal.code, RefusalCode::Malformed, "{text}");
        }
        assert!(parse::<ClientSays>(&[b'4', 0xff, 0xfe]).is_err());
    }

    #[test]
    fn a_list_is_found_only_outside_of_strings() {
        assert_eq!(list(br#"{"a":"[","b\"[":"\\"}"#), None);
        assert_eq!(list(br#"["a"]"#), Some((1, 1)));
        assert_eq!(list(b"{\"a\\\\\":\n [1]}"), Some((2, 2)));
    }
}
