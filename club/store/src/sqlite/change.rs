//! The changes that a store can make, and the function that writes each change.

use rules::Over;
use sqlx::{Sqlite, SqliteConnection, query::Query, sqlite::SqliteArguments};

use super::{
    account_note::note_account, evening_change, message_change::MessageChange, not_done::NotDone,
    push_change::PushChange, rating_change::rate,
};
use crate::{
    account::{
        AccountChange, AccountId, AccountKind, AccountState, DELETED_NAME, NewAccount, Session,
        TokenHash, deleted_key, name_key,
    },
    error::StoreError,
    game::{NewGame, Offer, OfferId, OfferKind, Terms},
    id::GameId,
    rating::StoredRating,
    row::{Millis, NewRow},
    sql::{
        self,
        columns::{self, account_kind_word, hex, offer_kind_word, state_word, wish_word},
        evenings::Statements,
    },
    store::{AppendError, Expected, Fence, Lease, is_owned},
    writer::Done,
};

type Statement<'q> = Query<'q, Sqlite, SqliteArguments>;

/// A change that is written completely or not at all.
#[derive(Debug)]
pub(super) enum Change {
    Append {
        game: GameId,
        expected: Expected,
        rows: Vec<NewRow>,
        over: Option<Over>,
    },
    CreateGame(Fence, Box<NewGame>),
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
    OrderEnd(GameId),
    Claim {
        now: Millis,
    },
    Renew {
        fence: Fence,
        last: Millis,
        now: Millis,
        serves: bool,
    },
    Release(Fence),
    Message(MessageChange),
    Push(PushChange),
    Rate {
        game: Option<GameId>,
        ratings: Vec<StoredRating>,
    },
    Statements(Box<dyn Statements>),
}

impl Change {
    /// Returns the game to whose log rows are added, if there is one.
    pub(super) fn game(&self) -> Option<GameId> {
        match self {
            Change::Append { game, .. } => Some(*game),
            Change::CreateGame(..)
            | Change::CreateAccount(_)
            | Change::Account { .. }
            | Change::CreateSession(_)
            | Change::EndSession(_)
            | Change::CreateOffer(_)
            | Change::CloseOffer(_)
            | Change::OrderEnd(_)
            | Change::Claim { .. }
            | Change::Renew { .. }
            | Change::Release(_)
            | Change::Message(_)
            | Change::Push(_)
            | Change::Rate { .. }
            | Change::Statements(_) => None,
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
                rows,
                over,
            } => append(to, *game, *expected, rows, *over).await,
            Change::CreateGame(fence, game) => create_game(to, *fence, game).await,
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
            Change::OrderEnd(game) => {
                let ordered = sqlx::query(sql::ORDER_END).bind(game.to_string());
                match ordered.execute(to).await?.rows_affected() {
                    0 => Err(StoreError::Absent.into()),
                    _ => Ok(Done::Nothing),
                }
            }
            Change::Claim { now } => claim(to, *now).await,
            Change::Renew {
                fence,
                last,
                now,
                serves,
            } => renew(to, *fence, *last, *now, *serves).await,
            Change::Release(fence) => {
                let released = sqlx::query(sql::RELEASE).bind(*fence);
                released.execute(to).await?;
                Ok(Done::Nothing)
            }
            Change::Message(change) => change.write(to).await,
            Change::Push(change) => change.write(to).await,
            Change::Rate { game, ratings } => rate(to, *game, ratings).await,
            Change::Statements(change) => evening_change::change(to, change.as_ref()).await,
        }
    }
}

/// Columns of the table `lease`: `fence`, `renewed`, `owned`, `served_until`.
type LeaseColumns = (Fence, Option<Millis>, bool, Option<Millis>);

async fn claim(to: &mut SqliteConnection, now: Millis) -> Result<Done, NotDone> {
    let (fence, renewed, owned, served_until): LeaseColumns =
        sqlx::query_as(sql::LEASE).fetch_one(&mut *to).await?;
    if is_owned(owned, renewed, now) {
        return Ok(Done::Claimed(None));
    }
    let fence = fence.saturating_add(1).max(now);
    let claimed = sqlx::query(sql::CLAIM).bind(fence).bind(now);
    claimed.execute(to).await?;
    Ok(Done::Claimed(Some(Lease {
        fence,
        served_until,
    })))
}

