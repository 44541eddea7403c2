//! The changes that a store can make, and the function that writes each change.

use rules::{Over, chess::Color};
use sqlx::{Sqlite, SqliteConnection, query::Query, sqlite::SqliteArguments};

use super::{account_note::note_account, message_change::MessageChange, not_done::NotDone};
use crate::{
    account::{
        AccountChange, AccountId, AccountKind, AccountState, DELETED_NAME, NewAccount, Session,
        TokenHash, deleted_key, name_key,
    },
    game::{NewGame, Offer, OfferId, OfferKind, Terms, TimeControl},
    id::{GameId, GameSeat},
    presence,
    row::{Millis, NewRow, RequestId},
    sql::{
        self,
        columns::{self, account_kind_word, hex, offer_kind_word, state_word, wish_word},
    },
    store::{AppendError, HEARTBEAT_LIFETIME, LogEnd, StoreError},
    writer::Done,
};

type Statement<'q> = Query<'q, Sqlite, SqliteArguments>;

/// A change that is written completely or not at all.
#[derive(Debug)]
pub(super) enum Change {
    Append {
        game: GameId,
        expected: LogEnd,
        others: Vec<(Color, RequestId)>,
        rows: Vec<NewRow>,
        over: Option<Over>,
    },
    CreateGame(Box<NewGame>),
    CreateAccount(NewAccount),
    Account {
        id: AccountId,
        generation: Option<i64>,
        change: AccountChange,
    },
    CreateSession(Session),
    EndSession(TokenHash),
    CreateOffer(Box<Offer>),
    CloseOffer(OfferId),
    Alive {
        club: u64,
        now: Millis,
    },
    Gone {
        club: u64,
    },
    ClaimBots {
        games: Vec<GameId>,
        club: u64,
        dead: Vec<u64>,
    },
    ReleaseBots {
        club: u64,
    },
    Presence {
        club: u64,
        version: i64,
        seats: Vec<GameSeat>,
    },
    Message(MessageChange),
}

impl Change {
    /// Returns the game to whose log rows are added, if there is one.
    pub(super) fn game(&self) -> Option<GameId> {
        match self {
            Change::Append { game, .. } => Some(*game),
            Change::CreateGame(_)
            | Change::CreateAccount(_)
            | Change::Account { .. }
            | Change::CreateSession(_)
            | Change::EndSession(_)
            | Change::CreateOffer(_)
            | Change::CloseOffer(_)
            | Change::Alive { .. }
            | Change::Gone { .. }
            | Change::ClaimBots { .. }
            | Change::ReleaseBots { .. }
            | Change::Presence { .. }
            | Change::Message(_) => None,
        }
    }
}

impl Change {
    /// Writes the change within the connection's transaction.
    pub(super) async fn write(&self, to: &mut SqliteConnection) -> Result<Done, NotDone> {
        match self {
            Change::Append {
                game,
                expected,
                others,
                rows,
                over,
            } => append(to, *game, (*expected, others), rows, *over).await,
            Change::CreateGame(game) => create_game(to, game).await,
            Change::CreateAccount(account) => create_account(to, account).await,
            Change::CreateSession(session) => create_session(to, session).await,
            Change::EndSession(token) => {
                let account: Option<i64> = sqlx::query_scalar(sql::END_SESSION)
                    .bind(hex(*token))
                    .fetch_optional(&mut *to)
                    .await?;
                if let Some(account) = account {
                    note_account(to, AccountId(account)).await?;
                }
                Ok(Done::Nothing)
            }
            Change::Account {
                id,
                generation,
                change,
            } => change_account(to, *id, *generation, change).await,
            Change::CreateOffer(offer) => create_offer(to, offer).await,
            Change::CloseOffer(id) => close_offer(to, id).await,
            Change::Alive { club, now } => {
                let forgotten = sqlx::query(sql::FORGET_HEARTBEATS)
                    .bind(*now)
                    .bind(now.saturating_sub(HEARTBEAT_LIFETIME));
                forgotten.execute(&mut *to).await?;
                let alive = sqlx::query(sql::ALIVE).bind(club.to_string()).bind(*now);
                alive.execute(to).await?;
                Ok(Done::Nothing)
            }
            Change::Gone { club } => {
                for statement in [sql::GONE, sql::REMOVE_PRESENCE] {
                    let gone = sqlx::query(statement).bind(club.to_string());
                    gone.execute(&mut *to).await?;
                }
                Ok(Done::Nothing)
            }
            Change::ClaimBots { games, club, dead } => claim_bots(to, games, *club, dead).await,
            Change::ReleaseBots { club } => {
                let released = sqlx::query(sql::RELEASE_BOTS).bind(club.to_string());
                released.execute(to).await?;
                Ok(Done::Nothing)
            }
            Change::Presence {
                club,
                version,
                seats,
            } => {
                let forgotten = sqlx::query(sql::FORGET_PRESENCE).bind(club.to_string());
                forgotten.execute(&mut *to).await?;
                let seats = presence::text_of(seats);
                let set = sqlx::query(sql::SET_PRESENCE).bind(club.to_string());
                set.bind(*version).bind(seats).execute(to).await?;
                Ok(Done::Nothing)
            }
            Change::Message(change) => change.write(to).await,
        }
    }
}

