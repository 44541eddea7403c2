//! Routes of one's own account: password, recovery codes, sessions, export, deletion.

use std::{convert::Infallible, net::IpAddr, time::Duration};

use axum::{
    Json,
    body::{Body as Stream, Bytes},
    extract::{Path, State},
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use club::{Account, AccountId, FinishedSearch, Leaving, PROBLEM_RESULTS};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use wire::{
    DeleteAccountJson, DeletedJson, NewPasswordJson, NewTokenJson, OwnAccountJson, OwnSessionJson,
    OwnSessionsJson, PasswordJson, RecoveryCodesJson, RecoveryJson, RefusedJson, RunningGames,
    SessionJson,
};

use crate::{
    app::App,
    body::Body,
    limit::{Counted, Who},
    reader::{From, Listener, Owner, shown},
    refusal::Refusal,
    routes::{
        finished::finished_value,
        people::{begin, forget_cookie},
    },
    watching::Watching,
};

/// Number of finished games that an export reads from the store at once.
const PAGE: u32 = 50;

/// A client that reads no line of an export for this time is disconnected.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);

pub(super) fn count_password(app: &App, address: IpAddr) -> Result<(), Refusal> {
    app.counter()
        .count(Counted::SignIn, Who::Address(address))
        .map_err(|wait| {
            Refusal::too_many("too many attempts with a password from your address", wait)
                .because("address-passwords")
        })
}

/// Change the password
///
/// All sessions of the account end, with their sockets. The answer begins a new session.
#[utoipa::path(post, path = "/api/password", tag = "account", request_body = NewPasswordJson,
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 201, body = SessionJson), (status = "default", body = RefusedJson)))]
pub async fn change_password(
    State(app): State<App>,
    from: From,
    headers: HeaderMap,
    Owner(account): Owner,
    Body(asked): Body<NewPasswordJson>,
) -> Result<Response, Refusal> {
    count_password(&app, from.address)?;
    let changed = app
        .club()
        .change_password(&account, &asked.old, &asked.new)
        .await?;
    begin(&app, &changed, asked.token, &headers, Vec::new()).await
}

/// Set a new password with a recovery code
///
/// The code is used up. All sessions of the account end, with their sockets. The answer begins a
/// new session.
#[utoipa::path(post, path = "/api/recovery", tag = "account", request_body = RecoveryJson,
    responses((status = 201, body = SessionJson), (status = "default", body = RefusedJson)))]
pub async fn recover(
    State(app): State<App>,
    from: From,
    headers: HeaderMap,
    Body(asked): Body<RecoveryJson>,
) -> Result<Response, Refusal> {
    count_password(&app, from.address)?;
    let (name, code) = (&asked.name, &asked.code);
    let account = app.club().recover(name, code, &asked.password).await?;
    begin(&app, &account, asked.token, &headers, Vec::new()).await
}

/// Get new recovery codes
///
/// The old codes are no longer valid. The new codes are shown only here.
#[utoipa::path(post, path = "/api/recovery-codes", tag = "account", request_body = PasswordJson,
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 201, body = RecoveryCodesJson), (status = "default", body = RefusedJson)))]
pub async fn renew_codes(
    State(app): State<App>,
    from: From,
    Owner(account): Owner,
    Body(asked): Body<PasswordJson>,
) -> Result<Response, Refusal> {
    count_password(&app, from.address)?;
    let codes = app
        .club()
        .renew_recovery_codes(&account, &asked.password)
        .await?;
    let codes = RecoveryCodesJson {
        recovery_codes: codes.iter().map(club::RecoveryCode::shown).collect(),
    };
    Ok((StatusCode::CREATED, Json(codes)).into_response())
}

