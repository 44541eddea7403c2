//! Serves the web page: the files that were embedded in this program.

use axum::{
    body::Body,
    extract::{Query, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    response::{Html, IntoResponse, Response},
};
use rust_embed::{Embed, EmbeddedFile};
use serde::Deserialize;
use wire::RefusalCode;

use crate::{app::App, moment::Viewpoint, refusal::Refusal};

#[derive(Embed)]
#[folder = "page"]
#[allow_missing = true]
struct Built;

/// Page that is shown if no web page is embedded.
const NO_PAGE: &str = include_str!("../assets/no-page.html");

/// Stylesheet of the pages that the server itself generates.
pub const STYLE: &str = include_str!("../assets/style.css");

/// Content security policy of a moment on a page of another site: one picture, and a link.
const EMBED_POLICY: &str = "default-src 'none'; img-src 'self'; base-uri 'none'; \
                            form-action 'none'; frame-ancestors *";

/// File name ending of compressed copies. The build of the page writes a compressed copy of a file
/// beside the file. Such a copy is smaller than what the server would compress itself, because the
/// build can take more time for each file.
const BROTLI: &str = ".br";

/// Whether the client accepts the encoding `br`.
fn accepts_brotli(headers: &HeaderMap) -> bool {
    let mut lists = headers.get_all(header::ACCEPT_ENCODING).iter();
    lists.any(|list| {
        list.to_str().unwrap_or_default().split(',').any(|one| {
            let (name, weight) = one.split_once(';').unwrap_or((one, ""));
            let is_refused = matches!(
                weight.replace(' ', "").as_str(),
                "q=0" | "q=0.0" | "q=0.00" | "q=0.000"
            );
            name.trim().eq_ignore_ascii_case("br") && !is_refused
        })
    })
}

/// Returns the refusal for an address of the API at which nothing is.
pub fn nothing_here() -> Refusal {
    Refusal::new(
        RefusalCode::NotFound,
        "nothing is at this address: /api lists all addresses",
    )
}

/// Serves a file of the web page. For addresses of the page's own views, returns
/// `index.html`.
pub async fn page(State(app): State<App>, request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return nothing_here().into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return (
            StatusCode::METHOD_NOT_ALLOWED,
            [(header::ALLOW, "GET, HEAD")],
        )
            .into_response();
    }
    if let Some(id) = path.strip_prefix("embed/game/") {
        return embedded(&app, id, request.uri()).await;
    }
    let known = request
        .headers()
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok());
    let is_file = path
        .rsplit('/')
        .next()
        .is_some_and(|name| name.contains('.'));
    if accepts_brotli(request.headers())
        && let Some(file) = Built::get(&format!("{path}{BROTLI}"))
    {
        let mut response = serve(path, &file, known);
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        return response;
    }
    match (Built::get(path), is_file) {
        (Some(file), _) => serve(path, &file, known),
        (None, true) => (StatusCode::NOT_FOUND, "there is no such file\n").into_response(),
        (None, false) => match Built::get("index.html") {
            Some(index) => match linked(&app, request.uri(), &index).await {
                Some(text) => ([(header::CACHE_CONTROL, "no-cache")], Html(text)).into_response(),
                None => serve("index.html", &index, known),
            },
            None => Html(NO_PAGE).into_response(),
        },
    }
}

/// The moment of a finished game that a link names.
#[derive(Deserialize)]
struct Moment {
    moment: u32,
    #[serde(default)]
    seat: Viewpoint,
}