async fn append(
    to: &mut SqliteConnection,
    game: GameId,
    (expected, others): (LogEnd, &[(Color, RequestId)]),
    rows: &[NewRow],
    over: Option<Over>,
) -> Result<Done, NotDone> {
    let id = game.to_string();
    let end: Option<(i64, Option<Millis>)> = sqlx::query_as(sql::LOG_END)
        .bind(&id)
        .bind(i64::from(expected.rows) - 1)
        .fetch_optional(&mut *to)
        .await?;
    let (next, last_at) = end.ok_or(StoreError::Absent)?;
    if expected.last_at.is_some_and(|at| last_at != Some(at)) {
        return Err(NotDone::Refused(AppendError::Conflict));
    }
    let from = expected.rows;
    if next != i64::from(from) && !follows(to, &id, from, others).await? {
        return Err(NotDone::Refused(AppendError::Conflict));
    }
    let next = u32::try_from(next)
        .map_err(|_| StoreError::Damaged(format!("game {id}: its log has row {next}")))?;
    let Some(rows) = add_rows(to, &id, next, rows).await? else {
        return Err(NotDone::Refused(AppendError::Conflict));
    };
    if let Some(over) = over {
        let closed = sqlx::query(sql::CLOSE_GAME)
            .bind(&id)
            .bind(over.winner.score())
            .bind(over.reason.name());
        if closed.execute(to).await?.rows_affected() == 0 {
            return Err(StoreError::Taken.into());
        }
    }
    Ok(Done::Grown(game, rows))
}

/// Returns whether the log has rows from number `from` on, and each of these rows answers one of
/// the requests `others`.
async fn follows(
    to: &mut SqliteConnection,
    game: &str,
    from: u32,
    others: &[(Color, RequestId)],
) -> Result<bool, NotDone> {
    if others.is_empty() {
        return Ok(false);
    }
    let later: Vec<(Option<String>, Option<String>)> = sqlx::query_as(sql::REQUESTS)
        .bind(game)
        .bind(i64::from(from))
        .fetch_all(to)
        .await?;
    let is_other = |(seat, request): &(Option<String>, Option<String>)| {
        others.iter().any(|(color, id)| {
            seat.as_ref() == Some(&color.to_string()) && request.as_ref() == Some(&id.0)
        })
    };
    Ok(!later.is_empty() && later.iter().all(is_other))
}

/// Adds rows to a log, numbered from `from` on. Returns the new length of the log, or `None` if a
/// row with one of the numbers or requests exists already.
async fn add_rows(
    to: &mut SqliteConnection,
    game: &str,
    from: u32,
    rows: &[NewRow],
) -> Result<Option<u32>, NotDone> {
    let mut seq = from;
    for row in rows {
        let seat = row.request.as_ref().map(|(seat, _)| seat.to_string());
        let request = row.request.as_ref().map(|(_, id)| id.0.as_str());
        let added = sqlx::query(sql::ADD_EVENT)
            .bind(game)
            .bind(i64::from(seq))
            .bind(row.at)
            .bind(row.act.to_string())
            .bind(seat)
            .bind(request);
        if added.execute(&mut *to).await?.rows_affected() == 0 {
            return Ok(None);
        }
        seq = seq.checked_add(1).ok_or_else(|| {
            StoreError::Other(format!("game {game}: its log has no room for more rows"))
        })?;
    }
    Ok(Some(seq))
}

async fn create_game(to: &mut SqliteConnection, game: &NewGame) -> Result<Done, NotDone> {
    for player in [game.players.white, game.players.black] {
        expect_active(to, player).await?;
    }
    let id = game.id.to_string();
    let added = sqlx::query(sql::ADD_GAME)
        .bind(&id)
        .bind(game.players.white.0)
        .bind(game.players.black.0);
    let added = bind_terms(added, &game.terms, game.at);
    if added.execute(&mut *to).await?.rows_affected() == 0 {
        return Err(StoreError::Taken.into());
    }
    if let Some(offer) = &game.offer {
        let stays = sqlx::query(sql::FULFIL_INVITATION).bind(&offer.0).bind(&id);
        if stays.execute(&mut *to).await?.rows_affected() == 0 {
            let goes = sqlx::query(sql::REMOVE_OPEN_OFFER).bind(&offer.0);
            if goes.execute(&mut *to).await?.rows_affected() == 0 {
                return Err(StoreError::Taken.into());
            }
        }
    }
    let added = add_rows(to, &id, 0, &game.rows).await?;
    let rows = added.ok_or(StoreError::Taken)?;
    Ok(Done::Grown(game.id, rows))
}

