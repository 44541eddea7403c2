//! Answers of a process that waits until it owns the games.

use std::{convert::Infallible, time::Duration};

use axum::{
    body::Body,
    http::{Request, Response, StatusCode},
    response::IntoResponse,
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use limits::accept;
use tokio::{net::TcpListener, time::timeout};
use wire::RefusalCode;

use crate::refusal::Refusal;

/// A client is told to ask again after this time.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// A connection is closed after this time.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(5);

/// Refuses every request until the returned future is dropped.
pub async fn standby(listener: &TcpListener) {
    loop {
        let (stream, _) = accept(listener).await;
        let service = service_fn(async |request: Request<Incoming>| {
            Ok::<_, Infallible>(refused(request.uri().path()))
        });
        let serving = http1::Builder::new()
            .keep_alive(false)
            .serve_connection(TokioIo::new(stream), service);
        // It is no error if a client disconnects.
        tokio::spawn(async { timeout(CONNECTION_TIMEOUT, serving).await.ok() });
    }
}

fn refused(path: &str) -> Response<Body> {
    let refusal = Refusal {
        wait: Some(RETRY_AFTER),
        ..Refusal::new(
            RefusalCode::Unavailable,
            "this server is a standby, and another server of the club takes the requests: ask again \
             in 1 s",
        )
    };
    let mut response = refusal.into_response();
    if path == "/healthz" {
        *response.body_mut() = Body::from("standby\n");
        response
            .headers_mut()
            .remove(axum::http::header::CONTENT_TYPE);
        response
            .headers_mut()
            .remove(axum::http::header::CONTENT_LENGTH);
    }
    debug_assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    response
}
