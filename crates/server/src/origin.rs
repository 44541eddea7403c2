//! Whether a request comes from the club's own page, where that matters.
//!
//! A browser sends the cookie with whatever asks it to; so what changes
//! something, and the socket, must not come from a page of somebody else. A
//! request without a word of where it comes from is no browser's.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use wire::RefusalCode;

use crate::{
    app::App,
    reader::{Shown, shown},
    refusal::Refusal,
};

/// Refuses what a page of somebody else makes a browser ask.
pub async fn own_page_only(State(app): State<App>, request: Request, next: Next) -> Response {
    let socket = request.headers().contains_key(header::UPGRADE);
    let safe = matches!(*request.method(), Method::GET | Method::HEAD) && !socket;
    let bearer = matches!(shown(request.headers()), Some(Shown::Bearer(_)));
    let public = app.config().public_url.as_deref();
    if safe || bearer || is_own(request.headers(), public) {
        return next.run(request).await;
    }
    Refusal::new(
        RefusalCode::Forbidden,
        "this comes from another site's page: the club answers its own page, and programs that \
         show their token as a Bearer",
    )
    .into_response()
}

fn is_own(headers: &HeaderMap, public_url: Option<&str>) -> bool {
    let text = |name| headers.get(name).map(|v| v.to_str().unwrap_or("?"));
    match text(header::HeaderName::from_static("sec-fetch-site")) {
        Some("same-origin" | "none") => return true,
        Some(_) => return false,
        None => {}
    }
    let Some(origin) = text(header::ORIGIN) else {
        return true;
    };
    if public_url.is_some_and(|url| url.eq_ignore_ascii_case(origin)) {
        return true;
    }
    let host = text(header::HOST).unwrap_or_default();
    origin
        .split_once("://")
        .is_some_and(|(_, from)| from.eq_ignore_ascii_case(host))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_own_page_is_told_from_others() {
        let asks = |pairs: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            headers.insert("host", HeaderValue::from_static("club.example:8080"));
            for (name, value) in pairs {
                headers.insert(*name, HeaderValue::from_static(value));
            }
            is_own(&headers, Some("https://club.example"))
        };
        assert!(asks(&[]), "no browser");
        assert!(asks(&[("origin", "http://club.example:8080")]));
        assert!(asks(&[("origin", "https://club.example")]));
        assert!(asks(&[("sec-fetch-site", "same-origin")]));
        assert!(!asks(&[("origin", "https://evil.example")]));
        assert!(!asks(&[("origin", "null")]));
        assert!(!asks(&[("sec-fetch-site", "same-site")]));
        assert!(!asks(&[
            ("sec-fetch-site", "cross-site"),
            ("origin", "http://club.example:8080")
        ]));
    }
}