/// Binds the columns that the tables of games and offers share, in the order of the statements.
fn bind_terms<'q>(query: Statement<'q>, terms: &'q Terms, at: Millis) -> Statement<'q> {
    let (initial, increment) = match terms.time {
        TimeControl::Clock { initial, increment } => (Some(initial), Some(increment)),
        TimeControl::Unlimited => (None, None),
    };
    query
        .bind(&terms.rules)
        .bind(&terms.custom)
        .bind(initial)
        .bind(increment)
        .bind(terms.rated)
        .bind(wish_word(terms.color))
        .bind(at)
}

async fn create_account(to: &mut SqliteConnection, account: &NewAccount) -> Result<Done, NotDone> {
    let id: Option<i64> = sqlx::query_scalar(sql::ADD_ACCOUNT)
        .bind(name_key(&account.name))
        .bind(&account.name)
        .bind(account_kind_word(account.kind))
        .bind(&account.password)
        .bind(account.at)
        .fetch_optional(to)
        .await?;
    Ok(Done::Account(AccountId(id.ok_or(StoreError::Taken)?)))
}

/// Fails if the account does not exist or is not active.
async fn expect_active(to: &mut SqliteConnection, id: AccountId) -> Result<(), NotDone> {
    let active: i64 = sqlx::query_scalar(sql::IS_ACTIVE)
        .bind(id.0)
        .fetch_one(to)
        .await?;
    match active {
        0 => Err(StoreError::Absent.into()),
        _ => Ok(()),
    }
}

async fn change_account(
    to: &mut SqliteConnection,
    id: AccountId,
    generation: Option<i64>,
    change: &AccountChange,
) -> Result<Done, NotDone> {
    let found = sqlx::query(sql::ACCOUNT)
        .bind(id.0)
        .fetch_optional(&mut *to)
        .await?;
    let account = columns::account(&found.ok_or(StoreError::Absent)?)?;
    let expected = generation.is_none_or(|generation| generation == account.generation);
    if account.state == AccountState::Deleted || !expected {
        return Err(StoreError::Absent.into());
    }
    match change {
        AccountChange::Password(hash) => set_password(to, id, Some(hash)).await?,
        AccountChange::Recover {
            number,
            code,
            password,
        } => {
            let used = sqlx::query(sql::REMOVE_CODE)
                .bind(id.0)
                .bind(i64::from(*number))
                .bind(code);
            if used.execute(&mut *to).await?.rows_affected() == 0 {
                return Err(StoreError::Absent.into());
            }
            set_password(to, id, Some(password)).await?;
        }
        AccountChange::RecoveryCodes { old, new } => {
            let found: Vec<String> = sqlx::query_scalar(sql::CODES)
                .bind(id.0)
                .fetch_all(&mut *to)
                .await?;
            if old.as_ref().is_some_and(|old| *old != found) {
                return Err(StoreError::Taken.into());
            }
            execute_for(to, sql::REMOVE_CODES, id).await?;
            for (number, hash) in (0_i64..).zip(new) {
                let added = sqlx::query(sql::ADD_CODE)
                    .bind(id.0)
                    .bind(number)
                    .bind(hash);
                added.execute(&mut *to).await?;
            }
        }
        AccountChange::MakePerson { name, password } => {
            if account.kind != AccountKind::Guest {
                return Err(StoreError::Taken.into());
            }
            set_name(to, id, name_key(name), name).await?;
            set_password(to, id, Some(password)).await?;
            let kind = sqlx::query(sql::SET_KIND)
                .bind(id.0)
                .bind(account_kind_word(AccountKind::Person));
            kind.execute(&mut *to).await?;
        }
        AccountChange::Rename(name) => set_name(to, id, name_key(name), name).await?,
        AccountChange::Delete => {
            let running: i64 = sqlx::query_scalar(sql::RUNS_GAMES)
                .bind(id.0)
                .fetch_one(&mut *to)
                .await?;
            if running > 0 {
                return Err(StoreError::Taken.into());
            }
            set_name(to, id, deleted_key(id), DELETED_NAME).await?;
            set_password(to, id, None).await?;
            execute_for(to, sql::REMOVE_CODES, id).await?;
            for statement in sql::messages::DELETE_ALL_OF_ACCOUNT {
                execute_for(to, statement, id).await?;
            }
        }
        AccountChange::EndSessions
        | AccountChange::Disable
        | AccountChange::Enable
        | AccountChange::Wait
        | AccountChange::Resign => {}
    }
    if let Some(state) = change.state() {
        let state = sqlx::query(sql::SET_STATE)
            .bind(id.0)
            .bind(state_word(state));
        state.execute(&mut *to).await?;
    }
    if change.deletes_offers() {
        execute_for(to, sql::REMOVE_OFFERS_OF, id).await?;
    }
    if change.ends_sessions() {
        execute_for(to, sql::NEXT_GENERATION, id).await?;
        execute_for(to, sql::END_SESSIONS, id).await?;
    }
    note_account(to, id).await?;
    Ok(Done::Nothing)
}

