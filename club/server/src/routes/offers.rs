//! Routes of seeks, challenges and invitations.

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use club::{AccountId, OfferKind, OfferView, offer_id};
use wire::{
    AcceptedJson, ChallengedJson, InvitationJson, NewChallengeJson, RefusalCode, RefusedJson,
    SeekJson, TermsJson,
};

use crate::{
    app::App,
    body::Body,
    limit::{Counted, Who},
    reader::{From, Reader, Signed},
    refusal::Refusal,
    terms::terms_from,
};

/// Function that returns whether an offer is of one kind. Each route is for one kind of offer.
type Kind = fn(&OfferKind) -> bool;

const SEEK: Kind = |kind| matches!(kind, OfferKind::Seek);
const CHALLENGE: Kind = |kind| matches!(kind, OfferKind::Challenge { .. });
const INVITATION: Kind = |kind| matches!(kind, OfferKind::Invitation);

/// Returns the offer if it has this kind and the reader may see it.
async fn find(
    app: &App,
    is_kind: Kind,
    id: &str,
    reader: Option<AccountId>,
) -> Result<OfferView, Refusal> {
    let offer = app.club().offer(&offer_id(id)?, reader).await?;
    if is_kind(&offer.kind) {
        Ok(offer)
    } else {
        Err(Refusal::new(
            RefusalCode::NotFound,
            "there is no such offer: it was accepted or withdrawn, or the address is wrong",
        )
        .because("offer-unknown"))
    }
}

async fn accept(
    app: &App,
    kind: Kind,
    id: &str,
    Signed(by): Signed,
) -> Result<Json<AcceptedJson>, Refusal> {
    let offer = find(app, kind, id, Some(by.id)).await?;
    let game = app.club().accept(&offer.id, by.id).await?;
    Ok(Json(AcceptedJson {
        game: game.to_string(),
    }))
}

async fn decline(
    app: &App,
    kind: Kind,
    id: &str,
    Signed(by): Signed,
) -> Result<StatusCode, Refusal> {
    let offer = find(app, kind, id, Some(by.id)).await?;
    app.club().decline(&offer.id, by.id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Counts one more offer from this address.
fn count(app: &App, from: &From) -> Result<(), Refusal> {
    app.counter()
        .count(Counted::Offer, Who::Address(from.address))
        .map_err(|wait| {
            Refusal::too_many("too many games were offered from your address", wait)
                .because("address-offers")
        })
}

/// Seek a game
///
/// Anybody can accept the seek.
#[utoipa::path(post, path = "/api/seeks", tag = "lobby", request_body = TermsJson,
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 201, body = SeekJson), (status = "default", body = RefusedJson)))]
pub async fn seek(
    State(app): State<App>,
    from: From,
    Signed(by): Signed,
    Body(terms): Body<TermsJson>,
) -> Result<(StatusCode, Json<SeekJson>), Refusal> {
    count(&app, &from)?;
    let offer = app.club().seek(by.id, terms_from(terms)?).await?;
    Ok((StatusCode::CREATED, Json(present::seek(&offer))))
}

/// Withdraw your seek
#[utoipa::path(delete, path = "/api/seeks/{id}", tag = "lobby",
    params(("id" = String, Path)), security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn withdraw_seek(
    State(app): State<App>,
    by: Signed,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    decline(&app, SEEK, &id, by).await
}

