//! Health check.

use axum::extract::State;
use wire::RefusedJson;

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
