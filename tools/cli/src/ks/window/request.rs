//! The requests of the page.

use std::{
    convert::Infallible,
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use http_body_util::{BodyExt, Full, Limited};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header::{self, HeaderValue},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::TcpListener,
    sync::{Semaphore, mpsc, watch},
    time::timeout,
};

use super::PageState;
use crate::ks::typed::Typed;

/// Longest time that a request waits for a new state.
const WAIT: Duration = Duration::from_secs(20);
/// Maximum time for receiving the head of a request. The same maximum applies to the body with a
/// typed line.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);
/// Longest line that the page may send, in bytes.
const MAX_LINE_BYTES: usize = 1000;
/// Maximum number of simultaneous connections.
const MAX_CONNECTIONS: usize = 32;

/// Secrets of the page, and its address.
pub(super) struct Keys {
    /// Host with port, as in the header `Host`.
    host: String,
    /// Token of the printed address.
    token: String,
    is_used: AtomicBool,
    /// Value of the browser's cookie.
    session: String,
    /// Name of the cookie. Browsers send a cookie to every port of a host, so the name contains the
    /// port.
    cookie: String,
}

impl Keys {
    /// Draws new secrets for a page at this address.
    pub(super) fn draw(at: SocketAddr) -> Keys {
        // A key of `ks` serves as a secret here, because it has 100 random bits.
        let secret = || doors::ks::GameKey::draw().to_string();
        Keys {
            host: at.to_string(),
            token: secret(),
            is_used: AtomicBool::new(false),
            session: secret(),
            cookie: format!("xks-{}", at.port()),
        }
    }

    /// Returns the address to open.
    pub(super) fn address(&self) -> String {
        format!("http://{}/?token={}", self.host, self.token)
    }

    fn origin(&self) -> String {
        format!("http://{}", self.host)
    }

    /// Whether a request has the browser's cookie.
    fn knows(&self, request: &Request<Incoming>) -> bool {
        let cookies = request.headers().get_all(header::COOKIE).iter();
        let mut cookies = cookies
            .filter_map(|value| value.to_str().ok())
            .flat_map(|all| all.split(';'));
        let wanted = format!("{}={}", self.cookie, self.session);
        cookies.any(|one| one.trim() == wanted)
    }
}

type Answer = Response<Full<Bytes>>;

/// Serves the page until the task is ended.
pub(super) async fn serve(
    listener: TcpListener,
    keys: Arc<Keys>,
    state: watch::Receiver<PageState>,
    typed: mpsc::UnboundedSender<Typed>,
    read: Arc<watch::Sender<u64>>,
) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let (keys, state) = (Arc::clone(&keys), state.clone());
        let (typed, read) = (typed.clone(), Arc::clone(&read));
        tokio::spawn(async move {
            let answers = service_fn(move |request| {
                let (keys, state) = (Arc::clone(&keys), state.clone());
                let (typed, read) = (typed.clone(), Arc::clone(&read));
                async move {
                    let answer = answer(request, &keys, state, &typed, &read).await;
                    Ok::<_, Infallible>(with_headers(answer))
                }
            });
            let served = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIMEOUT)
                .serve_connection(TokioIo::new(stream), answers)
                .await;
            // The result is ignored, because a browser may close its connection at any time.
            drop((served, place));
        });
    }
}