/// Accept a seek: the game begins
#[utoipa::path(post, path = "/api/seeks/{id}/accept", tag = "lobby",
    params(("id" = String, Path)), security(("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = AcceptedJson), (status = "default", body = RefusedJson)))]
pub async fn accept_seek(
    State(app): State<App>,
    by: Signed,
    Path(id): Path<String>,
) -> Result<Json<AcceptedJson>, Refusal> {
    accept(&app, SEEK, &id, by).await
}

/// Challenge somebody by name
///
/// A built-in bot accepts immediately; then `game` is the id of the game.
#[utoipa::path(post, path = "/api/challenges", tag = "lobby", request_body = NewChallengeJson,
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 201, body = ChallengedJson), (status = "default", body = RefusedJson)))]
pub async fn challenge(
    State(app): State<App>,
    from: From,
    Signed(by): Signed,
    Body(asked): Body<NewChallengeJson>,
) -> Result<(StatusCode, Json<ChallengedJson>), Refusal> {
    let built_in = app.built_in_bots();
    // A challenge to a built-in bot is not counted: it is accepted immediately, so no open offer
    // remains.
    if !built_in.all.iter().any(|(bot, _)| bot.name == asked.to) {
        count(&app, &from)?;
    }
    let terms = terms_from(asked.terms)?;
    // The bot's own task also accepts challenges. The lock makes sure that only one of the two,
    // this function or the task, accepts the challenge.
    let accepting = built_in.accepting().await;
    let offer = app.club().challenge(by.id, &asked.to, terms).await?;
    let game = match &offer.kind {
        OfferKind::Challenge { to } if built_in.all.iter().any(|(_, own)| own.id == to.id) => {
            match app.club().accept(&offer.id, to.id).await {
                Ok(game) => Some(game.to_string()),
                Err(error) => {
                    // If this fails too, the bot's task accepts the challenge when it can.
                    let _withdrawn = app.club().decline(&offer.id, by.id).await;
                    return Err(error.into());
                }
            }
        }
        OfferKind::Challenge { .. } | OfferKind::Seek | OfferKind::Invitation => None,
    };
    drop(accepting);
    let body = ChallengedJson {
        id: offer.id.0,
        game,
    };
    Ok((StatusCode::CREATED, Json(body)))
}

/// Decline a challenge, or withdraw your own
#[utoipa::path(delete, path = "/api/challenges/{id}", tag = "lobby",
    params(("id" = String, Path)), security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn decline_challenge(
    State(app): State<App>,
    by: Signed,
    Path(id): Path<String>,
) -> Result<StatusCode, Refusal> {
    decline(&app, CHALLENGE, &id, by).await
}

/// Accept a challenge: the game begins
#[utoipa::path(post, path = "/api/challenges/{id}/accept", tag = "lobby",
    params(("id" = String, Path)), security(("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = AcceptedJson), (status = "default", body = RefusedJson)))]
pub async fn accept_challenge(
    State(app): State<App>,
    by: Signed,
    Path(id): Path<String>,
) -> Result<Json<AcceptedJson>, Refusal> {
    accept(&app, CHALLENGE, &id, by).await
}

/// Invite anybody who has the link
///
/// The link is `/invitation/CODE`. The first account that accepts the invitation plays.
#[utoipa::path(post, path = "/api/invitations", tag = "lobby", request_body = TermsJson,
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 201, body = InvitationJson), (status = "default", body = RefusedJson)))]
pub async fn invite(
    State(app): State<App>,
    from: From,
    Signed(by): Signed,
    Body(terms): Body<TermsJson>,
) -> Result<(StatusCode, Json<InvitationJson>), Refusal> {
    count(&app, &from)?;
    let offer = app.club().invite(by.id, terms_from(terms)?).await?;
    Ok((StatusCode::CREATED, Json(present::invitation(&offer))))
}

/// Look at an invitation
#[utoipa::path(get, path = "/api/invitations/{code}", tag = "lobby",
    params(("code" = String, Path)), security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = InvitationJson), (status = "default", body = RefusedJson)))]
pub async fn invitation(
    State(app): State<App>,
    reader: Reader,
    Path(code): Path<String>,
) -> Result<Json<InvitationJson>, Refusal> {
    let offer = find(&app, INVITATION, &code, reader.id()).await?;
    Ok(Json(present::invitation(&offer)))
}

/// Withdraw your invitation
#[utoipa::path(delete, path = "/api/invitations/{code}", tag = "lobby",
    params(("code" = String, Path)), security(("bearer" = []), ("cookie" = [])),
    responses((status = 204), (status = "default", body = RefusedJson)))]
pub async fn withdraw_invitation(
    State(app): State<App>,
    by: Signed,
    Path(code): Path<String>,
) -> Result<StatusCode, Refusal> {
    decline(&app, INVITATION, &code, by).await
}

/// Accept an invitation: the game begins
#[utoipa::path(post, path = "/api/invitations/{code}/accept", tag = "lobby",
    params(("code" = String, Path)), security(("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = AcceptedJson), (status = "default", body = RefusedJson)))]
pub async fn accept_invitation(
    State(app): State<App>,
    by: Signed,
    Path(code): Path<String>,
) -> Result<Json<AcceptedJson>, Refusal> {
    accept(&app, INVITATION, &code, by).await
}
