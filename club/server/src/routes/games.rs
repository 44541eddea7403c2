//! Routes of games: their facts, the view of a seat, and requests of players.

use axum::{
    Json,
    extract::{Path, Query, State},
    http::HeaderMap,
};
use club::{FinishedSearch, GameId, Millis, RequestAnswer, request_id};
use rules::{Listener, Winner};
use serde::Deserialize;
use wire::{
    ActJson, ConditionalJson, GameJson, GamesJson, HallJson, LinkJson, RefusalCode, RefusedJson,
    SaidJson, SeatViewJson, TryJson,
};

use crate::{
    app::App,
    body::Body,
    reader::{From, Reader, Signed, device},
    refusal::Refusal,
};

/// Maximum number of games in a list.
const PAGE: u32 = 50;

/// Parses the id of a game.
pub fn game_id(text: &str) -> Result<GameId, Refusal> {
    text.parse().map_err(|_| {
        Refusal::new(
            RefusalCode::NotFound,
            "there is no such game: the id of a game has twelve letters and digits",
        )
        .because("game-unknown")
    })
}

fn answer_json(answered: RequestAnswer) -> Json<SaidJson> {
    Json(SaidJson {
        n: answered.n,
        answer: answered.answer.to_owned(),
        cause: answered.cause,
        why: answered.why,
    })
}

