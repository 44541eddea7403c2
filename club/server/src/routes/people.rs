//! Routes of accounts, guests and sessions.

use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode, header::SET_COOKIE},
    response::{IntoResponse, Response},
};
use club::{Account, AccountKind, RecoveryCode};
use wire::{
    CredentialsJson, GuestJson, MeJson, NewAccountJson, PROTOCOL, RefusalCode, RefusedJson,
    SessionJson,
};

use crate::{
    app::App,
    body::{Body, MayBody},
    built_in_bots::check_not_ours,
    limit::{Counted, Who},
    reader::{From, Reader, cookie, device, device_cookie, program, shown},
    refusal::Refusal,
};

/// Begins a session of this account. The response contains `codes`: the recovery codes of a new
/// account, or none.
pub(super) async fn begin(
    app: &App,
    account: &Account,
    wants_token: bool,
    headers: &HeaderMap,
    codes: Vec<RecoveryCode>,
) -> Result<Response, Refusal> {
    let program = program(headers);
    let token = app.club().begin_session_of(account, &program).await?;
    let body = SessionJson {
        you: present::player(account),
        token: wants_token.then(|| token.secret().to_owned()),
        recovery_codes: codes.iter().map(RecoveryCode::shown).collect(),
    };
    let mut response = (StatusCode::CREATED, Json(body)).into_response();
    if !wants_token {
        let https = app.config().https();
        let device = app.club().device_cookie(account.id).await?;
        let device = device.map(|device| device_cookie(&device, https));
        for value in [Some(cookie(Some(&token), https)), device]
            .into_iter()
            .flatten()
        {
            if let Ok(value) = value.parse() {
                response.headers_mut().append(SET_COOKIE, value);
            }
        }
    }
    Ok(response)
}

/// Deletes the cookie with the session.
pub(super) fn forget_cookie(app: &App, mut response: Response) -> Response {
    if let Ok(value) = cookie(None, app.config().https()).parse() {
        response.headers_mut().insert(SET_COOKIE, value);
    }
    response
}

/// Create an account and begin a session
///
/// If a guest sends the request, the guest's games belong to the new account, unless the account is
/// for a program. The answer has the account's recovery codes, which are shown only here. A
/// forgotten password can be replaced with one of them.
///
/// Names are unique without regard to upper and lower case. A program that plays needs an account
/// created with `program: true`, and everybody can see that.
#[utoipa::path(post, path = "/api/accounts", tag = "people", request_body = NewAccountJson,
    responses((status = 201, body = SessionJson), (status = "default", body = RefusedJson)))]
pub async fn register(
    State(app): State<App>,
    from: From,
    reader: Result<Reader, Refusal>,
    headers: HeaderMap,
    Body(asked): Body<NewAccountJson>,
) -> Result<Response, Refusal> {
    // An account can be created without a session, so an invalid token is not an error here.
    let reader = match reader {
        Ok(Reader(reader)) => reader,
        Err(refusal) if refusal.code == RefusalCode::SignIn => None,
        Err(refusal) => return Err(refusal),
    };
    app.counter()
        .count(Counted::Account, Who::Address(from.address))
        .map_err(|wait| {
            Refusal::too_many("too many accounts were made from your address", wait)
                .because("address-accounts")
        })?;
    let (name, password) = (&asked.name, &asked.password);
    check_not_ours(name)?;
    let guest = reader.filter(|reader| reader.kind == AccountKind::Guest);
    let account = match (asked.program, guest) {
        (true, _) => app.club().register_program(name, password).await?,
        (false, Some(guest)) => app.club().register_guest(&guest, name, password).await?,
        (false, None) => app.club().register(name, password).await?,
    };
    let codes = app.club().new_recovery_codes(&account).await?;
    begin(&app, &account, asked.token, &headers, codes).await
}

/// Play as a guest
///
/// A guest gets a random name and plays only casual games. The guest's account ends with the
/// session.
#[utoipa::path(post, path = "/api/guests", tag = "people", request_body = Option<GuestJson>,
    responses((status = 201, body = SessionJson), (status = "default", body = RefusedJson)))]
pub async fn guest(
    State(app): State<App>,
    from: From,
    headers: HeaderMap,
    MayBody(asked): MayBody<GuestJson>,
) -> Result<Response, Refusal> {
    app.counter()
        .count(Counted::Guest, Who::Address(from.address))
        .map_err(|wait| {
            Refusal::too_many("too many guests came from your address", wait)
                .because("address-guests")
        })?;
    let account = app.club().guest().await?;
    begin(&app, &account, asked.token, &headers, Vec::new()).await
}

/// Sign in
#[utoipa::path(post, path = "/api/sessions", tag = "people", request_body = CredentialsJson,
    responses((status = 201, body = SessionJson), (status = "default", body = RefusedJson)))]
pub async fn sign_in(
    State(app): State<App>,
    from: From,
    headers: HeaderMap,
    Body(asked): Body<CredentialsJson>,
) -> Result<Response, Refusal> {
    app.counter()
        .count(Counted::SignIn, Who::Address(from.address))
        .map_err(|wait| {
            Refusal::too_many("too many attempts to sign in from your address", wait)
                .because("address-passwords")
        })?;
    let (name, password) = (&asked.name, &asked.password);
    let device = device(&headers, app.config().https());
    let account = app.club().sign_in_from(name, password, device).await?;
    begin(&app, &account, asked.token, &headers, Vec::new()).await
}

/// Sign out
///
/// The session ends, and its token is no longer valid. Sockets and open responses that use it are
/// closed.
#[utoipa::path(delete, path = "/api/session", tag = "people",
    security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn sign_out(State(app): State<App>, headers: HeaderMap) -> Result<Response, Refusal> {
    if let Some(shown) = shown(&headers, app.config().https()) {
        match app.end_session(shown.token()).await {
            Ok(()) => {}
            // It is no error if the session has ended already.
            Err(error) if error.code != RefusalCode::Unavailable => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(forget_cookie(&app, StatusCode::NO_CONTENT.into_response()))
}

/// The account of your session
#[utoipa::path(get, path = "/api/me", tag = "people",
    security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = MeJson), (status = "default", body = RefusedJson)))]
pub async fn me(State(app): State<App>, reader: Reader) -> Json<MeJson> {
    Json(MeJson {
        version: PROTOCOL,
        you: reader.0.as_ref().map(present::player),
        now: app.club().now(),
    })
}
