//! The lobby.

use axum::{Json, extract::State};
use wire::{LobbyJson, RefusedJson};

use crate::{app::App, reader::Reader, refusal::Refusal};

/// The lobby as you see it
///
/// Open seeks, challenges to and from you, your games, the games that can be watched, and the
/// built-in bots, which accept challenges immediately.
#[utoipa::path(get, path = "/api/lobby", tag = "lobby",
    security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = LobbyJson), (status = "default", body = RefusedJson)))]
pub async fn lobby(State(app): State<App>, reader: Reader) -> Result<Json<LobbyJson>, Refusal> {
    Ok(Json(app.lobby_for(reader.id()).await?))
}