async fn renew(
    to: &mut SqliteConnection,
    fence: Fence,
    last: Millis,
    now: Millis,
    serves: bool,
) -> Result<Done, NotDone> {
    let (found, renewed, _, served_until): LeaseColumns =
        sqlx::query_as(sql::LEASE).fetch_one(&mut *to).await?;
    if found > fence {
        return Err(StoreError::Fenced.into());
    }
    if found < fence || renewed.is_none_or(|renewed| renewed < last) {
        return Err(StoreError::Absent.into());
    }
    let renewed = now.max(last);
    let served_until = if serves { Some(renewed) } else { served_until };
    let set = sqlx::query(sql::RENEW).bind(fence).bind(renewed);
    set.bind(served_until).execute(to).await?;
    Ok(Done::Renewed(renewed))
}

/// Fails if `fence` is not the number of the ownership.
async fn expect_owner(to: &mut SqliteConnection, fence: Fence) -> Result<(), NotDone> {
    let owners: i64 = sqlx::query_scalar(sql::IS_FENCE)
        .bind(fence)
        .fetch_one(to)
        .await?;
    match owners {
        0 => Err(StoreError::Fenced.into()),
        _ => Ok(()),
    }
}

async fn append(
    to: &mut SqliteConnection,
    game: GameId,
    expected: Expected,
    rows: &[NewRow],
    over: Option<Over>,
) -> Result<Done, NotDone> {
    expect_owner(to, expected.fence).await?;
    let id = game.to_string();
    let end: Option<(i64, Option<Millis>)> = sqlx::query_as(sql::LOG_END)
        .bind(&id)
        .bind(i64::from(expected.rows) - 1)
        .fetch_optional(&mut *to)
        .await?;
    let (length, last_at) = end.ok_or(StoreError::Absent)?;
    if length != i64::from(expected.rows)
        || expected.last_at.is_some_and(|at| last_at != Some(at))
        || !add_rows(to, &id, expected.rows, rows).await?
    {
        return Err(NotDone::Refused(AppendError::Conflict));
    }
    if let Some(over) = over {
        let closed = sqlx::query(sql::CLOSE_GAME)
            .bind(&id)
            .bind(over.winner.score())
            .bind(over.reason.name());
        if closed.execute(to).await?.rows_affected() == 0 {
            return Err(StoreError::Taken.into());
        }
    }
    Ok(Done::Nothing)
}

/// Adds rows to a log, numbered from `from` on. Returns false if a row with one of the numbers or
/// requests exists already.
async fn add_rows(
    to: &mut SqliteConnection,
    game: &str,
    from: u32,
    rows: &[NewRow],
) -> Result<bool, NotDone> {
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
            return Ok(false);
        }
        seq = seq.checked_add(1).ok_or_else(|| {
            StoreError::Other(format!("game {game}: its log has no room for more rows"))
        })?;
    }
    Ok(true)
}

async fn create_game(
    to: &mut SqliteConnection,
    fence: Fence,
    game: &NewGame,
) -> Result<Done, NotDone> {
    expect_owner(to, fence).await?;
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
    match add_rows(to, &id, 0, &game.rows).await? {
        true => Ok(Done::Nothing),
        false => Err(StoreError::Taken.into()),
    }
}

/// Binds the columns that the tables of games and offers share, in the order of the statements.
fn bind_terms<'q>(query: Statement<'q>, terms: &'q Terms, at: Millis) -> Statement<'q> {
    let [initial, increment, cap] = terms.time.columns();
    query
        .bind(&terms.rules)
        .bind(&terms.custom)
        .bind(initial)
        .bind(increment)
        .bind(cap)
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
            execute_for(to, sql::ratings::REMOVE_RATINGS, id).await?;
            execute_for(to, sql::evenings::LEAVE_ALL, id).await?;
            execute_for(to, sql::studies::DELETE_ALL, id).await?;
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
        .bind(session.generation)
        .bind(&session.label)
        .bind(session.scope.word());
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
