//! A store in one SQLite file.
//!
//! One connection writes, and commits all queued changes together. A pool of other connections
//! reads. `open.rs` contains everything that is special to SQLite. The statements in `src/sql/` are
//! SQL that both SQLite and Postgres accept.

mod account_note;
mod change;
mod commit;
mod evening_change;
mod evenings;
mod fault;
mod message_change;
mod messages;
mod not_done;
mod open;
mod push;
mod push_change;
mod rating_change;
mod ratings;
mod schema;
mod snapshot;

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use async_trait::async_trait;
use rules::Over;
use sqlx::{AssertSqlSafe, SqliteConnection, SqlitePool};

pub use self::open::Pragmas;
pub(crate) use self::snapshot::SqliteSnapshot;
use self::{change::Change, commit::SqliteCommitter, open::FileNumbers};
use crate::{
    account::{
        Account, AccountChange, AccountChanges, AccountId, NewAccount, Session, TokenHash,
        name_key, plain_name,
    },
    check::Report,
    error::{StoreError, damaged},
    export::{ExportError, ExportForm, ExportGames},
    game::{GameRecord, NewGame, Offer, OfferId},
    id::GameId,
    row::{Millis, NewRow, Row},
    sql::{
        self,
        columns::{self, hex},
    },
    store::{AppendError, Expected, Fence, Lease, Store, is_owned},
    writer::{Answer, Done, Writer},
};

/// A store in one SQLite file (write-ahead log, synchronous FULL).
///
/// Several stores can be open on one file, also in several processes.
#[derive(Clone, Debug)]
pub struct SqliteStore {
    path: PathBuf,
    writer: Writer<SqliteCommitter>,
    readers: SqlitePool,
    /// Whether the file cannot be written; see [`SqliteStore::open_to_read`].
    is_frozen: bool,
    /// Whether [`SqliteStore::open`] has created the file.
    is_new: bool,
    /// Numbers of the open file.
    numbers: FileNumbers,
}

impl SqliteStore {
    /// Opens the club's file and migrates its tables. If the file does not exist, creates it,
    /// readable only by its owner.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`] and [`StoreError::Full`] if the file cannot be written;
    /// [`StoreError::Damaged`] if the file is not a club's file, or the database is
    /// damaged. The check for damage takes at most half a second, and a file of more than 32 MiB is
    /// not checked.
    pub async fn open(path: impl AsRef<Path>) -> Result<SqliteStore, StoreError> {
        let path = path.as_ref();
        open::expect_own_log(path)?;
        let is_new = open::create(path).await?;
        let connection = open::in_time(async {
            let mut connection = open::writer(path).await?;
            schema::migrate(&mut connection).await?;
            open::expect_intact(&mut connection, path).await?;
            open::write_mark(&mut connection, path).await?;
            Ok(connection)
        });
        let mut store = SqliteStore::over(path, connection.await?);
        store.is_new = is_new;
        // Opens all connections now; see `open::readers`.
        store.pragmas().await?;
        Ok(store)
    }

    /// Whether [`SqliteStore::open`] has created the file.
    pub fn is_new(&self) -> bool {
        self.is_new
    }

    /// Opens an existing file without changing its tables.
    ///
    /// # Errors
    /// [`StoreError::Absent`] if the file does not exist; otherwise as for [`SqliteStore::open`].
    pub async fn open_existing(path: impl AsRef<Path>) -> Result<SqliteStore, StoreError> {
        let path = path.as_ref();
        if !path.exists() {
            return Err(StoreError::Absent);
        }
        open::expect_own_log(path)?;
        let connection = open::in_time(async {
            let mut connection = open::writer(path).await?;
            schema::expect_current(&mut connection).await?;
            Ok(connection)
        });
        Ok(SqliteStore::over(path, connection.await?))
    }

    /// Opens an existing file like [`SqliteStore::open_existing`], but also a closed file that cannot
    /// be written, for checks and exports.
    ///
    /// # Errors
    /// As for [`SqliteStore::open_existing`].
    pub async fn open_to_read(path: impl AsRef<Path>) -> Result<SqliteStore, StoreError> {
        let path = path.as_ref();
        match SqliteStore::open_existing(path).await {
            Err(StoreError::ReadOnly(_)) if open::is_closed(path) => {}
            opened => return opened,
        }
        let mut connection = open::frozen(path).await?;
        schema::expect_current(&mut connection).await?;
        let mut store = SqliteStore::over(path, connection);
        store.is_frozen = true;
        Ok(store)
    }

    fn over(path: &Path, connection: SqliteConnection) -> SqliteStore {
        SqliteStore {
            path: path.to_owned(),
            writer: Writer::start(SqliteCommitter::new(path.to_owned(), connection)),
            readers: open::readers(path),
            is_frozen: false,
            is_new: false,
            numbers: open::file_numbers(path),
        }
    }

    /// From now on, starts commits only on ticks: regular times that do not depend on requests.
    /// Each answer is given a fixed time after its tick. So the duration of an append does not
    /// reveal other writes.
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

    /// Writes the queued changes and closes the file. Without this call nothing is lost, but the
    /// file of the write-ahead log remains until the club's file is opened again.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }

