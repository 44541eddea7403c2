//! Routes of finished games, which everybody may see.

use std::time::Duration;

use axum::{
    body::Bytes,
    extract::{Path, Query, State, rejection::QueryRejection},
    http::{HeaderName, header},
    response::{IntoResponse, Response},
};
use club::{FinishedGame, GameId, PlayedMove};
use scores::{RULES_VERSION, RecordedGame, SeatRecord, Tags, Target, convert, write_umpire_view};
use serde::{Deserialize, Serialize};
use wire::{FinishedJson, LineJson, RefusalCode, RefusedJson, StepsJson, named_choices};

use crate::{
    app::App,
    moment::{Viewpoint, svg},
    refusal::Refusal,
    renderings::{Form, unreadable},
    routes::games::game_id,
    studies::{StudyGame, recorded},
};

/// The whole game as JSON: every attempt, what White, Black and the spectators heard, and the true
/// positions
#[utoipa::path(get, path = "/api/games/{id}/finished.json", tag = "finished games",
    params(("id" = String, Path)),
    responses((status = 200, body = FinishedJson), (status = "default", body = RefusedJson)))]
pub async fn json(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let text = written(&app, &id, Form::Json, finished_json);
    Ok((JSON, text.await?).into_response())
}

fn finished_json(game: &FinishedGame) -> Result<Vec<u8>, Refusal> {
    game_json(game.id, &recorded_game(game)?)
}

fn game_json(id: GameId, recorded: &RecordedGame) -> Result<Vec<u8>, Refusal> {
    let opened = recorded.opening().map_err(|_| unreadable())?;
    let lines = lines(recorded)?;
    let name = |tag| recorded.tags.get(tag).unwrap_or("?").to_owned();
    as_json(&FinishedJson {
        game: id.to_string(),
        white: name("White"),
        black: name("Black"),
        rules: opened.rules.to_string(),
        version: opened.version,
        choices: named_choices(&opened.choices),
        start: opened.start.fen(),
        over: lines.iter().find_map(|line| line.over),
        lines,
        player: None,
    })
}

/// Writes a game of a study in a form.
fn study_file(id: GameId, text: Bytes, form: Form) -> Result<Bytes, Refusal> {
    let written = match (recorded(&text)?, form) {
        (StudyGame::Whole(_), Form::Pgn) => return Ok(text),
        (StudyGame::Whole(game), Form::Json) => game_json(id, &game)?,
        (StudyGame::Whole(game), Form::Steps) => as_json(&StepsJson {
            steps: scores::steps(&game, None).map_err(|_| unreadable())?,
        })?,
        (StudyGame::Whole(game), Form::Transcript) => {
            converted(&game, Target::Transcript)?.into_bytes()
        }
        (StudyGame::Seat(_, record), Form::Steps) => as_json(&StepsJson {
            steps: record.steps(),
        })?,
        (StudyGame::Seat(tags, record), Form::Json) => as_json(&seat_json(id, &tags, &record))?,
        (StudyGame::Seat(..), Form::Pgn | Form::Transcript) => {
            let why = "this is what one player heard: only a whole game has such a file";
            return Err(Refusal::new(RefusalCode::NotFound, why).because("game-not-over"));
        }
    };
    Ok(Bytes::from(written))
}

/// Describes what one player heard like a finished game.
fn seat_json(id: GameId, tags: &Tags, record: &SeatRecord) -> FinishedJson {
    let lines = record.lines();
    let name = |tag| tags.get(tag).unwrap_or("?").to_owned();
    FinishedJson {
        game: id.to_string(),
        white: name("White"),
        black: name("Black"),
        rules: record.start.rules.to_string(),
        version: RULES_VERSION,
        choices: named_choices(&record.choices),
        start: record.fen.clone().unwrap_or_default(),
        over: lines.iter().find_map(|line| line.over),
        lines,
        player: Some(record.seat.into()),
    }
}

