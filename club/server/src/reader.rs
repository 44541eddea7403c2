//! The reader of a request: network address and account.

use std::{net::IpAddr, sync::Arc};

use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, header, request::Parts},
};
use club::{Account, AccountId, Token};
use limits::{CountedConnection, StrangerHandle};
use wire::RefusalCode;

use crate::{app::App, limit::CountedUse, refusal::Refusal};

/// Returns the name of the cookie that holds a session's token. If people reach the club by https,
/// the name has the prefix `__Host-`. A browser accepts a cookie with this prefix only from the
/// host itself, over TLS, and for all paths. So neither another host of the same domain nor an
/// attacker on a connection without TLS can replace the session.
pub const fn cookie_name(https: bool) -> &'static str {
    if https { "__Host-session" } else { "session" }
}

/// A browser keeps the cookie for this time, in seconds: as long as a session lasts.
const KEPT: u32 = 30 * 24 * 3600;

/// The connection on which a request came.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Address of the other end.
    pub address: IpAddr,
    /// Counts the connection as long as this value exists.
    pub connection: Arc<CountedConnection>,
}

/// The address from which a request comes: the address of the other end, or the address that a
/// trusted proxy reports.
#[derive(Clone, Debug)]
pub struct From {
    /// Address of the client.
    pub address: IpAddr,
    /// Counts the connection as long as this value exists. A socket keeps this value, so an open
    /// socket stays counted.
    pub counters: ConnectionCounters,
}

/// The counters of a connection: one counter for the connection itself and, behind a proxy, one
/// for the proxy's client.
#[derive(Clone, Debug, Default)]
pub struct ConnectionCounters {
    connection: Option<Arc<CountedConnection>>,
    _forwarded: Option<Arc<CountedUse>>,
}

impl ConnectionCounters {
    /// Records that the connection must never give way to another, unless `most` others are kept.
    pub fn keep(&self, most: u32) {
        if let Some(presence) = self.presence() {
            presence.named_of(most);
        }
    }

    /// Waits until the connection must give way to another.
    pub async fn must_leave(&self) {
        match self.presence() {
            Some(presence) => presence.must_leave().await,
            None => std::future::pending().await,
        }
    }

    fn presence(&self) -> Option<StrangerHandle> {
        self.connection.as_ref()?.presence()
    }
}

impl FromRequestParts<App> for From {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<From, Refusal> {
        Ok(from(parts, app))
    }
}

/// Returns the address from which a request comes, and the counters of its connection.
pub fn from(parts: &Parts, app: &App) -> From {
    let (peer, connection) = parts.extensions.get::<Peer>().map_or_else(
        || (IpAddr::from([0, 0, 0, 0]), None),
        |peer| (peer.address, Some(Arc::clone(&peer.connection))),
    );
    let told = app
        .config()
        .behind_proxy
        .then(|| forwarded(&parts.headers))
        .flatten();
    From {
        address: told.unwrap_or(peer),
        counters: ConnectionCounters {
            connection,
            _forwarded: parts.extensions.get().cloned(),
        },
    }
}

/// Returns the last address in the last header `X-Forwarded-For`. The proxy itself has added this
/// address.
fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?;
    last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}

/// The reader: an account, or `None` for a visitor.
#[derive(Clone, Debug)]
pub struct Reader(pub Option<Account>);

impl Reader {
    /// Returns the number of the account.
    pub fn id(&self) -> Option<AccountId> {
        self.0.as_ref().map(|account| account.id)
    }
}

/// The reader, and the token of the reader's session. The token is kept so that a subscription can
/// end when its session ends.
#[derive(Clone)]
pub struct Listener {
    /// Account, or a visitor.
    pub reader: Reader,
    /// Token of the session; `None` for a visitor.
    pub token: Option<String>,
}

impl FromRequestParts<App> for Listener {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Listener, Refusal> {
        let reader = Reader::from_request_parts(parts, app).await?;
        let token = shown(&parts.headers, app.config().https())
            .filter(|_| reader.0.is_some())
            .map(|shown| shown.token().to_owned());
        Ok(Listener { reader, token })
    }
}

/// A reader who is signed in.
#[derive(Clone, Debug)]
pub struct Signed(pub Account);