    /// Returns the settings of every connection, first the settings of the writing connection.
    /// Opens the reading connections that are not open yet.
    ///
    /// # Errors
    /// If a setting on which durability depends is wrong.
    pub async fn pragmas(&self) -> Result<Vec<Pragmas>, StoreError> {
        let mut all = vec![self.writer.settings().await?];
        // All connections are held at the same time, so that each call of `acquire` gets a
        // different connection.
        let mut held = Vec::new();
        for _ in 0..open::READ_CONNECTIONS {
            let mut reader = self.readers.acquire().await?;
            all.push(open::verified(&mut reader).await?);
            held.push(reader);
        }
        Ok(all)
    }

    /// Writes a consistent copy of the club's file to a new file. Clubs may use
    /// the store during the copy.
    ///
    /// # Errors
    /// If the store cannot be read, or the new file cannot be written. An existing file is an error
    /// too, and is not changed.
    pub async fn backup(&self, to: impl AsRef<Path>) -> Result<(), StoreError> {
        open::copy(&self.path, to.as_ref()).await
    }

    /// Checks, in a snapshot, that the file is intact, that every log can be replayed, and that
    /// the index agrees with the logs.
    ///
    /// # Errors
    /// If the file cannot be read at all. Other faults are in the report.
    pub async fn check(&self) -> Result<Report, StoreError> {
        crate::snapshot::check(&mut self.snapshot().await?).await
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
        let mut snapshot = self.snapshot().await?;
        crate::snapshot::export(&mut snapshot, form, games, out).await
    }

    /// Returns a read-only transaction that sees the file at one moment.
    pub(crate) async fn snapshot(&self) -> Result<SqliteSnapshot, StoreError> {
        SqliteSnapshot::take(&self.path, self.is_frozen).await
    }

    /// Opens another connection that writes to the file.
    pub(crate) async fn writing_connection(&self) -> Result<SqliteConnection, StoreError> {
        open::writer(&self.path).await
    }

    async fn write(&self, change: Change) -> Result<Done, StoreError> {
        done(self.writer.write(change).await)
    }
}

/// Returns the answer to a change that is not an append.
fn done(answer: Answer) -> Result<Done, StoreError> {
    answer.map_err(|error| match error {
        AppendError::Store(error) => error,
        AppendError::Conflict => StoreError::Taken,
    })
}

#[async_trait]
impl Store for SqliteStore {
    async fn append(
        &self,
        game: GameId,
        expected: Expected,
        rows: &[NewRow],
        over: Option<Over>,
    ) -> Result<(), AppendError> {
        let change = Change::Append {
            game,
            expected,
            rows: rows.to_vec(),
            over,
        };
        self.writer.write(change).await.map(drop)
    }

    async fn rows(&self, game: GameId, from: u32) -> Result<Vec<Row>, StoreError> {
        let found = sqlx::query(sql::EVENTS)
            .bind(game.to_string())
            .bind(i64::from(from))
            .fetch_all(&self.readers)
            .await?;
        if found.is_empty() {
            self.game(game).await?;
        }
        columns::long_log(game, from, found).await
    }

    async fn create_game(&self, fence: Fence, game: &NewGame) -> Result<(), StoreError> {
        let change = Change::CreateGame(fence, Box::new(game.clone()));
        self.write(change).await.map(drop)
    }

    async fn game(&self, game: GameId) -> Result<GameRecord, StoreError> {
        let found = sqlx::query(sql::GAME).bind(game.to_string());
        columns::game(&found.fetch_one(&self.readers).await?)
    }

    async fn running(&self) -> Result<Vec<GameRecord>, StoreError> {
        let found = sqlx::query(sql::RUNNING).fetch_all(&self.readers).await?;
        found.iter().map(columns::game).collect()
    }

    async fn order_end(&self, game: GameId) -> Result<(), StoreError> {
        self.write(Change::OrderEnd(game)).await.map(drop)
    }

    async fn to_end(&self) -> Result<Vec<GameId>, StoreError> {
        let found = sqlx::query(sql::TO_END).fetch_all(&self.readers).await?;
        found.iter().map(columns::id_of_game).collect()
    }

    async fn create_account(&self, account: &NewAccount) -> Result<AccountId, StoreError> {
        match self.write(Change::CreateAccount(account.clone())).await? {
            Done::Account(id) => Ok(id),
            Done::Nothing | Done::Claimed(_) | Done::Renewed(_) | Done::Message(_) => {
                Err(damaged("an account was created without a number"))
            }
        }
    }

    async fn account(&self, id: AccountId) -> Result<Account, StoreError> {
        let found = sqlx::query(sql::ACCOUNT).bind(id.0);
        columns::account(&found.fetch_one(&self.readers).await?)
    }

    async fn account_named(&self, name: &str) -> Result<Account, StoreError> {
        let found = sqlx::query(sql::ACCOUNT_NAMED).bind(name_key(name));
        columns::account(&found.fetch_one(&self.readers).await?)
    }

    async fn account_like(&self, name: &str) -> Result<Account, StoreError> {
        let found = sqlx::query(AssertSqlSafe(sql::account_like())).bind(plain_name(name));
        columns::account(&found.fetch_one(&self.readers).await?)
    }