/// Returns a finished game as a JSON value, for the export of an account's data.
pub(super) async fn finished_value(app: &App, id: GameId) -> Result<serde_json::Value, Refusal> {
    let text = written(app, &id.to_string(), Form::Json, finished_json).await?;
    serde_json::from_slice(&text).map_err(|_| unreadable())
}

/// The whole game as a list of steps, for programs that display games
///
/// The first step is the opening. Every other step is one attempt: the player, the attempt, the
/// referee's answer, the sentences that White, Black and the spectators heard, and the true position
/// after the attempt.
#[utoipa::path(get, path = "/api/games/{id}/steps", tag = "finished games",
    params(("id" = String, Path)),
    responses((status = 200, body = StepsJson), (status = "default", body = RefusedJson)))]
pub async fn steps(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let text = written(&app, &id, Form::Steps, steps_json);
    Ok((JSON, text.await?).into_response())
}

fn steps_json(game: &FinishedGame) -> Result<Vec<u8>, Refusal> {
    let steps = scores::steps(&recorded_game(game)?, None).map_err(|_| unreadable())?;
    as_json(&StepsJson { steps })
}

/// Query parameters of a moment.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct MomentQuery {
    /// Whose board and hearings are shown: `white`, `black`, or `umpire` (all men; the default).
    #[serde(default)]
    #[param(inline)]
    seat: Viewpoint,
}

/// A moment as a picture (SVG): the board of one seat or of the umpire, and what was heard
///
/// `moment` is the number of a step of `/api/games/{id}/steps` with `.svg`; 0 is the opening.
#[utoipa::path(get, path = "/api/games/{id}/moments/{moment}", tag = "finished games",
    params(("id" = String, Path), ("moment" = String, Path), MomentQuery),
    responses((status = 200, body = String, content_type = "image/svg+xml"),
        (status = "default", body = RefusedJson)))]
pub async fn moment(
    State(app): State<App>,
    Path((id, moment)): Path<(String, String)>,
    query: Result<Query<MomentQuery>, QueryRejection>,
) -> Result<Response, Refusal> {
    let Query(MomentQuery { seat }) = query.map_err(|_| {
        let why = "`seat` must be one of white, black, umpire";
        Refusal::new(RefusalCode::Invalid, why)
    })?;
    let title = match app.studies().text(game_id(&id)?) {
        Some(text) => recorded(&text)?.title(),
        None => {
            let game = app.club().finished(game_id(&id)?).await?;
            let (white, black) = (&game.players.white.name, &game.players.black.name);
            format!("{white} against {black}")
        }
    };
    let text = written(&app, &id, Form::Steps, steps_json).await?;
    let n: Option<usize> = moment.strip_suffix(".svg").and_then(|n| n.parse().ok());
    let drawn = tokio::task::spawn_blocking(move || {
        let all: StepsJson = serde_json::from_slice(&text).map_err(|_| unreadable())?;
        let step = n.and_then(|n| all.steps.get(n));
        let step = step.ok_or_else(|| {
            let last = all.steps.len().saturating_sub(1);
            let why = format!("there is no such moment: this game has 0.svg to {last}.svg");
            Refusal::new(RefusalCode::NotFound, why)
        })?;
        Ok(svg(step, seat, &title))
    });
    let drawn: Result<String, Refusal> = drawn.await.map_err(|_| unreadable())?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], drawn?).into_response())
}

/// The whole game as PGN: the moves of both players, with the refused tries in comments; every PGN
/// reader accepts the file
#[utoipa::path(get, path = "/api/games/{id}/finished.pgn", tag = "finished games",
    params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "application/x-chess-pgn"),
        (status = "default", body = RefusedJson)))]
pub async fn pgn(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let write = |game: &FinishedGame| Ok(umpire_view(game).into_bytes());
    let text = written(&app, &id, Form::Pgn, write).await?;
    Ok(file(&id, "pgn", "application/x-chess-pgn", text))
}

/// The whole game as a transcript: one line for each attempt; one column each for what White, Black
/// and the spectators heard
#[utoipa::path(get, path = "/api/games/{id}/finished.txt", tag = "finished games",
    params(("id" = String, Path)),
    responses((status = 200, body = String, content_type = "text/plain"),
        (status = "default", body = RefusedJson)))]