fn with_headers(mut answer: Answer) -> Answer {
    for (name, value) in [
        (header::CACHE_CONTROL, "no-store"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'self'; frame-ancestors 'none'",
        ),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ] {
        answer
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    answer
}

fn plain(status: StatusCode, text: &'static str) -> Answer {
    let mut answer = Response::new(Full::from(text));
    *answer.status_mut() = status;
    answer
}

fn file(kind: &'static str, text: &'static str) -> Answer {
    let mut answer = Response::new(Full::from(text));
    let kind = HeaderValue::from_static(kind);
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}

/// Answers one request.
async fn answer(
    request: Request<Incoming>,
    keys: &Keys,
    state: watch::Receiver<PageState>,
    typed: &mpsc::UnboundedSender<Typed>,
    read: &watch::Sender<u64>,
) -> Answer {
    let one = |name| {
        let mut values = request.headers().get_all(name).iter();
        values.next().filter(|_| values.next().is_none())
    };
    if one(header::HOST).is_none_or(|host| host.as_bytes() != keys.host.as_bytes()) {
        return plain(StatusCode::FORBIDDEN, "This page has another address.");
    }
    let origin = request.headers().get(header::ORIGIN);
    let is_own = origin.is_some_and(|origin| origin.as_bytes() == keys.origin().as_bytes());
    if origin.is_some() && !is_own {
        return plain(
            StatusCode::FORBIDDEN,
            "The request comes from another page.",
        );
    }
    let query = request.uri().query().unwrap_or_default();
    if !keys.knows(&request) {
        let given = query.strip_prefix("token=");
        let opens = request.uri().path() == "/" && given == Some(keys.token.as_str());
        if opens && !keys.is_used.swap(true, Ordering::Relaxed) {
            return enter(keys);
        }
        return plain(
            StatusCode::FORBIDDEN,
            "Open the address that kriegspiel xks has printed. It works once, in one browser; after \
             that, run the same command again: the game continues.",
        );
    }
    match (request.method(), request.uri().path()) {
        (&Method::GET, "/") if !query.is_empty() => enter(keys),
        (&Method::GET, "/") => file("text/html; charset=utf-8", include_str!("xks.html")),
        (&Method::GET, "/xks.js") => file("text/javascript", include_str!("xks.js")),
        (&Method::GET, "/xks.css") => file("text/css", include_str!("xks.css")),
        (&Method::GET, "/state") => {
            let after = query
                .strip_prefix("after=")
                .and_then(|text| text.parse().ok());
            next_state(after.unwrap_or(0), state, read).await
        }
        (&Method::POST, "/line") if is_own => line(request, typed).await,
        (&Method::POST, _) => plain(
            StatusCode::FORBIDDEN,
            "Only the page may send this request.",
        ),
        (&Method::GET, path) => match man(path) {
            Some(picture) => file("image/svg+xml", picture),
            None => plain(StatusCode::NOT_FOUND, "There is no such file."),
        },
        _ => plain(StatusCode::METHOD_NOT_ALLOWED, "Only GET and POST."),
    }
}

/// Gives the browser its cookie, and removes the token from the address.
fn enter(keys: &Keys) -> Answer {
    let mut answer = plain(StatusCode::SEE_OTHER, "");
    let cookie = format!(
        "{}={}; HttpOnly; SameSite=Strict; Path=/",
        keys.cookie, keys.session
    );
    let headers = answer.headers_mut();
    headers.insert(header::LOCATION, HeaderValue::from_static("/"));
    if let Ok(cookie) = HeaderValue::from_str(&cookie) {
        headers.insert(header::SET_COOKIE, cookie);
    }
    answer
}

/// Waits until the number of the state is greater than `after`, but not longer than
/// [`WAIT`]. Returns the present state.
async fn next_state(
    after: u64,
    mut state: watch::Receiver<PageState>,
    read: &watch::Sender<u64>,
) -> Answer {
    // If no new state comes in time, the present state is sent again.
    drop(timeout(WAIT, state.wait_for(|state| state.n > after)).await);
    let (n, json) = {
        let state = state.borrow();
        (state.n, serde_json::to_vec(&*state))
    };
    let Ok(json) = json else {
        return plain(
            StatusCode::INTERNAL_SERVER_ERROR,
            "The state cannot be sent.",
        );
    };
    read.send_replace(n);
    let mut answer = Response::new(Full::from(json));
    let kind = HeaderValue::from_static("application/json");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}

/// Reads a typed line.
async fn line(request: Request<Incoming>, typed: &mpsc::UnboundedSender<Typed>) -> Answer {
    let body = Limited::new(request.into_body(), MAX_LINE_BYTES).collect();
    let text = match timeout(HEAD_TIMEOUT, body).await {
        Ok(Ok(body)) => String::from_utf8(body.to_bytes().into()).ok(),
        Ok(Err(_)) | Err(_) => None,
    };
    match text.filter(|text| !text.contains(['\n', '\r'])) {
        Some(text) => {
            let _ended = typed.send(Typed::Line(text));
            plain(StatusCode::NO_CONTENT, "")
        }
        None => plain(
            StatusCode::BAD_REQUEST,
            "A line of at most 1000 bytes of UTF-8 is needed.",
        ),
    }
}

/// Returns the picture of a man: `/men/white-king.svg` and so on.
fn man(path: &str) -> Option<&'static str> {
    macro_rules! men {
        ($($name:literal),*) => {
            match path.strip_prefix("/men/")?.strip_suffix(".svg")? {
                $($name => Some(include_str!(concat!(
                    env!("CARGO_MANIFEST_DIR"), "/men/", $name, ".svg"
                ))),)*
                _ => None,
            }
        };
    }
    men!(
        "white-king",
        "white-queen",
        "white-rook",
        "white-bishop",
        "white-knight",
        "white-pawn",
        "black-king",
        "black-queen",
        "black-rook",
        "black-bishop",
        "black-knight",
        "black-pawn"
    )
}