/// Executes a statement whose only parameter is the account.
async fn execute_for(
    to: &mut SqliteConnection,
    statement: &'static str,
    id: AccountId,
) -> Result<(), NotDone> {
    sqlx::query(statement).bind(id.0).execute(to).await?;
    Ok(())
}

async fn set_password(
    to: &mut SqliteConnection,
    id: AccountId,
    hash: Option<&String>,
) -> Result<(), NotDone> {
    let set = sqlx::query(sql::SET_PASSWORD).bind(id.0).bind(hash);
    set.execute(to).await?;
    Ok(())
}

async fn set_name(
    to: &mut SqliteConnection,
    id: AccountId,
    key: String,
    name: &str,
) -> Result<(), NotDone> {
    let set = sqlx::query(sql::SET_NAME).bind(id.0).bind(key).bind(name);
    if set.execute(to).await?.rows_affected() == 0 {
        return Err(StoreError::Taken.into());
    }
    Ok(())
}

async fn create_session(to: &mut SqliteConnection, session: &Session) -> Result<Done, NotDone> {
    let forgotten = sqlx::query(sql::FORGET_SESSIONS).bind(session.at);
    forgotten.execute(&mut *to).await?;
    let allowed: i64 = sqlx::query_scalar(sql::HAS_SESSIONS)
        .bind(session.account.0)
        .bind(session.generation)
        .fetch_one(&mut *to)
        .await?;
    if allowed == 0 {
        return Err(StoreError::Absent.into());
    }
    let added = sqlx::query(sql::ADD_SESSION)
        .bind(hex(session.token))
        .bind(session.account.0)
        .bind(session.at)
        .bind(session.until)
        .bind(session.generation);
    if added.execute(to).await?.rows_affected() == 0 {
        return Err(StoreError::Taken.into());
    }
    Ok(Done::Nothing)
}

async fn create_offer(to: &mut SqliteConnection, offer: &Offer) -> Result<Done, NotDone> {
    expect_active(to, offer.by).await?;
    if let OfferKind::Challenge { to: recipient } = offer.kind {
        expect_active(to, recipient).await?;
    }
    let recipient = match offer.kind {
        OfferKind::Challenge { to } => Some(to.0),
        OfferKind::Seek | OfferKind::Invitation => None,
    };
    let added = sqlx::query(sql::ADD_OFFER)
        .bind(&offer.id.0)
        .bind(offer_kind_word(&offer.kind))
        .bind(recipient)
        .bind(offer.by.0);
    let added =
        bind_terms(added, &offer.terms, offer.at).bind(offer.game.map(|game| game.to_string()));
    if added.execute(to).await?.rows_affected() == 0 {
        return Err(StoreError::Taken.into());
    }
    Ok(Done::Nothing)
}

async fn close_offer(to: &mut SqliteConnection, id: &OfferId) -> Result<Done, NotDone> {
    let removed = sqlx::query(sql::REMOVE_OPEN_OFFER).bind(&id.0);
    if removed.execute(&mut *to).await?.rows_affected() > 0 {
        return Ok(Done::Nothing);
    }
    let there: i64 = sqlx::query_scalar(sql::OFFER_IS_THERE)
        .bind(&id.0)
        .fetch_one(to)
        .await?;
    Err(if there > 0 {
        StoreError::Taken.into()
    } else {
        StoreError::Absent.into()
    })
}

/// Moves the claim to a game's bots from club $3 to club $2.
const CLAIM_BOTS: &str = "\
update games set bot_club = $2 where id = $1 and reason is null and bot_club = $3";
/// Claims a game's bots for club $2, if no club has claimed them.
const CLAIM_FREE_BOTS: &str = "\
update games set bot_club = $2 where id = $1 and reason is null and bot_club is null";

async fn claim_bots(
    to: &mut SqliteConnection,
    games: &[GameId],
    club: u64,
    dead: &[u64],
) -> Result<Done, NotDone> {
    for game in games {
        let free = sqlx::query(CLAIM_FREE_BOTS).bind(game.to_string());
        free.bind(club.to_string()).execute(&mut *to).await?;
        for other in dead {
            let claim = sqlx::query(CLAIM_BOTS).bind(game.to_string());
            let claim = claim.bind(club.to_string()).bind(other.to_string());
            claim.execute(&mut *to).await?;
        }
    }
    Ok(Done::Nothing)
}
