//! Appends to logs: all waiting appends are one statement, and so one commit.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use rules::Over;
use sqlx::{Connection, PgConnection, Row as _, postgres::PgRow};
use tokio::time::timeout;

use super::{
    open::{Address, ServerSettings},
    pools::Pools,
};
use crate::{
    error::{StoreError, damaged},
    id::GameId,
    row::NewRow,
    store::{AppendError, Expected},
    writer::{Answer, Committer, Done},
};

/// Timeout for a commit, including the time to open a new connection.
const COMMIT_TIMEOUT: Duration = Duration::from_secs(5);

const APPEND: &str = "\
select answer from append_rows($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";

/// Rows to be appended to one log.
#[derive(Debug)]
pub(super) struct Append {
    pub(super) game: GameId,
    pub(super) expected: Expected,
    pub(super) rows: Vec<NewRow>,
    pub(super) over: Option<Over>,
}

/// The connection that appends.
pub(super) struct PostgresCommitter {
    address: Address,
    /// `None` after an error, until a connection is opened again.
    connection: Option<PgConnection>,
    /// The store's other connections. They must go to the same server as `connection`.
    pools: Pools,
    /// Whether the server has refused the last appends, for example because its disk is full.
    is_refused: Arc<AtomicBool>,
}

impl PostgresCommitter {
    pub(super) fn new(
        address: Address,
        connection: PgConnection,
        pools: Pools,
        is_refused: Arc<AtomicBool>,
    ) -> PostgresCommitter {
        PostgresCommitter {
            address,
            connection: Some(connection),
            pools,
            is_refused,
        }
    }

    async fn connection(&mut self) -> Result<&mut PgConnection, StoreError> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                let (connection, server) = self.address.connect().await?;
                self.pools.set_server(server);
                connection
            }
        };
        Ok(self.connection.insert(connection))
    }

    /// Appends. If the connection was lost, appends again over a new connection. If the first call
    /// was committed, the second call gets conflicts, and the callers find their rows in the logs.
    async fn append(&mut self, changes: &[&Append]) -> Result<Vec<Answer>, StoreError> {
        let was_open = self.connection.is_some();
        match append(self.connection().await?, changes).await {
            Err(StoreError::NoAnswer(_)) if was_open => {
                self.connection = None;
                append(self.connection().await?, changes).await
            }
            answered => answered,
        }
    }
}

impl Committer for PostgresCommitter {
    type Change = Append;
    type Settings = ServerSettings;

    fn game(change: &Append) -> Option<GameId> {
        Some(change.game)
    }

    async fn commit(&mut self, changes: &[&Append]) -> Result<Vec<Answer>, StoreError> {
        let answered = timeout(COMMIT_TIMEOUT, self.append(changes)).await;
        let answered = answered.unwrap_or_else(|_| {
            let late = format!("no answer within {} s", COMMIT_TIMEOUT.as_secs());
            Err(StoreError::NoAnswer(late))
        });
        let is_refused = matches!(answered, Err(StoreError::Full | StoreError::ReadOnly(_)));
        self.is_refused.store(is_refused, Ordering::Relaxed);
        if answered.is_err() {
            // The connection may be lost, or the server may have become a standby, so the next
            // append opens a new connection.
            self.connection = None;
        }
        answered
    }

    async fn settings(&mut self) -> Result<ServerSettings, StoreError> {
        ServerSettings::verified(self.connection().await?).await
    }

    async fn close(self) {
        if let Some(connection) = self.connection {
            // Everything is durable already, so an error here does no harm.
            let _ignored = connection.close().await;
        }
    }
}

fn number(length: usize) -> Result<i32, StoreError> {
    i32::try_from(length).map_err(|_| StoreError::Other("too many rows".to_owned()))
}

/// Calls `append_rows`, and returns the answers in the order of `changes`.
async fn append(
    connection: &mut PgConnection,
    changes: &[&Append],
) -> Result<Vec<Answer>, StoreError> {
    let rows = || changes.iter().flat_map(|change| &change.rows);
    let seat = |row: &NewRow| row.request.as_ref().map(|(seat, _)| seat.to_string());
    let request = |row: &NewRow| row.request.as_ref().map(|(_, id)| id.0.clone());

    let all = || changes.iter();
    let games: Vec<String> = all().map(|change| change.game.to_string()).collect();
    let fences: Vec<_> = all().map(|change| change.expected.fence).collect();
    let lengths = all().map(|change| i64::from(change.expected.rows));
    let last_at: Vec<_> = all().map(|change| change.expected.last_at).collect();
    let row_counts = all().map(|change| number(change.rows.len()));
    let winners = all().map(|change| change.over.map(|over| over.winner.score()));
    let reasons = all().map(|change| change.over.map(|over| over.reason.name()));
    let called = sqlx::query(APPEND)
        .bind(&games)
        .bind(fences)
        .bind(lengths.collect::<Vec<_>>())
        .bind(last_at)
        .bind(row_counts.collect::<Result<Vec<i32>, _>>()?)
        .bind(winners.collect::<Vec<_>>())
        .bind(reasons.collect::<Vec<_>>())
        .bind(rows().map(|row| row.at).collect::<Vec<_>>())
        .bind(rows().map(|row| row.act.to_string()).collect::<Vec<_>>())
        .bind(rows().map(seat).collect::<Vec<_>>())
        .bind(rows().map(request).collect::<Vec<_>>());
    let found = match called.fetch_all(connection).await {
        // The log of the game already has a row with the id of the request.
        Err(error) if changes.len() == 1 && is_duplicate(&error) => {
            return Ok(vec![Err(AppendError::Conflict)]);
        }
        found => found?,
    };
    if found.len() != changes.len() {
        return Err(damaged("`append_rows` did not answer every append"));
    }
    let answer = |row: &PgRow| match row.try_get(0).map_err(StoreError::from)? {
        "appended" => Ok(Ok(Done::Nothing)),
        "conflict" => Ok(Err(AppendError::Conflict)),
        "fenced" => Ok(Err(StoreError::Fenced.into())),
        "absent" => Ok(Err(StoreError::Absent.into())),
        "taken" => Ok(Err(StoreError::Taken.into())),
        other => Err(damaged(format_args!("`append_rows` answered `{other}`"))),
    };
    found.iter().map(answer).collect()
}

fn is_duplicate(error: &sqlx::Error) -> bool {
    let said = error.as_database_error();
    said.is_some_and(|said| said.is_unique_violation())
}
