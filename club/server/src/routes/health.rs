//! Health check, and limits.

use axum::{Json, extract::State};
use wire::{LimitsJson, RefusedJson};

use crate::{app::App, refusal::Refusal};

/// Whether the club answers and can write to its file
#[utoipa::path(get, path = "/healthz", tag = "club",
    responses((status = 200, body = String, content_type = "text/plain"),
        (status = "default", body = RefusedJson)))]
pub async fn health(State(app): State<App>) -> Result<&'static str, Refusal> {
    app.club().check_store().await?;
    app.club().check_file()?;
    Ok("ok\n")
}

/// The limits of addresses, accounts and sockets
#[utoipa::path(get, path = "/api/limits", tag = "club",
    responses((status = 200, body = LimitsJson), (status = "default", body = RefusedJson)))]
pub async fn limits(State(app): State<App>) -> Json<LimitsJson> {
    Json(app.counter().listed())
}
