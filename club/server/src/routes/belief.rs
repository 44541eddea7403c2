//! Route of the beliefs of finished games.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, Query, State, rejection::QueryRejection},
    http::header,
    response::{IntoResponse, Response},
};
use club::{FinishedGame, GameId};
use rules::chess::Color;
use serde::Deserialize;
use wire::{BeliefJson, BeliefProgressJson, RefusalCode, RefusedJson, RetryJson, TurnsJson};

use crate::{
    app::App,
    problems::computed,
    reader::{From, Reader},
    refusal::Refusal,
    reviews::{ReviewKind, opened},
    routes::{finished::recorded_game, games::game_id},
};

/// The belief of one player of a finished game at each moment
///
/// `seat` is `white` or `black`. The answer describes the positions that agreed with what this
/// player had heard and tried: how many there were, where the opponent's men could be, and what was
/// certain. A game that is not over gets the same answer as a game that does not exist. Computing a
/// belief can take some seconds.
#[utoipa::path(get, path = "/api/games/{id}/belief/{seat}", tag = "finished games",
    params(("id" = String, Path), ("seat" = String, Path)),
    responses((status = 200, body = BeliefJson), (status = "default", body = RefusedJson)))]
pub async fn belief(
    State(app): State<App>,
    // An invalid token is refused, as on every route.
    _reader: Reader,
    from: From,
    Path((id, seat)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    review(&app, from, key(&id, &seat, ReviewKind::Belief)?).await
}

/// What each turn of one player of a finished game was worth
///
/// `seat` is `white` or `black`. For each turn, the first attempt is compared with the best one in
/// the same positions: those that were possible for this player. A game that is not over gets the
/// same answer as a game that does not exist. Computing the answer can take half a minute.
#[utoipa::path(get, path = "/api/games/{id}/turns/{seat}", tag = "finished games",
    params(("id" = String, Path), ("seat" = String, Path)),
    responses((status = 200, body = TurnsJson), (status = "default", body = RefusedJson)))]
pub async fn turns(
    State(app): State<App>,
    _reader: Reader,
    from: From,
    Path((id, seat)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    review(&app, from, key(&id, &seat, ReviewKind::Turns)?).await
}

async fn review(
    app: &App,
    from: From,
    key: (GameId, Color, ReviewKind),
) -> Result<Response, Refusal> {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    if let Some(json) = app.reviews().kept(key) {
        return Ok((kind, json?).into_response());
    }
    let game = finished(app, key.0).await?;
    let json = app
        .reviews()
        .json(key, from.address, move || recorded_game(&game));
    Ok((kind, json.await?).into_response())
}

async fn finished(app: &App, id: GameId) -> Result<Arc<FinishedGame>, Refusal> {
    app.club().finished(id).await.map_err(|error| {
        if matches!(error.code, RefusalCode::NotFound | RefusalCode::NotPossible) {
            nothing()
        } else {
            error.into()
        }
    })
}

/// Query parameter of a turn that is tried again.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct RetryQuery {
    /// Another attempt: a move in any notation that the player could expect to be legal, or `any`.
    r#try: Option<String>,
}

/// A turn of a finished game, tried again
///
/// `turn` is the number of the player's turn, from 1. Without `try`: what the player had heard
/// before the first attempt of this turn. With it: also what this attempt was worth, and what it
/// does in the positions that were possible for the player. A game that is not over gets the same
/// answer as a game that does not exist. The answer to an attempt can take some seconds.
#[utoipa::path(get, path = "/api/games/{id}/turns/{seat}/{turn}", tag = "finished games",
    params(("id" = String, Path), ("seat" = String, Path), ("turn" = String, Path), RetryQuery),
    responses((status = 200, body = RetryJson), (status = "default", body = RefusedJson)))]
pub async fn retry(
    State(app): State<App>,
    _reader: Reader,
    from: From,
    Path((id, seat, turn)): Path<(String, String, String)>,
    query: Result<Query<RetryQuery>, QueryRejection>,
) -> Result<Response, Refusal> {
    let (id, seat, _) = key(&id, &seat, ReviewKind::Turns)?;
    let turn = turn.parse().map_err(|_| nothing())?;
    let game = finished(&app, id).await?;
    let Query(query) =
        query.map_err(|_| Refusal::new(RefusalCode::Invalid, "the only parameter is `try`"))?;
    let asked = computed(app.reviews().queue(), from.address, move |_| {
        let retry = opened(&recorded_game(&game)?, seat, turn).ok_or_else(nothing)?;
        let made = query.r#try.map(|text| retry.read(&text)).transpose()?;
        Ok((game, retry.json, made))
    });
    match asked.await? {
        (_, json, None) => Ok(Json(json).into_response()),
        (game, _, Some(made)) => {
            let key = (id, seat, ReviewKind::Retry { turn, made });
            let reviews = app.reviews();
            let json = reviews.json(key, from.address, move || recorded_game(&game));
            let kind = [(header::CONTENT_TYPE, "application/json")];
            Ok((kind, json.await?).into_response())
        }
    }
}

/// How far the computation of a belief is
///
/// Both numbers are 0 if this belief is not being computed now.
#[utoipa::path(get, path = "/api/games/{id}/belief/{seat}/progress", tag = "finished games",
    params(("id" = String, Path), ("seat" = String, Path)),
    responses((status = 200, body = BeliefProgressJson), (status = "default", body = RefusedJson)))]
pub async fn progress(
    State(app): State<App>,
    Path((id, seat)): Path<(String, String)>,
) -> Result<Json<BeliefProgressJson>, Refusal> {
    Ok(progress_of(&app, key(&id, &seat, ReviewKind::Belief)?))
}

/// How far the review of a player's turns is
///
/// Both numbers are 0 if it is not being computed now.
#[utoipa::path(get, path = "/api/games/{id}/turns/{seat}/progress", tag = "finished games",
    params(("id" = String, Path), ("seat" = String, Path)),
    responses((status = 200, body = BeliefProgressJson), (status = "default", body = RefusedJson)))]
pub async fn turns_progress(
    State(app): State<App>,
    Path((id, seat)): Path<(String, String)>,
) -> Result<Json<BeliefProgressJson>, Refusal> {
    Ok(progress_of(&app, key(&id, &seat, ReviewKind::Turns)?))
}

fn progress_of(app: &App, key: (GameId, Color, ReviewKind)) -> Json<BeliefProgressJson> {
    Json(app.reviews().progress(key))
}

fn key(id: &str, seat: &str, kind: ReviewKind) -> Result<(GameId, Color, ReviewKind), Refusal> {
    let seat = match seat {
        "white" => Color::White,
        "black" => Color::Black,
        _ => return Err(nothing()),
    };
    Ok((game_id(id).map_err(|_| nothing())?, seat, kind))
}

/// Returns the refusal for a game that does not exist, and also for a game that is not over. The
/// two cases must look the same.
fn nothing() -> Refusal {
    Refusal::new(
        RefusalCode::NotFound,
        "there is no finished game with this id, or no such player or turn: the players are `white` and `black`",
    ).because("game-not-over")
}