/// A reader who is signed in, with a session that may change the account.
#[derive(Clone, Debug)]
pub struct Owner(pub Account);

/// The account of a request whose session was already looked up.
#[derive(Clone, Debug)]
pub struct Known(pub Account);

/// A session's token, as a request presents it.
#[derive(Clone, Eq, PartialEq)]
pub enum Shown {
    /// In the header `Authorization`, by a program.
    Bearer(String),
    /// In a cookie, by a browser.
    Cookie(String),
}

impl Shown {
    /// Returns the token.
    pub fn token(&self) -> &str {
        match self {
            Shown::Bearer(token) | Shown::Cookie(token) => token,
        }
    }
}

/// Returns the token that a request presents. A token in the header `Authorization` takes
/// precedence over a cookie. If people reach the club by https, only the cookie with the prefix
/// `__Host-` is read. Another host could have set a cookie without the prefix.
pub fn shown(headers: &HeaderMap, https: bool) -> Option<Shown> {
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let text = value.to_str().unwrap_or_default();
        let token = match text.split_once(' ') {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token.trim(),
            _ => "",
        };
        return Some(Shown::Bearer(token.to_owned()));
    }
    let token = value_of(headers, cookie_name(https))?;
    Some(Shown::Cookie(token.to_owned()))
}

/// Returns the value of a cookie.
fn value_of<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(found, _)| *found == name)
        .map(|(_, value)| value)
}

/// Returns the cookie by which the club knows a browser in which somebody has signed in.
pub fn device(headers: &HeaderMap, https: bool) -> Option<&str> {
    value_of(headers, device_name(https))
}

const fn device_name(https: bool) -> &'static str {
    if https { "__Host-device" } else { "device" }
}

/// Returns the value of the header `Set-Cookie` that makes this browser a known device, for a year.
pub fn device_cookie(device: &str, https: bool) -> String {
    set_cookie(device_name(https), device, 365 * 24 * 3600, https)
}

fn set_cookie(name: &str, value: &str, age: u32, https: bool) -> String {
    let secure = if https { "; Secure" } else { "" };
    format!("{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}")
}

impl FromRequestParts<App> for Reader {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Reader, Refusal> {
        // The middleware that counts requests has already looked up the session, so the result is
        // reused.
        if let Some(Known(account)) = parts.extensions.get() {
            return Ok(Reader(Some(account.clone())));
        }
        let Some(shown) = shown(&parts.headers, app.config().https()) else {
            return Ok(Reader(None));
        };
        match (app.club().session(shown.token()).await, shown) {
            (Ok(account), _) => Ok(Reader(Some(account))),
            // An expired cookie makes the reader a visitor; a wrong token in the header is an
            // error.
            (Err(error), Shown::Cookie(_)) if is_no_session(error.code) => Ok(Reader(None)),
            (Err(error), Shown::Bearer(_)) if is_no_session(error.code) => Err(Refusal::new(
                RefusalCode::SignIn,
                "this token is not valid: its session has ended, or never existed; POST /api/sessions \
                 gives another",
            ).because("session-over")),
            (Err(error), _) => Err(error.into()),
        }
    }
}

fn is_no_session(code: RefusalCode) -> bool {
    matches!(
        code,
        RefusalCode::SignIn | RefusalCode::NotFound | RefusalCode::Invalid
    )
}

impl FromRequestParts<App> for Signed {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Signed, Refusal> {
        let Reader(account) = Reader::from_request_parts(parts, app).await?;
        account.map(Signed).ok_or_else(|| {
            Refusal::new(
                RefusalCode::SignIn,
                "sign in first: POST /api/sessions with name and password, or POST /api/guests to \
                 play as a guest",
            )
            .because("sign-in")
        })
    }
}

impl FromRequestParts<App> for Owner {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Owner, Refusal> {
        let Signed(account) = Signed::from_request_parts(parts, app).await?;
        if let Some(shown) = shown(&parts.headers, app.config().https()) {
            app.club().check_owner(shown.token()).await?;
        }
        Ok(Owner(account))
    }
}

