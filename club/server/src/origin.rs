//! Checks that a request comes from the club's own page and names a host of the club.
//!
//! A browser sends the club's cookie with every request to the club, even if a page of another site
//! causes the request. So a request that changes something or opens the socket is refused if it
//! comes from a page of another site. Another site can also point its own host name at this club's
//! address (DNS rebinding). Then the header `Host` contains that name, and the request is refused.
//! These checks are not made for requests with a Bearer token. For such a request, the cookie is not
//! used, and a page of another site knows no valid token.

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, Method, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use wire::RefusalCode;

use crate::{
    app::App,
    known_hosts::KnownHosts,
    reader::{Shown, shown},
    refusal::Refusal,
};

/// Refuses a request of a browser if a page of another site caused it, or if it goes to an unknown
/// host.
pub async fn own_page_only(State(app): State<App>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let socket = headers.contains_key(header::UPGRADE);
    let safe = matches!(*request.method(), Method::GET | Method::HEAD) && !socket;
    let bearer = matches!(shown(headers, app.config().https()), Some(Shown::Bearer(_)));
    let known = app.known_hosts();
    let why = if bearer {
        None
    } else if is_browsers(headers) && !is_known_host(headers, known) {
        Some(
            "the header `Host` names no host of the club: use the address that the club's operator \
             gives; an operator allows further hosts with --public-url or --allow-host",
        )
    } else if !safe && !is_own(headers, known) {
        Some(
            "this request comes from a page of another site: the club accepts requests of its own \
             page, and of programs that send a Bearer token",
        )
    } else {
        None
    };
    match why {
        Some(why) => Refusal::new(RefusalCode::Forbidden, why).into_response(),
        None => next.run(request).await,
    }
}

/// Returns the only value of a header; `Some("?")` if there are several values, or if the value is
/// not text.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?;
    Some(match all.next() {
        None => first.to_str().unwrap_or("?"),
        Some(_) => "?",
    })
}

/// Whether a browser may have sent the request. Every browser sends the header with the preferred
/// language, and no page can prevent this. Programs seldom send this header.
fn is_browsers(headers: &HeaderMap) -> bool {
    let signs = [
        header::ORIGIN,
        header::REFERER,
        header::COOKIE,
        header::ACCEPT_LANGUAGE,
        HeaderName::from_static("sec-fetch-site"),
        HeaderName::from_static("sec-fetch-mode"),
    ];
    signs.iter().any(|name| headers.contains_key(name))
}

/// Whether `Host` is a host of the club. A request without `Host` does not come from a browser.
fn is_known_host(headers: &HeaderMap, known: &KnownHosts) -> bool {
    only(headers, header::HOST).is_none_or(|host| known.contains(host))
}

/// Whether the request comes from the club's own page. A request with neither `Sec-Fetch-Site` nor
/// `Origin` does not come from a browser, so it is allowed.
fn is_own(headers: &HeaderMap, known: &KnownHosts) -> bool {
    match only(headers, HeaderName::from_static("sec-fetch-site")) {
        Some("same-origin" | "none") => return true,
        Some(_) => return false,
        None => {}
    }
    only(headers, header::ORIGIN)
        .is_none_or(|origin| known.is_own(origin, only(headers, header::HOST)))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn own_page_is_distinguished_from_pages_of_other_sites() {
        let known = KnownHosts::new(["https://club.example", "club.lan"]);
        let asks = |pairs: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            headers.insert("host", HeaderValue::from_static("club.lan:8080"));
            for (name, value) in pairs {
                headers.append(*name, HeaderValue::from_static(value));
            }
            is_known_host(&headers, &known) && is_own(&headers, &known)
        };
        assert!(
            asks(&[]),
            "a request without an origin comes from a program"
        );
        assert!(asks(&[("origin", "http://club.lan:8080")]));
        assert!(asks(&[("origin", "https://club.example")]));
        assert!(asks(&[("sec-fetch-site", "same-origin")]));
        assert!(!asks(&[("host", "club.lan:8080")]), "two hosts");
        assert!(!asks(&[("origin", "https://club.lan:8080")]));
        assert!(!asks(&[("origin", "https://evil.example")]));
        assert!(!asks(&[("origin", "null")]));
        assert!(!asks(&[
            ("origin", "http://club.lan:8080"),
            ("origin", "http://club.lan:8080")
        ]));
        assert!(!asks(&[("sec-fetch-site", "same-site")]));
        assert!(!asks(&[
            ("sec-fetch-site", "cross-site"),
            ("origin", "http://club.lan:8080")
        ]));
    }
}
