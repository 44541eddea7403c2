//! A store in a Postgres database.
//!
//! One connection appends to logs: it sends all waiting appends as one statement. A pool of
//! connections does everything else. Every statement is a transaction of its own. So if a club is
//! stopped at any moment, it holds no lock.

mod calls;
mod commit;
mod evenings;
mod fault;
mod messages;
mod open;
mod pools;
mod push;
mod ratings;
mod reading;
mod schema;
mod statements;

use std::{
    io::Write,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use async_trait::async_trait;
use rules::Over;
use sqlx::{AssertSqlSafe, PgConnection};
use tokio::{sync::Mutex, time::timeout};

use self::calls::CALL_TIMEOUT;
use self::commit::{Append, PostgresCommitter};
pub use self::open::ServerSettings;
use self::pools::{Failures, Pool, Pools};
use self::statements::{
    ADD_ACCOUNT, CHANGE_ACCOUNT, CLAIM, CREATE_GAME, END_SESSION, FORGET_SESSIONS, NOW, RENEW,
    TRY_ROWS, bind_terms,
};
pub(crate) use self::{fault::reported, open::Address, reading::PostgresSnapshot};

use crate::{
    account::{
        Account, AccountChange, AccountChanges, AccountId, AccountKind, CHANGES_KEPT, DELETED_NAME,
        NewAccount, Session, TokenHash, deleted_key, name_key, plain_name,
    },
    check::Report,
    error::StoreError,
    export::{ExportError, ExportForm, ExportGames},
    game::{GameRecord, NewGame, Offer, OfferId, OfferKind},
    id::GameId,
    row::{Millis, NewRow, Row},
    snapshot,
    sql::{
        self,
        columns::{self, account_kind_word, hex, offer_kind_word, state_word, wish_word},
    },
    store::{AppendError, Expected, Fence, LEASE_TIME, Lease, Store},
    writer::Writer,
};

/// A store in a Postgres database.
///
/// Several stores can be open on one database, in several processes and on several machines.
#[derive(Clone, Debug)]
pub struct PostgresStore {
    address: Address,
    writer: Writer<PostgresCommitter>,
    /// Connections for reads, and for changes that are not appends.
    pool: Pool,
    /// All connections except the one that appends.
    pools: Pools,
    failures: Failures,
    /// Whether the server has refused the last appends, for example because its disk is full.
    is_refused: Arc<AtomicBool>,
    /// Held during the search for the server that accepts changes.
    search: Arc<Mutex<()>>,
}

impl PostgresStore {
    /// Opens a database and migrates its tables. `address` has the form
    /// `postgres://USER:PASSWORD@HOST:PORT/DATABASE`. If it names several hosts
    /// (`HOST:PORT,HOST:PORT`), the first one that accepts changes is used.
    ///
    /// # Errors
    /// [`StoreError::NoAnswer`] if no server answers; [`StoreError::ReadOnly`] if the server is a
    /// standby, or if the role lacks rights; [`StoreError::Damaged`] if the database is not a
    /// club's.
    pub async fn open(address: &str) -> Result<PostgresStore, StoreError> {
        PostgresStore::connect(address.parse()?, true).await
    }

    /// Opens an existing database without changing its tables.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if the database has no club; otherwise as for
    /// [`PostgresStore::open`].
    pub async fn open_existing(address: &str) -> Result<PostgresStore, StoreError> {
        PostgresStore::connect(address.parse()?, false).await
    }

    pub(crate) async fn connect(
        address: Address,
        migrate: bool,
    ) -> Result<PostgresStore, StoreError> {
        let (mut connection, server) = address.connect().await?;
        let failures = Failures::default();
        let is_refused = Arc::default();
        let pools = Pools::new(server, CALL_TIMEOUT, &failures);
        let pool = pools.calls.clone();
        match migrate {
            true => schema::migrate(&mut connection).await?,
            false => schema::expect_current(&mut connection).await?,
        }
        let committer = PostgresCommitter::new(
            address.clone(),
            connection,
            pools.clone(),
            Arc::clone(&is_refused),
        );
        Ok(PostgresStore {
            address,
            writer: Writer::start(committer),
            pool,
            pools,
            failures,
            is_refused,
            search: Arc::default(),
        })
    }

    /// Returns the address of the database without its password.
    pub fn name(&self) -> String {
        self.address.to_string()
    }

    /// From now on, starts commits only on ticks: regular times that do not depend on requests.
    /// Each answer is given a fixed time after its tick. So the duration of an append does not
    /// reveal other appends of this club.
    ///
    /// # Errors
    ///
    /// The store is closed, or no thread can be started.
    pub async fn commit_on_ticks(&self) -> Result<(), StoreError> {
        self.writer.commit_on_ticks().await
    }

    /// Makes every commit take this much longer, to simulate a slower disk.
    #[cfg(feature = "testing")]
    pub async fn slow_down(&self, by: std::time::Duration) {
        self.writer.slow_down(by).await;
    }

    /// Writes the queued appends and closes the connections.
    pub async fn close(&self) {
        self.writer.close().await;
        // Waits only for a limited time, because a connection may not answer.
        let _late = timeout(CALL_TIMEOUT, self.pools.close()).await;
    }

    /// Returns the settings of the server.
    ///
    /// # Errors
    /// If a setting on which durability depends is wrong.
    pub async fn settings(&self) -> Result<ServerSettings, StoreError> {
        self.writer.settings().await
    }

    /// Checks, in a snapshot, that every log can be replayed, and that the index agrees with the
    /// logs.
    ///
    /// # Errors
    /// If the database cannot be read at all. Other faults are in the report.
    pub async fn check(&self) -> Result<Report, StoreError> {
        snapshot::check(&mut self.snapshot().await?).await
    }

    /// Writes games to `out`, oldest first, and returns their number. Only for the operator: the
    /// log of a running game contains the true position, which its players must not see.
    ///
    /// # Errors
    /// If a log cannot be read or replayed, or `out` cannot be written.
    pub async fn export(
        &self,
        form: ExportForm,
        games: ExportGames,
        out: &mut (dyn Write + Send),
    ) -> Result<u64, ExportError> {
        snapshot::export(&mut self.snapshot().await?, form, games, out).await
    }

    /// Returns a read-only transaction that sees the database at one moment.
    pub(crate) async fn snapshot(&self) -> Result<PostgresSnapshot, StoreError> {
        let mut connection = self.address.reading().await?;
        schema::expect_current(&mut connection).await?;
        Ok(PostgresSnapshot { connection })
    }

    /// Opens another connection that writes to the database.
    pub(crate) async fn writing_connection(&self) -> Result<PgConnection, StoreError> {
        Ok(self.address.connect().await?.0)
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn append(
        &self,
        game: GameId,
        expected: Expected,
        rows: &[NewRow],
        over: Option<Over>,
    ) -> Result<(), AppendError> {
        let change = Append {
            game,
            expected,
            rows: rows.to_vec(),
            over,
        };
        self.writer.write(change).await.map(drop)
    }

    async fn rows(&self, game: GameId, from: u32) -> Result<Vec<Row>, StoreError> {
        let read = || {
            let rows = sqlx::query(sql::EVENTS).bind(game.to_string());
            rows.bind(i64::from(from)).fetch_all(&self.pool)
        };
        let found = self.repeated(read).await?;
        if found.is_empty() {
            self.game(game).await?;
        }
        columns::long_log(game, from, found).await
    }

    async fn create_game(&self, fence: Fence, game: &NewGame) -> Result<(), StoreError> {
        let [initial, increment, cap] = game.terms.time.columns();
        let rows = || game.rows.iter();
        let seat = |row: &NewRow| row.request.as_ref().map(|(seat, _)| seat.to_string());
        let request = |row: &NewRow| row.request.as_ref().map(|(_, id)| id.0.clone());
        let created = sqlx::query_scalar(CREATE_GAME)
            .bind(fence)
            .bind(game.id.to_string())
            .bind(game.players.white.0)
            .bind(game.players.black.0)
            .bind(&game.terms.rules)
            .bind(&game.terms.custom)
            .bind(initial)
            .bind(increment)
            .bind(cap)
            .bind(game.terms.rated)
            .bind(wish_word(game.terms.color))
            .bind(game.at)
            .bind(game.offer.as_ref().map(|offer| &offer.0))
            .bind(rows().map(|row| row.at).collect::<Vec<_>>())
            .bind(rows().map(|row| row.act.to_string()).collect::<Vec<_>>())
            .bind(rows().map(seat).collect::<Vec<_>>())
            .bind(rows().map(request).collect::<Vec<_>>());
        let created: String = self.in_time(created.fetch_one(&self.pool)).await?;
        match created.as_str() {
            "created" => Ok(()),
            "fenced" => Err(StoreError::Fenced),
            "absent" => Err(StoreError::Absent),
            _ => Err(StoreError::Taken),
        }
    }

    async fn game(&self, game: GameId) -> Result<GameRecord, StoreError> {
        let found = || {
            sqlx::query(sql::GAME)
                .bind(game.to_string())
                .fetch_one(&self.pool)
        };
        columns::game(&self.repeated(found).await?)
    }

    async fn running(&self) -> Result<Vec<GameRecord>, StoreError> {
        self.all(sql::RUNNING, columns::game).await
    }

    async fn order_end(&self, game: GameId) -> Result<(), StoreError> {
        let ordered = sqlx::query(sql::ORDER_END).bind(game.to_string());
        let ordered = self.in_time(ordered.execute(&self.pool)).await?;
        match ordered.rows_affected() {
            0 => Err(StoreError::Absent),
            _ => Ok(()),
        }
    }

    async fn to_end(&self) -> Result<Vec<GameId>, StoreError> {
        self.all(sql::TO_END, columns::id_of_game).await
    }

    async fn create_account(&self, account: &NewAccount) -> Result<AccountId, StoreError> {
        let added = sqlx::query_scalar(ADD_ACCOUNT)
            .bind(name_key(&account.name))
            .bind(&account.name)
            .bind(account_kind_word(account.kind))
            .bind(&account.password)
            .bind(account.at);
        let id: Option<i64> = self.in_time(added.fetch_optional(&self.pool)).await?;
        Ok(AccountId(id.ok_or(StoreError::Taken)?))
    }

    async fn account(&self, id: AccountId) -> Result<Account, StoreError> {
        let found = || sqlx::query(sql::ACCOUNT).bind(id.0).fetch_one(&self.pool);
        columns::account(&self.repeated(found).await?)
    }

    async fn account_named(&self, name: &str) -> Result<Account, StoreError> {
        let key = name_key(name);
        let found = || {
            sqlx::query(sql::ACCOUNT_NAMED)
                .bind(key.clone())
                .fetch_one(&self.pool)
        };
        columns::account(&self.repeated(found).await?)
    }

    async fn account_like(&self, name: &str) -> Result<Account, StoreError> {
        let key = plain_name(name);
        let found = || {
            sqlx::query(AssertSqlSafe(sql::account_like()))
                .bind(key.clone())
                .fetch_one(&self.pool)
        };
        columns::account(&self.repeated(found).await?)
    }

    async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        self.all(sql::ACCOUNTS, columns::account).await
    }

    async fn leaving(&self) -> Result<Vec<Account>, StoreError> {
        self.all(sql::LEAVING, columns::account).await
    }

    async fn change_account(
        &self,
        id: AccountId,
        generation: Option<i64>,
        change: &AccountChange,
    ) -> Result<(), StoreError> {
        let (mut name, mut password, mut code, mut codes) = (None, None, None, None);
        let mut old_codes = None;
        match change {
            AccountChange::Password(hash) => password = Some(hash),
            AccountChange::Recover {
                number,
                code: used,
                password: hash,
            } => (code, password) = (Some((i64::from(*number), used)), Some(hash)),
            AccountChange::RecoveryCodes { old, new } => {
                (old_codes, codes) = (old.clone(), Some(new.clone()));
            }
            AccountChange::MakePerson {
                name: new,
                password: hash,
            } => (name, password) = (Some((name_key(new), new.as_str())), Some(hash)),
            AccountChange::Rename(new) => name = Some((name_key(new), new.as_str())),
            AccountChange::Delete => {
                (name, codes) = (Some((deleted_key(id), DELETED_NAME)), Some(Vec::new()));
            }
            AccountChange::EndSessions
            | AccountChange::Disable
            | AccountChange::Enable
            | AccountChange::Wait
            | AccountChange::Resign => {}
        }
        let from_guest = matches!(change, AccountChange::MakePerson { .. });
        let done = sqlx::query_scalar(CHANGE_ACCOUNT)
            .bind(id.0)
            .bind(generation)
            .bind(from_guest)
            .bind(name.as_ref().map(|(key, _)| key.clone()))
            .bind(name.as_ref().map(|(_, name)| *name))
            .bind(from_guest.then(|| account_kind_word(AccountKind::Person)))
            .bind(password)
            .bind(code.map(|(number, _)| number))
            .bind(codes)
            .bind(change.state().map(state_word))
            .bind(change.ends_sessions())
            .bind(CHANGES_KEPT)
            .bind(code.map(|(_, used)| used.as_str()))
            .bind(old_codes);
        let done: String = self.in_time(done.fetch_one(&self.pool)).await?;
        match done.as_str() {
            "done" => Ok(()),
            "taken" => Err(StoreError::Taken),
            _ => Err(StoreError::Absent),
        }
    }

    async fn recovery_code(&self, account: AccountId, number: u32) -> Result<String, StoreError> {
        let found = || {
            sqlx::query_scalar(sql::CODE)
                .bind(account.0)
                .bind(i64::from(number))
                .fetch_one(&self.pool)
        };
        self.repeated(found).await
    }

    async fn recovery_codes(&self, account: AccountId) -> Result<Vec<String>, StoreError> {
        let found = || {
            let found = sqlx::query_scalar(sql::CODES).bind(account.0);
            found.fetch_all(&self.pool)
        };
        self.repeated(found).await
    }

    async fn account_changes(&self, after: i64) -> Result<AccountChanges, StoreError> {
        let last = || sqlx::query_scalar(sql::LAST_ACCOUNT_CHANGE).fetch_one(&self.pool);
        let last: i64 = self.repeated(last).await?;
        if last <= after {
            return Ok(AccountChanges {
                last,
                accounts: Some(Vec::new()),
            });
        }
        let read = || {
            sqlx::query_as(sql::ACCOUNT_CHANGES)
                .bind(after)
                .fetch_all(&self.pool)
        };
        let found: Vec<(i64, i64)> = self.repeated(read).await?;
        Ok(sql::account_changes(after, last, &found))
    }

    async fn create_session(&self, session: &Session) -> Result<(), StoreError> {
        let forgotten = sqlx::query(FORGET_SESSIONS).bind(session.at);
        self.in_time(forgotten.execute(&self.pool)).await?;
        let allowed = sqlx::query_scalar(sql::HAS_SESSIONS)
            .bind(session.account.0)
            .bind(session.generation);
        let allowed: i64 = self.in_time(allowed.fetch_one(&self.pool)).await?;
        if allowed == 0 {
            return Err(StoreError::Absent);
        }
        // The sessions of the account may be ended at this moment. Then the new session has the old
        // generation, so it is not valid.
        let added = sqlx::query(sql::ADD_SESSION)
            .bind(hex(session.token))
            .bind(session.account.0)
            .bind(session.at)
            .bind(session.until)
            .bind(session.generation)
            .bind(&session.label)
            .bind(session.scope.word());
        match self
            .in_time(added.execute(&self.pool))
            .await?
            .rows_affected()
        {
            0 => Err(StoreError::Taken),
            _ => Ok(()),
        }
    }

    async fn session(&self, token: TokenHash) -> Result<Session, StoreError> {
        let found = || {
            sqlx::query(sql::SESSION)
                .bind(hex(token))
                .fetch_one(&self.pool)
        };
        columns::session(&self.repeated(found).await?)
    }

    async fn sessions_of(&self, account: AccountId) -> Result<Vec<Session>, StoreError> {
        let read = || {
            sqlx::query(sql::SESSIONS_OF)
                .bind(account.0)
                .fetch_all(&self.pool)
        };
        let found = self.repeated(read).await?;
        found.iter().map(columns::session).collect()
    }

    async fn end_session(&self, token: TokenHash) -> Result<(), StoreError> {
        let ended = || {
            sqlx::query(END_SESSION)
                .bind(hex(token))
                .bind(CHANGES_KEPT)
                .execute(&self.pool)
        };
        self.repeated(ended).await.map(drop)
    }

    async fn create_offer(&self, offer: &Offer) -> Result<(), StoreError> {
        let recipient = match offer.kind {
            OfferKind::Challenge { to } => Some(to.0),
            OfferKind::Seek | OfferKind::Invitation => None,
        };
        for account in [Some(offer.by.0), recipient].into_iter().flatten() {
            let active = sqlx::query_scalar(sql::IS_ACTIVE).bind(account);
            let active: i64 = self.in_time(active.fetch_one(&self.pool)).await?;
            if active == 0 {
                return Err(StoreError::Absent);
            }
        }
        let added = sqlx::query(sql::ADD_OFFER)
            .bind(&offer.id.0)
            .bind(offer_kind_word(&offer.kind))
            .bind(recipient)
            .bind(offer.by.0);
        let added =
            bind_terms(added, &offer.terms, offer.at).bind(offer.game.map(|game| game.to_string()));
        match self
            .in_time(added.execute(&self.pool))
            .await?
            .rows_affected()
        {
            0 => Err(StoreError::Taken),
            _ => Ok(()),
        }
    }

    async fn offer(&self, id: &OfferId) -> Result<Offer, StoreError> {
        let found = || sqlx::query(sql::OFFER).bind(&id.0).fetch_one(&self.pool);
        columns::offer(&self.repeated(found).await?)
    }

    async fn offers(&self) -> Result<Vec<Offer>, StoreError> {
        self.all(sql::OFFERS, columns::offer).await
    }

    async fn close_offer(&self, id: &OfferId) -> Result<(), StoreError> {
        let removed = sqlx::query(sql::REMOVE_OPEN_OFFER).bind(&id.0);
        if self
            .in_time(removed.execute(&self.pool))
            .await?
            .rows_affected()
            > 0
        {
            return Ok(());
        }
        let there = sqlx::query_scalar(sql::OFFER_IS_THERE).bind(&id.0);
        let there: i64 = self.in_time(there.fetch_one(&self.pool)).await?;
        Err(match there {
            0 => StoreError::Absent,
            _ => StoreError::Taken,
        })
    }

    async fn claim(&self, _: Millis) -> Result<Option<Lease>, StoreError> {
        let claim = sqlx::query_as(CLAIM).bind(LEASE_TIME);
        let claimed = claim.fetch_optional(&self.pools.heartbeats);
        let claimed: Option<(Fence, Option<Millis>)> = self.in_time(claimed).await?;
        Ok(claimed.map(|(fence, served_until)| Lease {
            fence,
            served_until,
        }))
    }

    async fn renew(
        &self,
        fence: Fence,
        last: Millis,
        now: Millis,
        serves: bool,
    ) -> Result<Millis, StoreError> {
        if self.is_refused.load(Ordering::Relaxed) {
            // If the disk is full, a renewal could still be written, because it needs no new space.
            // Then the clocks would count time in which no row can be appended. So the ownership is
            // renewed only if a test insertion of rows succeeds.
            let tried = || sqlx::query(TRY_ROWS).execute(&self.pools.heartbeats);
            self.repeated(tried).await?;
            self.is_refused.store(false, Ordering::Relaxed);
        }
        let renewed = || {
            let renew = sqlx::query_scalar(RENEW).bind(fence).bind(last);
            let renew = renew.bind(now).bind(serves);
            renew.fetch_optional(&self.pools.heartbeats)
        };
        let renewed: Option<Millis> = self.repeated(renewed).await?;
        if let Some(at) = renewed {
            return Ok(at);
        }
        let found = || sqlx::query_as(sql::LEASE).fetch_one(&self.pools.heartbeats);
        let (found, _, _, _): (Fence, Option<Millis>, bool, Option<Millis>) =
            self.repeated(found).await?;
        Err(match found > fence {
            true => StoreError::Fenced,
            false => StoreError::Absent,
        })
    }

    async fn release(&self, fence: Fence) -> Result<(), StoreError> {
        let released = || sqlx::query(sql::RELEASE).bind(fence).execute(&self.pool);
        self.repeated(released).await.map(drop)
    }

    async fn now(&self) -> Result<Option<Millis>, StoreError> {
        let now = || sqlx::query_scalar(NOW).fetch_one(&self.pools.heartbeats);
        self.repeated(now).await.map(Some)
    }
}
