//! Public answers that rarely change: rulesets, the description of the API, finished games. These
//! answers may be cached, have an entity tag, and are compressed. Every other answer of the API is
//! for one reader, or may change at any time. Such an answer is neither cached nor compressed.

use axum::{
    body::{Body, HttpBody, to_bytes},
    extract::Request,
    http::{HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use sha2::{Digest, Sha256};
use tower_http::compression::{Predicate, predicate::NotForContentType};

/// Maximum size, in bytes, of a public answer that gets a tag and is compressed. It would take a
/// thread too long to hash and compress a longer answer.
const MAX_TAGGED_BYTES: usize = 256 * 1024;

/// Endings of the addresses of finished games. Such an address is refused while the game runs.
const FINISHED: [&str; 6] = [
    "/finished.json",
    "/finished.pgn",
    "/finished.txt",
    "/steps",
    "/belief/white",
    "/belief/black",
];

/// Marks a response that may be compressed although its type is JSON or text.
#[derive(Copy, Clone, Debug)]
struct Compressible;

/// Whether everybody gets the same answer from this address, and the answer rarely changes.
pub fn is_public(path: &str) -> bool {
    let belongs_to_game = |rest: &str| FINISHED.iter().any(|end| rest.ends_with(end));
    match path {
        "/api" | "/api/openapi.json" | "/api/rules" => true,
        _ => {
            path.starts_with("/api/rules/")
                || path
                    .strip_prefix("/api/games/")
                    .is_some_and(belongs_to_game)
        }
    }
}

/// Adds an entity tag to each public answer that is not too long. Answers `304 Not Modified` if the
/// client already has the answer. The client must ask each time, so it gets the new version at once
/// after an update of the club.
pub async fn tagged(request: Request, next: Next) -> Response {
    let is_asked = request.method() == Method::GET && is_public(request.uri().path());
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let response = next.run(request).await;
    if !is_asked || response.status() != StatusCode::OK {
        return response;
    }
    if response.body().size_hint().lower() > MAX_TAGGED_BYTES as u64 {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    // Public answers are complete in memory, so this read does not wait.
    let Ok(body) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let hash = Sha256::digest(&body);
    let tag: String = hash
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    // A weak tag: the compressed and the plain answer have the same tag.
    let tag = format!("W/\"{tag}\"");
    let headers = &mut parts.headers;
    let policy = HeaderValue::from_static("public, no-cache");
    headers.insert(header::CACHE_CONTROL, policy);
    let same = known.is_some_and(|known| has_tag(&known, &tag));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        headers.insert(header::ETAG, tag);
    }
    if same {
        parts.status = StatusCode::NOT_MODIFIED;
        parts.headers.remove(header::CONTENT_LENGTH);
        return Response::from_parts(parts, Body::empty());
    }
    parts.extensions.insert(Compressible);
    Response::from_parts(parts, Body::from(body))
}

/// Whether a list of entity tags contains this tag.
fn has_tag(known: &HeaderValue, tag: &str) -> bool {
    let known = known.to_str().unwrap_or_default();
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    known.split(',').any(|one| opaque(one) == opaque(tag))
}

/// Chooses the responses that are compressed: public answers, and the files of the page.
///
/// No other JSON or text is compressed. A response could contain a secret and a text that an
/// attacker has chosen. Then the attacker could guess the secret from the compressed length of the
/// response.
pub fn compressed() -> impl Predicate {
    let usual = NotForContentType::const_new("application/json")
        .and(NotForContentType::const_new("application/x-ndjson"))
        .and(NotForContentType::const_new("application/x-chess-pgn"))
        .and(NotForContentType::const_new("text/plain"))
        .and(NotForContentType::IMAGES);
    WithPublic(usual)
}

#[derive(Copy, Clone, Debug)]
struct WithPublic<P>(P);

impl<P: Predicate> Predicate for WithPublic<P> {
    fn should_compress<B: HttpBody>(&self, response: &axum::http::Response<B>) -> bool {
        response.extensions().get::<Compressible>().is_some() || self.0.should_compress(response)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_answers_that_are_the_same_for_everybody_are_public() {
        for (path, public) in [
            ("/api", true),
            ("/api/rules", true),
            ("/api/rules/wild16/file.toml", true),
            ("/api/games/222222222222/finished.json", true),
            ("/api/games/222222222222/belief/white", true),
            ("/api/games/222222222222/steps", true),
            ("/api/games/222222222222", false),
            ("/api/games/222222222222/view", false),
            ("/api/games/222222222222/heard", false),
            ("/api/games", false),
            ("/api/me", false),
            ("/api/lobby", false),
            ("/api/sessions", false),
            ("/api/account/export", false),
            ("/api/invitations/finished.json", false),
        ] {
            assert_eq!(is_public(path), public, "{path}");
        }
    }

    #[test]
    fn tag_is_found_in_a_list_of_tags() {
        let tag = "W/\"ab\"";
        for (known, same) in [
            ("W/\"ab\"", true),
            ("\"ab\"", true),
            ("\"x\", W/\"ab\"", true),
            ("\"abc\"", false),
            ("", false),
        ] {
            let known = HeaderValue::from_static(known);
            assert_eq!(has_tag(&known, tag), same, "{known:?}");
        }
    }
}