/// Query parameters of a search of finished games.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct GamesQuery {
    /// Name of a player, or `*` for all games. By default you; for visitors all games.
    player: Option<String>,
    /// Name of the other player.
    opponent: Option<String>,
    /// Id of a ruleset.
    ruleset: Option<String>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`; or `won` or `lost`, by the player.
    result: Option<String>,
    /// Only games that were created at this time or later, in milliseconds since 1970.
    since: Option<Millis>,
    /// Only games that were created before this time.
    until: Option<Millis>,
    /// The next page: only games that were created before this time; see `next`.
    before: Option<Millis>,
}

impl GamesQuery {
    /// Finds the accounts that the query names.
    async fn search(self, app: &App, reader: &Reader) -> Result<FinishedSearch, Refusal> {
        let player = match self.player.as_deref() {
            None => reader.id(),
            Some("*") => None,
            Some(name) => Some(app.club().named(name).await?.id),
        };
        let opponent = match &self.opponent {
            Some(name) => Some(app.club().named(name).await?.id),
            None => None,
        };
        let (winner, won) = match self.result.as_deref() {
            None => (None, None),
            Some("won") => (None, Some(true)),
            Some("lost") => (None, Some(false)),
            Some(score) => (
                Some(Winner::from_score(score).ok_or_else(not_a_result)?),
                None,
            ),
        };
        if player.is_none() && (opponent.is_some() || won.is_some()) {
            return Err(Refusal::new(
                RefusalCode::Invalid,
                "`opponent`, `won` and `lost` need the name of a `player`",
            ));
        }
        let before = [self.until, self.before].into_iter().flatten().min();
        Ok(FinishedSearch {
            player,
            opponent,
            rules: self.ruleset,
            winner,
            won,
            since: self.since.unwrap_or(Millis::MIN),
            before: before.unwrap_or(Millis::MAX),
        })
    }
}

fn not_a_result() -> Refusal {
    Refusal::new(
        RefusalCode::Invalid,
        "`result` must be 1-0, 0-1, 1/2-1/2, *, won or lost",
    )
}

/// Finished games, newest first
///
/// Yours, those of another player, or all.
#[utoipa::path(get, path = "/api/games", tag = "games", params(GamesQuery),
    security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = GamesJson), (status = "default", body = RefusedJson)))]
pub async fn list(
    State(app): State<App>,
    reader: Reader,
    query: Result<Query<GamesQuery>, axum::extract::rejection::QueryRejection>,
) -> Result<Json<GamesJson>, Refusal> {
    let Query(query) = query.map_err(|_| {
        Refusal::new(
            RefusalCode::Invalid,
            "`since`, `until` and `before` must be times in milliseconds; only player, opponent, \
             ruleset and result are allowed besides",
        )
    })?;
    let search = query.search(&app, &reader).await?;
    let games = app.club().games(&search, reader.id(), PAGE).await?;
    let full = games.len() >= PAGE as usize;
    Ok(Json(GamesJson {
        next: games.last().filter(|_| full).map(|row| row.at),
        games: games.iter().map(present::game_row).collect(),
    }))
}

/// The facts of a game: players, terms, status, result, clocks, who is present
///
/// The facts do not contain what the referee said. Both players get the same facts, except `seat`,
/// `claim_from` and `conditional`. For spectators, `offers` and `claim_from` are null.
#[utoipa::path(get, path = "/api/games/{id}", tag = "games", params(("id" = String, Path)),
    security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = GameJson), (status = "default", body = RefusedJson)))]
pub async fn facts(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<String>,
) -> Result<Json<GameJson>, Refusal> {
    let facts = app.club().facts(game_id(&id)?, reader.id()).await?;
    Ok(Json(present::game(&facts)))
}

/// What a screen in a hall shows
///
/// The true position, for the link of the operator (`kriegspiel games hall`), if both players agreed
/// before the game. Refused to the players' accounts, browsers and networks.
#[utoipa::path(post, path = "/api/games/{id}/hall", tag = "games", params(("id" = String, Path)),
    request_body = LinkJson, security((), ("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = HallJson), (status = "default", body = RefusedJson)))]
pub async fn hall(
    State(app): State<App>,
    reader: Reader,
    from: From,
    headers: HeaderMap,
    Path(id): Path<String>,
    Body(LinkJson { link }): Body<LinkJson>,
) -> Result<Json<HallJson>, Refusal> {
    let near = app.accounts_near(from.address);
    let near: Vec<_> = near.into_iter().chain(reader.id()).collect();
    let device = device(&headers, app.config().https());
    let game = game_id(&id)?;
    let board = app.club().hall(game, &link, reader.id(), &near, device);
    let board = board.await?;
    let choices = &board.facts.choices;
    let hearing = board.heard.as_ref();
    Ok(Json(HallJson {
        hearing: hearing.map(|heard| present::hearing(heard, choices, Listener::Room)),
        game: present::game(&board.facts),
        delay: board.delay,
    }))
}

/// The view of your seat
///
/// Your own men, the attempts that are worth making, the tries refused in this turn, and the words
/// that you can say.
#[utoipa::path(get, path = "/api/games/{id}/view", tag = "games", params(("id" = String, Path)),
    security(("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = SeatViewJson), (status = "default", body = RefusedJson)))]
pub async fn view(
    State(app): State<App>,
    Signed(reader): Signed,
    Path(id): Path<String>,
) -> Result<Json<SeatViewJson>, Refusal> {
    let view = app.club().seat_view(game_id(&id)?, reader.id).await?;
    Ok(Json(present::seat_view(&view)))
}

/// Try a move, or say something else to the referee
///
/// `text` is a move in any notation, or a word such as `any`, `count`, `recap`, `px`, `resign` or
/// `offer-draw`. If a request is sent again with the same `id`, the answer is the same, and the
/// request is not judged again. `after` is the number of the last hearing that the client knows. An
/// attempt that was made for an earlier turn is refused.
#[utoipa::path(post, path = "/api/games/{id}/tries", tag = "games", params(("id" = String, Path)),
    request_body = TryJson, security(("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = SaidJson), (status = "default", body = RefusedJson)))]
pub async fn try_it(
    State(app): State<App>,
    Signed(by): Signed,
    Path(id): Path<String>,
    Body(asked): Body<TryJson>,
) -> Result<Json<SaidJson>, Refusal> {
    let (request, game) = (request_id(&asked.id)?, game_id(&id)?);
    if asked.ask {
        let id = Some(&request);
        app.club().ask_back(game, by.id, id, &asked.text).await?;
    }
    let answer = app
        .club()
        .say(game, by.id, request, asked.after, &asked.text)
        .await?;
    Ok(answer_json(answer))
}

/// Act at the table
///
/// Abort, adjourn, resume, claim the game if the opponent is gone, offer a rematch.
#[utoipa::path(post, path = "/api/games/{id}/acts", tag = "games", params(("id" = String, Path)),
    request_body = ActJson, security(("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = SaidJson), (status = "default", body = RefusedJson)))]
pub async fn act(
    State(app): State<App>,
    Signed(by): Signed,
    Path(id): Path<String>,
    Body(asked): Body<ActJson>,
) -> Result<Json<SaidJson>, Refusal> {
    let request = request_id(&asked.id)?;
    let answer = app
        .club()
        .act(game_id(&id)?, by.id, request, asked.act)
        .await?;
    Ok(answer_json(answer))
}

/// Try in advance
///
/// `text` has at most 20 tries, separated by `;`. The club makes them in order, one in each of your
/// turns: `e2e4; or d2d4; e4d5 if capture d5`. A try with `or` is made if the try before it is not
/// played. Without a condition (`quiet`, `capture`, `capture d5`, `check`, `any`), a try is made only
/// if the opponent's last move neither took a man of yours nor gave check. When a turn comes in which
/// no try is played, the rest is forgotten. An empty text ends them.
#[utoipa::path(put, path = "/api/games/{id}/conditional", tag = "games", params(("id" = String, Path)),
    request_body = ConditionalJson, security(("bearer" = []), ("cookie" = [])),
    responses((status = 200, body = SaidJson), (status = "default", body = RefusedJson)))]
pub async fn set_conditional(
    State(app): State<App>,
    Signed(by): Signed,
    Path(id): Path<String>,
    Body(asked): Body<ConditionalJson>,
) -> Result<Json<SaidJson>, Refusal> {
    let (request, game) = (request_id(&asked.id)?, game_id(&id)?);
    let answer = app
        .club()
        .set_conditional(game, by.id, request, &asked.text);
    Ok(answer_json(answer.await?))
}