/// Your sessions, oldest first
#[utoipa::path(get, path = "/api/sessions", tag = "account",
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = OwnSessionsJson), (status = "default", body = RefusedJson)))]
pub async fn sessions(
    State(app): State<App>,
    Owner(account): Owner,
    headers: HeaderMap,
) -> Result<Json<OwnSessionsJson>, Refusal> {
    let token = shown(&headers, app.config().https());
    let token = token.as_ref().map(|shown| shown.token());
    let sessions = own_sessions(&app, account.id, token).await?;
    Ok(Json(OwnSessionsJson { sessions }))
}

async fn own_sessions(
    app: &App,
    account: AccountId,
    token: Option<&str>,
) -> Result<Vec<OwnSessionJson>, Refusal> {
    let sessions = app.club().sessions(account, token).await?;
    let session = |session: club::OwnSession| OwnSessionJson {
        id: session.id,
        begun: session.at,
        until: session.until,
        current: session.current,
        label: session.label,
        only_plays: session.only_plays,
    };
    Ok(sessions.into_iter().map(session).collect())
}

/// Get a token for a program that plays for you
///
/// The token cannot change, export or delete the account. It is shown only here. It ends when it is
/// ended like a session, when all sessions end, or after its days.
#[utoipa::path(post, path = "/api/tokens", tag = "account", request_body = NewTokenJson,
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 201, body = SessionJson), (status = "default", body = RefusedJson)))]
pub async fn new_token(
    State(app): State<App>,
    Owner(account): Owner,
    Body(asked): Body<NewTokenJson>,
) -> Result<Response, Refusal> {
    let days = asked.days.unwrap_or(club::MAX_TOKEN_DAYS);
    let token = app.club().begin_token(&account, &asked.label, days).await?;
    let body = SessionJson {
        you: present::player(&account),
        token: Some(token.secret().to_owned()),
        recovery_codes: Vec::new(),
    };
    Ok((StatusCode::CREATED, Json(body)).into_response())
}

/// End one of your sessions
#[utoipa::path(delete, path = "/api/sessions/{id}", tag = "account",
    params(("id" = String, Path, description = "Id of the session, from the list of sessions")),
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn end_session(
    State(app): State<App>,
    Owner(account): Owner,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    app.club().end_own_session(account.id, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// End all your sessions, also this one
#[utoipa::path(delete, path = "/api/sessions", tag = "account",
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn end_sessions(
    State(app): State<App>,
    Owner(account): Owner,
) -> Result<Response, Refusal> {
    app.club().end_all_sessions(&account).await?;
    Ok(forget_cookie(&app, StatusCode::NO_CONTENT.into_response()))
}

/// Your account
#[utoipa::path(get, path = "/api/account", tag = "account",
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = OwnAccountJson), (status = "default", body = RefusedJson)))]
pub async fn account(
    State(app): State<App>,
    Owner(account): Owner,
) -> Result<Json<OwnAccountJson>, Refusal> {
    Ok(Json(own_account(&app, &account).await?))
}

async fn own_account(app: &App, account: &Account) -> Result<OwnAccountJson, Refusal> {
    let own = app.club().own_account(account.id).await?;
    Ok(OwnAccountJson {
        you: present::player(account),
        created: own.at,
        recovery_codes: own.recovery_codes,
        leaving: own.leaving,
        running: own.running.iter().map(ToString::to_string).collect(),
        operator: app.club().is_operator(account.id).await?,
    })
}

/// Delete your account
///
/// Finished games stay, with the name `deleted-account` in place of yours. Everything else about
/// the account is deleted, and all sessions end. You can also let the deletion wait until your
/// running games are over. Then the sessions continue until the account is deleted.
#[utoipa::path(post, path = "/api/account/delete", tag = "account",
    request_body = DeleteAccountJson,
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = DeletedJson), (status = "default", body = RefusedJson)))]
pub async fn delete(
    State(app): State<App>,
    from: From,
    Owner(account): Owner,
    Body(asked): Body<DeleteAccountJson>,
) -> Result<Response, Refusal> {
    count_password(&app, from.address)?;
    let leaving = match asked.games {
        RunningGames::Resign => Leaving::Resign,
        RunningGames::Wait => Leaving::Wait,
    };
    let deleted = app
        .club()
        .delete_account(&account, asked.password.as_deref(), leaving)
        .await?;
    let response = Json(DeletedJson { deleted }).into_response();
    if leaving == Leaving::Resign || deleted {
        return Ok(forget_cookie(&app, response));
    }
    Ok(response)
}

