//! The server: HTTP and WebSocket. (The protocols with lines of text are in the crate `doors`.)

use std::{
    future::Future,
    io,
    net::SocketAddr,
    sync::{Arc, LazyLock},
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{Method, header, request::Parts},
    middleware::{Next, from_fn, from_fn_with_state},
    response::{IntoResponse, Response},
    routing::get,
};
use club::{Club, ClubError};
use http_body_util::BodyExt;
use tokio::{net::TcpListener, time::sleep};
use tower_http::{catch_panic::CatchPanicLayer, compression::CompressionLayer, cors::CorsLayer};
use wire::RefusalCode;

use crate::{
    app::{App, Observer},
    built_in_bots,
    config::Config,
    door::{self, Stream},
    headers,
    limit::{Counted, Who},
    log, origin, page, public,
    push::{self, Dial},
    reader::{self, Known},
    refusal::{Refusal, one_form},
    routes,
};

/// A request is at a table if its path begins with one of these prefixes: the routes of games, and
/// the socket.
const TABLES: [&str; 2] = ["/api/games/", "/api/socket"];

/// A client with too many connections is told to wait for this time.
const PLACE_WAIT: Duration = Duration::from_secs(9);

/// Routes of every server. Building the routes takes long, because their description is created at
/// the same time. So they are built only once.
static API: LazyLock<Router<App>> = LazyLock::new(|| routes::api().split_for_parts().0);

/// The server of a club.
#[derive(Clone)]
pub struct Server {
    app: App,
    router: Router,
}

impl Server {
    /// Prepares a club to be served.
    ///
    /// # Errors
    /// If the accounts of the built-in bots cannot be created.
    pub async fn open(club: Club, config: Config) -> Result<Server, ClubError> {
        Server::open_observed(club, config, None).await
    }

    /// Prepares a club to be served, like [`open`](Server::open). Every answer is passed to the
    /// observer.
    ///
    /// # Errors
    /// As for [`open`](Server::open).
    pub async fn open_observed(
        club: Club,
        config: Config,
        observer: Option<Observer>,
    ) -> Result<Server, ClubError> {
        let app = App::open(club, config, observer).await?;
        let api = API.clone();
        let small = CompressionLayer::new().compress_when(public::compressed());
        let router = api
            .route("/api/style.css", get(style))
            .fallback(page::page)
            .layer(from_fn(public::tagged))
            .layer(small)
            .layer(from_fn(one_form))
            .layer(from_fn_with_state(app.clone(), origin::own_page_only))
            .layer(from_fn_with_state(app.clone(), limit_requests));
        let router = match app.config().allow_origins.clone() {
            // The pages of other sites never use cookies here.
            Some(origins) => router.layer(
                CorsLayer::new()
                    .allow_origin(origins)
                    .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
                    .allow_headers([header::AUTHORIZATION, header::CONTENT_TYPE])
                    .expose_headers([header::RETRY_AFTER]),
            ),
            None => router,
        };
        let router = router
            .layer(CatchPanicLayer::custom(panicked))
            .layer(from_fn_with_state(app.clone(), headers::every_answer))
            .layer(from_fn_with_state(app.clone(), log::every_request))
            .with_state(app.clone());
        Ok(Server { app, router })
    }

    /// Serves a connection that another part of the program has accepted. The server treats the
    /// connection as if it came from `address`. With this function, a test can run without ports,
    /// and a game on one machine can run without a network.
    pub fn take_in(&self, stream: impl Stream, address: SocketAddr) {
        door::take_in(&self.app, &self.router, stream, address);
    }

    /// Returns the number of connections that are open now.
    pub fn connections(&self) -> u32 {
        self.app.counter().connections.open()
    }

    /// Lets the built-in bots play until the returned future is dropped. Only needed if
    /// [`serve`](Server::serve) is not called.
    pub async fn run_built_in_bots(&self) {
        built_in_bots::run(&self.app).await;
    }

    /// Sends notices (Web Push) over connections that `dial` opens, until the club closes. Without
    /// this, nobody gets notices.
    pub async fn send_notices(&self, dial: Dial) {
        push::send_all(&self.app, &dial).await;
    }

    /// Sends the digests by mail that are due now. [`serve`](Server::serve) does it every five minutes.
    pub async fn send_digests(&self) {
        let (club, is_here) = (self.app.club(), |account| self.app.has_socket(account));
        if let Some(mailer) = self.app.mailer() {
            mailer.send_digests(club, is_here).await;
        }
    }

