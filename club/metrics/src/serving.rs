//! The address at which the metrics are read.

use std::{future::Future, io, net::IpAddr};

use axum::{
    Router,
    http::{HeaderMap, StatusCode, header, uri::Authority},
    response::IntoResponse,
    routing::get,
};
use tokio::net::TcpListener;

use crate::values::Metrics;

/// Media type of the text.
const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Whether the request names this machine by an IP address or as `localhost`. This check prevents
/// DNS rebinding: the owner of a foreign web site makes the site's host name point to this machine.
/// A request from a page of that site names the foreign host, so the request is refused.
fn is_known_host(headers: &HeaderMap) -> bool {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let Some(Ok(host)) = host.map(str::parse::<Authority>) else {
        return false;
    };
    let name = host.host().trim_matches(['[', ']']);
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok()
}

/// Serves the metrics at `/metrics` until `stop` returns.
///
/// # Errors
/// If the listener fails.
pub async fn serve(
    metrics: Metrics,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let read = move |headers: HeaderMap| {
        let answer = if is_known_host(&headers) {
            ([(header::CONTENT_TYPE, MEDIA_TYPE)], metrics.text()).into_response()
        } else {
            let why = "the request must name this machine by an IP address or as localhost\n";
            (StatusCode::MISDIRECTED_REQUEST, why).into_response()
        };
        async move { answer }
    };
    let router = Router::new().route("/metrics", get(read));
    axum::serve(listener, router)
        .with_graceful_shutdown(stop)
        .await
}
