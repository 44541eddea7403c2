//! A consistent view of a whole store, while others read and write. The check and the export use
//! this view.

use std::io::Write;

use async_trait::async_trait;
use rules::chess::ByColor;

use crate::{
    account::Account,
    account::AccountId,
    check::{self, Report},
    error::{StoreError, damaged},
    export::{self, ExportError, ExportForm, ExportGames},
    game::GameRecord,
    id::GameId,
    row::Row,
};

/// The rows of a game's log in a snapshot.
pub(crate) struct StoredLog {
    /// Number of stored rows.
    pub(crate) stored: u64,
    /// The rows, or the reason why they cannot be read.
    pub(crate) rows: Result<Vec<Row>, StoreError>,
}

/// A read-only transaction that sees the store at one moment.
#[async_trait]
pub(crate) trait Snapshot: Send {
    /// Returns the faults that the database itself finds.
    async fn integrity(&mut self) -> Result<Vec<String>, StoreError>;

    /// Returns the number of accounts.
    async fn accounts(&mut self) -> Result<u64, StoreError>;

    /// Returns one fault for each account, offer, session, message or rating that cannot be read.
    async fn unreadable(&mut self) -> Result<Vec<String>, StoreError>;

    /// Returns every game, oldest first. For a game that cannot be read, the list contains
    /// an error.
    async fn games(&mut self) -> Result<Vec<Result<GameRecord, StoreError>>, StoreError>;

    /// Returns the log of a game.
    async fn log(&mut self, game: GameId) -> Result<StoredLog, StoreError>;

    /// Returns an account.
    async fn account(&mut self, id: AccountId) -> Result<Account, StoreError>;
}

/// Checks that the database is intact, that every log can be replayed, and that the index agrees
/// with the logs.
pub(crate) async fn check(snapshot: &mut dyn Snapshot) -> Result<Report, StoreError> {
    let mut report = Report {
        faults: snapshot.integrity().await?,
        accounts: snapshot.accounts().await?,
        ..Report::default()
    };
    report.faults.extend(snapshot.unreadable().await?);
    for record in snapshot.games().await? {
        report.games += 1;
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                report.faults.push(plain(error));
                continue;
            }
        };
        report.running += u64::from(record.over.is_none());
        let log = snapshot.log(record.id).await?;
        report.rows += log.stored;
        let looked = log.rows.map_err(plain);
        let looked = looked.and_then(|rows| check::replay(&record, &rows));
        report.faults.extend(looked.err());
    }
    Ok(report)
}

/// Writes games to `out`, oldest first, and returns their number.
pub(crate) async fn export(
    snapshot: &mut dyn Snapshot,
    form: ExportForm,
    games: ExportGames,
    out: &mut (dyn Write + Send),
) -> Result<u64, ExportError> {
    let mut written = 0;
    for record in snapshot.games().await? {
        let record = record?;
        if record.over.is_none()
            && (games == ExportGames::Finished || matches!(form, ExportForm::Pgn(_)))
        {
            continue;
        }
        let rows = snapshot.log(record.id).await?.rows?;
        let players = ByColor {
            white: snapshot.account(record.players.white).await?,
            black: snapshot.account(record.players.black).await?,
        };
        match form {
            ExportForm::Lines => export::write_line(out, &record, &players, &rows)?,
            ExportForm::Pgn(pgn) => {
                check::replay(&record, &rows).map_err(damaged)?;
                export::write_pgn(out, &record, &players, &rows, pgn)?;
            }
        }
        written += 1;
    }
    Ok(written)
}

/// Returns the text of a fault without the prefix that all faults have.
fn plain(error: StoreError) -> String {
    if let StoreError::Damaged(why) = error {
        why
    } else {
        error.to_string()
    }
}

/// Implements [`Snapshot`] for a type whose `connection` is inside a read-only transaction.
macro_rules! snapshot_of {
    ($snapshot:ty, $integrity:path) => {
        #[async_trait]
        impl Snapshot for $snapshot {
            async fn integrity(&mut self) -> Result<Vec<String>, StoreError> {
                $integrity(&mut self.connection).await
            }

            async fn accounts(&mut self) -> Result<u64, StoreError> {
                let count: i64 = sqlx::query_scalar(sql::COUNT_ACCOUNTS)
                    .fetch_one(&mut self.connection)
                    .await?;
                Ok(count.unsigned_abs())
            }

            async fn unreadable(&mut self) -> Result<Vec<String>, StoreError> {
                let to = &mut self.connection;
                let accounts = sqlx::query(sql::ACCOUNTS).fetch_all(&mut *to).await?;
                let offers = sqlx::query(sql::ALL_OFFERS).fetch_all(&mut *to).await?;
                let sessions = sqlx::query(sql::SESSIONS).fetch_all(&mut *to).await?;
                let messages = sqlx::query(sql::messages::ALL).fetch_all(&mut *to).await?;
                let ratings = sqlx::query(sql::ratings::ALL_RATINGS)
                    .fetch_all(&mut *to)
                    .await?;
                let faults = accounts
                    .iter()
                    .filter_map(|row| columns::account(row).err())
                    .chain(offers.iter().filter_map(|row| columns::offer(row).err()))
                    .chain(
                        sessions
                            .iter()
                            .filter_map(|row| columns::session(row).err()),
                    )
                    .chain(
                        messages
                            .iter()
                            .filter_map(|row| sql::messages::message(row).err()),
                    )
                    .chain(
                        ratings
                            .iter()
                            .filter_map(|row| sql::ratings::rating(row).err()),
                    );
                Ok(faults.map(|fault| fault.to_string()).collect())
            }

            async fn games(&mut self) -> Result<Vec<Result<GameRecord, StoreError>>, StoreError> {
                let found = sqlx::query(sql::GAMES)
                    .fetch_all(&mut self.connection)
                    .await?;
                Ok(found.iter().map(columns::game).collect())
            }

            async fn log(&mut self, game: GameId) -> Result<StoredLog, StoreError> {
                let found = sqlx::query(sql::EVENTS)
                    .bind(game.to_string())
                    .bind(0_i64)
                    .fetch_all(&mut self.connection)
                    .await?;
                Ok(StoredLog {
                    stored: found.len() as u64,
                    rows: columns::log(game, 0, &found),
                })
            }

            async fn account(&mut self, id: AccountId) -> Result<Account, StoreError> {
                let found = sqlx::query(sql::ACCOUNT).bind(id.0);
                columns::account(&found.fetch_one(&mut self.connection).await?)
            }
        }
    };
}

pub(crate) use snapshot_of;