pub async fn transcript(
    State(app): State<App>,
    Path(id): Path<String>,
) -> Result<Response, Refusal> {
    let text = written(&app, &id, Form::Transcript, |game| {
        converted(&recorded_game(game)?, Target::Transcript).map(String::into_bytes)
    });
    Ok(file(&id, "txt", "text/plain; charset=utf-8", text.await?))
}

const JSON: [(HeaderName, &str); 1] = [(header::CONTENT_TYPE, "application/json")];

/// Reads a finished game and converts it. The conversion runs on a blocking thread, so that it does
/// not delay other requests.
async fn written(
    app: &App,
    id: &str,
    form: Form,
    write: fn(&FinishedGame) -> Result<Vec<u8>, Refusal>,
) -> Result<Bytes, Refusal> {
    let key = (game_id(id)?, form);
    if let Some(text) = app.studies().text(key.0) {
        let written = tokio::task::spawn_blocking(move || study_file(key.0, text, form));
        return written.await.map_err(|_| unreadable())?;
    }
    app.renderings().file(app.club(), key, write).await
}

fn as_json(of: &impl Serialize) -> Result<Vec<u8>, Refusal> {
    serde_json::to_vec(of).map_err(|_| unreadable())
}

fn file(id: &str, ending: &str, kind: &'static str, text: Bytes) -> Response {
    // The id was parsed, so it has only characters that a header may contain.
    let name = format!("attachment; filename=\"kriegspiel-{id}.{ending}\"");
    (
        [
            (header::CONTENT_TYPE, kind.to_owned()),
            (header::CONTENT_DISPOSITION, name),
        ],
        text,
    )
        .into_response()
}

/// Returns a finished game as PGN, from the umpire's view.
pub fn umpire_view(game: &FinishedGame) -> String {
    let mut tags = Tags::default();
    let rated = if game.terms.rated { "Rated" } else { "Casual" };
    tags.set("Event", &format!("{rated} Kriegspiel"));
    tags.set("Site", &format!("game {}", game.id));
    tags.set("Source", &format!("game {} of the club", game.id));
    tags.set("Date", &club::pgn_date(game.at));
    tags.set("White", &game.players.white.name);
    tags.set("Black", &game.players.black.name);
    tags.set("TimeControl", &game.terms.time.pgn());
    let mover_clock = |played: &PlayedMove| {
        let left = played.clocks?.left[played.by];
        Some(Duration::from_millis(u64::try_from(left).unwrap_or(0)))
    };
    let clocks: Vec<_> = game.played().iter().map(mover_clock).collect();
    let mut text = String::new();
    write_umpire_view(&mut text, &tags, &game.log, &clocks);
    text
}

pub(super) fn recorded_game(game: &FinishedGame) -> Result<RecordedGame, Refusal> {
    match recorded(umpire_view(game).as_bytes())? {
        StudyGame::Whole(game) => Ok(*game),
        StudyGame::Seat(..) => Err(unreadable()),
    }
}

fn converted(recorded: &RecordedGame, to: Target) -> Result<String, Refusal> {
    convert(recorded, None, to)
        .map(|converted| converted.text)
        .map_err(|_| unreadable())
}

fn lines(recorded: &RecordedGame) -> Result<Vec<LineJson>, Refusal> {
    converted(recorded, Target::Json)?
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .map_err(|_| unreadable())
}

#[cfg(test)]
mod tests {
    use club::pgn_date;

    #[test]
    fn pgn_dates_match_the_calendar() {
        for (at, day) in [
            (0, "1970.01.01"),
            (951_782_399_999, "2000.02.28"),
            (951_782_400_000, "2000.02.29"),
            (951_868_800_000, "2000.03.01"),
            (1_798_761_599_999, "2026.12.31"),
            (-1, "1969.12.31"),
        ] {
            assert_eq!(pgn_date(at), day, "{at}");
        }
    }
}