/// Returns a page for frames of other sites: a moment of a finished game, which links to the game.
async fn embedded(app: &App, id: &str, uri: &Uri) -> Response {
    let (Some(title), Ok(Query(Moment { moment, seat }))) =
        (finished(app, id).await, Query::try_from_uri(uri))
    else {
        let why = "there is no such moment of a finished game\n";
        return (StatusCode::NOT_FOUND, why).into_response();
    };
    let (title, id, seat) = (escaped(&title), escaped(id), seat_word(seat));
    let html = format!(
        r#"<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><body marginwidth="0" marginheight="0"><a href="/game/{id}?moment={moment}&amp;seat={seat}" target="_blank" rel="noopener"><img src="/api/games/{id}/moments/{moment}.svg?seat={seat}" alt="{title}" width="100%"></a></body></html>"#
    );
    (
        [(header::CONTENT_SECURITY_POLICY, EMBED_POLICY)],
        Html(html),
    )
        .into_response()
}

fn seat_word(seat: Viewpoint) -> String {
    format!("{seat:?}").to_lowercase()
}

/// Returns `index.html` with a title and the full address of a picture. Programs that show a
/// preview of a link use both. Returns `None` if the file needs no change: the path has no title,
/// and the club has no public URL.
async fn linked(app: &App, uri: &Uri, index: &EmbeddedFile) -> Option<String> {
    let path = uri.path().trim_start_matches('/');
    let text = str::from_utf8(&index.data).ok()?;
    let title = match path.split_once('/') {
        Some(("rules", id)) => rules::rulesets::by_id(id).map(|ruleset| ruleset.title.to_string()),
        Some(("game", id)) => finished(app, id).await,
        Some(_) | None => None,
    };
    let moment = Query::<Moment>::try_from_uri(uri);
    let picture = match (path.split_once('/'), &title, moment) {
        (Some(("game", id)), Some(_), Ok(Query(Moment { moment, seat }))) => {
            let seat = seat_word(seat);
            format!("/api/games/{id}/moments/{moment}.svg?seat={seat}")
        }
        _ => "/og.png".to_owned(),
    };
    let club = app.config().public_url.as_deref();
    if title.is_none() && club.is_none() {
        return None;
    }
    let mut text = text.to_owned();
    if let Some(title) = title {
        let (before, after) = (
            r#"property="og:title" content=""#,
            format!("{}: ", escaped(&title)),
        );
        text = text.replacen(before, &format!("{before}{after}"), 1);
    }
    let picture = escaped(&format!("{}{picture}", club.unwrap_or_default()));
    let picture = format!(r#"content="{picture}""#);
    Some(text.replacen(r#"content="/og.png""#, &picture, 1))
}

/// Returns a text with the players of a finished game. For a running game, returns `None`, as for a
/// game that does not exist.
async fn finished(app: &App, id: &str) -> Option<String> {
    let game = app.club().finished(id.parse().ok()?).await.ok()?;
    let (white, black) = (&game.players.white.name, &game.players.black.name);
    Some(format!("{white} against {black}"))
}

/// Escapes a text for an attribute of HTML.
pub fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('"', "&quot;")
}

fn serve(path: &str, file: &EmbeddedFile, known: Option<&str>) -> Response {
    let hash = file.metadata.sha256_hash();
    let tag: String = hash[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let tag = format!("\"{tag}\"");
    // The name of such a file contains a hash of the file's content. So the file with this name
    // never changes.
    let kept = if path.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let same = known.is_some_and(|known| known.split(',').any(|one| one.trim().ends_with(&tag)));
    let mut response = if same {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(file.data.clone().into_owned()).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(path)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    if let Ok(tag) = HeaderValue::try_from(tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "wav" => "audio/wav",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brotli_is_sent_only_to_clients_that_accept_it() {
        for (accepted, is_accepted) in [
            (&["gzip, deflate, br, zstd"][..], true),
            (&["gzip", "BR;q=0.5"][..], true),
            (&["gzip, br; q=0"][..], false),
            (&["gzip, brotli"][..], false),
            (&["*"][..], false),
            (&[][..], false),
        ] {
            let mut headers = HeaderMap::new();
            for one in accepted {
                headers.append(header::ACCEPT_ENCODING, HeaderValue::from_static(one));
            }
            assert_eq!(accepts_brotli(&headers), is_accepted, "{accepted:?}");
        }
    }
}
