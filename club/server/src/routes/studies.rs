//! Routes of studies: games of files, with comments.

use std::collections::BTreeMap;

use axum::{
    Json,
    extract::{Path, Query, Request, State, rejection::QueryRejection},
    http::StatusCode,
};
use club::{Account, StudyDocument};
use rules::rulesets;
use serde::Deserialize;
use wire::{
    ChapterJson, OpenedFileJson, RefusalCode, RefusedJson, StudiesJson, StudyAccess, StudyJson,
};

use crate::{
    app::App,
    body::{Body, read_body},
    problems::computed,
    reader::{From, Reader, Signed},
    refusal::Refusal,
    routes::{belief::OverGame, games::game_id},
    studies::{MAX_FILE, example, read, recorded},
};

/// Id of the built-in study.
const EXAMPLE_ID: &str = "1971";
/// Maximum length of the chapters of a study, in bytes.
const MAX_STUDY: usize = 512 << 10;

/// Query parameters of a file that is opened.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct FileQuery {
    /// Number of the game in the file, from 1. Without it, a file with several games is only listed.
    game: Option<usize>,
    /// Id of the ruleset under which the game is read. Without it: that which the file names.
    rules: Option<String>,
    /// Letters of the opponent's men at the start, as `KQRRPPP`, for one player's own file that has
    /// only this player's men there.
    men: Option<String>,
}

/// Open a file of games
///
/// The body is the file: PGN, a transcript, JSON lines, a score as printed, one player's own PGN, or a
/// position with what was heard (a problem as one line of JSON that begins with `id`); at most 1 MiB.
/// The routes of finished games then answer for the opened game, until the club forgets it.
#[utoipa::path(post, path = "/api/studies/open", tag = "studies", params(FileQuery),
    request_body(content = String, content_type = "text/plain"),
    responses((status = 200, body = OpenedFileJson), (status = "default", body = RefusedJson)))]
pub async fn open_file(
    State(app): State<App>,
    from: From,
    query: Result<Query<FileQuery>, QueryRejection>,
    request: Request,
) -> Result<Json<OpenedFileJson>, Refusal> {
    let Query(FileQuery { game, rules, men }) = query.map_err(|_| {
        Refusal::new(
            RefusalCode::Invalid,
            "the parameters are `game`, a number from 1, `rules`, the id of a ruleset, and `men`, \
             letters of men",
        )
    })?;
    let ruleset = rules.map(|id| {
        rulesets::by_id(&id).ok_or_else(|| {
            let why = "there is no built-in ruleset with this id: GET /api/rules lists them";
            Refusal::new(RefusalCode::Invalid, why).because("study-no-rules")
        })
    });
    let ruleset = ruleset.transpose()?;
    let bytes = read_body(request, MAX_FILE).await?;
    let queue = app.reviews().queue();
    let read = computed(queue, from.address, move |_| {
        read(&bytes, game, ruleset, men.as_deref())
    });
    let (file, text) = read.await?;
    Ok(Json(OpenedFileJson {
        game: text.map(|text| app.studies().open(&text).to_string()),
        ..file
    }))
}

/// List your studies and the last public ones
#[utoipa::path(get, path = "/api/studies", tag = "studies",
    security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = StudiesJson), (status = "default", body = RefusedJson)))]
pub async fn studies(State(app): State<App>, reader: Reader) -> Result<Json<StudiesJson>, Refusal> {
    let own = match reader.id() {
        Some(of) => app.club().studies(Some(of)).await?,
        None => Vec::new(),
    };
    let public = app.club().studies(None).await?;
    let row = |(study, by): &(StudyDocument, Account)| of_kept(study, by, &reader);
    Ok(Json(StudiesJson {
        own: own.iter().map(row).collect(),
        public: public.iter().map(row).collect(),
    }))
}

/// Describes a study without its chapters.
fn of_kept(study: &StudyDocument, by: &Account, reader: &Reader) -> StudyJson {
    StudyJson {
        id: study.id.clone(),
        title: study.title.clone(),
        by: Some(by.name.clone()),
        yours: reader.id() == Some(by.id),
        access: match &*study.access {
            "public" => StudyAccess::Public,
            "link" => StudyAccess::Link,
            _ => StudyAccess::Private,
        },
        at: study.at,
        chapters: BTreeMap::new(),
    }
}

