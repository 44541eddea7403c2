//! Routes of mail addresses.

use axum::{
    Json,
    extract::{Query, State, rejection::QueryRejection},
    http::{HeaderMap, StatusCode},
    response::Response,
};
use club::AccountKind;
use lettre::Address;
use serde::Deserialize;
use wire::{
    ForgottenJson, LinkJson, MailDigestsJson, MailJson, MailPasswordJson, NewMailJson, RefusalCode,
    RefusedJson, SessionJson,
};

use crate::{
    app::App,
    body::Body,
    limit::{Counted, Who},
    mail::{AskedMail, Mailer},
    reader::{From, Owner, Reader},
    refusal::Refusal,
    routes::{accounts::count_password, people::begin},
};

/// Maximum length of an address, in bytes.
const MAX_ADDRESS: usize = 254;

fn mailer(app: &App) -> Result<&Mailer, Refusal> {
    app.mailer().ok_or_else(|| {
        let why = "this club sends no mail: use a recovery code, or ask its operator";
        Refusal::new(RefusalCode::NotPossible, why).because("mail-none")
    })
}

/// Reads an address, in lower case.
fn address(text: &str) -> Result<Address, Refusal> {
    let read = text.trim().to_lowercase().parse();
    let read = read.ok().filter(|_| text.len() <= MAX_ADDRESS);
    read.ok_or_else(|| {
        let why = "this is no mail address: write it like name@example.org";
        Refusal::new(RefusalCode::Invalid, why).because("mail-form")
    })
}

fn count(app: &App, who: Who) -> Result<(), Refusal> {
    app.counter().count(Counted::Mail, who).map_err(|wait| {
        Refusal::too_many("too many mails were asked for from here", wait).because("mail-often")
    })
}

/// Whether the club sends mail, and your address
#[utoipa::path(get, path = "/api/mail", tag = "account",
    security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = MailJson), (status = "default", body = RefusedJson)))]
pub async fn mail(State(app): State<App>, reader: Reader) -> Result<Json<MailJson>, Refusal> {
    let sends = app.mailer().is_some();
    let (address, digests) = match reader.0 {
        Some(account) if account.kind == AccountKind::Person => {
            let own = app.club().own_mail(account.id).await?;
            (own.address, own.digests)
        }
        Some(_) | None => (String::new(), false),
    };
    Ok(Json(MailJson {
        sends,
        address,
        digests,
    }))
}

/// Set your mail address
///
/// The address gets a link; it is yours when you have followed the link. An empty address removes
/// the earlier one.
#[utoipa::path(put, path = "/api/mail", tag = "account", request_body = NewMailJson,
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn set_mail(
    State(app): State<App>,
    from: From,
    Owner(account): Owner,
    Body(asked): Body<NewMailJson>,
) -> Result<StatusCode, Refusal> {
    let mailer = mailer(&app)?;
    let new = match asked.address.trim() {
        "" => None,
        text => Some(address(text)?),
    };
    count_password(&app, from.address)?;
    let text = new.as_ref().map_or("", |new| new.as_ref());
    let link = app.club().set_mail(&account, &asked.password, text).await?;
    if let (Some(new), Some(link)) = (new, link) {
        count(&app, Who::Account(account.id))?;
        count(&app, Who::Address(from.address))?;
        mailer.ask(AskedMail::Confirm(new, account.name, link))?;
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Get digests of turns in games of days, or get no more
///
/// There are at most two a day, and none while a page is open.
#[utoipa::path(put, path = "/api/mail/digests", tag = "account", request_body = MailDigestsJson,
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn set_digests(
    State(app): State<App>,
    Owner(account): Owner,
    Body(asked): Body<MailDigestsJson>,
) -> Result<StatusCode, Refusal> {
    mailer(&app)?;
    app.club().set_digests(account.id, asked.on).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Confirm a mail address with the link that it got
#[utoipa::path(post, path = "/api/mail/confirm", tag = "account", request_body = LinkJson,
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn confirm_mail(
    State(app): State<App>,
    Body(asked): Body<LinkJson>,
) -> Result<StatusCode, Refusal> {
    app.club().confirm_mail(&asked.link).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Get a mail with a link that sets a new password
///
/// The answer is the same, after the same time, whether an account has this address or not.
#[utoipa::path(post, path = "/api/mail/reset", tag = "account", request_body = ForgottenJson,
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn forgotten(
    State(app): State<App>,
    from: From,
    Body(asked): Body<ForgottenJson>,
) -> Result<StatusCode, Refusal> {
    let mailer = mailer(&app)?;
    let to = address(&asked.address)?;
    count(&app, Who::Address(from.address))?;
    mailer.ask(AskedMail::Password(to))?;
    Ok(StatusCode::NO_CONTENT)
}

/// Set a new password with a link from a mail
///
/// The link works once. All sessions of the account end, with their sockets. The answer begins a new
/// session.
#[utoipa::path(post, path = "/api/mail/password", tag = "account", request_body = MailPasswordJson,
    responses((status = 201, body = SessionJson), (status = "default", body = RefusedJson)))]
pub async fn password_by_mail(
    State(app): State<App>,
    from: From,
    headers: HeaderMap,
    Body(asked): Body<MailPasswordJson>,
) -> Result<Response, Refusal> {
    count_password(&app, from.address)?;
    let (link, password) = (&asked.link, &asked.password);
    let account = app.club().set_password_by_mail(link, password).await?;
    begin(&app, &account, asked.token, &headers, Vec::new()).await
}

/// Query parameters of the end of digests.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct UnsubscribeQuery {
    /// Secret of the link.
    link: String,
}

/// Get no more digests, with one click in a mail program (RFC 8058)
#[utoipa::path(post, path = "/api/mail/unsubscribe", tag = "account", params(UnsubscribeQuery),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn unsubscribe_mail(
    State(app): State<App>,
    query: Result<Query<UnsubscribeQuery>, QueryRejection>,
) -> Result<StatusCode, Refusal> {
    let Query(query) = query.map_err(|_| {
        Refusal::new(
            RefusalCode::Invalid,
            "`link` must be the secret of the link in the mail",
        )
    })?;
    app.club().unsubscribe_mail(&query.link).await?;
    Ok(StatusCode::NO_CONTENT)
}
