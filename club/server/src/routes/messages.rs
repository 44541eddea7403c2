//! Messages between people, and mutes.

use axum::{
    Json,
    extract::{Path, Query, State},
    http::StatusCode,
};
use serde::Deserialize;
use wire::{
    MessagesJson, MutesJson, NewMessageJson, NewTalkJson, RefusalCode, RefusedJson, ReportJson,
    TalkGroupJson, WrittenJson,
};

use crate::{
    app::App,
    body::Body,
    reader::{Reader, Signed},
    refusal::Refusal,
    routes::games::game_id,
};

/// Query parameters: which messages of a game are read.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct TalkQuery {
    /// The group. By default, players read the players' messages, and everybody else reads the
    /// spectators' messages.
    group: Option<TalkGroupJson>,
    /// Number of the last message that you know; 0 (default) for all kept messages. A number that no
    /// message has yet is refused.
    #[serde(default)]
    after: u32,
}

/// Query parameters: which waiting messages are removed.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ReadQuery {
    /// Number of the last message that you have read.
    last: u32,
}

/// The messages of a group at a game, oldest first
///
/// At most 200 messages of a group are kept, for at most 30 days. Players read the messages of the
/// spectators only after the end of the game; only the players read the messages of the players.
#[utoipa::path(get, path = "/api/games/{id}/messages", tag = "messages",
    params(("id" = String, Path), TalkQuery),
    security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = MessagesJson), (status = "default", body = RefusedJson)))]
pub async fn of_game(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<String>,
    query: Result<Query<TalkQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<MessagesJson>, Refusal> {
    let Query(TalkQuery { group, after }) = query.map_err(|_| {
        Refusal::new(
            RefusalCode::Invalid,
            "`group` must be players or spectators, `after` a number; no other parameter is allowed",
        )
    })?;
    let (game, group) = (game_id(&id)?, group.map(present::talk_group));
    let club = app.club();
    let listening = club
        .listen_to_talk(game, reader.id(), group, Some(after))
        .await?;
    let (_, mut listening) = listening;
    let mut messages = Vec::new();
    while let Some(message) = listening.ready().await {
        messages.push(present::message(&message));
    }
    Ok(Json(MessagesJson { messages }))
}

/// Write a message to a group at a game
#[utoipa::path(post, path = "/api/games/{id}/messages", tag = "messages",
    params(("id" = String, Path)), request_body = NewTalkJson,
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 201, body = WrittenJson), (status = "default", body = RefusedJson)))]
pub async fn write(
    State(app): State<App>,
    Signed(by): Signed,
    Path(id): Path<String>,
    Body(new): Body<NewTalkJson>,
) -> Result<(StatusCode, Json<WrittenJson>), Refusal> {
    let group = new.group.map(present::talk_group);
    let game = game_id(&id)?;
    let n = app.club().write(game, by.id, group, &new.text).await?;
    Ok((StatusCode::CREATED, Json(WrittenJson { n: Some(n) })))
}

/// The messages that wait for you, oldest first
#[utoipa::path(get, path = "/api/messages", tag = "messages",
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = MessagesJson), (status = "default", body = RefusedJson)))]
pub async fn waiting(
    State(app): State<App>,
    Signed(reader): Signed,
) -> Result<Json<MessagesJson>, Refusal> {
    let waiting = app.club().waiting_messages(reader.id).await?;
    Ok(Json(MessagesJson {
        messages: waiting.iter().map(present::message).collect(),
    }))
}

/// Leave a message for a person, who reads it later
///
/// At most 20 messages wait for a person, and at most 5 of them are yours. Messages of guests are
/// counted separately: at most 6 wait for a person, and at most 2 of them are from one guest. If you
/// watch a game of the person, you must wait until the game is over.
#[utoipa::path(post, path = "/api/messages", tag = "messages", request_body = NewMessageJson,
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 201, body = WrittenJson), (status = "default", body = RefusedJson)))]
pub async fn leave(
    State(app): State<App>,
    Signed(by): Signed,
    Body(new): Body<NewMessageJson>,
) -> Result<(StatusCode, Json<WrittenJson>), Refusal> {
    app.club().leave_message(by.id, &new.to, &new.text).await?;
    Ok((StatusCode::CREATED, Json(WrittenJson { n: None })))
}

/// Remove the messages that you have read
#[utoipa::path(delete, path = "/api/messages", tag = "messages", params(ReadQuery),
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn remove(
    State(app): State<App>,
    Signed(reader): Signed,
    query: Result<Query<ReadQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<StatusCode, Refusal> {
    let Query(ReadQuery { last }) = query.map_err(|_| {
        Refusal::new(
            RefusalCode::Invalid,
            "`last` must be the number of the last message that you have read",
        )
    })?;
    app.club().remove_messages(reader.id, last).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The accounts that you mute
#[utoipa::path(get, path = "/api/mutes", tag = "messages",
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = MutesJson), (status = "default", body = RefusedJson)))]
pub async fn mutes(
    State(app): State<App>,
    Signed(reader): Signed,
) -> Result<Json<MutesJson>, Refusal> {
    let muted = app.club().muted_by(reader.id).await?;
    Ok(Json(MutesJson {
        muted: muted.iter().map(present::player).collect(),
    }))
}

/// Report an account to the operator of the club
///
/// Nobody else hears of it. At most ten reports within a day.
#[utoipa::path(post, path = "/api/reports", tag = "messages", request_body = ReportJson,
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn report(
    State(app): State<App>,
    Signed(by): Signed,
    Body(new): Body<ReportJson>,
) -> Result<StatusCode, Refusal> {
    let game = new.game.as_deref().map(game_id).transpose()?;
    let reported = app.club().report(by.id, &new.name, game, &new.text);
    reported.await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Mute an account
///
/// You read no messages of the account. While one of two accounts mutes the other, they write no
/// messages to each other.
#[utoipa::path(put, path = "/api/mutes/{name}", tag = "messages",
    params(("name" = String, Path, description = "Name of the account")),
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn mute(
    State(app): State<App>,
    Signed(reader): Signed,
    Path(name): Path<String>,
) -> Result<StatusCode, Refusal> {
    app.club().mute(reader.id, &name, true).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// End the mute of an account
#[utoipa::path(delete, path = "/api/mutes/{name}", tag = "messages",
    params(("name" = String, Path, description = "Name of the account")),
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn unmute(
    State(app): State<App>,
    Signed(reader): Signed,
    Path(name): Path<String>,
) -> Result<StatusCode, Refusal> {
    app.club().mute(reader.id, &name, false).await?;
    Ok(StatusCode::NO_CONTENT)
}
