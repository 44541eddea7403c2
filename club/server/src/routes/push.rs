//! Routes of notices by Web Push.

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode},
};
use wire::{NewPushJson, PushJson, RefusalCode, RefusedJson};

use crate::{
    app::App,
    body::Body,
    push,
    reader::{Owner, shown},
    refusal::Refusal,
};

/// Returns the token of the session. An [`Owner`] always has one.
fn token(app: &App, headers: &HeaderMap) -> String {
    let shown = shown(headers, app.config().https());
    shown.map_or_else(String::new, |shown| shown.token().to_owned())
}

/// Whether this browser gets notices, and the key to subscribe with
#[utoipa::path(get, path = "/api/push", tag = "account",
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = PushJson), (status = "default", body = RefusedJson)))]
pub async fn state(
    State(app): State<App>,
    Owner(account): Owner,
    headers: HeaderMap,
) -> Result<Json<PushJson>, Refusal> {
    let token = token(&app, &headers);
    Ok(Json(PushJson {
        key: app.vapid().public().to_owned(),
        on: app.club().is_subscribed(account.id, &token).await?,
    }))
}

/// Get notices (Web Push) in this browser
///
/// A notice says that it is your turn in a game, or that you have a challenge or a message. It is
/// sent while no socket of yours is open. The subscription ends with the session. Of more than five
/// the oldest ends.
#[utoipa::path(put, path = "/api/push", tag = "account", request_body = NewPushJson,
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn subscribe(
    State(app): State<App>,
    Owner(account): Owner,
    headers: HeaderMap,
    Body(new): Body<NewPushJson>,
) -> Result<StatusCode, Refusal> {
    if !push::is_valid(&new) {
        let refusal = Refusal::new(
            RefusalCode::Invalid,
            "this is not a subscription of a browser: `endpoint` must be an https address of a public \
             push service, without a port; `p256dh` and `auth` must be the keys of `getKey`, in \
             base64url; `language` must be a code such as en",
        );
        return Err(refusal.because("push-form"));
    }
    let token = token(&app, &headers);
    app.club().subscribe(&account, &token, new).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Get no more notices in this browser
#[utoipa::path(delete, path = "/api/push", tag = "account",
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn unsubscribe(
    State(app): State<App>,
    Owner(_): Owner,
    headers: HeaderMap,
) -> Result<StatusCode, Refusal> {
    app.club().unsubscribe(&token(&app, &headers)).await?;
    Ok(StatusCode::NO_CONTENT)
}