    async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        let found = sqlx::query(sql::ACCOUNTS).fetch_all(&self.readers).await?;
        found.iter().map(columns::account).collect()
    }

    async fn leaving(&self) -> Result<Vec<Account>, StoreError> {
        let found = sqlx::query(sql::LEAVING).fetch_all(&self.readers).await?;
        found.iter().map(columns::account).collect()
    }

    async fn change_account(
        &self,
        id: AccountId,
        generation: Option<i64>,
        change: &AccountChange,
    ) -> Result<(), StoreError> {
        let change = Change::Account {
            id,
            generation,
            change: change.clone(),
        };
        self.write(change).await.map(drop)
    }

    async fn recovery_code(&self, account: AccountId, number: u32) -> Result<String, StoreError> {
        let found = sqlx::query_scalar(sql::CODE)
            .bind(account.0)
            .bind(i64::from(number));
        Ok(found.fetch_one(&self.readers).await?)
    }

    async fn recovery_codes(&self, account: AccountId) -> Result<Vec<String>, StoreError> {
        let found = sqlx::query_scalar(sql::CODES).bind(account.0);
        Ok(found.fetch_all(&self.readers).await?)
    }

    async fn account_changes(&self, after: i64) -> Result<AccountChanges, StoreError> {
        let last: i64 = sqlx::query_scalar(sql::LAST_ACCOUNT_CHANGE)
            .fetch_one(&self.readers)
            .await?;
        if last <= after {
            return Ok(AccountChanges {
                last,
                accounts: Some(Vec::new()),
            });
        }
        let found: Vec<(i64, i64)> = sqlx::query_as(sql::ACCOUNT_CHANGES)
            .bind(after)
            .fetch_all(&self.readers)
            .await?;
        Ok(sql::account_changes(after, last, &found))
    }

    async fn create_session(&self, session: &Session) -> Result<(), StoreError> {
        let change = Change::CreateSession(session.clone());
        self.write(change).await.map(drop)
    }

    async fn session(&self, token: TokenHash) -> Result<Session, StoreError> {
        let found = sqlx::query(sql::SESSION)
            .bind(hex(token))
            .fetch_one(&self.readers)
            .await?;
        columns::session(&found)
    }

    async fn sessions_of(&self, account: AccountId) -> Result<Vec<Session>, StoreError> {
        let found = sqlx::query(sql::SESSIONS_OF)
            .bind(account.0)
            .fetch_all(&self.readers)
            .await?;
        found.iter().map(columns::session).collect()
    }

    async fn end_session(&self, token: TokenHash) -> Result<(), StoreError> {
        self.write(Change::EndSession(token)).await.map(drop)
    }

    async fn create_offer(&self, offer: &Offer) -> Result<(), StoreError> {
        let change = Change::CreateOffer(Box::new(offer.clone()));
        self.write(change).await.map(drop)
    }

    async fn offer(&self, id: &OfferId) -> Result<Offer, StoreError> {
        let found = sqlx::query(sql::OFFER).bind(&id.0);
        columns::offer(&found.fetch_one(&self.readers).await?)
    }

    async fn offers(&self) -> Result<Vec<Offer>, StoreError> {
        let found = sqlx::query(sql::OFFERS).fetch_all(&self.readers).await?;
        found.iter().map(columns::offer).collect()
    }

    async fn close_offer(&self, id: &OfferId) -> Result<(), StoreError> {
        self.write(Change::CloseOffer(id.clone())).await.map(drop)
    }

    async fn claim(&self, now: Millis) -> Result<Option<Lease>, StoreError> {
        // A standby claims again and again, so it reads the ownership before it locks the file.
        let found = sqlx::query_as(sql::LEASE).fetch_one(&self.readers).await?;
        let (_, renewed, owned, _): (Fence, _, _, Option<Millis>) = found;
        if is_owned(owned, renewed, now) {
            return Ok(None);
        }
        match self.write(Change::Claim { now }).await? {
            Done::Claimed(lease) => Ok(lease),
            Done::Nothing | Done::Account(_) | Done::Message(_) | Done::Renewed(_) => {
                Err(damaged("a claim gave no ownership"))
            }
        }
    }

    async fn renew(
        &self,
        fence: Fence,
        last: Millis,
        now: Millis,
        serves: bool,
    ) -> Result<Millis, StoreError> {
        if open::file_numbers(&self.path) != self.numbers {
            return Err(StoreError::Absent);
        }
        let renew = Change::Renew {
            fence,
            last,
            now,
            serves,
        };
        // If a renewal waited for the credits of many games, it would come late, and each game would
        // get another credit.
        match done(self.writer.write_first(renew).await)? {
            Done::Renewed(at) => Ok(at),
            Done::Nothing | Done::Account(_) | Done::Message(_) | Done::Claimed(_) => {
                Err(damaged("a renewal gave no time"))
            }
        }
    }

    async fn release(&self, fence: Fence) -> Result<(), StoreError> {
        self.write(Change::Release(fence)).await.map(drop)
    }
}
