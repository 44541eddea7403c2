//! Routes of the rulesets.

use std::borrow::Cow;

use axum::{
    Json,
    extract::{Path, Query, rejection::QueryRejection},
    http::header,
    response::{IntoResponse, Response},
};
use club::custom_ruleset;
use notation::{Comparison, Page, nearest_ruleset, write_ruleset};
use rules::{Choices, NoHeard, PawnTries, Px, QuestionRule, Ruleset, rulesets};
use serde::Deserialize;
use wire::{
    AsksJson, ChangeJson, CheckedRulesetJson, ComparisonJson, RefusalCode, RefusalsHeardBy,
    RefusedJson, RulesetJson, RulesetTextJson, SectionJson, named_choices,
};

use crate::{body::Body, refusal::Refusal};

/// Query parameters of the list of rulesets.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct RulesQuery {
    /// `false` leaves `summary`, `sections`, `sources` and `notes` empty.
    texts: Option<bool>,
}

/// All rulesets, in plain words
#[utoipa::path(get, path = "/api/rules", tag = "rules", params(RulesQuery),
    responses((status = 200, body = Vec<RulesetJson>), (status = "default", body = RefusedJson)))]
pub async fn all(
    query: Result<Query<RulesQuery>, QueryRejection>,
) -> Result<Json<Vec<RulesetJson>>, Refusal> {
    let Query(RulesQuery { texts }) = query.map_err(|_| {
        Refusal::new(
            RefusalCode::Invalid,
            "`texts` must be true or false; no other parameter is allowed",
        )
    })?;
    let mut all: Vec<RulesetJson> = rulesets::ALL.iter().map(ruleset).collect();
    if texts == Some(false) {
        for one in &mut all {
            one.summary.clear();
            one.sections.clear();
            one.sources.clear();
            one.notes.clear();
        }
    }
    Ok(Json(all))
}

/// The rulesets side by side
#[utoipa::path(get, path = "/api/rules/compare", tag = "rules",
    responses((status = 200, body = ComparisonJson)))]
pub async fn compare() -> Json<ComparisonJson> {
    let Comparison {
        columns,
        rows,
        legend,
    } = Comparison::of(&rulesets::ALL);
    Json(ComparisonJson {
        columns: columns.map(str::to_owned).to_vec(),
        rows: rows.into_iter().map(|row| row.to_vec()).collect(),
        legend: legend.to_owned(),
    })
}

/// One ruleset, in plain words
#[utoipa::path(get, path = "/api/rules/{id}", tag = "rules",
    params(("id" = String, Path, description = "Its id, for example wild16")),
    responses((status = 200, body = RulesetJson), (status = "default", body = RefusedJson)))]
pub async fn one(Path(id): Path<String>) -> Result<Json<RulesetJson>, Refusal> {
    named(&id).map(|r| Json(ruleset(r)))
}

/// One ruleset as a file (TOML), as a start for a custom ruleset
#[utoipa::path(get, path = "/api/rules/{id}/file.toml", tag = "rules",
    params(("id" = String, Path, description = "Its id, for example wild16")),
    responses((status = 200, body = String, content_type = "application/toml"),
        (status = "default", body = RefusedJson)))]
pub async fn file(Path(id): Path<String>) -> Result<Response, Refusal> {
    let text = write_ruleset(named(&id)?);
    let kind = (header::CONTENT_TYPE, "application/toml; charset=utf-8");
    Ok(([kind], text).into_response())
}

/// A custom ruleset in plain words, and how it differs from the named ruleset closest to it
///
/// If the file cannot be used, the refusal names the place of the fault and what is allowed there.
/// Nothing is stored.
#[utoipa::path(post, path = "/api/rules/check", tag = "rules",
    request_body = RulesetTextJson,
    responses((status = 200, body = CheckedRulesetJson), (status = "default", body = RefusedJson)))]
pub async fn check(
    Body(RulesetTextJson { text }): Body<RulesetTextJson>,
) -> Result<Json<CheckedRulesetJson>, Refusal> {
    let own = custom_ruleset(&text)?;
    let base = nearest_ruleset(&own);
    let plain = |choices: &Choices, field| choices.plain(field).unwrap_or_default().to_owned();
    let changes = Choices::FIELDS
        .iter()
        .filter(|field| own.choices.get(field.name) != base.choices.get(field.name))
        .map(|field| ChangeJson {
            choice: field.name.to_owned(),
            value: own.choices.get(field.name).unwrap_or_default().to_owned(),
            base_value: base.choices.get(field.name).unwrap_or_default().to_owned(),
            about: field.about.to_owned(),
            here: plain(&own.choices, field.name),
            there: plain(&base.choices, field.name),
        })
        .collect();
    Ok(Json(CheckedRulesetJson {
        ruleset: ruleset(&own),
        base: base.id.to_string(),
        base_title: base.title.to_string(),
        changes,
        start: own.start.map(Cow::into_owned),
        hall: own.hall,
    }))
}

fn named(id: &str) -> Result<&'static Ruleset, Refusal> {
    rulesets::by_id(id).ok_or_else(|| {
        let known: Vec<&str> = rulesets::ALL.iter().map(|r| r.id.as_ref()).collect();
        Refusal::new(
            RefusalCode::NotFound,
            format!("there is no such ruleset; there are {}", known.join(", ")),
        )
        .because("ruleset-unknown")
    })
}

fn ruleset(ruleset: &Ruleset) -> RulesetJson {
    let page = Page::of(ruleset);
    let c = &ruleset.choices;
    RulesetJson {
        id: page.id,
        title: page.title,
        summary: summary(c),
        refusals_heard_by: match c.no_heard {
            NoHeard::Mover => RefusalsHeardBy::Mover,
            NoHeard::Both => RefusalsHeardBy::All,
        },
        choices: named_choices(c),
        sections: page
            .sections
            .into_iter()
            .map(|section| SectionJson {
                heading: section.heading.to_owned(),
                sentences: section.sentences,
            })
            .collect(),
        sources: page.sources.iter().map(|s| s.title.to_owned()).collect(),
        notes: page.notes.iter().map(|&note| note.to_owned()).collect(),
        asks: AsksJson {
            any: c.pawn_tries == PawnTries::OnRequest,
            count: c.count == QuestionRule::Aloud,
            recap: c.recap == QuestionRule::Aloud,
            px: c.px == Px::Present,
        },
    }
}

/// Returns a summary of what a player must know before the game.
fn summary(choices: &Choices) -> String {
    [
        "no_heard",
        "capture_heard",
        "capture_man",
        "pawn_tries",
        "check",
    ]
    .into_iter()
    .filter_map(|field| choices.plain(field))
    .collect::<Vec<_>>()
    .join(" ")
}
