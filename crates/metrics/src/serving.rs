//! The address at which the figures are read.

use std::{future::Future, io};

use axum::{Router, http::header, response::IntoResponse, routing::get};
use tokio::net::TcpListener;

use crate::figures::Metrics;

/// Media type of the text.
const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Serves the figures at `/metrics` until `stop` returns.
///
/// # Errors
/// If the listener fails.
pub async fn serve(
    metrics: Metrics,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let read = move || {
        let text = metrics.text();
        async move { ([(header::CONTENT_TYPE, MEDIA_TYPE)], text).into_response() }
    };
    let router = Router::new().route("/metrics", get(read));
    axum::serve(listener, router)
        .with_graceful_shutdown(stop)
        .await
}