/// Keep an account that waits for its deletion
#[utoipa::path(post, path = "/api/account/keep", tag = "account",
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn keep(State(app): State<App>, Owner(account): Owner) -> Result<StatusCode, Refusal> {
    app.club().keep_account(&account).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Everything that the club stores about you, as a file
///
/// One JSON object for each line. For a running game, the file contains only what you heard. The
/// last line has the kind `end`; it is missing if the session ended before the file was complete.
#[utoipa::path(get, path = "/api/account/export", tag = "account",
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = String, content_type = "application/x-ndjson"),
        (status = "default", body = RefusedJson)))]
pub async fn export(
    State(app): State<App>,
    Owner(account): Owner,
    Listener { token, .. }: Listener,
    from: From,
) -> Result<Response, Refusal> {
    app.counter()
        .count(Counted::Export, Who::Account(account.id))
        .map_err(|wait| Refusal::too_many("too many exports of this account", wait))?;
    // Everything that can lead to a refusal is read before the response begins, because a refusal
    // needs its own status.
    let head = json!({
        "kind": "account",
        "account": own_account(&app, &account).await?,
    });
    let (lines, mut written) = mpsc::channel(16);
    tokio::spawn(async move {
        let _counters = from.counters;
        tokio::select! {
            // If the export fails, the file ends without the last line, whose kind is `end`.
            _ = write_export(&app, &account, head, &lines) => {}
            () = app.session_ends(token.as_deref()) => {}
            () = app.closing() => {}
        }
    });
    let body = Stream::from_stream(stream::poll_fn(move |context| written.poll_recv(context)));
    let headers = [
        (header::CONTENT_TYPE, "application/x-ndjson"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"kriegspiel-account.jsonl\"",
        ),
    ];
    Ok((headers, body).into_response())
}

type Lines = mpsc::Sender<Result<Bytes, Infallible>>;

/// Error: the file of the export cannot be completed.
struct Broken;

async fn line(lines: &Lines, value: &Value) -> Result<(), Broken> {
    let text = format!("{value}\n");
    let sent = lines.send_timeout(Ok(Bytes::from(text)), WRITE_TIMEOUT);
    sent.await.map_err(|_| Broken)
}

/// Writes lines of seven kinds: messages from the account, its reports, its evenings, its studies, messages that wait for the account,
/// accounts that it mutes, and its settings at the door for chess clients.
async fn write_messages(app: &App, account: &Account, lines: &Lines) -> Result<(), Broken> {
    let club = app.club();
    for (message, to) in club.own_messages(account.id).await.map_err(|_| Broken)? {
        let (game, name) = match to {
            Ok(game) => (Some(game.to_string()), None),
            Err(name) => (None, Some(name)),
        };
        let message = json!({
            "kind": "message", "game": game, "to": name, "at": message.at, "text": message.text,
        });
        line(lines, &message).await?;
    }
    for (report, about) in club.own_reports(account.id).await.map_err(|_| Broken)? {
        let game = report.game.map(|game| game.to_string());
        let report = json!({
            "kind": "report", "about": about, "game": game, "at": report.at, "text": report.text,
        });
        line(lines, &report).await?;
    }
    for evening in club.own_evenings(account.id).await.map_err(|_| Broken)? {
        let evening = json!({
            "kind": "evening", "id": evening.id.0, "name": evening.name, "begins": evening.begins,
            "by": evening.by.name,
        });
        line(lines, &evening).await?;
    }
    for (study, _) in club.studies(Some(account.id)).await.map_err(|_| Broken)? {
        let (study, _) = club
            .study(&study.id, Some(account.id))
            .await
            .map_err(|_| Broken)?;
        let chapters: Value = serde_json::from_str(&study.body).map_err(|_| Broken)?;
        let study = json!({
            "kind": "study", "id": study.id, "title": study.title, "access": study.access,
            "at": study.at, "chapters": chapters,
        });
        line(lines, &study).await?;
    }
    for message in club
        .waiting_messages(account.id)
        .await
        .map_err(|_| Broken)?
    {
        let message = present::message(&message);
        line(
            lines,
            &json!({"kind": "waiting-message", "message": message}),
        )
        .await?;
    }
    for muted in club.muted_by(account.id).await.map_err(|_| Broken)? {
        line(lines, &json!({"kind": "mute", "name": muted.name})).await?;
    }
    for door in ["ics", PROBLEM_RESULTS] {
        let settings = club.kept_settings(account, door).await;
        if let Some(text) = settings.map_err(|_| Broken)? {
            line(
                lines,
                &json!({"kind": "settings", "door": door, "text": text}),
            )
            .await?;
        }
    }
    Ok(())
}

