//! Routes of profiles and leaderboards.

use axum::{
    Json,
    extract::{Path, Query, State, rejection::QueryRejection},
    http::StatusCode,
};
use rules::Family;
use serde::Deserialize;
use wire::{
    AboutJson, AgainstJson, LeaderboardJson, PeopleJson, PersonJson, RefusalCode, RefusedJson,
};

use crate::{
    app::App,
    body::Body,
    reader::{Owner, Reader},
    refusal::Refusal,
};

/// A profile
///
/// Ratings with their last changes, results of finished games, and what the owner says. Nothing in
/// it depends on running games.
#[utoipa::path(get, path = "/api/people/{name}", tag = "people",
    params(("name" = String, Path, description = "Name of the account")),
    security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = PersonJson), (status = "default", body = RefusedJson)))]
pub async fn profile(
    State(app): State<App>,
    reader: Reader,
    Path(name): Path<String>,
) -> Result<Json<PersonJson>, Refusal> {
    let profile = app.club().profile(&name).await?;
    let muted = match reader.id() {
        Some(reader) => app
            .club()
            .muted_ids(reader)
            .await
            .contains(&profile.account.id),
        None => false,
    };
    Ok(Json(present::person(&profile, muted)))
}

/// Who is here
///
/// People with an account and an open socket, by name; at most 100.
#[utoipa::path(get, path = "/api/people", tag = "people",
    security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = PeopleJson), (status = "default", body = RefusedJson)))]
pub async fn people_here(State(app): State<App>, _: Reader) -> Result<Json<PeopleJson>, Refusal> {
    let people = app.club().people_of(app.accounts_here()).await?;
    Ok(Json(PeopleJson {
        people: people.iter().take(MAX_HERE).map(present::player).collect(),
    }))
}

/// Maximum number of people that are listed as here.
const MAX_HERE: usize = 100;

/// Say something in your profile
#[utoipa::path(put, path = "/api/account/about", tag = "account", request_body = AboutJson,
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn set_about(
    State(app): State<App>,
    Owner(account): Owner,
    Body(about): Body<AboutJson>,
) -> Result<StatusCode, Refusal> {
    app.club().set_about(&account, &about.text).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Query parameters of a leaderboard.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct LeaderboardQuery {
    /// Family of rulesets: `wild16`, `rand`, `berkeley`, `ks` or `crazykrieg`.
    #[serde(default = "usual_family")]
    family: String,
    /// Kind of the listed accounts; by default people.
    #[serde(default = "people")]
    kind: AgainstJson,
    /// Kind of the opponents; by default people.
    #[serde(default = "people")]
    against: AgainstJson,
}

fn usual_family() -> String {
    Family::Wild16.name().to_owned()
}

fn people() -> AgainstJson {
    AgainstJson::People
}

/// The highest ratings, of people or of programs
///
/// Provisional ratings are left out.
#[utoipa::path(get, path = "/api/leaderboard", tag = "people", params(LeaderboardQuery),
    security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = LeaderboardJson), (status = "default", body = RefusedJson)))]
pub async fn leaderboard(
    State(app): State<App>,
    _: Reader,
    query: Result<Query<LeaderboardQuery>, QueryRejection>,
) -> Result<Json<LeaderboardJson>, Refusal> {
    let invalid = || {
        let families = Family::ALL.map(Family::name).join(", ");
        Refusal::new(
            RefusalCode::Invalid,
            format!(
                "`family` must be one of {families}; `kind` and `against` must be people or programs; \
                 no other parameter is allowed"
            ),
        )
    };
    let Query(LeaderboardQuery {
        family,
        kind,
        against,
    }) = query.map_err(|_| invalid())?;
    let named = Family::from_name(&family).ok_or_else(invalid)?;
    let (of, to) = (present::against_from(kind), present::against_from(against));
    let leaders = app.club().leaderboard(named, of, to).await?;
    Ok(Json(LeaderboardJson {
        family,
        kind,
        against,
        rows: leaders.iter().map(present::leader).collect(),
    }))
}