/// Names the program of a request, from its header `User-Agent`: a browser and its system, or the
/// first word.
pub fn program(headers: &HeaderMap) -> String {
    /// A browser also names the browsers that it resembles, so the order matters.
    const BROWSERS: &[(&str, &str)] = &[
        ("Edg", "Edge"),
        ("OPR/", "Opera"),
        ("SamsungBrowser", "Samsung Internet"),
        ("Firefox/", "Firefox"),
        ("FxiOS", "Firefox"),
        ("Chrome/", "Chrome"),
        ("CriOS", "Chrome"),
        ("Safari/", "Safari"),
    ];
    const SYSTEMS: &[(&str, &str)] = &[
        ("Android", "Android"),
        ("iPhone", "iPhone"),
        ("iPad", "iPad"),
        ("Windows", "Windows"),
        ("Mac OS", "macOS"),
        ("CrOS", "ChromeOS"),
        ("Linux", "Linux"),
    ];
    let agent = headers.get(header::USER_AGENT);
    let agent = agent.and_then(|value| value.to_str().ok()).unwrap_or("");
    let find = |names: &[(&str, &'static str)]| {
        let found = names.iter().find(|(part, _)| agent.contains(part));
        found.map(|(_, name)| *name)
    };
    match (find(BROWSERS), find(SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser}, {system}"),
        (Some(browser), None) => browser.to_owned(),
        (None, _) => {
            let word = agent.split([' ', '/']).next().unwrap_or("");
            word.chars().take(club::MAX_LABEL).collect()
        }
    }
}

/// Returns the value of the header `Set-Cookie`. With a token, the header gives the session to a
/// browser. Without a token, the header deletes the cookie.
pub fn cookie(token: Option<&Token>, https: bool) -> String {
    let (token, age) = token.map_or(("", 0), |token| (token.secret(), KEPT));
    set_cookie(cookie_name(https), token, age, https)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn programs_have_short_names() {
        for (agent, name) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
                "Firefox, Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) \
                 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
                "Edge, Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 \
                 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
                "Safari, iPhone",
            ),
            ("curl/8.14.1", "curl"),
            ("", ""),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::USER_AGENT, HeaderValue::from_static(agent));
            assert_eq!(program(&headers), name, "{agent}");
        }
        assert_eq!(program(&HeaderMap::new()), "");
    }

    #[test]
    fn bearer_token_has_priority_over_a_cookie() {
        let mut headers = HeaderMap::new();
        assert!(shown(&headers, false).is_none());
        headers.insert(
            header::COOKIE,
            HeaderValue::from_static("a=b; session=one; session=two"),
        );
        assert!(matches!(shown(&headers, false), Some(Shown::Cookie(t)) if t == "one"));
        headers.insert(
            header::AUTHORIZATION,
            HeaderValue::from_static("bearer three"),
        );
        assert!(matches!(shown(&headers, false), Some(Shown::Bearer(t)) if t == "three"));
        headers.insert(header::AUTHORIZATION, HeaderValue::from_static("Basic x"));
        assert!(matches!(shown(&headers, false), Some(Shown::Bearer(t)) if t.is_empty()));
    }

    #[test]
    fn over_https_only_the_cookie_of_this_host_is_read() {
        let mut headers = HeaderMap::new();
        headers.insert(
            header::COOKIE,
            HeaderValue::from_static("session=planted; __Host-session=own"),
        );
        assert!(matches!(shown(&headers, true), Some(Shown::Cookie(t)) if t == "own"));
        assert!(matches!(shown(&headers, false), Some(Shown::Cookie(t)) if t == "planted"));
        headers.insert(header::COOKIE, HeaderValue::from_static("session=planted"));
        assert!(shown(&headers, true).is_none());

        let given = cookie(None, true);
        assert!(given.starts_with("__Host-session=;"), "{given}");
        assert!(
            given.contains("; Secure") && given.contains("; Path=/;"),
            "{given}"
        );
        assert!(!given.contains("Domain"), "{given}");
    }

    #[test]
    fn address_that_the_proxy_adds_is_used() {
        let mut headers = HeaderMap::new();
        assert_eq!(forwarded(&headers), None);
        headers.append(
            "x-forwarded-for",
            HeaderValue::from_static("10.0.0.1, 192.0.2.9"),
        );
        assert_eq!(forwarded(&headers), "192.0.2.9".parse().ok());
    }
}
