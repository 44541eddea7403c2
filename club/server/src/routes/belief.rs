//! Route of the beliefs of finished games.

use axum::{
    Json,
    extract::{Path, State},
    http::header,
    response::{IntoResponse, Response},
};
use club::GameId;
use rules::chess::Color;
use wire::{BeliefJson, BeliefProgressJson, RefusalCode, RefusedJson, TurnsJson};

use crate::{
    app::App,
    beliefs::ReviewKind,
    reader::{From, Reader},
    refusal::Refusal,
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
    study(&app, from, key(&id, &seat, ReviewKind::Belief)?).await
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
    study(&app, from, key(&id, &seat, ReviewKind::Turns)?).await
}

async fn study(
    app: &App,
    from: From,
    key: (GameId, Color, ReviewKind),
) -> Result<Response, Refusal> {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    if let Some(json) = app.belief_reviews().kept(key) {
        return Ok((kind, json?).into_response());
    }
    let id = key.0;
    let game = app.club().finished(id).await.map_err(|error| {
        if matches!(error.code, RefusalCode::NotFound | RefusalCode::NotPossible) {
            nothing()
        } else {
            error.into()
        }
    })?;
    let json = app
        .belief_reviews()
        .json(key, from.address, move || recorded_game(&game));
    Ok((kind, json.await?).into_response())
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
    Json(app.belief_reviews().progress(key))
}

fn key(id: &str, seat: &str, study: ReviewKind) -> Result<(GameId, Color, ReviewKind), Refusal> {
    let seat = match seat {
        "white" => Color::White,
        "black" => Color::Black,
        _ => return Err(nothing()),
    };
    Ok((game_id(id).map_err(|_| nothing())?, seat, study))
}

/// Returns the refusal for a game that does not exist, and also for a game that is not over. The
/// two cases must look the same.
fn nothing() -> Refusal {
    Refusal::new(
        RefusalCode::NotFound,
        "there is no finished game with this id, or no such player: the players are `white` and `black`",
    ).because("game-not-over")
}