    /// Serves until `stop` returns. Then accepts no more connections, sends a goodbye on each
    /// socket, and closes the club, which pauses the clocks.
    ///
    /// # Errors
    /// If the listener fails.
    pub async fn serve(
        self,
        listener: TcpListener,
        stop: impl Future<Output = ()>,
    ) -> io::Result<()> {
        let bots = built_in_bots::run(&self.app);
        let file = log::watch_file(self.app.club().clone());
        let mail = async {
            if let Some(mailer) = self.app.mailer() {
                let is_here = |account| self.app.has_socket(account);
                mailer.run(self.app.club(), is_here).await;
            }
        };
        tokio::select! {
            () = door::serve(&self.app, self.router, listener, stop) => {}
            // The bots play until this future is dropped.
            () = async { bots.await; std::future::pending().await } => {}
            () = file => {}
            () = async { mail.await; std::future::pending().await } => {}
        }
        Ok(())
    }
}

async fn style() -> impl IntoResponse {
    let headers = [
        (header::CONTENT_TYPE, "text/css; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=3600"),
    ];
    (headers, page::STYLE)
}

/// Limits the number of requests.
///
/// A request of a signed-in reader at a table counts towards two limits: the limit of this account
/// at this table, and a larger limit of this account at all tables. Such a request does not count
/// towards a limit of the address, because other people at the same address could observe the
/// count. If a limit is reached, a try waits, and any other request at a table is refused. A request
/// for the socket counts only towards the limit of the account.
///
/// Any other request, also a visitor's request at a table, counts towards two other limits: the
/// limit of the account, and a larger limit of the address. For a visitor, both are limits of the
/// address.
async fn limit_requests(State(app): State<App>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let address = Who::Address(reader::from(&parts, &app).address);
    let mut who = address;
    if let Some(shown) = reader::shown(&parts.headers, app.config().https())
        && let Ok(account) = app.club().session(shown.token()).await
    {
        who = Who::Account(account.id);
        parts.extensions.insert(Known(account));
    }
    let path = parts.uri.path();
    let is_private = who != address && TABLES.iter().any(|at| path.starts_with(at));
    let (counter, counted) = (app.counter(), counted_as(who, path));
    let is_said = parts.method == Method::POST && path.ends_with("/tries");
    if matches!(counted, Who::Table(..)) && is_said {
        // A try counts towards the larger limit only when it no longer waits for the limit of its
        // table. So tries that wait at one table do not delay requests at other tables.
        for (what, whose) in [(Counted::Request, counted), (Counted::Any, who)] {
            let wait = counter.reserve(what, whose);
            if !wait.is_zero() {
                sleep(wait).await;
            }
        }
    } else if let Err(wait) = counter.count(Counted::Request, counted).and_then(|()| {
        // The messages of a socket are counted by the socket itself.
        match (is_private, counted) {
            (true, Who::Table(..)) => counter.count(Counted::Any, who),
            (true, Who::Account(_) | Who::Address(_)) => Ok(()),
            (false, _) => counter.count(Counted::Any, address),
        }
    }) {
        return Refusal::too_many("too many requests", wait).into_response();
    }
    if !app.config().behind_proxy {
        return next.run(Request::from_parts(parts, body)).await;
    }
    // Behind a proxy, all connections have the proxy's address, so connections cannot be counted
    // per client. Instead, the open requests and sockets of each client are counted here.
    let whose = if is_private && !is_held_open(&parts) {
        who
    } else {
        address
    };
    let Some(place) = app.counter().take_place(whose) else {
        return Refusal::too_many("too many connections from your address", PLACE_WAIT)
            .because("address-connections")
            .into_response();
    };
    let place = Arc::new(place);
    parts.extensions.insert(Arc::clone(&place));
    let response = next.run(Request::from_parts(parts, body)).await;
    response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            // This closure holds the place, so the request is counted until the last byte of the
            // response is read.
            let _held = &place;
            frame
        }))
    })
}

/// Returns for whom a request is counted. A request of an account at a table is counted for this
/// account at this table.
fn counted_as(who: Who, path: &str) -> Who {
    let game = path
        .strip_prefix(TABLES[0])
        .and_then(|rest| rest.split('/').next()?.parse().ok());
    match (who, game) {
        (Who::Account(account), Some(game)) => Who::Table(account, game),
        (who, _) => who,
    }
}

/// Whether a request opens a socket, or a response with hearings that stays open. Such a request
/// counts towards a limit of the address. This is safe, because the duration of such a request does
/// not depend on the player's tries. The times of all other requests at a table depend on the
/// player's tries. So the other requests must not change a number that people at the same address
/// can observe.
fn is_held_open(parts: &Parts) -> bool {
    let ends = parts
        .uri
        .query()
        .is_some_and(|query| query.contains("wait=0"));
    parts.headers.contains_key(header::UPGRADE) || (parts.uri.path().ends_with("/heard") && !ends)
}

/// Responds to a request whose handler panicked. Other requests are not affected.
fn panicked(_: Box<dyn std::any::Any + Send>) -> axum::http::Response<Body> {
    tracing::error!("a request made the server panic");
    Refusal::new(
        RefusalCode::Unavailable,
        "the server made a mistake. Your request may or may not have been carried out: check, then ask \
         again",
    )
    .into_response()
}
