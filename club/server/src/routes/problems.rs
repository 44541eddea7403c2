//! Routes of problems and lessons.

use axum::{
    Json,
    extract::{Path, Query, State, rejection::QueryRejection},
};
use club::Account;
use serde::Deserialize;
use wire::{
    LessonJson, LessonsJson, ProblemJson, ProblemRatingJson, ProblemResultJson, ProblemThemeJson,
    ProblemsJson, RefusalCode, RefusedJson, SolutionJson,
};

use crate::{
    app::App,
    body::Body,
    lessons,
    problems::{Asking, Filter, computed, list as listed, played, solved},
    reader::{From, Reader, Signed},
    refusal::Refusal,
};

/// Milliseconds of a day.
const DAY: i64 = 24 * 3600 * 1000;

/// Query parameters of the list of problems.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ListQuery {
    /// Only problems with this number of own moves.
    moves: Option<u8>,
    /// Only problems under the ruleset with this id.
    rules: Option<String>,
    /// Only problems of this theme: `composed`, `lone-king` or `men`.
    theme: Option<ProblemThemeJson>,
    /// Only problems of this composer.
    author: Option<String>,
    /// Number of problems to leave out; 0 by default.
    #[serde(default)]
    from: usize,
}

/// List problems
///
/// At most 60. The list does not say whether there is a forced mate.
#[utoipa::path(get, path = "/api/problems", tag = "problems", params(ListQuery),
    responses((status = 200, body = ProblemsJson), (status = "default", body = RefusedJson)))]
pub async fn problems(
    State(app): State<App>,
    from: From,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> Result<Json<ProblemsJson>, Refusal> {
    let Query(query) = query.map_err(|_| {
        Refusal::new(
            RefusalCode::Invalid,
            "`moves` and `from` must be numbers, `theme` one of composed, lone-king, men; the other \
             parameters are `rules` and `author`",
        )
    })?;
    let filter = Filter {
        moves: query.moves,
        rules: query.rules,
        theme: query.theme,
        author: query.author,
    };
    let queue = app.reviews().queue();
    let list = computed(queue, from.address, move |_| {
        Ok(listed(&filter, query.from))
    });
    list.await.map(Json)
}

/// Query parameters of a problem.
#[derive(Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct AttemptsQuery {
    /// The attempts of an earlier answer, separated by commas.
    #[serde(default)]
    attempts: String,
    /// A new attempt: a move in any notation, `any`, `px`, or `none` (there is no forced mate; not in a lesson).
    r#try: Option<String>,
}

/// A problem after some attempts
///
/// `id` is the name of a problem, or `today`. The opponent sees everything, and after each attempt
/// chooses an answer that refutes it, if there is one. The opponent's men are told only if a single
/// position is possible at the beginning, and at the end.
#[utoipa::path(get, path = "/api/problems/{id}", tag = "problems",
    params(("id" = String, Path), AttemptsQuery),
    responses((status = 200, body = ProblemJson), (status = "default", body = RefusedJson)))]
pub async fn problem(
    State(app): State<App>,
    from: From,
    Path(id): Path<String>,
    query: Result<Query<AttemptsQuery>, QueryRejection>,
) -> Result<Json<ProblemJson>, Refusal> {
    let asking = asking(&app, id, query)?;
    let queue = app.reviews().queue();
    let json = computed(queue, from.address, move |stop| played(&asking, stop));
    json.await.map(Json)
}

/// The answer to a problem after some attempts
#[utoipa::path(get, path = "/api/problems/{id}/solution", tag = "problems",
    params(("id" = String, Path), AttemptsQuery),
    responses((status = 200, body = SolutionJson), (status = "default", body = RefusedJson)))]
pub async fn solution(
    State(app): State<App>,
    from: From,
    Path(id): Path<String>,
    query: Result<Query<AttemptsQuery>, QueryRejection>,
) -> Result<Json<SolutionJson>, Refusal> {
    let asking = asking(&app, id, query)?;
    let queue = app.reviews().queue();
    let json = computed(queue, from.address, move |stop| solved(&asking, stop));
    json.await.map(Json)
}

/// Your rating by problems, and that of a problem
#[utoipa::path(get, path = "/api/problems/{id}/rating", tag = "problems", params(("id" = String, Path)),
    security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = ProblemRatingJson), (status = "default", body = RefusedJson)))]
pub async fn problem_rating(
    State(app): State<App>,
    Reader(reader): Reader,
    from: From,
    Path(id): Path<String>,
) -> Result<Json<ProblemRatingJson>, Refusal> {
    rating(&app, from, id, reader.as_ref(), None).await
}

/// Count your result at a problem
///
/// Only the first result of a person with an account counts.
#[utoipa::path(post, path = "/api/problems/{id}/rating", tag = "problems", params(("id" = String, Path)),
    request_body = ProblemResultJson, security(("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = ProblemRatingJson), (status = "default", body = RefusedJson)))]
pub async fn rate_problem(
    State(app): State<App>,
    Signed(by): Signed,
    from: From,
    Path(id): Path<String>,
    Body(result): Body<ProblemResultJson>,
) -> Result<Json<ProblemRatingJson>, Refusal> {
    rating(&app, from, id, Some(&by), Some(result.solved)).await
}

async fn rating(
    app: &App,
    from: From,
    id: String,
    by: Option<&Account>,
    solved: Option<bool>,
) -> Result<Json<ProblemRatingJson>, Refusal> {
    let asking = asking(app, id, Ok(Query(AttemptsQuery::default())))?;
    let row = computed(app.reviews().queue(), from.address, move |_| asking.row()).await?;
    let problem = (&*row.id, row.moves);
    Ok(Json(app.club().problem_rating(by, problem, solved).await?))
}

/// List the lessons in their order
#[utoipa::path(get, path = "/api/lessons", tag = "problems",
    responses((status = 200, body = LessonsJson), (status = "default", body = RefusedJson)))]
pub async fn lessons() -> Json<LessonsJson> {
    Json(lessons::listed())
}

/// A lesson after some attempts
///
/// The true position is told at the end.
#[utoipa::path(get, path = "/api/lessons/{id}", tag = "problems",
    params(("id" = String, Path), AttemptsQuery),
    responses((status = 200, body = LessonJson), (status = "default", body = RefusedJson)))]
pub async fn lesson(
    State(app): State<App>,
    Path(id): Path<String>,
    query: Result<Query<AttemptsQuery>, QueryRejection>,
) -> Result<Json<LessonJson>, Refusal> {
    lessons::played(&asking(&app, id, query)?).map(Json)
}

fn asking(
    app: &App,
    id: String,
    query: Result<Query<AttemptsQuery>, QueryRejection>,
) -> Result<Asking, Refusal> {
    let Query(query) = query.map_err(|_| {
        Refusal::new(
            RefusalCode::Invalid,
            "the parameters are `attempts` (of an earlier answer, separated by commas) and `try`",
        )
    })?;
    let attempts = query.attempts.split(',').filter(|text| !text.is_empty());
    Ok(Asking {
        id,
        day: u32::try_from(app.club().now() / DAY).unwrap_or(0),
        attempts: attempts.map(str::to_owned).collect(),
        attempt: query.r#try,
    })
}