/// Keep a study
///
/// For people with an account: at most 50 studies.
#[utoipa::path(post, path = "/api/studies", tag = "studies", request_body = StudyJson,
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 201, body = StudyJson), (status = "default", body = RefusedJson)))]
pub async fn keep_study(
    State(app): State<App>,
    Signed(by): Signed,
    Body(new): Body<StudyJson>,
) -> Result<(StatusCode, Json<StudyJson>), Refusal> {
    let id = kept(&app, &by, String::new(), new).await?;
    let study = study_json(&app, &id, &Reader(Some(by))).await?;
    Ok((StatusCode::CREATED, Json(study)))
}

/// Change or delete your study
///
/// The new title, access and chapters replace the old ones. Without chapters it is deleted.
#[utoipa::path(put, path = "/api/studies/{id}", tag = "studies", params(("id" = String, Path)),
    request_body = StudyJson, security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn change_study(
    State(app): State<App>,
    Signed(by): Signed,
    Path(id): Path<String>,
    Body(new): Body<StudyJson>,
) -> Result<StatusCode, Refusal> {
    // The club may have forgotten the games of the chapters.
    study_json(&app, &id, &Reader(Some(by.clone()))).await?;
    kept(&app, &by, id, new).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn kept(app: &App, by: &Account, id: String, new: StudyJson) -> Result<String, Refusal> {
    if id.is_empty() && new.chapters.is_empty() {
        let why = "a study needs a chapter";
        return Err(Refusal::new(RefusalCode::Invalid, why).because("study-chapters"));
    }
    // In the store, a chapter has the text of its game in place of the id.
    let mut chapters = new.chapters;
    for chapter in chapters.values_mut() {
        let game = OverGame::find(app, game_id(&chapter.game)?).await;
        chapter.game = game
            .map_err(|refusal| Refusal {
                reason: Some("study-forgotten"),
                ..refusal
            })?
            .text();
    }
    let body = match chapters.is_empty() {
        true => String::new(),
        false => serde_json::to_string(&chapters).unwrap_or_default(),
    };
    if body.len() > MAX_STUDY {
        let why = format!(
            "the chapters of a study have at most {} kB",
            MAX_STUDY >> 10
        );
        return Err(Refusal::new(RefusalCode::TooLarge, why).because("study-chapters"));
    }
    let access = match new.access {
        StudyAccess::Private => "private",
        StudyAccess::Link => "link",
        StudyAccess::Public => "public",
    };
    let study = StudyDocument {
        id,
        owner: by.id,
        title: new.title,
        access: access.to_owned(),
        at: 0,
        body,
    };
    Ok(app.club().keep_study(by, study).await?)
}

/// A study
///
/// `id` is that of a study, `1971` (the built-in one), or the id of an opened or finished game.
#[utoipa::path(get, path = "/api/studies/{id}", tag = "studies", params(("id" = String, Path)),
    security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = StudyJson), (status = "default", body = RefusedJson)))]
pub async fn study(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<String>,
) -> Result<Json<StudyJson>, Refusal> {
    study_json(&app, &id, &reader).await.map(Json)
}

async fn study_json(app: &App, id: &str, reader: &Reader) -> Result<StudyJson, Refusal> {
    let text = match (id, game_id(id)) {
        (EXAMPLE_ID, _) => Some(example().to_owned()),
        (_, Ok(game)) => match OverGame::find(app, game).await {
            Ok(game) => Some(game.text()),
            Err(refusal) if refusal.code == RefusalCode::NotFound => None,
            Err(refusal) => return Err(refusal),
        },
        (_, Err(_)) => None,
    };
    if let Some(text) = text {
        let title = recorded(text.as_bytes())?.title();
        let chapter = ChapterJson {
            title: title.clone(),
            game: app.studies().open(&text).to_string(),
            comments: BTreeMap::new(),
            drawings: BTreeMap::new(),
        };
        return Ok(StudyJson {
            id: id.to_owned(),
            title,
            by: None,
            yours: false,
            access: StudyAccess::Private,
            at: 0,
            chapters: [(1, chapter)].into(),
        });
    }
    let (study, by) = app.club().study(id, reader.id()).await?;
    let mut chapters: BTreeMap<u16, ChapterJson> =
        serde_json::from_str(&study.body).map_err(|_| {
            let why = "this study cannot be read: tell the club's operator its address";
            Refusal::new(RefusalCode::Unavailable, why).because("game-damaged")
        })?;
    for chapter in chapters.values_mut() {
        chapter.game = app.studies().open(&chapter.game).to_string();
    }
    Ok(StudyJson {
        chapters,
        ..of_kept(&study, &by, reader)
    })
}