async fn write_export(
    app: &App,
    account: &Account,
    head: Value,
    lines: &Lines,
) -> Result<(), Broken> {
    line(lines, &head).await?;
    let profile = app
        .club()
        .profile(&account.name)
        .await
        .map_err(|_| Broken)?;
    let profile = present::person(&profile, false);
    line(lines, &json!({"kind": "profile", "profile": profile})).await?;
    let sessions = own_sessions(app, account.id, None).await;
    for session in sessions.map_err(|_| Broken)? {
        let session = json!({
            "kind": "session", "begun": session.begun, "until": session.until,
        });
        line(lines, &session).await?;
    }
    let subscribers = app.club().subscribers(account.id).await;
    for one in subscribers.map_err(|_| Broken)? {
        let one = json!({
            "kind": "notices", "endpoint": one.endpoint, "language": one.language, "at": one.at,
        });
        line(lines, &one).await?;
    }
    let mail = app.club().own_mail(account.id).await.map_err(|_| Broken)?;
    if !mail.address.is_empty() {
        let mail = json!({"kind": "mail", "address": mail.address, "digests": mail.digests});
        line(lines, &mail).await?;
    }
    let own = app.club().own_account(account.id).await;
    let own = own.map_err(|_| Broken)?;
    for offer in &own.offers {
        if let Ok(view) = app.club().offer(offer, Some(account.id)).await {
            let offer = json!({
                "kind": "offer", "terms": present::terms(&view.terms),
            });
            line(lines, &offer).await?;
        }
    }
    write_messages(app, account, lines).await?;
    for game in own.running {
        // Only the hearings of the account's own seat are read. `heard` does not make the player
        // present at the table.
        let listening = app.club().heard(game, Some(account.id), 0).await;
        let mut watching = Watching::new(game, listening.map_err(|_| Broken)?, 0);
        while !watching.is_idle()
            && let Some(says) = watching.next().await
        {
            let says = serde_json::to_value(&says).map_err(|_| Broken)?;
            line(lines, &json!({"kind": "running-game", "says": says})).await?;
        }
    }
    let mut search = FinishedSearch::of(account.id);
    loop {
        let games = app.club().games(&search, Some(account.id), PAGE).await;
        let games = games.map_err(|_| Broken)?;
        for row in &games {
            let id = row.id.to_string();
            // The log of a single game may be damaged. The export contains `null` for such a game
            // and continues.
            let game = finished_value(app, row.id).await.unwrap_or(Value::Null);
            let game = json!({"kind": "finished-game", "id": id, "game": game});
            line(lines, &game).await?;
        }
        match games.last() {
            Some(last) => search.before = last.at,
            None => break,
        }
    }
    line(lines, &json!({"kind": "end"})).await
}
