//! Route of the beliefs of finished games.

use std::{net::IpAddr, sync::Arc};

use axum::{
    Json,
    body::Bytes,
    extract::{Path, Query, State, rejection::QueryRejection},
    http::header,
    response::{IntoResponse, Response},
};
use club::{FinishedGame, GameId};
use rules::chess::Color;
use serde::Deserialize;
use wire::{
    BeliefJson, BeliefProgressJson, MateJson, RefusalCode, RefusedJson, RetryJson, TurnsJson,
};

use crate::{
    app::App,
    problems::computed,
    reader::{From, Reader},
    refusal::Refusal,
    reviews::{ReviewKind, Reviews, opened},
    routes::{
        finished::{recorded_game, umpire_view},
        games::game_id,
    },
    studies::{StudyGame, recorded},
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
    reader: Reader,
    from: From,
    Path((id, seat)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    review(&app, &reader, from, key(&id, &seat, ReviewKind::Belief)?).await
}

/// Query parameter of the question about a forced mate.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct MateQuery {
    /// Number of own moves, 1 to 6.
    moves: u8,
}

/// Whether one player of a finished game could force mate at a moment
///
/// `moment` is the number of a moment of the belief, at which this player is to move. The mate must
/// work in every position that was possible for the player. A game that is not over gets the same
/// answer as a game that does not exist. Computing the answer can take some seconds.
#[utoipa::path(get, path = "/api/games/{id}/mate/{seat}/{moment}", tag = "finished games",
    params(("id" = String, Path), ("seat" = String, Path), ("moment" = String, Path), MateQuery),
    responses((status = 200, body = MateJson), (status = "default", body = RefusedJson)))]
pub async fn mate(
    State(app): State<App>,
    reader: Reader,
    from: From,
    Path((id, seat, moment)): Path<(String, String, String)>,
    query: Result<Query<MateQuery>, QueryRejection>,
) -> Result<Response, Refusal> {
    let moves = query.ok().map(|Query(query)| query.moves);
    let moves = moves
        .filter(|moves| (1..=6).contains(moves))
        .ok_or_else(|| {
            let why = "the only parameter is `moves`, the number of own moves, from 1 to 6";
            Refusal::new(RefusalCode::Invalid, why)
        })?;
    let moment = moment.parse().map_err(|_| nothing())?;
    let key = key(&id, &seat, ReviewKind::Mate { moment, moves })?;
    review(&app, &reader, from, key).await
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
    reader: Reader,
    from: From,
    Path((id, seat)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    review(&app, &reader, from, key(&id, &seat, ReviewKind::Turns)?).await
}

async fn review(
    app: &App,
    reader: &Reader,
    from: From,
    key: (GameId, Color, ReviewKind),
) -> Result<Response, Refusal> {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    let reviews = reviews(app, reader, &from, key.0)?;
    if let Some(json) = reviews.kept(key) {
        return Ok((kind, json?).into_response());
    }
    let game = OverGame::find(app, key.0).await?;
    let json = reviews.json(key, from.address, move || game.recorded());
    Ok((kind, json.await?).into_response())
}

/// Returns the reviews that has those of this game. Refuses to review a game of a study while
/// somebody near plays.
fn reviews<'a>(
    app: &'a App,
    reader: &Reader,
    from: &From,
    id: GameId,
) -> Result<&'a Reviews, Refusal> {
    if app.studies().text(id).is_none() {
        return Ok(app.reviews());
    }
    must_not_play(app, reader, from.address)?;
    Ok(app.studies().reviews())
}

/// Refuses to review an opened game while somebody at this account, or with a socket from this
/// network, plays: a player could have made the file from the running game.
fn must_not_play(app: &App, reader: &Reader, address: IpAddr) -> Result<(), Refusal> {
    let near = app.accounts_near(address).into_iter().chain(reader.id());
    if near.into_iter().any(|account| app.club().plays(account)) {
        let why = "a game runs here in which you, or somebody at your address, plays: what could be \
                   known, and what turns were worth, is told for other files when it is over";
        return Err(Refusal::new(RefusalCode::NotPossible, why).because("study-playing"));
    }
    Ok(())
}

/// A game that is over: of the club, or of a study.
#[derive(Clone)]
pub(super) enum OverGame {
    Club(Arc<FinishedGame>),
    /// As text.
    Study(Bytes),
}

impl OverGame {
    pub(super) async fn find(app: &App, id: GameId) -> Result<OverGame, Refusal> {
        if let Some(text) = app.studies().text(id) {
            return Ok(OverGame::Study(text));
        }
        let finished = app.club().finished(id).await;
        finished.map(OverGame::Club).map_err(|error| {
            if matches!(error.code, RefusalCode::NotFound | RefusalCode::NotPossible) {
                nothing()
            } else {
                error.into()
            }
        })
    }

    fn recorded(&self) -> Result<StudyGame, Refusal> {
        match self {
            OverGame::Club(game) => recorded_game(game).map(StudyGame::from),
            OverGame::Study(text) => recorded(text),
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            OverGame::Club(game) => umpire_view(game),
            OverGame::Study(text) => String::from_utf8_lossy(text).into_owned(),
        }
    }
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
    reader: Reader,
    from: From,
    Path((id, seat, turn)): Path<(String, String, String)>,
    query: Result<Query<RetryQuery>, QueryRejection>,
) -> Result<Response, Refusal> {
    let (id, seat, _) = key(&id, &seat, ReviewKind::Turns)?;
    let turn = turn.parse().map_err(|_| nothing())?;
    let reviews = reviews(&app, &reader, &from, id)?;
    let game = OverGame::find(&app, id).await?;
    let Query(query) =
        query.map_err(|_| Refusal::new(RefusalCode::Invalid, "the only parameter is `try`"))?;
    let asked = computed(app.reviews().queue(), from.address, move |_| {
        let retry = opened(&game.recorded()?, seat, turn)?.ok_or_else(nothing)?;
        let made = query.r#try.map(|text| retry.read(&text)).transpose()?;
        Ok((game, retry.json, made))
    });
    match asked.await? {
        (_, json, None) => Ok(Json(json).into_response()),
        (game, _, Some(made)) => {
            let key = (id, seat, ReviewKind::Retry { turn, made });
            let json = reviews.json(key, from.address, move || game.recorded());
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
    let reviews = match app.studies().text(key.0) {
        Some(_) => app.studies().reviews(),
        None => app.reviews(),
    };
    Json(reviews.progress(key))
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
